"""How large the requests were: a bar for each power of two that occurs, A above B."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from modelmon.core.units import request_text
from modelmon.gui.language import tr
from modelmon.gui.plots.pens import hatch
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.blocks.requests import Requests
    from modelmon.gui.session.notices import ArmLabel

_WIDTH_PX = 208
_LINE_PX = 16
_MOST_BAR_PX = 11
_GAP_PX = 5


class RequestSizes(QWidget):
    """Numbers of requests by size, as many lines as there is room for, the largest first."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[ArmLabel, dict[int, int]] = {}
        self.note = ""
        self.setFixedWidth(round(_WIDTH_PX * manager().scale))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Request sizes"))

    def show_requests(self, requests: Mapping[ArmLabel, Requests]) -> None:
        """Show the requests of these arms."""
        single = {label: each for label, each in requests.items() if each.merged <= 1}
        self.counts = {label: each.size_counts for label, each in single.items()}
        left_out = [label for label in requests if label not in single]
        arms = ", ".join(left_out)
        self.note = tr("{arms}: recorded in groups, not one by one", arms=arms) if left_out else ""
        self.setToolTip(self._tip())
        self.update()

    @property
    def exponents(self) -> list[int]:
        """The sizes that occur, largest first."""
        return sorted({size for counts in self.counts.values() for size in counts}, reverse=True)

    def sizeHint(self) -> QSize:
        """A narrow column."""
        return QSize(self.width(), 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw heading and bars."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setFont(font(11))
        painter.setPen(theme.text_2)
        heading = QRectF(0, 0, self.width(), _LINE_PX)
        painter.drawText(heading, Qt.AlignmentFlag.AlignVCenter, tr("Requests by size"))
        sizes = self.exponents
        if self.note:
            note = QRectF(0, self.height() - _LINE_PX, self.width(), _LINE_PX)
            painter.drawText(note, Qt.AlignmentFlag.AlignVCenter, self.note)
        if not sizes:
            return
        room = self.height() - _GAP_PX - _LINE_PX * (2 if self.note else 1)
        bar_px = min(_MOST_BAR_PX, (room / len(sizes) - _GAP_PX) / max(len(self.counts), 1))
        # Smaller ones than have room are counted in the tool tip.
        least = 4.0
        if bar_px < least:
            bar_px = least
            sizes = sizes[: max(1, int(room // (least * len(self.counts) + _GAP_PX)))]
        top = float(_LINE_PX + _GAP_PX)
        for size in sizes:
            self._draw_size(painter, size, top, bar_px)
            top += bar_px * len(self.counts) + _GAP_PX

    def _draw_size(self, painter: QPainter, size: int, top: float, bar_px: float) -> None:
        theme = manager().theme
        metrics = QFontMetricsF(painter.font())
        name_px = metrics.horizontalAdvance("512 KiB") + 8
        count_px = metrics.horizontalAdvance(f"{self._most:,}") + 6
        height = bar_px * len(self.counts)
        painter.setPen(theme.text_2)
        middle = top + height / 2
        name = QRectF(0, middle - _LINE_PX / 2, name_px - 6, _LINE_PX)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(name, right, request_text(2**size))
        room = self.width() - name_px - count_px
        for number, (label, counts) in enumerate(self.counts.items()):
            count = counts.get(size, 0)
            if not count:
                continue
            width = max(2.0, count / self._most * room)
            bar = QRectF(name_px, top + number * bar_px, width, max(bar_px - 1, 1))
            colour = theme.arm(label)
            painter.fillRect(bar, colour if label == "A" else hatch(colour, "A", ground=0.5))
            if bar_px >= _MOST_BAR_PX - 2 or len(self.counts) == 1:
                box = QRectF(bar.right() + 4, bar.center().y() - 8, count_px, _LINE_PX)
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, f"{count:,}")

    @property
    def _most(self) -> int:
        return max((max(counts.values()) for counts in self.counts.values() if counts), default=1)

    def _tip(self) -> str:
        lines = [tr("Numbers of requests by size, rounded down to a power of two")]
        for size in self.exponents:
            counts = ", ".join(
                f"{label} {counts.get(size, 0):,}" for label, counts in self.counts.items()
            )
            lines.append(f"{request_text(2**size)}: {counts}")
        return "\n".join(lines)
