"""One panel for all that is drawn of a watched program, from its start until it is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from modelmon.gui.language import tr
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import icon_button, label, restyle

if TYPE_CHECKING:
    from modelmon.gui.plots.plot_grid import PlotArea
    from modelmon.gui.plots.plot_row import PlotRow
    from modelmon.gui.watch.timeline_strip import TimelineStrip

_HEAD_PX = 36


class WatchPanel(QFrame):
    """Frames the plots, which stand below its head and the timeline; elsewhere they stand bare."""

    def __init__(self, plots: PlotRow, area: PlotArea, timeline: TimelineStrip) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plots, self._timeline = plots, timeline
        self.head = QWidget()
        self.head.setFixedHeight(_HEAD_PX)
        self._row = in_row(on=self.head, margins=(12, 0, 8, 0), spacing=8)
        self._row.addWidget(label(tr("From start to ready"), "title"))
        self._row.addWidget(label(tr("one time axis for all"), "hint"))
        self._row.addStretch(1)
        self.reset = icon_button("reset", tr("Reset zoom"))
        self.reset.clicked.connect(self._reset)
        self.alone = icon_button("maximise", tr("Only plots"))
        self.alone.clicked.connect(plots.controls.alone.toggle)
        self._row.addWidget(self.reset)
        self._row.addWidget(self.alone)
        self._column = in_column(self.head, (area, 1), on=self, spacing=0)
        self.head.hide()

    def arrange(self, *, low: bool) -> bool:
        """Stand as the plots stand; whether the timeline is in here, as it is in `low` windows."""
        stacked = self._plots.is_stack
        self.head.setVisible(stacked)
        restyle(self, role="panel" if stacked else None)
        self._timeline.set_framed(framed=not stacked)
        holds = stacked or low
        if holds and self._column.indexOf(self._timeline) < 0:
            self._column.insertWidget(1, self._timeline)
        if stacked:
            if self._row.indexOf(self._plots.controls) < 0:
                self._row.insertWidget(self._row.indexOf(self.reset), self._plots.controls)
            self._plots.controls.show()
        self._column.setContentsMargins(0, 0, 0, 4 if stacked else 0)
        return holds

    def _reset(self) -> None:
        canvas = self._plots.axis
        if canvas is not None:
            canvas.zoom_to(*canvas.whole_x_range)
