"""The settings of an arm as a row of chips: those that differ from the other arm or from the
strategy's default, and one more that the rest unfolds from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from modelmon.core.load.config import AXES, NO_LIBRARY, LoadConfig
from modelmon.core.load.strategies import changed_settings
from modelmon.gui.compare.axis_editor import AxisEditor
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
_GAP_PX, _PADDING_PX = 6, 8
_OF_LIBRARIES = ("library", "deliver", "order", "ranks", "rank_share", "warmup", "huge_pages")
"""A library decides the rest for itself."""
_ALWAYS = ("library", "access", "order", "readers", "deliver")
"""What is shown where nothing differs."""


class SettingChips(QWidget):
    """Chips that open an editor, as many as there is room for; the rest is counted."""

    edited = Signal(str, str)

    def __init__(self, arm: ArmLabel, obstacle: Callable[[str, object], str]) -> None:
        """`obstacle` says why an axis cannot take a value now."""
        super().__init__()
        self._arm = arm
        self._obstacle = obstacle
        self._config = self._other = LoadConfig()
        self._version = self._locked = ""
        self._axes: tuple[str, ...] = ()
        self._chips: list[str] = []
        self._shared: list[str] = []
        self._buttons = [_ChipButton() for _ in range(MOST_CHIPS)]
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self, spacing=_GAP_PX)
        self.more = UnfoldButton("more-settings")
        self.more.clicked.connect(lambda: self.edit(self.more, tr("other settings"), self._folded))
        for at, button in enumerate(self._buttons):
            button.clicked.connect(lambda _=False, at=at: self._edit_chip(at))
            self._row.addWidget(button)
        self._row.addWidget(self.more)
        self._row.addStretch(1)

    @property
    def shown(self) -> dict[str, QToolButton]:
        """The chips that are to be seen, by axis; without the one that the rest unfolds from."""
        pairs = zip(self._chips, self._buttons, strict=False)
        return {axis: button for axis, button in pairs if not button.isHidden()}

    def show_config(
        self, name: str, config: LoadConfig, other: LoadConfig | None, version: str = ""
    ) -> None:
        """Show the settings of `config` that aren't the default of the strategy called `name`,
        then those in which `other` differs; without any, those that are always shown.

        `other` is None where a program loads there; `version` is that of the library which loads,
        where one does.
        """
        self._config, self._other, self._version = config, other or config, version
        self._axes = AXES if config.library == NO_LIBRARY else _OF_LIBRARIES
        differing = self._differing
        changed = {*changed_settings(name, config)}
        alike = [axis for axis in self._axes if axis in changed and axis not in differing]
        self._shared = alike if other is not None else []
        apart = sorted([*differing, *alike], key=lambda axis: axis not in changed)
        usual = [axis for axis in _ALWAYS if axis in self._axes]
        # Of modelmon's own strategies it says nothing that the name of the strategy doesn't.
        hidden = "library" if config.library == NO_LIBRARY else ""
        self._chips = [axis for axis in apart or usual if axis != hidden][:MOST_CHIPS]
        for button, axis in zip(self._buttons, self._chips, strict=False):
            button.show_setting(*self._texts(axis))
            restyle(button, arm=self._arm if axis in differing else "")
            differs = tr("{axis}, differs from the other strategy", axis=button.text())
            button.setAccessibleName(differs if axis in differing else button.text())
            button.setAccessibleDescription(tr(AXIS_HELP[axis]))
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

    def _edit_chip(self, at: int) -> None:
        axis = self._chips[at]
        self.edit(self._buttons[at], tr(AXIS_NAMES[axis]), (axis,))

    @property
    def _differing(self) -> list[str]:
        differing = self._config.differs_from(self._other)
        return [axis for axis in self._axes if axis in differing]

    @property
    def _folded(self) -> tuple[str, ...]:
        """The axes without a chip."""
        shown = self.shown
        return tuple(axis for axis in self._axes if axis not in shown)

    def _texts(self, axis: str) -> tuple[str, str]:
        """What a setting is called, and its value."""
        if axis == "library" and self._config.library != NO_LIBRARY:
            return tr("Version"), self._version or tr("not installed")
        value = value_text(axis, getattr(self._config, axis))
        value = tr("{value} (A and B)", value=value) if axis in self._shared else value
        return tr(AXIS_NAMES[axis]), value

    def _show_lock(self) -> None:
        for button in (*self._buttons, self.more):
            button.setEnabled(not self._locked)
            about = button.accessibleDescription()
            about = about if button is self.more else f"{button.text()}\n{about}"
            button.setToolTip(self._locked or about)

    def _fit(self) -> None:
        """Show all chips and in words what the rest is, or in a number; else fewer chips."""
        every = len(self._chips)
        folded = len(self._axes) - every
        rest = tr("{count} the same", count=folded)
        differing = self._differing
        if not differing:
            rest = tr("{count} more settings", count=folded)
        elif not {*differing}.issubset({*self._chips, "library"}):
            rest = f"+{folded}"
        for count, text in (
            (every, rest),
            *((count, f"+{len(self._axes) - count}") for count in range(every, -1, -1)),
        ):
            self.more.setText(text)
            parts = (*self._buttons[:count], self.more)
            wanted_px = sum(part.sizeHint().width() for part in parts) + _GAP_PX * count
            if wanted_px <= self.width():
                break
        for at, button in enumerate(self._buttons):
            button.setVisible(at < count)
        names = (tr("{name}: {value}", name=n, value=v) for n, v in map(self._texts, self._folded))
        self.more.setAccessibleDescription("\n".join(names))
        self.more.setToolTip(self._locked or self.more.accessibleDescription())
        self._row.activate()


class _ChipButton(QToolButton):
    """`Name: value`, the name paler."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "chip")
        self._name = ""

    def show_setting(self, name: str, value: str) -> None:
        """Show a setting."""
        self._name = tr("{name}: ", name=name)
        self.setText(f"{self._name}{value}")
        self.ensurePolished()

    def sizeHint(self) -> QSize:
        """The text with a little room around it, less than tool buttons usually have."""
        text_px = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(text_px + 2 * _PADDING_PX, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """All of it."""
        return self.sizeHint()

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
        value = self.text().removeprefix(self._name)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, value)
