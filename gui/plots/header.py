"""The line above a plot: title, legend, and buttons for what every plot can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from modelmon.gui.icons import set_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_SPACING_PX = 4
_HEIGHT_PX = 32


class PlotHeader(QWidget):
    """Title and legend. Where there is no room for everything, the buttons for view and
    picture go first, then the rarer legend entries; the plot's menu has them all.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = QLabel(title)
        self.title.setProperty("role", "title")
        self.reset = _button("reset", "Show the whole axis again")
        self.save = _button("save", "Save as picture…")
        self.maximise = _button("maximise", "Maximise")
        self._optional: list[QWidget] = [self.save, self.reset]
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_SPACING_PX)
        if title:
            self._row.addWidget(self.title)
            self._row.addSpacing(_SPACING_PX)
        self._row.addStretch(1)
        self._legend_at = self._row.count()
        for button in (self.reset, self.save, self.maximise):
            self._row.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT_PX)

    def add_leading(self, widget: QWidget) -> None:
        """Put `widget` before the title."""
        self._row.insertWidget(0, widget)
        self._row.insertSpacing(1, 2 * _SPACING_PX)
        self._legend_at += 2
        self.fit()

    def add_entry(self, entry: QWidget, *, optional: bool = False) -> None:
        """Put a legend entry, or another small control, after the ones that are there."""
        # Unpolished, a widget does not know the style sheet's sizes yet, and may keep others.
        entry.ensurePolished()
        self._row.insertWidget(self._legend_at, entry)
        self._legend_at += 1
        if optional:
            self._optional.append(entry)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self.fit()

    def set_buttons_shown(self, *, shown: bool) -> None:
        """Show the buttons, as far as there is room, or none: a picture needs no buttons."""
        self.maximise.setVisible(shown)
        if shown:
            self.fit()
        else:
            self.reset.hide()
            self.save.hide()
        self._row.activate()

    def fit(self) -> None:
        """Show as much as there is room for."""
        for widget in self._optional:
            widget.setVisible(True)
        self._row.invalidate()
        room = self.width() - self._row.sizeHint().width()
        for widget in self._optional:
            if room >= 0:
                break
            widget.setVisible(False)
            room += widget.sizeHint().width() + _SPACING_PX


def _button(icon_name: str, text: str) -> QToolButton:
    made = QToolButton()
    made.setProperty("role", "icon")
    made.setToolTip(text)
    made.setAccessibleName(text)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_icon(made, icon_name)
    return made
