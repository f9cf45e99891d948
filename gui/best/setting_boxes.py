"""Which load settings of a program are tested: a box for each, beside what it does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from modelmon.gui.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.commands import Setting

_COLUMNS = 4


class SettingBoxes(QWidget):
    """All are ticked until somebody unticks one; `changed` comes with each click."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(_COLUMNS, 1)

    @property
    def ticked(self) -> set[str]:
        """The names of the variants that are wanted."""
        return {name for name, box in self.boxes.items() if box.isChecked()}

    def show_settings(self, settings: Sequence[Setting]) -> None:
        """Offer the variants of these, of which the first is what the program does by itself. What
        was ticked stays so where they are the same.
        """
        own = settings[0].variant.name if settings else ""
        variants = {each.variant.name: each.variant for each in settings}
        variants.pop(own, None)
        if variants.keys() == self.boxes.keys():
            return
        for box in self.boxes.values():
            box.hide()
            box.deleteLater()
        self.boxes = {}
        for at, (name, variant) in enumerate(variants.items()):
            box = self.boxes[name] = QCheckBox(name)
            box.setAccessibleName(tr("Test {setting}", setting=name))
            box.setToolTip(f"{variant.setting}\n{said(variant.meaning)}")
            box.setChecked(True)
            box.toggled.connect(self.changed)
            self._grid.addWidget(box, at // _COLUMNS, at % _COLUMNS)
