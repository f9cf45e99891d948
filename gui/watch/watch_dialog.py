"""Asks for a program: which one to watch, or which one an arm is, and when it has loaded."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from modelmon.core.comparison.commands import check_watchable, command_words, with_model
from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message, joined
from modelmon.core.programs.installed import python_of
from modelmon.core.terminal_safe import without_controls
from modelmon.core.watch.ready import parse_readiness
from modelmon.core.watch.stacks import py_spy
from modelmon.core.worker.command_words import recorded_words
from modelmon.core.worker.result import Timed
from modelmon.gui.background.threads import MainThreadQueue, start_thread
from modelmon.gui.language import said, tr
from modelmon.gui.session.arm_settings import ArmProgram
from modelmon.gui.session.run_words import CACHES, IN_MEMORY, cache_choices
from modelmon.gui.session.settings import WatchedBefore
from modelmon.gui.session.watched_run import (
    LIMIT_S,
    MOST_LIMIT_S,
    READY_WHEN,
    TIMED,
    WatchRequest,
)
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, Form
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import keyless, label, plain, push_button, restyle, styled
from modelmon.gui.widgets.theme import mono_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from modelmon.core.machine.file_users import FileUser
    from modelmon.core.programs.known_program import ListedProgram
    from modelmon.gui.session.machine import ProgramFinder
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings
    from modelmon.gui.watch.watch_controller import WatchController

_WIDTH_PX, _LIST_PX, _ROW_PX, _HINT_PX = 720, 112, 24, 36
_LEAST_LINES, _MOST_LINES, _PADDING_PX = 2, 12, 4
_ROW_GAP_PX = 12
_SOON_MS = 300
"""What is found sooner isn't waited for by anybody."""
_NEED_VALUE = ("output", "http", "first-token", "asked")
_START, _JOIN = "start", "join"
_NO_OUTPUT = Message("What a program prints that was started elsewhere can't be read.")
_NO_ASKING = Message("Only for commands started here: watch the command that sends the request.")
_USER = Qt.ItemDataRole.UserRole


