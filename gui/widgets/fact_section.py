"""Parts of the side panel: a heading with an icon, and what stands under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtWidgets import QGridLayout, QWidget

from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, IconLabel, label, plain, restyle, rule

Tone = Literal["plain", "good", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: what it is, its value, and the whole story as a tool tip."""

    name: str
    value: str
    tool_tip: str = ""
    tone: Tone = "plain"


class Section(QWidget):
    """Begins with its heading and ends with a line."""

    def __init__(self, title: str, icon_name: str) -> None:
        super().__init__()
        self._head = in_row(IconLabel(icon_name), label(title, "heading"), STRETCH, spacing=8)
        self.column = in_column(spacing=6)
        inner = in_column(self._head, self.column, margins=(12, 10, 12, 10), spacing=6)
        in_column(inner, rule(), on=self, spacing=0)

    def add_to_head(self, widget: QWidget) -> None:
        """Put a small control at the right end of the heading."""
        self._head.addWidget(widget)


class FactSection(Section):
    """Shows a sentence where there are no facts; one that is told again keeps its row."""

    def __init__(self, title: str, icon_name: str, empty: str) -> None:
        super().__init__(title, icon_name)
        self._facts: list[Fact] = []
        self._empty = label(empty, "label", wrap=True)
        self.column.addWidget(self._empty)
        self._rows = QWidget()
        self._grid = QGridLayout(self._rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnMinimumWidth(0, 80)
        self._grid.setColumnStretch(1, 1)
        self.column.addWidget(self._rows)

    @property
    def facts(self) -> dict[str, str]:
        """What the section says now, by name."""
        return {fact.name: fact.value for fact in self._facts}

    @property
    def tool_tips(self) -> dict[str, str]:
        """What it says of each of them on top, by name."""
        return {fact.name: fact.tool_tip for fact in self._facts}

    def add_above(self, widget: QWidget) -> None:
        """Put something between the heading and the facts."""
        self.column.insertWidget(0, widget)

    def add_below(self, widget: QWidget) -> None:
        """Put something under the facts."""
        self.column.addWidget(widget)

    def set_facts(self, rows: list[Fact]) -> None:
        """Show these facts, or the sentence where there are none."""
        if rows == self._facts and rows:
            return
        self._facts = rows
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        self._empty.setVisible(not rows)
        self._rows.setVisible(bool(rows))
        for at, fact in enumerate(rows):
            value = ElidedLabel("value", fact.value)
            restyle(value, tone=fact.tone)
            value.setAccessibleName(f"{fact.name}: {fact.value}")
            name = label(fact.name, "label")
            name.setToolTip(plain(fact.tool_tip))
            if fact.tool_tip:
                value.set_more(fact.tool_tip)
            self._grid.addWidget(name, at, 0)
            self._grid.addWidget(value, at, 1)
