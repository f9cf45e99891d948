"""What is known before a load: the model, its storage, memory, and everything it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from modelmon.core.machine.memory import read_memory
from modelmon.gui import facts
from modelmon.gui.panels.model_tree import ModelTree
from modelmon.gui.panels.share_bar import ShareBar
from modelmon.gui.styling import ElidedLabel, IconLabel, label, restyle, rule

if TYPE_CHECKING:
    from modelmon.gui.facts import Fact
    from modelmon.gui.session import Session

WIDTH_PX = 264
LEAST_WIDTH_PX = 232


class SidePanel(QWidget):
    """Follows the session's model."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setMinimumWidth(LEAST_WIDTH_PX)
        self._session = session
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.model = _Section("Model", "model", "No model is open.")
        self.storage = _Section("Storage", "disk", "Shown when a model is open.")
        self.memory = _Section("Memory", "memory", "")
        self._kinds = ShareBar(("neutral_1", "neutral_2", "neutral_3"), with_shares=True)
        self._ram = ShareBar(("neutral_1", "focus", "hover"), with_shares=False)
        self.model.add_below(self._kinds)
        self.memory.add_above(self._ram)
        for section in (self.model, self.storage, self.memory):
            column.addWidget(section)
            column.addWidget(rule())
        self.tree = ModelTree()
        column.addWidget(self.tree, 1)
        self._spring = QWidget()
        column.addWidget(self._spring, 1)
        session.model_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's model, or that there is none."""
        preflight = self._session.preflight
        memory = preflight.memory if preflight else read_memory()
        model = preflight.model if preflight else None
        self.memory.set_facts(facts.memory_facts(memory, model))
        self._ram.set_parts(facts.memory_parts(memory, model))
        self.tree.set_model(preflight.model if preflight else None)
        self.tree.setVisible(preflight is not None)
        self._spring.setVisible(preflight is None)
        if preflight is None:
            self.model.set_facts([])
            self.storage.set_facts([])
            self._kinds.set_parts([])
            return
        self.model.set_facts(facts.model_facts(preflight.model))
        self._kinds.set_parts(facts.composition(preflight.model))
        self.storage.set_facts(facts.storage_facts(preflight))


class _Section(QWidget):
    """A heading with an icon, and rows of facts; a sentence where there are none."""

    def __init__(self, title: str, icon_name: str, empty: str) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 10)
        self._column.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel(icon_name))
        head.addWidget(label(title, "heading"), 1)
        self._column.addLayout(head)
        self._empty = label(empty, "label", wrap=True)
        self._column.addWidget(self._empty)
        self._rows = QWidget()
        self._grid = QGridLayout(self._rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnMinimumWidth(0, 80)
        self._grid.setColumnStretch(1, 1)
        self._column.addWidget(self._rows)

    def add_above(self, widget: QWidget) -> None:
        self._column.insertWidget(1, widget)

    def add_below(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def set_facts(self, rows: list[Fact]) -> None:
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
            name.setToolTip(fact.tool_tip)
            if fact.tool_tip:
                value.set_more(fact.tool_tip)
            self._grid.addWidget(name, at, 0)
            self._grid.addWidget(value, at, 1)
