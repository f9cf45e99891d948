"""The settings of an arm as a row of chips: those that differ from the other arm or from the
strategy's default, and one more that the rest unfolds from; and the form that each opens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from modelmon.core.load.config import AXES, CHOICES, NO_LIBRARY, RANGES, SIZES, LoadConfig
from modelmon.core.load.libraries import registry
from modelmon.core.load.strategies import changed_settings
from modelmon.core.units import GIB, KIB, MIB
from modelmon.gui.language import said, tr
from modelmon.gui.session.arm_settings import other_arm
from modelmon.gui.session.run_words import AXIS_HELP, AXIS_NAMES, value_text
from modelmon.gui.widgets.controls import UnfoldButton
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import label, restyle, styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.session.notices import ArmLabel

    Obstacle = Callable[[str, object], str]
    """Why an axis cannot take a value now; "" if it can."""

_FEW_AXES = 3
_HELP_PX = 320
_SIZES_BYTES: dict[str, tuple[int, ...]] = {
    "chunk_bytes": (
        *(4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB),
        *(MIB, 2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 64 * MIB, 256 * MIB),
    ),
    "prefetch_bytes": (0, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB, GIB, 4 * GIB),
}
MOST_CHIPS = 5
_GAP_PX, _PADDING_PX = 6, 8
_OF_LIBRARIES = ("library", "deliver", "order", "ranks", "rank_share", "warmup", "huge_pages")
"""A library decides the rest for itself."""
_ALWAYS = ("library", "access", "order", "readers", "deliver")
"""What is shown where nothing differs."""


class SettingChips(QWidget):
    """Chips that open an editor, as many as there is room for; the rest is counted."""

    edited = Signal(str, str)

    def __init__(self, arm: ArmLabel, obstacle: Obstacle) -> None:
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
        width_px = -1
        # To show a part lays out what it is in, which may get another width by that.
        while width_px != self.width():
            width_px = self.width()
            count = self._most_within(width_px)
            for at, button in enumerate(self._buttons):
                button.setVisible(at < count)
        names = (tr("{name}: {value}", name=n, value=v) for n, v in map(self._texts, self._folded))
        self.more.setAccessibleDescription("\n".join(names))
        self.more.setToolTip(self._locked or self.more.accessibleDescription())
        # Layouts that were asked before the style sheet was in force would keep less.
        self.setFixedHeight(self._buttons[0].sizeHint().height())
        self._row.activate()

    def _most_within(self, width_px: int) -> int:
        """How many chips have room, with the button of the rest, which gets its text."""
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
            if wanted_px <= width_px:
                return count
        return 0


class _ChipButton(QToolButton):
    """`Name: value`."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "chip")

    def show_setting(self, name: str, value: str) -> None:
        """Show a setting."""
        self.setText(tr("{name}: {value}", name=name, value=value))
        self.ensurePolished()

    def sizeHint(self) -> QSize:
        """The text with a little room around it, less than tool buttons usually have."""
        text_px = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(text_px + 2 * _PADDING_PX, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """All of it."""
        return self.sizeHint()


class AxisEditor(QFrame):
    """Edits `axes` of an arm; each change is `edited` at once as axis and text.

    `show_config` follows each change, for it may change what else is possible.
    """

    edited = Signal(str, str)

    def __init__(
        self,
        arm: ArmLabel,
        title: str,
        axes: tuple[str, ...],
        obstacle: Obstacle,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        styled(self, "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(f"{arm}: {title}")
        self._arm = arm
        column = in_column(label(f"{arm}: {title}", "heading"), on=self, margins=(12, 12, 12, 12))
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(4)
        column.addLayout(form)
        self.fields: dict[str, ChoiceField | NumberField] = {}
        self._names: dict[str, QLabel] = {}
        for axis in axes:
            field = self.fields[axis] = field_of(axis, obstacle)
            field.edited.connect(lambda text, axis=axis: self.edited.emit(axis, text))
            styled(field, "", compact=True)
            name = self._names[axis] = label(tr(AXIS_NAMES[axis]), "label")
            form.addRow(name, field)
        if len(axes) <= _FEW_AXES:
            for axis in axes:
                text = label(tr(AXIS_HELP[axis]), "hint", wrap=True)
                text.setMinimumWidth(_HELP_PX)
                column.addWidget(text)

    def show_config(self, config: LoadConfig, other: LoadConfig) -> None:
        """Show the values that hold, what else is possible, and where the other arm differs."""
        differing = config.differs_from(other)
        for axis, field in self.fields.items():
            field.show_value(getattr(config, axis))
            differs = axis in differing
            restyle(self._names[axis], arm=self._arm if differs else "")
            theirs = value_text(axis, getattr(other, axis))
            self._names[axis].setToolTip(f"{other_arm(self._arm)}: {theirs}" if differs else "")

    def open_below(self, widget: QWidget) -> None:
        """Show the form under `widget`, inside the screen, with the focus in its first field."""
        self.adjustSize()
        place = widget.mapToGlobal(QPoint(0, widget.height() + 2))
        room = widget.screen().availableGeometry()
        place.setX(max(room.left(), min(place.x(), room.right() - self.width())))
        place.setY(max(room.top(), min(place.y(), room.bottom() - self.height())))
        self.move(place)
        self.show()
        next((field for field in self.fields.values() if field.isEnabled()), self).setFocus()


class ChoiceField(QComboBox):
    """One of several values; `edited` carries the chosen one as text."""

    edited = Signal(str)

    def __init__(self, axis: str, obstacle: Obstacle) -> None:
        super().__init__()
        self._axis = axis
        self._obstacle = obstacle
        self.setAccessibleName(tr(AXIS_NAMES[axis]))
        self.activated.connect(lambda at: self.edited.emit(str(self.itemData(at))))

    def show_value(self, value: object) -> None:
        """Show the value that holds, and which others are possible beside it."""
        choices = self._choices(value)
        if [self.itemData(at) for at in range(self.count())] != choices:
            self.clear()
            for choice in choices:
                self.addItem(value_text(self._axis, choice), choice)
        items = self.model()
        assert isinstance(items, QStandardItemModel)
        for at, choice in enumerate(choices):
            reason = said(self._obstacle(self._axis, choice)) if choice != value else ""
            items.item(at).setEnabled(not reason)
            self.setItemData(at, reason, Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(choices.index(value))
        reasons = [self.itemData(at, Qt.ItemDataRole.ToolTipRole) for at in range(self.count())]
        stuck = len(choices) > 1 and sum(map(bool, reasons)) == len(choices) - 1
        self.setEnabled(not stuck)
        self.setToolTip(next(filter(None, reasons)) if stuck else tr(AXIS_HELP[self._axis]))

    def _choices(self, value: object) -> list[Any]:
        if self._axis in SIZES:
            return sorted({*_SIZES_BYTES[self._axis], int(str(value))})
        if self._axis == "library":
            return list(dict.fromkeys((NO_LIBRARY, *registry.names(), value)))
        return list(CHOICES[self._axis])


class NumberField(QSpinBox):
    """A whole number within what is possible now; `edited` carries it as text."""

    edited = Signal(str)

    def __init__(self, axis: str, obstacle: Obstacle) -> None:
        super().__init__()
        self._axis = axis
        self._obstacle = obstacle
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName(tr(AXIS_NAMES[axis]))
        self.valueChanged.connect(lambda value: self.edited.emit(str(value)))

    def show_value(self, value: int) -> None:
        """Show the value that holds, with the range that is possible beside it."""
        least, most = RANGES[self._axis]
        low, below = self._as_far_as(range(value - 1, least - 1, -1), value)
        high, above = self._as_far_as(range(value + 1, most + 1), value)
        blocked = self.blockSignals(True)
        self.setRange(low, high)
        self.setValue(value)
        self.blockSignals(blocked)
        self.setEnabled(low < high)
        reasons = dict.fromkeys(filter(None, (below, above)))
        about = [tr(AXIS_HELP[self._axis])] if low < high else []
        self.setToolTip("\n".join([*about, *reasons]))

    def _as_far_as(self, values: range, reached: int) -> tuple[int, str]:
        """The last of `values` before one that is impossible, and why that is."""
        for value in values:
            if reason := said(self._obstacle(self._axis, value)):
                return reached, reason
            reached = value
        return reached, ""


def field_of(axis: str, obstacle: Obstacle) -> ChoiceField | NumberField:
    """The right field for an axis."""
    is_number = axis in RANGES and axis not in SIZES
    return NumberField(axis, obstacle) if is_number else ChoiceField(axis, obstacle)
