"""A popup form that changes one, several or all axes of an arm, and its fields: a choice, and a
number; what is impossible says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QLabel, QSpinBox, QWidget

from modelmon.core.load.config import CHOICES, NO_LIBRARY, RANGES, SIZES
from modelmon.core.load.libraries import registry
from modelmon.core.units import GIB, KIB, MIB
from modelmon.gui.language import said, tr
from modelmon.gui.session.arm_settings import other_arm
from modelmon.gui.session.setting_words import AXIS_HELP, AXIS_NAMES, value_text
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, restyle, styled

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.gui.session.notices import ArmLabel

_FEW_AXES = 3
_HELP_PX = 320
_SIZES_BYTES: dict[str, tuple[int, ...]] = {
    "chunk_bytes": (
        *(4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB),
        *(MIB, 2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 64 * MIB, 256 * MIB),
    ),
    "prefetch_bytes": (0, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB, GIB, 4 * GIB),
}


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


if TYPE_CHECKING:
    from collections.abc import Callable

    Obstacle = Callable[[str, object], str]
    """Why an axis cannot take a value now; "" if it can."""


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
