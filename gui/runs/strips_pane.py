"""The selected runs beside their table, each as a mark on one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from modelmon.gui.language import tr
from modelmon.gui.plots.run_strip import WIDTH_PX, RunStrip
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.plots.strip_rows import StripRow

MOST_ROWS = 12
_LEAST_PX = 240


class StripsPane(QWidget):
    """Shows groups of runs, or what to do for that."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = RunStrip()
        self.said = label("", "hint", wrap=True)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.strip)
        # They stand on the panel.
        for ground in (area.viewport(), self.strip):
            ground.setAutoFillBackground(False)
        in_column(self.said, (area, 1), on=self, margins=(4, 4, 0, 0), spacing=4)
        self.setMinimumWidth(_LEAST_PX)
        self.show_groups((), 0)

    def sizeHint(self) -> QSize:
        """As wide as a strip is best."""
        return QSize(WIDTH_PX, super().sizeHint().height())

    def show_groups(self, rows: Sequence[StripRow], groups: int, title: str = "") -> None:
        """Show these of so many groups; `title` says what their times are of."""
        self.strip.show_rows(rows, title)
        self.strip.setVisible(bool(rows))
        if not rows:
            self.said.setText(tr("Select runs in the table to see each as a mark."))
        elif groups > len(rows):
            shown = tr("The first {shown} of {count} groups of runs", shown=len(rows), count=groups)
            self.said.setText(shown)
        else:
            runs = sum(len(row.marks) for row in rows)
            counted = tr("1 run") if runs == 1 else tr("{count} runs", count=runs)
            in_groups = tr("{runs} in {count} groups", runs=counted, count=groups)
            self.said.setText(counted if groups == 1 else in_groups)
