"""Asks which program to watch, and when its model counts as loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.gui.language import tr
from modelmon.gui.session import run_words
from modelmon.gui.session.watched_run import WatchRequest
from modelmon.gui.watch.program_fields import ProgramFields
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import label, plain, push_button, styled

if TYPE_CHECKING:
    from modelmon.core.machine.file_users import FileUser
    from modelmon.gui.session.found_programs import ProgramFinder
    from modelmon.gui.session.session import Session
    from modelmon.gui.watch.watch_controller import WatchController

_WIDTH_PX, _LIST_PX = 720, 112
_ROW_PX = 24
_START, _JOIN = "start", "join"
_NO_OUTPUT = Message("What a program prints that was started elsewhere can't be read.")
_NO_ASKING = Message("A program that is joined asks no other. Watch the command that asks.")
_USER = Qt.ItemDataRole.UserRole


class WatchDialog(Dialog):
    """`start_wanted` carries the WatchRequest; it starts nothing by itself."""

    start_wanted = Signal(object)

    def __init__(
        self,
        watching: WatchController,
        programs: ProgramFinder,
        session: Session,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Watch a program"), parent, least_width_px=_WIDTH_PX)
        self._watching, self._session = watching, session
        self.how = Segments(tr("Program"), ((_START, tr("Start new")), (_JOIN, tr("Join running"))))
        self.how.set_value(_START)
        self.fields = ProgramFields(session, programs, self)
        self.programs = styled(QListWidget(), "list")
        self.programs.setAccessibleName(tr("Programs that use the model"))
        self.programs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.programs.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.look_again = push_button(tr("Refresh"), "refresh")
        self.look_again.setProperty("compact", True)
        self.cache = Segments(tr("Cache"), run_words.cache_choices())
        self.cache.set_value(session.cache)
        if session.in_memory:
            self.cache.button("cold").setEnabled(False)
            self.cache.button("cold").setToolTip(tr(run_words.IN_MEMORY))
        self.start = push_button(tr("Start"), "watch", "primary", "ink_text")
        self.start.setDefault(True)
        self._fill()
        self.how.chosen.connect(self._on_how)
        self.fields.changed.connect(self._check)
        self.programs.itemSelectionChanged.connect(self._check)
        self.look_again.clicked.connect(self._look)
        self.start.clicked.connect(self._agree)
        watching.users_found.connect(self._show_programs)
        self._show_page()
        self._check()
        # What most people do next is paste a command.
        self.fields.command.setFocus()

    def _fill(self) -> None:
        self._pages = {_START: self.fields.command_page(), _JOIN: self._join_page()}
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        left, top = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop
        grid.addWidget(label(tr("Program"), "title"), 0, 0)
        grid.addWidget(self.how, 0, 1, left)
        for page in self._pages.values():
            grid.addWidget(page, 1, 1, top)
        grid.addWidget(label(tr("Loaded when"), "title"), 2, 0)
        grid.addLayout(self.fields.ready_row(), 2, 1)
        grid.addWidget(label(tr("Cache"), "title"), 3, 0)
        grid.addWidget(self.cache, 3, 1, left)
        grid.addWidget(label(tr("Time limit"), "title"), 4, 0)
        grid.addWidget(self.fields.limit, 4, 1, left)
        column = in_column(grid, self.fields.hint, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.start,)))

    def _join_page(self) -> QWidget:
        page = QWidget()
        self.programs.setFixedHeight(_LIST_PX)
        about = tr(
            "Programs that have the model's files open or mapped. They keep running afterwards."
        )
        row = in_row((label(about, "hint", wrap=True), 1), self.look_again)
        in_column(self.programs, row, on=page, spacing=4)
        return page

    @property
    def _joins(self) -> bool:
        return self.how.value == _JOIN

    def _on_how(self) -> None:
        self._show_page()
        self.cache.setEnabled(not self._joins)
        self.cache.set_value("as-is" if self._joins else self._session.cache)
        if self._joins:
            self._look()
        self._check()

    def _show_page(self) -> None:
        for how, page in self._pages.items():
            page.setVisible(how == self.how.value)
        self.adjustSize()

    def _look(self) -> None:
        self.look_again.setEnabled(False)
        self._watching.look_for_users()

    def _show_programs(self, found: list[tuple[FileUser, str]]) -> None:
        self.look_again.setEnabled(True)
        self.programs.clear()
        for user, command in found:
            how = tr("mapped") if user.how == "mapped" else tr("open")
            text = tr(
                "{program}, process {pid}, {how}: {command}",
                program=user.name,
                pid=user.pid,
                how=how,
                command=" ".join(command.split()),
            )
            item = QListWidgetItem(text)
            item.setSizeHint(QSize(0, _ROW_PX))
            item.setToolTip(plain(command))
            item.setData(_USER, user)
            self.programs.addItem(item)
        if not found:
            nobody = QListWidgetItem(tr("No other program has this model open."))
            nobody.setFlags(Qt.ItemFlag.NoItemFlags)
            self.programs.addItem(nobody)
        self._check()

    def _check(self) -> None:
        """Say what is wrong as it is typed; only what can be watched can be started."""
        try:
            request = self._request()
        except ConfigError as error:
            self.start.setEnabled(False)
            self.fields.complain(error)
            return
        self.start.setEnabled(request is not None)
        pick = tr("Select a program.") if self._chosen() is None else ""
        self.fields.say(pick if self._joins else self.fields.advice())

    def _request(self) -> WatchRequest | None:
        """What was asked for; None while a part is missing. Raises ConfigError for a wrong one."""
        if not self._joins:
            program = self.fields.program()
            cache = next(each for each in run_words.CACHES if each == self.cache.value)
            return None if program is None else program.request(cache)
        known, ready, user = self.fields.is_ready_known, self.fields.ready, self._chosen()
        if known and ready.startswith("output:"):
            raise ConfigError(_NO_OUTPUT)
        if known and ready.startswith("asked:"):
            raise ConfigError(_NO_ASKING)
        if not known or user is None:
            return None
        limit_s = self.fields.limit.value()
        return WatchRequest((), user.pid, user.began_ticks, ready, limit_s=limit_s)

    def _chosen(self) -> FileUser | None:
        chosen = self.programs.selectedItems()
        user: FileUser | None = chosen[0].data(_USER) if chosen and self._joins else None
        return user

    def _agree(self) -> None:
        request = self._request()
        if request is not None:
            self.accept()
            self.start_wanted.emit(request)
