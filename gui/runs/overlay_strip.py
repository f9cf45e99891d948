"""The legend of overlaid runs: a chip for each, which takes it away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from modelmon.gui.language import tr
from modelmon.gui.plots.line_icons import SIZE, overlay_icon
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import keyless, label, plain, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.plots.overlays import OverlaidRun

_HEIGHT_PX = 28
_GAP_PX = 6
_MOST_CHIP_PX = 220


class OverlayStrip(QWidget):
    """Shows as many chips as there is room for, and the rest in a menu."""

    remove_wanted = Signal(object)
    clear_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Overlaid runs"))
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chips: list[QToolButton] = []
        self._runs: Sequence[OverlaidRun] = ()
        self._title = label(tr("Overlaid"), "label")
        self.more = styled(QToolButton(), "chip")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.clear = QPushButton(tr("Clear overlay"))
        self.clear.setProperty("compact", True)
        self.clear.clicked.connect(self.clear_wanted)
        self._row = in_row(on=self, margins=(8, 0, 0, 0), spacing=_GAP_PX)
        for widget in (self._title, self.more, self.clear):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        manager().changed.connect(self._draw_icons)

    def show_runs(self, runs: Sequence[OverlaidRun]) -> None:
        """Show these runs."""
        self._runs = tuple(runs)
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [self._chip(run) for run in self._runs]
        for at, chip in enumerate(self.chips, start=1):
            self._row.insertWidget(at, chip)
        menu = self.more.menu()
        menu.clear()
        for run in self._runs:
            menu.addAction(self._removal(run, menu))
        self._draw_icons()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """See anew how many chips there is room for."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Any width will do: what has no room is in the menu."""
        return QSize(0, _HEIGHT_PX)

    def _chip(self, run: OverlaidRun) -> QToolButton:
        chip = styled(QToolButton(self), "chip")
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setIconSize(SIZE)
        text = f"{run.name}  ✕"
        middle = Qt.TextElideMode.ElideMiddle
        chip.setText(keyless(chip.fontMetrics().elidedText(text, middle, _MOST_CHIP_PX)))
        tip = tr("Remove {run} from the plots", run=run.name)
        chip.setToolTip(plain(tip))
        chip.setAccessibleName(tip)
        chip.clicked.connect(lambda: self.remove_wanted.emit(run))
        return chip

    def _removal(self, run: OverlaidRun, menu: QMenu) -> QAction:
        action = QAction(keyless(tr("Remove {run} from the plots", run=run.name)), menu)
        action.triggered.connect(lambda: self.remove_wanted.emit(run))
        return action

    def _fit(self) -> None:
        """Hide the last chips where there are too many for one row."""
        fixed = (self._title, self.clear)
        room = self.width() - sum(each.sizeHint().width() + 2 * _GAP_PX for each in fixed)
        shown = _fitting([chip.sizeHint().width() + _GAP_PX for chip in self.chips], room)
        if shown < len(self.chips):
            self.more.setText(tr("{number} more", number=len(self.chips) - shown))
            left = room - self.more.sizeHint().width() - 2 * _GAP_PX
            shown = _fitting([chip.sizeHint().width() + _GAP_PX for chip in self.chips], left)
            self.more.setText(tr("{number} more", number=len(self.chips) - shown))
        self.more.setVisible(shown < len(self.chips))
        for at, chip in enumerate(self.chips):
            chip.setVisible(at < shown)

    def _draw_icons(self) -> None:
        for run, chip in zip(self._runs, self.chips, strict=True):
            chip.setIcon(overlay_icon(run.style, manager().theme))
        for run, action in zip(self._runs, self.more.menu().actions(), strict=True):
            action.setIcon(overlay_icon(run.style, manager().theme))


def _fitting(widths: Sequence[int], room: int) -> int:
    """How many of the first widths there is room for."""
    for number, width in enumerate(widths):
        room -= width
        if room < 0:
            return number
    return len(widths)
