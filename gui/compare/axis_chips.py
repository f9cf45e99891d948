"""The settings of an arm as a row of chips: those that differ from the other arm, and one more
that the rest unfolds from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.strategies import changed_settings
from modelmon.gui.compare.axis_editor import AxisEditor
from modelmon.gui.compare.axis_texts import Chip, chips_of
from modelmon.gui.language import tr
from modelmon.gui.session.setting_words import AXIS_HELP, AXIS_NAMES, value_text
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import restyle, styled
from modelmon.gui.widgets.theme import manager
from modelmon.gui.widgets.unfold_button import UnfoldButton

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from modelmon.gui.session.notices import ArmLabel

MOST_CHIPS = 5
_GAP_PX = 6


class AxisChips(QWidget):
    """Chips that open an editor. Where there is little room their values are told in fewer words,
    then the last of them go to the rest.
    """

    edited = Signal(str, str)

    def __init__(self, arm: ArmLabel, obstacle: Callable[[str, object], str]) -> None:
        """`obstacle` says why an axis cannot take a value now."""
        super().__init__()
        self._arm = arm
        self._obstacle = obstacle
        self._config = self._other = LoadConfig()
        self._buttons = [self._button(at) for at in range(MOST_CHIPS)]
        self._chips: list[Chip] = []
        self._rest: list[Chip] = []
        self._shared: list[Chip] = []
        self._locked = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self, spacing=_GAP_PX)
        self.more = UnfoldButton("more-settings")
        self.more.clicked.connect(self._edit_rest)
        for button in (*self._buttons, self.more):
            self._row.addWidget(button)
        self._row.addStretch(1)

    @property
    def shown(self) -> dict[str, QToolButton]:
        """The chips that are to be seen, by name; without the one that the rest unfolds from."""
        pairs = zip(self._chips, self._buttons, strict=False)
        return {chip.name: button for chip, button in pairs if not button.isHidden()}

    def show_config(
        self, name: str, config: LoadConfig, other: LoadConfig | None, version: str = ""
    ) -> None:
        """Show the settings of `config` that aren't the default of the strategy called `name`,
        then those in which `other` differs; without any, those that are always shown.

        `other` is None where a program loads there; `version` is that of the library which loads,
        where one does.
        """
        self._config, self._other = config, other or config
        every = chips_of(config, version)
        changed = set(changed_settings(name, config))
        differing = [chip for chip in every if self._differs(chip)]
        alike = [chip for chip in every if chip not in differing and changed & {*chip.axes}]
        self._shared = alike if other is not None else []
        apart = sorted([*differing, *alike], key=lambda chip: not changed & {*chip.axes})
        self._chips = (apart or [chip for chip in every if chip.always])[:MOST_CHIPS]
        self._rest = [chip for chip in every if chip not in self._chips]
        for button, chip in zip(self._buttons, self._chips, strict=False):
            differs = chip in differing
            restyle(button, arm=self._arm if differs else "")
            text = self._whole(chip)
            named = tr("{axis}, differs from the other strategy", axis=text) if differs else text
            button.setAccessibleName(named)
        self._show_lock()
        self._fit()
        for editor in self.findChildren(AxisEditor):
            editor.show_config(config, self._other)

    def lock(self, reason: str) -> None:
        """Let nothing be edited while there is a reason; it becomes the tool tip."""
        if reason != self._locked:
            self._locked = reason
            self._show_lock()

    def edit(self, at: QWidget, title: str, axes: tuple[str, ...]) -> AxisEditor:
        """Open an editor for `axes` under the widget `at`."""
        editor = AxisEditor(self._arm, title, axes, self._obstacle, self)
        editor.show_config(self._config, self._other)
        editor.edited.connect(self.edited)
        editor.open_below(at)
        return editor

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _button(self, at: int) -> _ChipButton:
        button = _ChipButton()
        button.clicked.connect(lambda: self._edit_chip(at))
        return button

    def _edit_chip(self, at: int) -> None:
        chip = self._chips[at]
        self.edit(self._buttons[at], tr(chip.name), chip.axes)

    def _edit_rest(self) -> None:
        self.edit(self.more, tr("other settings"), tuple(self._folded))

    @property
    def _folded(self) -> dict[str, str]:
        """The axes without a chip, each in words: so many are told and counted as are unfolded."""
        chips = [chip for chip in self._chips if chip.name not in self.shown] + self._rest
        return {axis: self._axis_text(chip, axis) for chip in chips for axis in chip.axes}

    def _axis_text(self, chip: Chip, axis: str) -> str:
        if len(chip.axes) == 1:
            return self._whole(chip)
        value = value_text(axis, getattr(self._config, axis))
        return tr("{name}: {value}", name=tr(AXIS_NAMES[axis]), value=value)

    def _show_lock(self) -> None:
        for button, chip in zip(self._buttons, self._chips, strict=False):
            button.setEnabled(not self._locked)
            about = f"{self._whole(chip)}\n{tr(AXIS_HELP[chip.axes[0]])}"
            button.setToolTip(self._locked or about)
            button.setAccessibleDescription(tr(AXIS_HELP[chip.axes[0]]))
        self.more.setEnabled(not self._locked)
        self.more.setToolTip(self._locked or self.more.accessibleDescription())

    def _differs(self, chip: Chip) -> bool:
        differing = self._config.differs_from(self._other)
        return any(axis in differing for axis in chip.axes)

    def _value(self, chip: Chip) -> str:
        value = chip.text(self._config)
        return tr("{value}, A and B", value=value) if chip in self._shared else value

    def _whole(self, chip: Chip) -> str:
        return tr("{name}: {value}", name=tr(chip.name), value=self._value(chip))

    def _fit(self) -> None:
        every = len(self._chips)
        fewer = (_Room(shown, details=False, words=False) for shown in range(every, -1, -1))
        rooms = (*(_Room(every, details=True, words=words) for words in (True, False)), *fewer)
        next((room for room in rooms if self._fits(room)), None)
        folded = "\n".join(self._folded.values())
        self.more.setAccessibleDescription(folded)
        self.more.setToolTip(self._locked or folded)
        # Showing a part lays all out at once: what was only tried must not be seen.
        self._row.activate()

    def _fits(self, room: _Room) -> bool:
        """Try it in so much room."""
        for at, button in enumerate(self._buttons):
            button.setVisible(at < room.chips)
            if at < room.chips:
                chip = self._chips[at]
                button.show_setting(tr(chip.name), self._value(chip), short=not room.details)
        hidden = len(self._folded)
        self.more.setText(self._rest_text(hidden) if room.words else f"+{hidden}")
        self.more.ensurePolished()
        parts = [*self._buttons[: room.chips], self.more]
        wanted_px = sum(each.sizeHint().width() for each in parts) + _GAP_PX * (len(parts) - 1)
        return wanted_px <= self.width()

    def _rest_text(self, hidden: int) -> str:
        if not any(self._differs(chip) for chip in self._chips):
            return tr("{count} more settings", count=hidden)
        if any(self._differs(chip) for chip in self._rest):
            # A sixth that differs is none of the same.
            return f"+{hidden}"
        return tr("{count} the same", count=hidden)


class _Room(NamedTuple):
    """So many chips, with the details of their values or without, and the rest in words or not."""

    chips: int
    details: bool
    words: bool


class _ChipButton(QToolButton):
    """`Name: value`, the name paler."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "chip")
        self._name = self._value = ""

    def show_setting(self, name: str, value: str, *, short: bool) -> None:
        """Show a setting; a short value ends where its details begin."""
        if short:
            value = value.partition(",")[0].partition(" with ")[0]
        self._name, self._value = tr("{name}: ", name=name), value
        self.setText(f"{self._name}{value}")
        self.ensurePolished()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button as the style has it, and its two parts in their colors."""
        del event
        painter, option = QStylePainter(self), QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        metrics, theme = self.fontMetrics(), manager().theme
        text_px = metrics.horizontalAdvance(self.text())
        place = QRect((self.width() - text_px) // 2, 0, text_px, self.height())
        painter.setPen(theme.text_2)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._name)
        place.setLeft(place.left() + metrics.horizontalAdvance(self._name))
        painter.setPen(theme.text if self.isEnabled() else theme.text_2)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._value)
