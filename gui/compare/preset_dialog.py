"""Asks under which name an arm's settings are to be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from modelmon.gui.language import tr
from modelmon.gui.session.own_presets import name_fault
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, styled

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_LONGEST = 40
_WIDTH_PX = 360


class PresetDialog(Dialog):
    """`named` carries the chosen name; one that cannot be used is refused with the reason."""

    named = Signal(str)

    def __init__(self, taken: AbstractSet[str], parent: QWidget) -> None:
        """`taken` are the names of own presets, which would be replaced."""
        super().__init__(tr("Save as preset"), parent, least_width_px=_WIDTH_PX)
        self._taken = taken
        column = in_column(label(tr("Name"), "label"), on=self, margins=(24, 16, 24, 16), spacing=8)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Preset name"))
        self.name.setMaxLength(_LONGEST)
        column.addWidget(self.name)
        self.hint = label("", "hint")
        column.addWidget(self.hint)
        self.save = styled(QPushButton(tr("Save")), "primary")
        self.save.setDefault(True)
        self.save.clicked.connect(self.accept)
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.save,)))
        self.name.textChanged.connect(self._judge)
        self._judge("")

    def accept(self) -> None:
        """Hand the name on."""
        self.named.emit(self.name.text().strip())
        super().accept()

    def _judge(self, text: str) -> None:
        name = text.strip()
        fault = name_fault(name)
        self.save.setEnabled(not fault)
        self.save.setToolTip(fault)
        replaced = tr("Replaces your preset of the same name") if name in self._taken else ""
        self.hint.setText(fault or replaced)
