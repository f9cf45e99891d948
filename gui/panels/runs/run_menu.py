"""The menu of the table of runs, whose keys work in the table or in the whole tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from modelmon.gui.history.run_actions import RUN_ACTIONS
from modelmon.gui.look.language import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget


class RunMenu(QMenu):
    """The table of run_actions.py as actions; `wanted` names the one that was chosen."""

    wanted = Signal(str)

    def __init__(self, tab: QWidget, table: QWidget) -> None:
        super().__init__(tab)
        self.setToolTipsVisible(True)
        self.actions_by_id: dict[str, QAction] = {}
        contexts = Qt.ShortcutContext
        for spec in RUN_ACTIONS:
            action = QAction(tr(spec.text), table)
            action.setObjectName(spec.id)
            place = tab if spec.in_whole_tab else table
            if spec.shortcut:
                action.setShortcut(QKeySequence(spec.shortcut))
                action.setShortcutContext(
                    contexts.WidgetWithChildrenShortcut
                    if spec.in_whole_tab
                    else contexts.WidgetShortcut
                )
            action.triggered.connect(lambda _=False, name=spec.id: self.wanted.emit(name))
            if spec.starts_group:
                self.addSeparator()
            self.addAction(action)
            place.addAction(action)
            self.actions_by_id[spec.id] = action

    def refuse(self, against: Mapping[str, str]) -> None:
        """Enable what is not named; tool tips say why the others cannot be used."""
        for spec in RUN_ACTIONS:
            action = self.actions_by_id[spec.id]
            action.setEnabled(spec.id not in against)
            action.setToolTip(against.get(spec.id, tr(spec.text)))