class ProgramFields(QObject):
    """The widgets, for a dialog to lay out; `changed` comes with each edit, which `hint` speaks of.

    What they hold is checked here and started by nobody; the program is looked for on a thread,
    since it may lie on a mount that hangs. They begin with what was watched before, where that was
    of the open model.
    """

    changed = Signal()

    def __init__(
        self, session: Session, programs: ProgramFinder, settings: Settings, parent: Dialog
    ) -> None:
        """`programs` finds those that are here."""
        super().__init__(parent)
        self._session, self._finder, self._settings = session, programs, settings
        self._answers = MainThreadQueue(self)
        self._wanted: tuple[str, str] | None = None
        """The name of the program that is looked for, or was, and its environment."""
        self._found: str | ConfigError = ""
        self.presets = styled(QPushButton(f"{tr('Presets')}   "), "", compact=True)
        self.presets.setAccessibleName(tr("Presets"))
        self.presets.setMenu(QMenu(self.presets))
        self.presets.menu().setToolTipsVisible(True)
        self.command = CommandEdit()
        self.command.setPlaceholderText(_example(session))
        self.environment = QLineEdit()
        self.environment.setFont(mono_font())
        self.environment.setAccessibleName(tr("Environment"))
        self.environment.setPlaceholderText(tr("Folder of a virtual environment, or its Python"))
        self.environment.setToolTip(
            tr("Programs are looked for and started there first, then on PATH")
        )
        self.browse = QPushButton(tr("Browse…"))
        self.sign = QComboBox()
        self.sign.setAccessibleName(tr("Loaded when"))
        for sign, name, _ in READY_WHEN:
            self.sign.addItem(tr(name), sign)
        self.value = QLineEdit()
        self.limit = QSpinBox()
        self.limit.setRange(1, MOST_LIMIT_S)
        self.limit.setValue(LIMIT_S)
        self.limit.setSuffix(tr(" s"))
        self.limit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.limit.setAccessibleName(tr("Time limit"))
        self.limit.setMaximumWidth(self.limit.sizeHint().width())
        self.hint = label("", "hint", wrap=True)
        self.hint.setMinimumHeight(_HINT_PX)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._restore()
        self._connect(parent)
        self._show_value()
        self._look()

    def _restore(self) -> None:
        before = self._settings.watched
        inspection = self._session.inspection
        if inspection is not None and inspection.server:
            return
        self.environment.setText(before.environment)
        if inspection is None or before.model in ("", inspection.model.path):
            self.fill_in(before.command, before.ready, before.limit_s)

    def _connect(self, parent: Dialog) -> None:
        self._finder.programs_found.connect(self._show_presets)
        self._finder.no_programs.connect(self._no_presets)
        parent.finished.connect(self._finder.stop)
        self.command.textChanged.connect(self.changed)
        self.value.textChanged.connect(self.changed)
        self.sign.currentIndexChanged.connect(self._show_value)
        self.environment.textChanged.connect(self.changed)
        self.environment.editingFinished.connect(self._look)
        self.browse.clicked.connect(self._browse)

    def command_page(self) -> QWidget:
        """The command, and what becomes of it."""
        page = QWidget()
        about = tr("Run as typed, without a shell. It's ended with all its processes when loaded.")
        row = in_row((label(about, "hint", wrap=True), 1), self.presets)
        in_column(self.command, row, STRETCH, on=page, spacing=4)
        return page

    def add_to(self, form: Form) -> None:
        """The rows below the command; one on a server is started as it is."""
        where = QWidget()
        in_row((self.environment, 1), self.browse, on=where, spacing=8)
        form.add(tr("Environment"), where)
        form.setRowVisible(where, not self._finder.server)
        form.add(tr("Loaded when"), in_row((self.sign, 3), (self.value, 2), spacing=8))

    def fill_in(self, command: str, ready: str, limit_s: int = LIMIT_S) -> None:
        """Put a recorded command into the fields: it's started only by the person who reads it."""
        self.command.setPlainText(without_controls(command))
        # Who types or pastes another one doesn't add to this.
        self.command.selectAll()
        sign, _, rest = ready.partition(":")
        self.sign.setCurrentIndex(max(0, self.sign.findData(sign)))
        self.value.setText(rest)
        self.limit.setValue(limit_s)

    def remember(self) -> None:
        """Begin with this the next time."""
        inspection, environment = self._session.inspection, self.environment.text().strip()
        model = inspection.model.path if inspection is not None else ""
        command, limit_s = self.command.text(), self.limit.value()
        self._settings.watched = WatchedBefore(command, model, self.ready, limit_s, environment)

    @property
    def ready(self) -> str:
        """The chosen sign, as watch/ready.py reads it."""
        sign, value = str(self.sign.currentData()), self.value.text().strip()
        return f"{sign}:{value}" if value and self._asked_value else sign

    @property
    def is_ready_known(self) -> bool:
        """Whether the sign is complete; raises ConfigError where it says nothing."""
        if self.ready in _NEED_VALUE:
            return False
        parse_readiness(self.ready)
        return True

    def program(self) -> ArmProgram | None:
        """What was typed; None while a part is missing, or the program is looked for. Raises
        ConfigError for a wrong one.
        """
        words = command_words(self.command.text())
        if words:
            # That of a server its worker looks for.
            if not self._finder.server:
                words = (self._program(words[0]), *words[1:])
            if (inspection := self._session.inspection) is not None:
                words = with_model(words, inspection.model.path)
        else:
            self._wanted = None
        if not self.is_ready_known or not words or not words[0]:
            return None
        return ArmProgram(shlex.join(words), self.ready, self.limit.value())

    def advise(self) -> None:
        """Say what to do next, or to keep in mind of the command, once its program is found."""
        if self._wanted is not None and not self._found:
            return
        inspection = self._session.inspection
        words = recorded_words(self.command.text())
        named = " ".join(with_model(words, inspection.model.path) if inspection else words)
        text = ""
        if not named:
            text = tr("Type the command that loads the model.")
        elif inspection is None:
            text = tr("The model that the command names is opened first.")
        else:
            model = inspection.model
            folder = () if model.format == "gguf" else (str(model.folder),)
            if not any(each in named for each in (*folder, *(file.name for file in model.files))):
                text = tr("The command doesn't name the model's file. Check that it loads it.")
        self.say(text)

    def say(self, text: str) -> None:
        """Show an advice."""
        self.hint.setText(text)
        restyle(self.hint, role="hint")

    def complain(self, error: ConfigError) -> None:
        """Show what is wrong."""
        self.hint.setText(said(joined(filter(None, (error.message, error.remedy)))))
        restyle(self.hint, role="error")

    def _program(self, name: str) -> str:
        """The program of this name; empty until it is found. Raises ConfigError without one."""
        wanted = name, self.environment.text().strip()
        if wanted != self._wanted:
            self._wanted, self._found = wanted, ""
            self._answers.expect()
            start_thread(partial(self._find, wanted))
            QTimer.singleShot(_SOON_MS, self, partial(self._say_looking, wanted))
        if isinstance(self._found, ConfigError):
            raise self._found
        return self._found

    def _find(self, wanted: tuple[str, str]) -> None:
        found: str | ConfigError
        try:
            found = program_at(*wanted)
        except ConfigError as error:
            found = error
        self._answers.leave(partial(self._take, wanted, found))

    def _take(self, wanted: tuple[str, str], found: str | ConfigError) -> None:
        if wanted != self._wanted:
            return
        self._found = found
        self.changed.emit()
        if isinstance(found, ConfigError):
            # By the next edit it may be there.
            self._wanted = None

    def _say_looking(self, wanted: tuple[str, str]) -> None:
        if wanted == self._wanted and not self._found:
            self.say(tr("Looking for {program}", program=wanted[0]))

    def _look(self) -> None:
        """Look for the programs of the environment."""
        self._no_presets(tr("Looking for programs that can load this model"))
        self._finder.look_for_programs(self.environment.text().strip())

    def _browse(self) -> None:
        title = tr("Choose the folder of a virtual environment")
        dialog = FileDialog(self.browse.window(), title, self._settings.folder, "folder")
        dialog.chosen.connect(self.environment.setText)
        dialog.chosen.connect(self._look)
        dialog.open()

    def _no_presets(self, why: str) -> None:
        menu = self.presets.menu()
        menu.clear()
        menu.addAction(keyless(why)).setEnabled(False)
        self.presets.setToolTip(why)

    def _show_presets(self, programs: Sequence[ListedProgram]) -> None:
        """Offer the commands of the programs that are here; of others why there is none."""
        menu = self.presets.menu()
        menu.clear()
        for program in programs:
            if program.obstacle:
                continue
            variants = menu.addMenu(keyless(f"{program.title}  {program.version}"))
            for each in program.variants:
                text = tr("{name}: {meaning}", name=each.name, meaning=each.meaning)
                fill = partial(self.fill_in, each.command, each.ready)
                variants.addAction(keyless(text), fill)
        menu.addSeparator()
        for program in programs:
            if program.obstacle:
                why = tr("{name}: {meaning}", name=program.title, meaning=program.obstacle)
                menu.addAction(keyless(why)).setEnabled(False)
        self.presets.setToolTip(tr("Commands of programs that modelmon knows"))

    @property
    def _asked_value(self) -> str:
        return READY_WHEN[self.sign.currentIndex()][2]

    def _show_value(self) -> None:
        what = tr(self._asked_value) if self._asked_value else ""
        self.value.setVisible(bool(what))
        self.value.setPlaceholderText(what)
        self.value.setAccessibleName(what)
        self.changed.emit()


