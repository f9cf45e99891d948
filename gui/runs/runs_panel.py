"""The Runs tab: which runs there are, and what can be done with those that are selected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QScrollArea,
    QSplitter,
    QWidget,
)

from modelmon.gui.background.presence import Presence
from modelmon.gui.language import tr
from modelmon.gui.runs.run_actions import model_path, reasons_against
from modelmon.gui.runs.run_columns import MODEL
from modelmon.gui.runs.run_library import MOST_ROWS
from modelmon.gui.runs.runs_filter import RunsFilter
from modelmon.gui.runs.runs_table import RunMenu, RunsTable
from modelmon.gui.runs.runs_text import Listed, empty_text, foot_text
from modelmon.gui.runs.strips_pane import StripsPane
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import icon_button, label, restyle

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent

    from modelmon.gui.runs.run_library import RunLibrary
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.session import Run, Session

_GAP_PX = 8
_LEAST_PX, _UNSCROLLED_PX = (300, 160), 560
_ROOM_FOR_BUTTONS_PX, _ROOM_FOR_ALL_PX = 900, 1060


class RunsPanel(QWidget):
    """Filter, table and commands; `wanted` names a command of run_actions.py.

    `dropped` carries the paths of recordings, `left` asks for what was there before. The history
    is read when the tab is seen, not before.
    """

    wanted = Signal(str)
    dropped = Signal(list)
    left = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._library: RunLibrary | None = None
        self._deleted = 0
        self._presence = Presence(self)
        self._presence.changed.connect(self.refresh_actions)
        self.filter = RunsFilter()
        self.table = RunsTable()
        self.foot = label("", "hint")
        self.undo = UndoLine()
        self.undo.undo_wanted.connect(lambda: self.wanted.emit("undo"))
        self._menu = RunMenu(self, self.table)
        self._menu.wanted.connect(self.wanted)
        self.actions_by_id = self._menu.actions_by_id
        self.compare = self._button("compare", tr("Compare…"))
        self.changes = self._button("changes", tr("What changed…"))
        self.strips = StripsPane()
        self.strips_button = self._strips_button()
        self.more = icon_button("more", tr("More actions for the selected runs"))
        self.more.setPopupMode(self.more.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._menu)
        self.back = QPushButton(tr("Back"))
        self.back.setProperty("compact", True)
        self.back.setToolTip(tr("Back to start page"))
        self.back.clicked.connect(self.left)
        self.back.hide()
        self._lay_out()
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.table.selection_changed.connect(self._on_selection)
        self.filter.changed.connect(self._apply_filter)
        session.activity_changed.connect(self.refresh_actions)
        session.model_changed.connect(self._on_model)
        self.setAcceptDrops(True)
        self._on_model()
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

    @property
    def reasons(self) -> dict[str, str]:
        """Commands that cannot be used now, and why."""
        deleted, gone = self._deleted, self._presence.gone
        return reasons_against(self._session, self.selected, deleted=deleted, gone=gone)

    def show_deleted(self, count: int) -> None:
        """Say how many runs were deleted that can be brought back."""
        self._deleted = count
        self.undo.show_count(count)
        self.refresh_actions()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the history anew: other windows and terminals write to it as well."""
        super().showEvent(event)
        if self._library is not None:
            self._library.reload()
            self._on_reloaded()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take recordings while nothing is under way; other files go to the window."""
        if not self._session.busy and _recordings(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the recordings into the history."""
        event.acceptProposedAction()
        self.dropped.emit(_recordings(event.mimeData()))

    def select(self, run_ids: Collection[int]) -> None:
        """Select runs of the history, wherever they were measured."""
        self.filter.only_here.setChecked(False)
        self.table.select_runs(run_ids)

    def minimumSizeHint(self) -> QSize:
        """Narrow windows get along without the buttons, which are in the menu as well; beside the
        plots of a program it is scrolled.
        """
        return QSize(*_LEAST_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the buttons where there is room for them."""
        super().resizeEvent(event)
        for button in (self.strips_button, self.compare):
            button.setVisible(self.width() >= _ROOM_FOR_BUTTONS_PX)
        self.changes.setVisible(self.width() >= _ROOM_FOR_ALL_PX)

    def refresh_actions(self) -> None:
        """Enable what can be done with the selected runs; tool tips say why not."""
        against = self.reasons
        self._menu.refuse(against)
        starred = bool(self.selected) and all(line.starred for line in self.selected)
        self.actions_by_id["star"].setText(tr("Remove star") if starred else tr("Star"))
        buttons = {"compare": self.compare, "changes": self.changes, "undo": self.undo.button}
        for name, button in buttons.items():
            button.setEnabled(name not in against)
            button.setToolTip(self.actions_by_id[name].toolTip())

    def _lay_out(self) -> None:
        row = in_row(self.back, (self.filter, 1), spacing=_GAP_PX)
        for button in (self.strips_button, self.compare, self.changes, self.more):
            row.addWidget(button)
        inside = QWidget()
        inside.setMinimumWidth(_UNSCROLLED_PX)
        scrolled = QScrollArea()
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setWidgetResizable(True)
        scrolled.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setWidget(inside)
        for part in (inside, scrolled.viewport()):
            part.setAutoFillBackground(False)
        in_column(scrolled, on=self)
        lists = QSplitter(Qt.Orientation.Horizontal)
        lists.setChildrenCollapsible(False)
        lists.setHandleWidth(_GAP_PX)
        lists.addWidget(self.table)
        lists.addWidget(self.strips)
        lists.setStretchFactor(0, 1)
        foot_row = in_row((self.foot, 1), self.undo, spacing=_GAP_PX)
        in_column(row, (lists, 1), foot_row, on=inside, margins=(0, 4, 0, 0), spacing=4)

    def _on_selection(self) -> None:
        selected = self.selected
        if len(selected) == 1 and (path := model_path(selected[0])):
            self._presence.look([path])
        self.refresh_actions()

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("compact", True)
        button.clicked.connect(lambda: self.wanted.emit(name))
        return button

    def _strips_button(self) -> QPushButton:
        self.strips.hide()
        button = QPushButton(tr("Strips"))
        button.setProperty("compact", True)
        button.setCheckable(True)
        button.setToolTip(tr("Show each selected run as a mark on one axis"))
        button.toggled.connect(self.strips.setVisible)
        return button

    def _open_menu(self, place: QPoint) -> None:
        if self.table.indexAt(place).isValid():
            self._menu.popup(self.table.viewport().mapToGlobal(place))

    def _show_every_model(self, every: bool) -> None:
        self._on_model()
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
        listed = Listed(
            shown=runs.rowCount(),
            known=len(runs.lines),
            hidden=runs.hidden_elsewhere,
            problem=self._library.problem if self._library is not None else "",
            of_a_model=self._session.inspection is not None,
            most=MOST_ROWS,
        )
        self.foot.setText(foot_text(listed))
        restyle(self.foot, tone="bad" if listed.problem else "")
        self.table.empty_text = empty_text(listed)
        self.table.viewport().update()
        self.refresh_actions()

    def _on_model(self) -> None:
        known = self._session.inspection is not None
        self.filter.show_model(known=known)
        every = self.filter.model.currentIndex() == 1
        self.table.setColumnHidden(MODEL, known and not every)


def _recordings(mime: QMimeData) -> list[Path]:
    """The paths of dropped recordings; empty where another file is among them."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return paths if paths and all(path.suffix == ".jsonl" for path in paths) else []


class UndoLine(QWidget):
    """Says what was deleted, with a button that brings it back, until it is undone."""

    undo_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.said = label("", "hint")
        self.button = QPushButton(tr("Undo"))
        self.button.setProperty("compact", True)
        self.button.clicked.connect(self.undo_wanted)
        in_row(self.said, self.button, on=self, spacing=_GAP_PX)
        self.hide()

    def show_count(self, count: int) -> None:
        """Say how many runs were deleted; 0 hides the line."""
        text = tr("1 run deleted") if count == 1 else tr("{count} runs deleted", count=f"{count:,}")
        self.said.setText(text)
        self.button.setAccessibleName(
            tr("Undo: restore the deleted run")
            if count == 1
            else tr("Undo: restore {count} deleted runs", count=f"{count:,}")
        )
        self.setVisible(count > 0)
