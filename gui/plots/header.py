"""The line above a plot: title, legend, and buttons for what every plot can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import styled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from modelmon.gui.session.notices import ArmLabel

_SPACING_PX = 4
HEADER_PX = 32
GUTTER_PX = 118
_LINE_PX, _MOST_PX = 17, 16_777_215
_CLOSE_PX = 12
_MOST_FITS = 3
_WHOLE = Qt.ToolButtonStyle.ToolButtonTextBesideIcon


class HeaderLead(QWidget):
    """Controls that stand before a title, and can do with less room."""

    names_plot = False
    """Whether the title would say again what these say."""

    def set_narrow(self, *, narrow: bool) -> None:
        """Take as little room as can be, or as much as is pleasant."""
        raise NotImplementedError


class PlotHeader(QWidget):
    """Title and legend. Where there is no room for everything, the buttons for view and
    picture go first, then the rarer legend entries, the button that maximises, the legend from
    its end, the unit, and at last the title beside other controls; the plot's menu has them all.
    While a range of time is selected, its figures stay longer than the legend, and longest what
    takes it away, in the end without its moments; `range_closed` tells that it is wanted no longer.
    Upright, it stands beside its plot: title, unit and legend below each other, and no buttons.
    """

    range_closed = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = QLabel(title)
        self.title.setProperty("role", "title")
        self.unit = QLabel()
        self.unit.setProperty("role", "hint")
        self.reset = _button("reset", tr("Reset zoom"))
        self.save = _button("save", tr("Save plot…"))
        self.maximise = _button("maximise", tr("Maximize"))
        self.more = _button("more", tr("More"))
        self._lead: HeaderLead | None = None
        self._shared: tuple[int, ...] = ()
        self._is_upright = self._is_fitting = False
        self._optional: list[QWidget] = [self.save, self.reset]
        self._entries: list[QWidget] = []
        self._left_out: set[QWidget] = set()
        self._row = in_row(on=self, spacing=_SPACING_PX)
        if title:
            self._row.addWidget(self.title)
            self._row.addSpacing(_SPACING_PX)
        self._row.addWidget(self.unit)
        self._row.addStretch(1)
        self.chip: QToolButton | None = None
        self.values: dict[ArmLabel, QLabel] = {}
        self._values_box = QWidget()
        self._values_row = in_row(
            on=self._values_box, margins=(0, 0, _SPACING_PX, 0), spacing=2 * _SPACING_PX
        )
        self._row.addWidget(self._values_box)
        self._legend_at = self._row.count()
        for button in (self.reset, self.save, self.maximise, self.more):
            self._row.addWidget(button)
        self._row.addStretch()
        self.set_upright(upright=False)

    def set_upright(self, *, upright: bool) -> None:
        """Stand beside the plot, or lie above it."""
        self._is_upright = upright
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if upright else direction.LeftToRight)
        self._row.setSpacing(0 if upright else _SPACING_PX)
        self._row.setContentsMargins(0, 4 if upright else 0, 0, 0)
        self._row.setStretch(self._row.indexOf(self._values_box) - 1, 0 if upright else 1)
        self._row.setStretch(self._row.count() - 1, 1 if upright else 0)
        for part in (self.title, self.unit, self._values_box, *self._entries, *self._optional):
            sides = Qt.AlignmentFlag.AlignLeft if upright else Qt.AlignmentFlag(0)
            self._row.setAlignment(part, sides)
        for entry in (*self._entries, *self._optional):
            if entry not in (self.save, self.reset):
                entry.setMaximumHeight(_LINE_PX if upright else _MOST_PX)
        # Less than what it shows needs: else each entry that it hides would resize it.
        self.setMinimumSize(GUTTER_PX if upright else 0, 1 if upright else HEADER_PX)
        self.setMaximumSize(GUTTER_PX if upright else _MOST_PX, _MOST_PX if upright else HEADER_PX)
        policy = QSizePolicy.Policy
        self.setSizePolicy(
            policy.Fixed if upright else policy.Ignored, policy.Ignored if upright else policy.Fixed
        )
        self.fit()

    def set_unit(self, text: str) -> None:
        """Say beside the title in what the plot is drawn; empty where its axis does."""
        if text != self.unit.text():
            self.unit.setText(text)
            self.fit()

    def show_range(self, text: str) -> None:
        """Name the selected range on a chip that takes it away; empty hides the chip."""
        if self.chip is None and text:
            self.chip = self._made_chip()
            self._row.insertWidget(self._row.indexOf(self.unit), self.chip)
            self._legend_at += 1
        if self.chip is not None:
            self.chip.setText(text)
            clears = tr("Clear the selected range (Esc)")
            self.chip.setToolTip(f"{text}\n{clears}" if text else clears)
            self.fit()

    def show_values(self, values: Mapping[ArmLabel, str]) -> None:
        """Say these figures of the selected range in the colours of the arms; none hides them."""
        for label in values:
            if label not in self.values:
                made = self.values[label] = styled(QLabel(), "hint", arm=label, strong=True)
                self._values_row.addWidget(made)
                made.ensurePolished()
        for label, each in self.values.items():
            each.setText(values.get(label, ""))
            each.setVisible(label in values)
        self.fit()

    def set_lead(self, lead: HeaderLead | None) -> None:
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        """Share the room anew when a part wants more or less of it, or it changed meanwhile."""
        if event.type() == QEvent.Type.LayoutRequest and self._shared != self._to_share():
            self.fit()
        return super().event(event)

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
        if self._is_fitting:
            return
        self._is_fitting = True
        # A part that is shown lets all around it be laid out, and that may change the room and what
        # has to be told meanwhile: then it is shared anew.
        for _ in range(_MOST_FITS):
            self._shared = self._to_share()
            self._fit()
            if self._shared == self._to_share():
                break
        self._is_fitting = False

    def _to_share(self) -> tuple[int, ...]:
        """The room, and what each part wants of it, shown or not."""
        told = (self._lead, self.title, self.unit, self._values_box, self.chip, *self._entries)
        # A button that isn't polished yet may ask for less than it takes later.
        parts = (*told, self.maximise, self.more, *self._optional)
        return (self.width(), *(each.sizeHint().width() for each in parts if each is not None))

    def _fit(self) -> None:
        entries = [entry for entry in self._entries if entry not in self._left_out]
        # What a box has chosen is what the plot shows.
        legend = [entry for entry in entries if not isinstance(entry, QComboBox)]
        named = self._lead is not None and self._lead.names_plot
        title = [self.title] if self._lead is not None and self.title.text() else []
        title = [] if named else title
        unit = [self.unit] if self.unit.text() else []
        optional = [entry for entry in self._optional if entry not in self._left_out]
        values = [self._values_box] if any(each.text() for each in self.values.values()) else []
        chip = self.chip if self.chip is not None and self.chip.text() else None
        told = [*title, *values, *([chip] if chip else []), *unit, *legend]
        by_weight = [*told, self.maximise, *reversed(optional)]
        for widget in (*by_weight, self.unit, self._values_box, self.chip):
            if widget is not None:
                widget.setVisible(False)
        if named:
            self.title.hide()
        if chip is not None:
            chip.setToolButtonStyle(_WHOLE)
        if self._is_upright:
            self._stack_up([*unit, *([chip] if chip else []), *values, *legend, *optional])
            return
        if self._lead is not None:
            self._lead.set_narrow(narrow=False)
            self._lead.set_narrow(narrow=self._room_px() < sum(map(_needed_px, told)))
        room, full = self._room_px(), False
        if chip is not None:
            self._shorten(chip, room - sum(map(_needed_px, title)), sum(map(_needed_px, values)))
            by_weight.remove(chip)
            by_weight.insert(len(title), chip)
        for widget in by_weight:
            needed = _needed_px(widget)
            # A legend without its first entry would be about the rest alone.
            full = full and widget in legend
            fits = needed <= room and not full
            full = not fits
            widget.setVisible(fits)
            room -= needed if fits else 0

    def _stack_up(self, told: list[QWidget]) -> None:
        """Show of these as many as there is room for below the title, and no buttons."""
        self.title.setVisible(bool(self.title.text()))
        for button in (self.more, self.maximise):
            button.hide()
        room = self.height() - self.title.sizeHint().height() - 2 * _SPACING_PX
        for widget in told:
            needed = min(widget.sizeHint().height(), widget.maximumHeight())
            room = room - needed if widget not in (self.save, self.reset) else 0
            widget.setVisible(room > 0)

    def _shorten(self, chip: QToolButton, room_px: int, figures_px: int) -> None:
        """Leave out the moments where that makes room for the figures."""
        whole_px = _needed_px(chip)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        helps = _needed_px(chip) + figures_px <= room_px < whole_px + figures_px
        if whole_px <= room_px and not helps:
            chip.setToolButtonStyle(_WHOLE)

    def _room_px(self) -> int:
        self._row.invalidate()
        return self.width() - self._row.sizeHint().width()

    def _made_chip(self) -> QToolButton:
        chip = styled(QToolButton(), "chip", chosen=True)
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        chip.setIconSize(QSize(_CLOSE_PX, _CLOSE_PX))
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.ensurePolished()
        set_icon(chip, "close")
        chip.clicked.connect(self.range_closed)
        return chip

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The same as the button, which is not always there."""
        del event
        self.maximise.click()


def _needed_px(widget: QWidget) -> int:
    return widget.sizeHint().width() + _SPACING_PX


def _button(icon_name: str, text: str) -> QToolButton:
    made = QToolButton()
    made.setProperty("role", "icon")
    made.setToolTip(text)
    made.setAccessibleName(text)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_icon(made, icon_name)
    return made
