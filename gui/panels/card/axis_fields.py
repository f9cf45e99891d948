"""The fields of the axis editor: a choice, and a number; what is impossible says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QSpinBox

from modelmon.core.load.config import CHOICES, NO_LIBRARY, RANGES, SIZES
from modelmon.core.load.libraries import registry
from modelmon.core.units import GIB, KIB, MIB
from modelmon.gui.look.language import said, tr
from modelmon.gui.measuring.axis_texts import AXIS_HELP, AXIS_NAMES, value_text

if TYPE_CHECKING:
    from collections.abc import Callable

    Obstacle = Callable[[str, object], str]
    """Why an axis cannot take a value now; "" if it can."""

_SIZES_BYTES: dict[str, tuple[int, ...]] = {
    "chunk_bytes": (
        *(4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB),
        *(MIB, 2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 64 * MIB, 256 * MIB),
    ),
    "prefetch_bytes": (0, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB, GIB, 4 * GIB),
}


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