class WatchDialog(Dialog):
    """Asks which program to watch; `start_wanted` carries the WatchRequest, and nothing is started
    here.
    """

    start_wanted = Signal(object)

    def __init__(
        self,
        watching: WatchController,
        programs: ProgramFinder,
        session: Session,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Watch a program"), parent, least_width_px=_WIDTH_PX)
        self._watching, self._session = watching, session
        self.how = Segments(tr("Program"), ((_START, tr("Start new")), (_JOIN, tr("Join running"))))
        self.how.set_value(_START)
        if session.inspection is None:
            self.how.button(_JOIN).setEnabled(False)
            self.how.button(_JOIN).setToolTip(tr("Open a model first."))
        self.fields = ProgramFields(session, programs, settings, self)
        self.programs = styled(QListWidget(), "list")
        self.programs.setAccessibleName(tr("Programs that use the model"))
        self.programs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.programs.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.programs.setFixedHeight(_LIST_PX)
        self.look_again = push_button(tr("Refresh"), "refresh")
        self.look_again.setProperty("compact", True)
        self.cache = Segments(tr("Cache"), cache_choices())
        self.cache.set_value(session.cache)
        if session.in_memory:
            self.cache.button("cold").setEnabled(False)
            self.cache.button("cold").setToolTip(tr(IN_MEMORY))
        self.twice = QCheckBox(tr("Start it twice"))
        self.twice.setToolTip(
            tr("Shows which phases only the first start pays for; the second finds a warm cache")
        )
        self.sample = QCheckBox(tr("Sample what it does"))
        can_sample = bool(py_spy()) and not (session.inspection and session.inspection.server)
        self.sample.setEnabled(can_sample)
        self.sample.setToolTip(
            tr("Shows which Python functions each phase is in, with py-spy")
            if can_sample
            else tr("Needs py-spy on this machine: pip install py-spy")
            if not py_spy()
            else tr("Only programs on this machine can be sampled")
        )
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
        about = tr(
            "Programs that have the model's files open or mapped. They keep running afterwards."
        )
        row = in_row((label(about, "hint", wrap=True), 1), self.look_again)
        joined_page = QWidget()
        in_column(self.programs, row, on=joined_page, spacing=4)
        self._pages = {_START: self.fields.command_page(), _JOIN: joined_page}
        form = self._form = Form(_ROW_GAP_PX)
        form.add(tr("Program"), self.how)
        for page in self._pages.values():
            form.addRow("", page)
        self.fields.add_to(form)
        form.add(tr("Cache"), in_row(self.cache, STRETCH))
        form.addRow("", in_row(self.twice, self.sample, STRETCH, spacing=16))
        form.add(tr("Time limit"), self.fields.limit)
        column = in_column(form, self.fields.hint, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.start,)))

    @property
    def _joins(self) -> bool:
        return self.how.value == _JOIN

    def _on_how(self) -> None:
        self._show_page()
        self.cache.setEnabled(not self._joins)
        self.twice.setEnabled(not self._joins)
        self.cache.set_value("as-is" if self._joins else self._session.cache)
        if self._joins:
            self._look()
        self._check()

    def _show_page(self) -> None:
        for how, page in self._pages.items():
            self._form.setRowVisible(page, how == self.how.value)
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
        if self._joins:
            self.fields.say(tr("Select a program.") if self._chosen() is None else "")
        else:
            self.fields.advise()

    def _request(self) -> WatchRequest | None:
        """What was asked for; None while a part is missing. Raises ConfigError for a wrong one."""
        if not self._joins:
            program = self.fields.program()
            cache = next(each for each in CACHES if each == self.cache.value)
            if program is None:
                return None
            twice, sample = self.twice.isChecked(), self.sample.isChecked()
            return replace(program.request(cache), twice=twice, sample=sample)
        known, ready, user = self.fields.is_ready_known, self.fields.ready, self._chosen()
        if known and ready.startswith("output:"):
            raise ConfigError(_NO_OUTPUT)
        if known and ready.startswith("asked:"):
            raise ConfigError(_NO_ASKING)
        if not known or user is None:
            return None
        limit_s, sample = self.fields.limit.value(), self.sample.isChecked()
        joined = WatchRequest((), user.pid, user.began_ticks, ready, limit_s=limit_s)
        return replace(joined, sample=sample)

    def _chosen(self) -> FileUser | None:
        chosen = self.programs.selectedItems()
        user: FileUser | None = chosen[0].data(_USER) if chosen and self._joins else None
        return user

    def _agree(self) -> None:
        request = self._request()
        if request is not None:
            if request.command:
                self.fields.remember()
            self.accept()
            self.start_wanted.emit(request)


