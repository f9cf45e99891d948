"""The column beside the waterfall: figures of the selected range, then of the selected block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from modelmon.core.units import duration_text, rate_text, size_text
from modelmon.gui.blocks.arm_figures import ArmFigures, copied_label
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.io_wait import waiting_text
from modelmon.gui.plots.timeplot import NOTHING, sampled_text
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, label, restyle

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.time_range import TimeRange
    from modelmon.gui.session.notices import ArmLabel

WIDTH_PX = 280
_BELOW_PX, _ANY_PX = 176, 16_777_215
_WAIT = mark("Readers waiting")
RANGE_FIGURES = (
    *(mark("Loaded"), mark("Throughput"), _WAIT, mark("Requests")),
    mark("Blocks ready"),
)
BLOCK_FIGURES = (mark("Requested at"), mark("Ready at"), mark("Arriving for"))
_PRESSURE = mark(
    "Share of readers that waited, sampled. The card shows the whole load's exact share. "
    "(PSI): I/O pressure, where that's unknown."
)


def range_texts(found: RangeFigures | None, merged: float = 1.0) -> tuple[str, ...]:
    """The figures of a range as text; `merged` requests were recorded as one on average."""
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


def block_texts(timing: BlockTiming | None) -> tuple[str, ...]:
    """When a block was requested and ready, and how long bytes of it arrived, as text."""
    if timing is None:
        return (NOTHING,) * len(BLOCK_FIGURES)
    known = (timing.requested_ns, timing.ready_ns, timing.arriving_ns)
    return tuple(NOTHING if ns is None else duration_text(ns) for ns in known)


class RangeColumn(QScrollArea):
    """Says how to select where nothing is selected."""

    def __init__(self) -> None:
        super().__init__()
        self._range: TimeRange | None = None
        self.span = label("", "heading")
        self.zoom = QPushButton(tr("Zoom"))
        self.zoom.setProperty("compact", True)
        self.zoom.setToolTip(tr("Make the range the time axis of all plots"))
        self.close_button = icon_button("close", tr("Clear the selected range (Esc)"))
        self.how = label(
            tr("Drag in a plot to see the figures of a time range."), "label", wrap=True
        )
        self.figures = ArmFigures(RANGE_FIGURES)
        self.figures.captions[_WAIT].setToolTip(tr(_PRESSURE))
        self.block = copied_label("heading")
        self.about = copied_label("hint")
        self.about.setWordWrap(True)
        self.block_figures = ArmFigures(BLOCK_FIGURES)
        self._lay_out()
        self.show_block("", "", {})

    def follow(self, time_range: TimeRange) -> None:
        """Let the buttons act on this range."""
        self._range = time_range
        self.close_button.clicked.connect(time_range.clear)
        self.zoom.clicked.connect(time_range.zoom_wanted)

    def show_range(self, records: Mapping[ArmLabel, RunRecord | None]) -> None:
        """Show the figures of these runs in the selected range."""
        selected = self._range is not None and self._range.seconds is not None
        if not selected and self._head.isAncestorOf(self.focusWidget()):
            # Qt would give the focus to whatever comes next in the window.
            self.setFocus()
        for part in (self._head, self.figures):
            part.setVisible(selected)
        self.how.setHidden(selected)
        if self._range is None or not selected:
            return
        first, last = self._range.ends
        self.span.setText(tr("{first} to {last} s", first=first, last=last))
        for arm, record in records.items():
            found = self._range.figures(record) if record is not None else None
            merged = record.chunks.merged if record is not None else 1.0
            self.figures.show_texts(arm, range_texts(found, merged))

    def show_block(
        self, name: str, about: str, timings: Mapping[ArmLabel, BlockTiming | None]
    ) -> None:
        """Show the figures of a block; an empty name stands for none."""
        for part in (self.block, self.block_figures):
            part.setVisible(bool(name))
        self.block.setText(name)
        self.about.setText(about if name else tr("Select a row for the times of its block."))
        for arm in ARMS:
            self.block_figures.show_texts(arm, block_texts(timings.get(arm)))

    def show_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show the columns of these arms only."""
        for table in (self.figures, self.block_figures):
            table.show_arms(arms)

    def set_below(self, *, below: bool) -> None:
        """Stand below the rows, as wide as they are; or beside them."""
        width_px = WIDTH_PX + self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(0 if below else width_px)
        self.setMaximumWidth(_ANY_PX if below else width_px)
        self.setMaximumHeight(_BELOW_PX if below else _ANY_PX)

    def set_floating(self, *, floating: bool) -> None:
        """Lie over the waterfall, with a border of its own."""
        restyle(self, role="panel" if floating else "sheet")

    def _lay_out(self) -> None:
        self._head = QWidget()
        head = in_row(self.span, (ElidedLabel("hint", tr("selected")), 1), self.zoom, on=self._head)
        head.addWidget(self.close_button)
        content = QWidget()
        column = in_column(on=content, margins=(12, 4, 12, 8), spacing=4)
        for part in (self._head, self.how, self.figures):
            column.addWidget(part)
        column.addSpacing(8)
        for part in (self.block, self.about, self.block_figures):
            column.addWidget(part)
        column.addStretch(1)
        self.setWidget(content)
        for part in (self.viewport(), content):
            part.setAutoFillBackground(False)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_below(below=False)
        self.set_floating(floating=False)
        self.setAccessibleName(tr("Figures of the selected range and block"))
