"""Opens what the user names or drops: a model, a recording of a run, or a saved comparison."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.doctor.inspection import Inspection
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.export.saved import check_pairs, is_result, read_result
from modelmon.core.find_best.result import SearchResult
from modelmon.core.messages import Message
from modelmon.core.model.sharded import ModelChoice, is_of_model
from modelmon.core.remote import is_remote, parts_of
from modelmon.core.remote.connection import asks_for_copy
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise
from modelmon.gui.background.commands import Command
from modelmon.gui.background.threads import MainThreadQueue, start_thread
from modelmon.gui.language import said, tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Choice, Notice, ProgressView, Reading, give_up
from modelmon.gui.session.session import LABELS, Activity
from modelmon.gui.session.watched_run import foreign_text, program_of, show_run
from modelmon.gui.widgets.styling import styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.open.start_page import StartPage
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings

Found = TypeVar("Found")
_IN_TERMINAL = Message("Export it in a terminal: modelmon export FILE")


class OpenController(Controller):
    """Fills the session from files, in other processes and threads than the window's."""

    model_opened = Signal()
    recents_changed = Signal()
    recording_opened = Signal(str)
    cluster_opened = Signal()
    several_found = Signal(str, tuple)
    """A folder, and the ModelChoices of it."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self._settings = settings
        self._path = ""
        self._remember = True
        # The one that is waited for. One that was stopped comes too late.
        self._reading: Reading | None = None
        self._answers = MainThreadQueue(self)

    def open(self, path: str) -> None:
        """Open a file or folder by what it is."""
        if self._session.busy:
            return
        if is_remote(path):
            self.open_model(path)
        elif path.endswith(".jsonl"):
            self.open_recording(path)
        elif path.endswith(".json") and not is_of_model(Path(path).name):
            self.open_comparison(path)
        else:
            self.open_model(path)

    def open_one_of(self, paths: list[str]) -> None:
        """Open what was dropped; of several, let one be chosen."""
        if len(paths) == 1:
            self.open(paths[0])
        elif not self._session.busy:
            choices = [ModelChoice(Path(path).name, path, 0) for path in paths]
            self.several_found.emit(tr("One is opened at a time."), tuple(choices))

    def open_saved(self, path: str) -> None:
        """Open a recording or a result, whatever the file is called."""
        if path.endswith(".json"):
            self._read(path, _read_saved, self._on_result)
        else:
            self.open_recording(path)

    def open_model(self, path: str, *, remember: bool = True) -> None:
        """Read a model's headers and what is known of its storage."""
        if self._session.busy:
            return
        self._remember = remember
        self._path = path if is_remote(path) else str(Path(path).absolute())
        name = Path(path).name
        view = ProgressView(
            tr("Opening {file}", file=name),
            detail=tr("Only headers are read"),
            server=parts_of(self._path).server,
        )
        self._session.begin(
            Activity.OPENING, lambda: replace(view, answered=self._asking.worked_ticks)
        )
        arguments = ["inspect", self._path, "--json"]
        self._asking.ask(arguments, Inspection, self._on_inspected, self._on_failed)

    def open_recording(self, path: str) -> None:
        """Show a saved run in the first arm that shows none, or in A."""
        self._read(path, _read_recording, self._on_recording, tr("Reading the run's recording."))

    def open_comparison(self, path: str) -> None:
        """Show a saved comparison or cluster result (JSON); it can be exported again."""
        self._read(path, _read_result, self._on_result)

    def stop(self) -> None:
        """Give up opening; what is still being read is not shown."""
        if self._asking.stop() is None and self._reading is None:
            return
        self._give_up_reading()
        self._session.end(Notice(tr("Stopped opening {file}.", file=Path(self._path).name)))

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._give_up_reading()
        self._answers.ignore()
        super().shut_down()

    def _give_up_reading(self) -> None:
        if self._reading is not None:
            self._reading.stop()
            self._reading = None

    def _on_inspected(self, inspection: Inspection) -> None:
        if self._remember:
            # A server tells the whole path of what was named from a home folder.
            self._path = inspection.reference if inspection.server else self._path
            self._settings.add_recent(self._path, inspection.model, time.time())
            self.recents_changed.emit()
        self._session.end()
        self._session.set_inspection(inspection)
        self._session.log(tr("Opened {file}.", file=self._path))
        self.model_opened.emit()

    def _on_failed(self, message: str, remedy: str) -> None:
        give_up(self._session, message, remedy)
        server = parts_of(self._path).server
        if choices := self._asking.choices:
            self._offer(self._path, choices, server)
        if server and asks_for_copy(remedy):
            copy = Choice(tr("Copy modelmon there"), partial(self._copy_to, server), primary=True)
            self._session.say(Notice(said(message), tone="warn", choices=(copy,)))

    def _offer(self, folder: str, choices: tuple[ModelChoice, ...], server: str) -> None:
        """Let one of a folder's models be chosen, now and later."""
        if server:
            choices = tuple(structs.replace(each, path=server + each.path) for each in choices)
        ask = partial(self.several_found.emit, folder, choices)
        headline = tr("Choose one of the models in {folder}.", folder=folder)
        choose = Choice(tr("Choose a model…"), ask, primary=True)
        self._session.say(Notice(headline, choices=(choose,)))
        ask()

    def _copy_to(self, server: str) -> None:
        """Copy what measures to a server that lacks it, then open what was wanted."""
        if self._session.busy:
            return
        view = ProgressView(tr("Copying modelmon to {server}", server=server))
        self._session.begin(Activity.OPENING, lambda: view)

        def copied() -> None:
            self._session.end()
            self.open_model(self._path, remember=self._remember)

        # It was agreed to by the click.
        install = ["remote", "install", "--yes", "--", server]
        self._asking.follow(install, bytes, lambda _: None, copied, self._on_failed)

    def _read(
        self,
        path: str,
        read: Callable[[Path, Callable[[int], None]], Found],
        then: Callable[[Found], None],
        fact: str = "",
    ) -> None:
        """Read a file outside the window's thread; `then` gets what was in it."""
        if self._session.busy:
            return
        self._path = path
        reading = self._reading = Reading()
        headline = tr("Reading {file}", file=Path(path).name)
        self._session.begin(Activity.OPENING, reading.view(headline, fact))
        self._answers.expect()

        def work() -> None:
            try:
                reading.expect(Path(path))
                answer = partial(then, read(Path(path), reading.seen))
            except ModelmonError as error:
                answer = partial(self._on_failed, error.message, error.remedy)
            except Exception as error:
                answer = partial(self._on_fault, error)
            self._answers.leave(partial(self._take, reading, answer))

        start_thread(work)

    def _take(self, reading: Reading, answer: Callable[[], None]) -> None:
        if reading is self._reading:
            self._reading = None
            answer()

    def _on_fault(self, error: Exception) -> None:
        """A fault of the program: raised where others of the window are, to be reported."""
        self._session.end()
        raise error

    def _on_result(self, result: Comparison | ClusterResult) -> None:
        if isinstance(result, ClusterResult):
            self._on_cluster(result)
        else:
            self._on_comparison(result)

    def _on_cluster(self, result: ClusterResult) -> None:
        session = self._session
        session.end()
        session.show_program(None)
        session.conclude(result, restored=True)
        session.log(tr("Opened {file}.", file=self._path))
        self.cluster_opened.emit()

    def _on_comparison(self, comparison: Comparison) -> None:
        session = self._session
        session.end()
        session.show_program(None)
        for label in LABELS:
            # No run of a comparison has its events in the file.
            session.show_record(label, None)
        if session.inspection is None:
            # Nothing that a person chose for a model is lost.
            session.set_as_compared(comparison)
        session.set_results("A", comparison.runs_a)
        session.set_results("B", comparison.runs_b)
        session.conclude(comparison, restored=True)
        if session.inspection is None:
            session.model_changed.emit()
        session.log(tr("Opened {file}.", file=self._path))

    def _on_recording(self, record: RunRecord) -> None:
        session = self._session
        label = next((each for each in LABELS if session.record(each) is None), LABELS[0])
        try:
            result = summarise(record)
        except ModelmonError as error:
            result = None
            session.log(tr("{file}: {what}", file=self._path, what=error.text), "warning")
        session.end()
        session.add_run(label, record, None, result)
        foreign = foreign_text(session, record)
        show_run(session, label, record, result, foreign)
        session.log(tr("Opened {file}.", file=self._path))
        if program_of(record) is None:
            self._say_what_is_shown(label, record, foreign)
        self.recording_opened.emit(label)

    def _say_what_is_shown(self, label: ArmLabel, record: RunRecord, foreign: str) -> None:
        model = record.planned.model_name if record.planned else Path(self._path).stem
        self._session.say(
            Notice(
                tr("{arm} shows a recorded run of {model}.", arm=label, model=model),
                tr("Read from {file}.", file=self._path),
                said(record.failed.message) if record.failed else foreign,
            )
        )


