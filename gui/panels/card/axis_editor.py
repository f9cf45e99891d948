"""A popup form that changes one, several or all axes of an arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QVBoxLayout, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import label, restyle, styled
from modelmon.gui.measuring.arm_settings import other_arm
from modelmon.gui.measuring.axis_texts import AXIS_HELP, AXIS_NAMES, value_text
from modelmon.gui.panels.card.axis_fields import ChoiceField, NumberField, field_of

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.gui.panels.card.axis_fields import Obstacle
    from modelmon.gui.window.notices import ArmLabel

_FEW_AXES = 3
_HELP_PX = 320


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
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(label(f"{arm}: {title}", "heading"))
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
