"""The bar above the plots over time: what steers all of them, at one place in all layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from modelmon.gui.language import tr
from modelmon.gui.plots.pens import SIZE, line_icon
from modelmon.gui.plots.timeplot import TIME_TITLE
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.layout import STRETCH, in_row
from modelmon.gui.widgets.styling import icon_button, label, styled
from modelmon.gui.widgets.theme import manager, set_icon

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_GAP_PX, _CLOSE_PX = 4, 12
_HEIGHT_PX = 34


class PlotControls(QWidget):
    """The selected range, the arms, which plots are shown, the end that is followed, the zoom, and
    the room.

    `shown_wanted` carries the keys of all plots that are wanted from now on, none for the usual
    ones.
    """

    shown_wanted = Signal(tuple)

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` of the plots by their keys, in order."""
        super().__init__()
        self.title = label("", "title")
        self.hint = label("", "hint")
        self.chip = styled(QToolButton(), "chip", chosen=True)
        self.chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.chip.setIconSize(QSize(_CLOSE_PX, _CLOSE_PX))
        set_icon(self.chip, "close")
        self.zoom = styled(QToolButton(), "", compact=True)
        self.zoom.setText(tr("Zoom"))
        self.zoom.setToolTip(tr("Make the range the time axis of all plots"))
        self.arms = Segments(
            tr("Show A, B, or both"), (("A", "A"), ("both", tr("Both")), ("B", "B")), compact=True
        )
        self.arms.set_value("both")
        self.arms.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.arms.setToolTip(tr("Keys A and B; Shift+B shows both"))
        self.follow = icon_button("follow", tr("Follow the load (F)"))
        self.follow.setCheckable(True)
        self.chooser = icon_button("plots", tr("Choose plots"))
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.reset = icon_button("reset", tr("Reset zoom"))
        self.menu = QMenu(tr("Plots"), self)
        self.chooser.setMenu(self.menu)
        self._offer_plots(names)
        self.room = icon_button("maximise", tr("Only plots"))
        self.room.clicked.connect(self.alone.trigger)
        in_row(
            *(self.title, self.hint, STRETCH, self.chip, self.zoom, self.arms),
            *(self.chooser, self.follow, self.reset, self.room),
            on=self,
            margins=(12, 0, 8, 0),
            spacing=_GAP_PX,
        )
        self.setFixedHeight(round(_HEIGHT_PX * manager().scale))
        self.show_layout(stacked=False)
        self.show_range("")
        self._draw_samples()
        manager().changed.connect(self._draw_samples)

    def show_layout(self, *, stacked: bool) -> None:
        """Say what the plots have in common, next to each other or below each other."""
        self.title.setText(tr("From start to ready") if stacked else "")
        self.title.setVisible(stacked)
        self.hint.setText(tr("one time axis for all") if stacked else tr(TIME_TITLE))

    def show_range(self, text: str) -> None:
        """Name the selected range on a chip that takes it away; empty hides the chip."""
        self.chip.setText(text)
        clear = tr("Clear the selected range (Esc)")
        self.chip.setToolTip(f"{text}\n{clear}")
        for part in (self.chip, self.zoom):
            part.setVisible(bool(text))

    def check(self, keys: Collection[str]) -> None:
        """Check the plots that are shown; the last one cannot be hidden."""
        for key, toggle in self._toggles.items():
            toggle.setChecked(key in keys)
            toggle.setEnabled(key not in keys or len(keys) > 1)

    def _offer_plots(self, names: Mapping[str, str]) -> None:
        # Made here, not by the menu: shiboken gives up what Qt has made once it takes it to be
        # part of something that is gone.
        self._toggles = {key: QAction(name, self.menu) for key, name in names.items()}
        self.menu.addActions(list(self._toggles.values()))
        for toggle in self._toggles.values():
            toggle.setCheckable(True)
            toggle.triggered.connect(self._on_toggled)
        self.menu.addSeparator()
        every = self.menu.addAction(tr("Show all plots"))
        every.triggered.connect(lambda: self.shown_wanted.emit(tuple(names)))
        few = self.menu.addAction(tr("Show default plots"))
        few.triggered.connect(lambda: self.shown_wanted.emit(()))
        self.menu.addSeparator()
        self.alone = QAction(tr("Only plots"), self.menu)
        self.menu.addAction(self.alone)
        self.alone.setCheckable(True)

    def _on_toggled(self) -> None:
        wanted = tuple(key for key, toggle in self._toggles.items() if toggle.isChecked())
        self.shown_wanted.emit(wanted)

    def _draw_samples(self) -> None:
        for each in LABELS:
            button = self.arms.button(each)
            button.setIcon(line_icon(each, manager().theme))
            button.setIconSize(SIZE)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
