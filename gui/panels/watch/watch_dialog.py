"""Asks which program to watch, and when its model counts as loaded."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.commands import check_watchable
from modelmon.core.messages import Message, joined
from modelmon.core.worker.readiness import parse_readiness
from modelmon.gui.look.language import mark, said, tr
from modelmon.gui.look.styling import label, push_button, restyle, styled
from modelmon.gui.look.theme import mono_font
from modelmon.gui.measuring import narration
from modelmon.gui.panels.segments import Segments
from modelmon.gui.watching.watch_words import READY_WHEN
from modelmon.gui.watching.watched_run import LIMIT_S, WatchRequest

if TYPE_CHECKING:
    from modelmon.core.machine.users import FileUser
    from modelmon.core.worker.events import Cache
    from modelmon.gui.session import Session
    from modelmon.gui.watching.watch_controller import WatchController

_WIDTH_PX, _LIST_PX, _HINT_PX = 720, 112, 36
_ROW_PX = 24
_MOST_LIMIT_S = 86_400
_START, _JOIN = "start", "join"
_CACHES: tuple[tuple[Cache, str], ...] = (
    ("cold", mark("Cold")),
    ("warm", mark("Warm")),
    ("as-is", mark("As is")),
)
_NEED_VALUE = ("output", "http")
_NO_OUTPUT = Message("What a program prints that was started elsewhere can't be read.")
_PID = Qt.ItemDataRole.UserRole


class WatchDialog(QDialog):
    """`start_wanted` carries the WatchRequest; it starts nothing by itself."""

    start_wanted = Signal(object)

    def __init__(
        self, watching: WatchController, session: Session, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Watch a program"))
        self.setMinimumWidth(_WIDTH_PX)
        self._watching, self._session = watching, session
        self.how = Segments(tr("Program"), ((_START, tr("Start new")), (_JOIN, tr("Join running"))))
        self.how.set_value(_START)
        self.command = QLineEdit()
        self.command.setFont(mono_font())
        self.command.setAccessibleName(tr("Command"))
        self.command.setPlaceholderText(f"llama-server -m {_shown_path(session)}")
        self.programs = styled(QListWidget(), "list")
        self.programs.setAccessibleName(tr("Programs that use the model"))
        self.programs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.programs.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.look_again = push_button(tr("Refresh"), "refresh")
        self.look_again.setProperty("compact", True)
        self.sign = QComboBox()
        self.sign.setAccessibleName(tr("Loaded when"))
        for sign, name, _ in READY_WHEN:
            self.sign.addItem(tr(name), sign)
        self.value = QLineEdit()
        self.cache = Segments(tr("Cache"), [(value, tr(text)) for value, text in _CACHES])
        self.cache.set_value(session.cache)
        if session.in_memory:
            self.cache.button("cold").setEnabled(False)
            self.cache.button("cold").setToolTip(tr(narration.IN_MEMORY))
        self.limit = QSpinBox()
        self.limit.setRange(1, _MOST_LIMIT_S)
        self.limit.setValue(LIMIT_S)
        self.limit.setSuffix(tr(" s"))
        self.limit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.limit.setAccessibleName(tr("Time limit"))
        self.hint = label("", "hint", wrap=True)
        self.hint.setMinimumHeight(_HINT_PX)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.start = push_button(tr("Start"), "watch", "primary", "ink_text")
        self.start.setDefault(True)
        self._fill()
        self.how.chosen.connect(self._on_how)
        self.command.textChanged.connect(self._check)
        self.programs.itemSelectionChanged.connect(self._check)
        self.look_again.clicked.connect(self._look)
        self.sign.currentIndexChanged.connect(self._check)
        self.value.textChanged.connect(self._check)
        self.start.clicked.connect(self._agree)
        watching.users_found.connect(self._show_programs)
        self._show_page()
        self._check()

    def fill_in(self, command: str, ready: str) -> None:
        """Put a recorded command into the fields: it's started only by the person who reads it."""
        self.command.setText(command)
        sign, _, rest = ready.partition(":")
        self.sign.setCurrentIndex(max(0, self.sign.findData(sign)))
        self.value.setText(rest)

    @property
    def ready(self) -> str:
        """The chosen sign, as readiness.py reads it."""
        sign, value = str(self.sign.currentData()), self.value.text().strip()
        return f"{sign}:{value}" if value and self._asks_for_value else sign

    def _fill(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        self._pages = {_START: self._start_page(), _JOIN: self._join_page()}
        ready = QHBoxLayout()
        ready.setSpacing(8)
        ready.addWidget(self.sign, 3)
        ready.addWidget(self.value, 2)
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
        grid.addLayout(ready, 2, 1)
        grid.addWidget(label(tr("Cache"), "title"), 3, 0)
        grid.addWidget(self.cache, 3, 1, left)
        grid.addWidget(label(tr("Time limit"), "title"), 4, 0)
        grid.addWidget(self.limit, 4, 1, left)
        column.addLayout(grid)
        column.addWidget(self.hint)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        row.addWidget(cancel)
        row.addWidget(self.start)
        column.addLayout(row)

    def _start_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.command)
        about = tr("Run as typed, without a shell. It's ended with all its processes when loaded.")
        column.addWidget(label(about, "hint", wrap=True))
        column.addStretch(1)
        return page

    def _join_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.programs.setFixedHeight(_LIST_PX)
        column.addWidget(self.programs)
        row = QHBoxLayout()
        about = tr("Programs that have the model's files open or mapped. They go on afterwards.")
        row.addWidget(label(about, "hint", wrap=True), 1)
        row.addWidget(self.look_again)
        column.addLayout(row)
        return page

    @property
    def _joins(self) -> bool:
        return self.how.value == _JOIN

    @property
    def _asks_for_value(self) -> bool:
        return bool(READY_WHEN[self.sign.currentIndex()][2])

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
            item.setToolTip(command)
            item.setData(_PID, user.pid)
            self.programs.addItem(item)
        if not found:
            nobody = QListWidgetItem(tr("No other program has this model open."))
            nobody.setFlags(Qt.ItemFlag.NoItemFlags)
            self.programs.addItem(nobody)
        self._check()

    def _check(self) -> None:
        """Say what is wrong as it is typed; only what can be watched can be started."""
        what = READY_WHEN[self.sign.currentIndex()][2]
        self.value.setVisible(bool(what))
        self.value.setPlaceholderText(tr(what) if what else "")
        self.value.setAccessibleName(tr(what) if what else "")
        try:
            request = self._request()
        except ConfigError as error:
            self.start.setEnabled(False)
            self._say(said(joined(filter(None, (error.message, error.remedy)))), bad=True)
            return
        self.start.setEnabled(request is not None)
        self._say(self._advice(request))

    def _request(self) -> WatchRequest | None:
        """What was asked for; None while a part is missing. Raises ConfigError for a wrong one."""
        limit_s, ready = self.limit.value(), self.ready
        pid = self._chosen_pid()
        command: tuple[str, ...] = ()
        if not self._joins:
            command = _words(self.command.text())
            if command:
                check_watchable(command)
        if ready in _NEED_VALUE:
            return None
        parse_readiness(ready)
        if self._joins:
            if ready.startswith("output:"):
                raise ConfigError(_NO_OUTPUT)
            return WatchRequest(pid=pid, ready=ready, limit_s=limit_s) if pid else None
        cache = next(value for value, _ in _CACHES if value == self.cache.value)
        return WatchRequest(command, None, ready, cache, limit_s) if command else None

    def _chosen_pid(self) -> int | None:
        chosen = self.programs.selectedItems()
        return int(chosen[0].data(_PID)) if chosen and self._joins else None

    def _advice(self, request: WatchRequest | None) -> str:
        inspection = self._session.inspection
        if request is None:
            if self._joins:
                return tr("Select a program.") if self._chosen_pid() is None else ""
            return tr("Type the command that loads the model.") if not self.command.text() else ""
        if request.command and inspection is not None:
            named = " ".join(request.command)
            if not any(file.name in named for file in inspection.model.files):
                return tr("The command doesn't name the model's file. Check that it loads it.")
        return ""

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.hint.setText(text)
        restyle(self.hint, role="error" if bad else "hint")

    def _agree(self) -> None:
        request = self._request()
        if request is not None:
            self.accept()
            self.start_wanted.emit(request)


def _words(command: str) -> tuple[str, ...]:
    """The command as words, as a shell splits it."""
    try:
        return tuple(shlex.split(command))
    except ValueError:
        raise ConfigError(
            Message("A quotation mark isn't closed."), Message("Close it, or put a \\ before it.")
        ) from None


def _shown_path(session: Session) -> str:
    return shlex.quote(str(session.inspection.model.files[0])) if session.inspection else "MODEL"
