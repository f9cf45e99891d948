"""A bar of parts that add up to a whole, and its legend."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from modelmon.core.units import percent_text
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.theme import font, manager

_BAR_PX = 8
_GAP_PX = 6
_SAMPLE_PX = 8
_APART_PX = 8
_SMALL_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class BarSegment:
    """A part of a composition bar; `share` is 0 to 1."""

    name: str
    share: float


class ShareBar(QWidget):
    """Parts side by side, each in its own colour; the legend below names them.

    `roles` are the theme's colours in the order of the parts. The legend leaves shares
    out where `with_shares` is False.
    """

    def __init__(self, roles: tuple[str, ...], *, with_shares: bool) -> None:
        super().__init__()
        self._roles = roles
        self._with_shares = with_shares
        self._parts: list[BarSegment] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        manager().changed.connect(self.update)

    def set_parts(self, parts: list[BarSegment]) -> None:
        """Show other parts; none hides the bar."""
        self._parts = parts
        self.setVisible(bool(parts))
        words = ", ".join(f"{part.name} {percent_text(part.share)}" for part in parts if part.share)
        self.setAccessibleName(words)
        self.setToolTip(plain(words))
        self.update()

    def sizeHint(self) -> QSize:
        """The bar and one line of legend."""
        return QSize(200, _BAR_PX + _GAP_PX + self._line_px())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar and legend."""
        del event
        painter = QPainter(self)
        painter.setFont(font(11))
        theme = manager().theme
        left, legend_left = 0.0, 0.0
        texts = self._legend(painter)
        top = _BAR_PX + _GAP_PX
        for part, role, text in zip(self._parts, self._roles, texts, strict=False):
            if not part.share:
                continue
            colour = getattr(theme, role)
            width = part.share * self.width()
            painter.fillRect(QRectF(left, 0, max(width - 1, 0.5), _BAR_PX), colour)
            left += width
            if not text:
                continue
            middle = top + self._line_px() / 2
            sample = QRectF(legend_left, middle - _SAMPLE_PX / 2, _SAMPLE_PX, _SAMPLE_PX)
            painter.fillRect(sample, colour)
            painter.setPen(theme.text_2)
            place = QRectF(legend_left + _SAMPLE_PX + 4, top, self.width(), self._line_px())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            legend_left = place.left() + painter.fontMetrics().horizontalAdvance(text) + _APART_PX
        painter.end()

    def _legend(self, painter: QPainter) -> list[str]:
        """Names with shares; without room for all, small parts go first, then the shares."""
        if self._with_shares:
            for least in (0.0, _SMALL_SHARE):
                texts = [
                    f"{part.name} {percent_text(part.share)}" if part.share >= least else ""
                    for part in self._parts
                ]
                if self._fits(painter, texts):
                    return texts
        return [part.name for part in self._parts]

    def _fits(self, painter: QPainter, texts: list[str]) -> bool:
        advance = painter.fontMetrics().horizontalAdvance
        widths = [_SAMPLE_PX + 4 + advance(text) + _APART_PX for text in texts if text]
        return sum(widths) - _APART_PX <= self.width()

    def _line_px(self) -> int:
        return round(14 * manager().scale)
