"""The line above a plot: title, legend, and buttons for what every plot can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from modelmon.gui.language import tr
from modelmon.gui.look.icons import set_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QResizeEvent

_SPACING_PX = 4
_HEIGHT_PX = 32


class PlotHeader(QWidget):
    """Title and legend. Where there is no room for everything, the buttons for view and
    picture go first, then the rarer legend entries, the button that maximises, the title beside
    other controls, and at last the legend from its end; the plot's menu has them all.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = QLabel(title)
        self.title.setProperty("role", "title")
        self.reset = _button("reset", tr("Show the whole axis again"))
        self.save = _button("save", tr("Save plot…"))
        self.maximise = _button("maximise", tr("Maximise"))
        self.more = _button("more", tr("More"))
        self._lead: QWidget | None = None
        self._optional: list[QWidget] = [self.save, self.reset]
        self._entries: list[QWidget] = []
        self._left_out: set[QWidget] = set()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_SPACING_PX)
        if title:
            self._row.addWidget(self.title)
            self._row.addSpacing(_SPACING_PX)
        self._row.addStretch(1)
        self._legend_at = self._row.count()
        for button in (self.reset, self.save, self.maximise, self.more):
            self._row.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT_PX)

    def set_lead(self, lead: QWidget | None) -> None:
        """Put `lead` before the title; None takes it away again."""
        if lead is self._lead:
            return
        if self._lead is not None:
            self._row.removeWidget(self._lead)
            self._legend_at -= 1
            self.title.setVisible(bool(self.title.text()))
        self._lead = lead
        if lead is not None:
            self._row.insertWidget(0, lead)
            lead.show()
            self._legend_at += 1
        self.fit()

    def add_entry(self, entry: QWidget, *, optional: bool = False) -> None:
        """Put a legend entry, or another small control, after the ones that are there."""
        # Unpolished, a widget does not know the style sheet's sizes yet, and may keep others.
        entry.ensurePolished()
        self._row.insertWidget(self._legend_at, entry)
        self._legend_at += 1
        (self._optional if optional else self._entries).append(entry)
        self.fit()

    def set_entry_shown(self, entry: QWidget, *, shown: bool) -> None:
        """Whether a legend entry has a place here at all."""
        (self._left_out.discard if shown else self._left_out.add)(entry)
        entry.setVisible(shown)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self.fit()

    def set_buttons_shown(self, *, shown: bool) -> None:
        """Show the buttons, as far as there is room, or none: a picture needs no buttons."""
        for part in (self.maximise, self.more, self._lead):
            if part is not None:
                part.setVisible(shown)
        if shown:
            self.fit()
        else:
            self.title.setVisible(bool(self.title.text()))
            self.reset.hide()
            self.save.hide()
        self._row.activate()

    def fit(self) -> None:
        """Show as much as there is room for, the most important first."""
        entries = [entry for entry in self._entries if entry not in self._left_out]
        title = [self.title] if self._lead is not None and self.title.text() else []
        optional = [entry for entry in self._optional if entry not in self._left_out]
        by_weight = [*entries[1:], *title, self.maximise, *reversed(optional)]
        for widget in by_weight:
            widget.setVisible(False)
        self._row.invalidate()
        room = self.width() - self._row.sizeHint().width()
        for widget in by_weight:
            needed = widget.sizeHint().width() + _SPACING_PX
            widget.setVisible(needed <= room)
            room -= needed if needed <= room else 0

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """The same as the button, which is not always there."""
        del event
        self.maximise.click()


def _button(icon_name: str, text: str) -> QToolButton:
    made = QToolButton()
    made.setProperty("role", "icon")
    made.setToolTip(text)
    made.setAccessibleName(text)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_icon(made, icon_name)
    return made