class ProgramDialog(Dialog):
    """Asks which program an arm is, and what Compare compares of it. Puts it into the session when
    it is accepted, and starts nothing.
    """

    def __init__(
        self,
        session: Session,
        arm: ArmLabel,
        programs: ProgramFinder,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Program as {arm}", arm=arm), parent, least_width_px=_WIDTH_PX)
        self._session, self._arm = session, arm
        self.fields = ProgramFields(session, programs, settings, self)
        self.timed = Segments(
            tr("Compare"), [(value, tr(TIMED[value])) for value in get_args(Timed)]
        )
        self.timed.set_value(session.timed)
        self.use = push_button(tr("Use as {arm}", arm=arm), "check", "primary", "ink_text")
        self.use.setDefault(True)
        form = Form(_ROW_GAP_PX)
        form.add(tr("Program"), self.fields.command_page())
        self.fields.add_to(form)
        form.add(tr("Time limit"), self.fields.limit)
        timed = in_row(self.timed, spacing=12)
        timed.addWidget(label(tr("Applies to every program in A and B"), "hint"), 1)
        form.add(tr("Compare"), timed)
        column = in_column(form, self.fields.hint, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.use,)))
        if (program := session.arm_program(arm)) is not None:
            self.fields.fill_in(program.command, program.ready, program.limit_s)
        self.fields.changed.connect(self._check)
        self.use.clicked.connect(self.accept)
        self._check()

    def accept(self) -> None:
        """Use it: whoever does has read the command."""
        program = self.fields.program()
        if program is None:
            return
        self.fields.remember()
        self._session.set_program(self._arm, program)
        self._session.set_timed(next(each for each in get_args(Timed) if each == self.timed.value))
        super().accept()

    def _check(self) -> None:
        try:
            program = self.fields.program()
        except ConfigError as error:
            self.use.setEnabled(False)
            self.fields.complain(error)
            return
        self.use.setEnabled(program is not None)
        self.fields.advise()


