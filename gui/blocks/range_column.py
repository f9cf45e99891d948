"""The column beside the waterfall: figures of the selected range, then of the selected block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton, QWidget

from modelmon.core.units import rate_text, size_text
from modelmon.gui.blocks.figures_column import SEEN_FIGURES, WAIT, FiguresText, Part, seen_texts
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.io_wait import waiting_text
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import NOTHING, sampled_text
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, label

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.time_range import TimeRange
    from modelmon.gui.session.notices import ArmLabel

RANGE_FIGURES = (
    *(mark("Loaded"), mark("Throughput"), WAIT, mark("Requests")),
    mark("Blocks ready"),
)


def range_texts(found: RangeFigures | None, merged: float = 1.0) -> tuple[str, ...]:
    """The RANGE_FIGURES as text; `merged` requests were recorded as one on average."""
    if found is None:
        return (NOTHING,) * len(RANGE_FIGURES)
    requests, ready = f"{found.requests:,}", found.blocks_ready
    return (
        size_text(found.loaded_bytes),
        rate_text(found.bytes_per_s),
        waiting_text(found),
        sampled_text(requests) if merged > 1 else requests,
        NOTHING if ready is None else f"{ready:,}",
    )


class RangeColumn(QWidget):
    """Figures of the selected range, then of the selected block; how to select them."""

    def __init__(self) -> None:
        super().__init__()
        self._range: TimeRange | None = None
        self._parts = [Part("", ""), Part("", "")]
        self._arms: Collection[ArmLabel] = ARMS
        self.span = label("", "heading")
        self.zoom = QPushButton(tr("Zoom"))
        self.zoom.setProperty("compact", True)
        self.zoom.setToolTip(tr("Make the range the time axis of all plots"))
        self.close_button = icon_button("close", tr("Clear the selected range (Esc)"))
        self.figures = FiguresText()
        self._head = QWidget()
        head = in_row(self.span, (ElidedLabel("hint", tr("selected")), 1), self.zoom, on=self._head)
        head.addWidget(self.close_button)
        in_column(self._head, (self.figures, 1), on=self, margins=(8, 0, 0, 0), spacing=0)
        self.setAccessibleName(tr("Figures of the selected range and block"))
        self.show_block("", "", {})

    def follow(self, time_range: TimeRange) -> None:
        """Let the buttons act on this range."""
        self._range = time_range
        self.close_button.clicked.connect(time_range.clear)
        self.zoom.clicked.connect(time_range.zoom_wanted)

    def show_range(self, records: Mapping[ArmLabel, RunRecord | None]) -> None:
        """Show the figures of these runs in the selected range."""
        chosen = self._range if self._range is not None and self._range.seconds else None
        if chosen is None and self._head.isAncestorOf(self.focusWidget()):
            # Qt would give the focus to whatever comes next in the window.
            self.figures.setFocus()
        self._head.setVisible(chosen is not None)
        if chosen is None:
            how = tr("Drag in a plot to see the figures of a time range.")
            self._show(0, Part("", how))
            return
        first, last = chosen.ends
        self.span.setText(tr("{first} to {last} s", first=first, last=last))
        texts = {}
        for arm, record in records.items():
            found = chosen.figures(record) if record is not None else None
            texts[arm] = range_texts(found, record.chunks.merged if record is not None else 1.0)
        self._show(0, Part("", "", RANGE_FIGURES, texts))

    def show_block(
        self, name: str, about: str, timings: Mapping[ArmLabel, BlockTiming | None]
    ) -> None:
        """Show the figures of a block; an empty name stands for none."""
        if not name:
            self._show(1, Part("", tr("Select a row for the times of its block.")))
            return
        texts = {arm: seen_texts(timings.get(arm)) for arm in ARMS}
        self._show(1, Part(name, about, SEEN_FIGURES, texts))

    def show_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show the columns of these arms only."""
        self._arms = arms
        self._show(0, self._parts[0])

    def _show(self, at: int, part: Part) -> None:
        self._parts[at] = part
        self.figures.show_parts(*(of_arms(each, self._arms) for each in self._parts))


def of_arms(part: Part, arms: Collection[ArmLabel]) -> Part:
    """The same with the figures of these arms only."""
    return part._replace(texts={arm: texts for arm, texts in part.texts.items() if arm in arms})
