"""What steers all plots over time at once: the arms, the end of the axis, which are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QTabBar, QToolButton

from modelmon.gui.language import tr
from modelmon.gui.plots.header import HeaderLead
from modelmon.gui.plots.line_icons import SIZE, line_icon
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import icon_button
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_GAP_PX = 4


class PlotControls(HeaderLead):
    """Lies in the header of the first plot that is shown.

    `shown_wanted` carries the keys of all plots that are wanted from now on, `room_wanted`
    whether they want the room of all else, `front_wanted` the key of the one that is to be seen
    where they share one place.
    """

    shown_wanted = Signal(tuple)
    room_wanted = Signal(bool)
    front_wanted = Signal(str)

    def __init__(self, names: Mapping[str, str], usual: Collection[str]) -> None:
        """`names` of the plots by their keys, in order; `usual` ones are shown at first."""
        super().__init__()
        self._narrow = False
        self._names = names
        self.arms = Segments(
            tr("Show A, B, or both"), (("A", "A"), ("both", tr("Both")), ("B", "B")), compact=True
        )
        self.arms.set_value("both")
        self.arms.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.arms.setToolTip(tr("Keys A and B; Shift+B shows both"))
        self.follow = icon_button("follow", tr("Follow the load (F)"))
        self.follow.setCheckable(True)
        self.menu = QMenu(tr("Plots"), self)
        # Made here, not by the menu: shiboken gives up what Qt has made once it takes it to be
        # part of something that is gone.
        self._toggles = {key: QAction(name, self.menu) for key, name in names.items()}
        self.menu.addActions(list(self._toggles.values()))
        for toggle in self._toggles.values():
            toggle.setCheckable(True)
            toggle.triggered.connect(self._on_toggled)
        self._offer_sets(tuple(names), tuple(usual))
        self.chooser = icon_button("plots", tr("Choose plots"))
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.chooser.setMenu(self.menu)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("Plots"))
        self.tabs.currentChanged.connect(
            lambda at: self.front_wanted.emit(str(self.tabs.tabData(at)))
        )
        self.tabs.hide()
        row = in_row(self.tabs, on=self, spacing=_GAP_PX)
        for part in (self.arms, self.chooser, self.follow):
            row.addWidget(part)
        self._draw_samples()
        manager().changed.connect(self._draw_samples)

    def show_tabs(self, keys: Sequence[str], front: str) -> None:
        """A tab for each of these plots, that of `front` chosen; none where each has its place."""
        with QSignalBlocker(self.tabs):
            if keys != [self.tabs.tabData(at) for at in range(self.tabs.count())]:
                while self.tabs.count():
                    self.tabs.removeTab(0)
                for key in keys:
                    self.tabs.setTabData(self.tabs.addTab(self._names[key]), key)
            if front in keys:
                self.tabs.setCurrentIndex(keys.index(front))
        self.names_plot = bool(keys)
        self.tabs.setVisible(self.names_plot)
        self._tell_size()

    def check(self, keys: Collection[str]) -> None:
        """Check the plots that are shown; the last one cannot be hidden."""
        for key, toggle in self._toggles.items():
            toggle.setChecked(key in keys)
            toggle.setEnabled(key not in keys or len(keys) > 1)

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave out how the lines of each arm are drawn; the legend shows that too."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self._draw_samples()
        self._tell_size()

    def _tell_size(self) -> None:
        """Layouts keep the size of a part until it says that it has another."""
        for part in (self.arms, self):
            if (layout := part.layout()) is not None:
                layout.invalidate()
            part.updateGeometry()

    def _offer_sets(self, everything: tuple[str, ...], usual: tuple[str, ...]) -> None:
        self.menu.addSeparator()
        every = self.menu.addAction(tr("Show all plots"))
        every.triggered.connect(lambda: self.shown_wanted.emit(everything))
        few = self.menu.addAction(tr("Show default plots"))
        few.triggered.connect(lambda: self.shown_wanted.emit(usual))
        self.menu.addSeparator()
        self.alone = QAction(tr("Only plots"), self.menu)
        self.menu.addAction(self.alone)
        self.alone.setCheckable(True)
        self.alone.toggled.connect(self.room_wanted)

    def _on_toggled(self) -> None:
        wanted = tuple(key for key, toggle in self._toggles.items() if toggle.isChecked())
        self.shown_wanted.emit(wanted)

    def _draw_samples(self) -> None:
        for label in LABELS:
            button = self.arms.button(label)
            button.setIcon(line_icon(label, manager().theme))
            button.setIconSize(SIZE)
            style = Qt.ToolButtonStyle
            button.setToolButtonStyle(
                style.ToolButtonTextOnly if self._narrow else style.ToolButtonTextBesideIcon
            )