def program_at(name: str, environment: str) -> str:
    """What is started by this name: of a virtual environment, if one is named and has it. It looks
    at paths of a person, and may hang with their storage.

    Raises ConfigError where there is no such program or environment.
    """
    if environment:
        python = python_of(Path(environment))
        if not os.path.isfile(python):  # noqa: PTH113  nor is one that can't be looked at
            raise ConfigError(
                Message("There's no Python at {path}.", path=python),
                Message("Give the folder of a virtual environment, or its Python."),
            )
        beside = python.parent / name
        if Path(name).name == name and os.path.isfile(beside):  # noqa: PTH113
            name = str(beside)
    check_watchable((name,))
    return name


class CommandEdit(QPlainTextEdit):
    """A command in as many lines as it takes: nothing of one that is agreed to is out of sight."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "list")
        self.setFont(mono_font())
        self.setAccessibleName(tr("Command"))
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.textChanged.connect(self._fit)
        self._fit()

    def text(self) -> str:
        """The command in one line, also where it was pasted as several."""
        return " ".join(self.toPlainText().replace("\\\n", " ").splitlines())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the lines that it has in this width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = max(_LEAST_LINES, min(round(self.document().size().height()), _MOST_LINES))
        beside = 2 * (self.frameWidth() + round(self.document().documentMargin())) + _PADDING_PX
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + beside)


def _example(session: Session) -> str:
    """A command that can load the model that is open."""
    model = session.inspection.model if session.inspection is not None else None
    if model is None or model.format == "gguf":
        return shlex.join(["llama-server", "-m", str(model.files[0]) if model else "MODEL"])
    return shlex.join(["vllm", "serve", str(model.folder)])
