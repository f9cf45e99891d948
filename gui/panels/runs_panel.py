"""The Runs tab: which runs there are, and what can be done with those that are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from modelmon.gui.models.run_columns import MODEL
from modelmon.gui.panels.runs_filter import RunsFilter
from modelmon.gui.panels.runs_table import RunsTable
from modelmon.gui.run_actions import RUN_ACTIONS, reasons_against
from modelmon.gui.run_library import MOST_ROWS
from modelmon.gui.styling import icon_button, label, restyle

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from modelmon.gui.models.run_lines import RunLine
    from modelmon.gui.run_library import RunLibrary
    from modelmon.gui.session import Run, Session

_GAP_PX = 8
_LEAST_PX = (560, 160)
_ROOM_FOR_BUTTONS_PX = 900


class RunsPanel(QWidget):
    """Filter, table and commands; `wanted` names a command of run_actions.py.

    The history is read when the tab is seen, not before.
    """

    wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._library: RunLibrary | None = None
        self._behind = True
        self.filter = RunsFilter()
        self.table = RunsTable()
        self.foot = label("", "hint")
        self.actions_by_id: dict[str, QAction] = {}
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._make_actions()
        self.compare = self._button("compare", "Compare…")
        self.changes = self._button("changes", "What changed…")
        self.more = icon_button("more", "More for the selected runs")
        self.more.setPopupMode(self.more.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._menu)
        row = QHBoxLayout()
        row.setSpacing(_GAP_PX)
        row.addWidget(self.filter, 1)
        for button in (self.compare, self.changes, self.more):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        column.addWidget(self.foot)
        self.table.setColumnHidden(MODEL, True)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.table.selection_changed.connect(self.refresh_actions)
        self.filter.changed.connect(self._apply_filter)
        session.activity_changed.connect(self.refresh_actions)
        self._describe()

    def follow(self, library: RunLibrary) -> None:
        """Show what this library has."""
        self._library = library
        library.reloaded.connect(self._on_reloaded)
        library.changed.connect(self.table.runs.replace)
        library.changed.connect(lambda _: self.refresh_actions())
        self.filter.every_model_chosen.connect(self._show_every_model)
        self.table.runs.star_wanted.connect(
            lambda run_id, starred: library.star((run_id,), starred=starred)
        )
        self.table.runs.name_wanted.connect(library.rename)

    @property
    def selected(self) -> list[RunLine]:
        """The selected runs."""
        return self.table.selected

    @property
    def selected_run(self) -> Run | None:
        """The selected run, where it is one and of this window."""
        lines = self.selected
        return lines[0].run if len(lines) == 1 else None

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Read the history anew: other windows and terminals write to it as well."""
        super().showEvent(event)
        if self._library is not None:
            self._library.reload()
            self._on_reloaded()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Narrow windows get along without the buttons, which are in the menu as well."""
        return QSize(*_LEAST_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the buttons where there is room for them."""
        super().resizeEvent(event)
        for button in (self.compare, self.changes):
            button.setVisible(self.width() >= _ROOM_FOR_BUTTONS_PX)

    def refresh_actions(self) -> None:
        """Enable what can be done with the selected runs; tool tips say why not."""
        against = reasons_against(self._session, self.selected)
        for spec in RUN_ACTIONS:
            action = self.actions_by_id[spec.id]
            action.setEnabled(spec.id not in against)
            action.setToolTip(against.get(spec.id, spec.text))
        starred = bool(self.selected) and all(line.starred for line in self.selected)
        self.actions_by_id["star"].setText("Remove star" if starred else "Star")
        for button, name in ((self.compare, "compare"), (self.changes, "changes")):
            button.setEnabled(name not in against)
            button.setToolTip(self.actions_by_id[name].toolTip())

    def _make_actions(self) -> None:
        for spec in RUN_ACTIONS:
            action = QAction(spec.text, self.table)
            action.setObjectName(spec.id)
            if spec.shortcut:
                action.setShortcut(QKeySequence(spec.shortcut))
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _=False, name=spec.id: self.wanted.emit(name))
            if spec.starts_group:
                self._menu.addSeparator()
            self._menu.addAction(action)
            self.table.addAction(action)
            self.actions_by_id[spec.id] = action

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("compact", True)
        button.clicked.connect(lambda: self.wanted.emit(name))
        return button

    def _open_menu(self, place: QPoint) -> None:
        if self.table.indexAt(place).isValid():
            self._menu.popup(self.table.viewport().mapToGlobal(place))

    def _show_every_model(self, every: bool) -> None:
        self.table.setColumnHidden(MODEL, not every)
        if self._library is not None:
            self._library.show_every_model(every)

    def _on_reloaded(self) -> None:
        if self._library is None:
            return
        if not self.isVisible():
            return
        if self._library.stale:
            self._library.reload()
        lines = self._library.lines
        self.filter.offer(lines)
        self.table.runs.set_lines(lines)
        self._describe()

    def _apply_filter(self) -> None:
        self.table.runs.set_filter(self.filter.wanted)
        self._describe()

    def _describe(self) -> None:
        runs = self.table.runs
        shown, known, hidden = runs.rowCount(), len(runs.lines), runs.hidden_elsewhere
        problem = self._library.problem if self._library is not None else ""
        count = "1 run" if known == 1 else f"{known:,} runs"
        parts = [f"{shown:,} of {count}" if shown != known else count]
        if known >= MOST_ROWS:
            parts.append("older ones with modelmon history")
        if hidden:
            parts.append(f"{hidden:,} of another machine or disk not shown")
        self.foot.setText(problem or "; ".join(parts))
        restyle(self.foot, tone="bad" if problem else "")
        if problem:
            self.table.empty_text = f"{problem} Runs are measured all the same."
        elif not known:
            self.table.empty_text = (
                "No run of this model is recorded yet. Run A, Run B or Compare A/B adds some."
            )
        elif hidden and not shown:
            self.table.empty_text = (
                f"{hidden:,} runs were measured on another machine or disk. Untick"
                " “Only this machine and disk” to see them."
            )
        else:
            self.table.empty_text = "No run has what the row above asks for."
        self.table.viewport().update()
        self.refresh_actions()