def _read_recording(path: Path, seen: Callable[[int], None]) -> RunRecord:
    # Plots, and numpy with them, are imported by what needs them: the window starts without.
    from modelmon.gui.plots.timeline import read_ahead  # noqa: PLC0415

    record = read_ahead(read_record(path, seen))
    record.source = str(path)
    return record


def _read_result(path: Path, _: object) -> Comparison | ClusterResult:
    found = read_result(path)
    if isinstance(found, SearchResult):
        raise ConfigError(Message("{path} is a result of Find best.", path=path), _IN_TERMINAL)
    if isinstance(found, Comparison):
        check_pairs(found)
    return found


def _read_saved(path: Path, seen: Callable[[int], None]) -> Comparison | ClusterResult:
    """The same; of a file that has nothing of a result it is said that it is no recording."""
    try:
        return _read_result(path, seen)
    except ConfigError:
        if not is_result(path):
            read_record(path, seen)
        raise


class DropController:
    """Takes what is dragged over a window while nothing is under way; opens what is dropped."""

    def __init__(
        self, window: QWidget, session: Session, page: StartPage, opening: OpenController
    ) -> None:
        self._window, self._session, self._page, self._opening = window, session, page, opening
        window.setAcceptDrops(True)
        self.frame = styled(QFrame(window), "drop-over")
        self.frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.frame.hide()

    def on_enter(self, event: QDragEnterEvent) -> None:
        """Something comes."""
        if not self._session.busy and _paths(event):
            event.acceptProposedAction()
            self._show_dragging(True)

    def on_leave(self, event: QDragLeaveEvent) -> None:
        """It goes again."""
        event.accept()
        self._show_dragging(False)

    def on_drop(self, event: QDropEvent) -> None:
        """It stays."""
        self._show_dragging(False)
        if paths := _paths(event):
            event.acceptProposedAction()
            self._opening.open_one_of(paths)

    def _show_dragging(self, dragging: bool) -> None:
        """Where no start page is to be seen, the whole window takes what is dropped."""
        self._page.show_dragging(dragging)
        self.frame.setGeometry(self._window.rect())
        self.frame.setVisible(dragging and not self._page.isVisible())
        self.frame.raise_()


def _paths(event: QDropEvent) -> list[str]:
    return [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
