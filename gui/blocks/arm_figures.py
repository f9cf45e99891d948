"""A small table: named figures in a column for each arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from modelmon.gui.language import tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.widgets.styling import label as made_label
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from modelmon.gui.session.notices import ArmLabel

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ArmFigures(QWidget):
    """A row for each of `names`; `values` are the labels by name and arm."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names = tuple(names)
        self.values: dict[tuple[str, ArmLabel], QLabel] = {}
        self.headings: dict[ArmLabel, QLabel] = {}
        self.captions: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        for column, arm in enumerate(ARMS, start=1):
            head = self.headings[arm] = copied_label("heading")
            head.setAlignment(_RIGHT)
            head.setText(arm)
            head.setProperty("arm", arm)
            grid.addWidget(head, 0, column)
        for row, name in enumerate(self._names, start=1):
            caption = self.captions[name] = copied_label("label")
            caption.setText(tr(name))
            grid.addWidget(caption, row, 0)
            for column, arm in enumerate(ARMS, start=1):
                value = self.values[name, arm] = copied_label("value")
                value.setAlignment(_RIGHT)
                grid.addWidget(value, row, column)

    def show_arms(self, arms: Collection[ArmLabel], names: Collection[str] | None = None) -> None:
        """Show the columns of these arms only, and of `names` only where they are given."""
        for arm, head in self.headings.items():
            head.setText("" if manager().alone else arm)
            head.setVisible(arm in arms)
        for name, caption in self.captions.items():
            caption.setVisible(names is None or name in names)
        for (name, arm), value in self.values.items():
            value.setVisible(arm in arms and (names is None or name in names))

    def show_texts(self, arm: ArmLabel, texts: Sequence[str]) -> None:
        """Show an arm's figures, in the order of the names."""
        for name, text in zip(self._names, texts, strict=True):
            self.values[name, arm].setText(text)


def copied_label(role: str) -> QLabel:
    """A text that can be selected and copied."""
    made = made_label("", role)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
