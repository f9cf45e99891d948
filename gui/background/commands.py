"""Short work outside the window's process: one `modelmon` subcommand through QProcess."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, TypeVar

import msgspec
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import MESSAGES, TYPED, from_wire
from modelmon.core.remote import is_remote
from modelmon.core.worker.child_process import program
from modelmon.core.worker.client import error_of
from modelmon.core.worker.look import decode
from modelmon.gui.background.askpass import let_ssh_ask
from modelmon.gui.background.child_process import ChildProcess
from modelmon.gui.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.history.rows import Entrant
    from modelmon.core.model.sharded import ModelChoice

    Answer = TypeVar("Answer")

MODELMON = program("modelmon")
SAMPLE_SIZE_BYTES = 512 * 1024**2
SILENT_S = 5.0
"""Storage that has answered nothing for so long is what a person waits for."""

_GRACE_MS = 1000


class Command(QObject):
    """One subcommand in a process of its own; ends with `succeeded` or with `failed`.

    `line_read` brings each line of output as it comes. `failed` brings a sentence and what to do,
    as the last line says. After `stop` neither is emitted. One that has a parent is deleted when
    its process has ended.
    """

    line_read = Signal(bytes)
    succeeded = Signal()
    failed = Signal(object, object)

    def __init__(  # noqa: PLR0913  how it is started and ended, each by its name
        self,
        arguments: Sequence[str],
        program: Sequence[str] = MODELMON,
        parent: QObject | None = None,
        *,
        keeps_input: bool = False,
        name: str = "",
        grace_ms: int = _GRACE_MS,
    ) -> None:
        """`keeps_input` leaves the standard input open, for a process that ends with it; `name` is
        what does the same in a terminal, where that is not the first argument. Stopped, it may take
        `grace_ms` to end by itself.
        """
        super().__init__(parent)
        if any(map(is_remote, arguments)):
            let_ssh_ask()
        self._call = [*program, *arguments]
        self.name = name or next(iter(arguments), "")
        self._keeps_input = keeps_input
        self._grace_ms = grace_ms
        self._last_line = b""
        self.choices: tuple[ModelChoice, ...] = ()
        """What can be opened in place of a folder that has several models, where that is why."""
        self._stopped = False
        self._process = ChildProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        # What it says is rendered here, in the language of the window.
        environment.insert(MESSAGES, TYPED)
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.finished.connect(self._on_exit)
        self._process.given_up.connect(self._delete)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def worked_ticks(self) -> int:
        """What it has had of the processors."""
        return self._process.worked_ticks

    def start(self) -> None:
        """Start the process."""
        self._process.start(self._call[0], self._call[1:])
        if not self._keeps_input:
            self._process.closeWriteChannel()

    def end_input(self, grace_ms: int) -> None:
        """End the input of a process that ends with it, and await what it still says; it is killed
        after so long.
        """
        if self._process.runs:
            self._process.closeWriteChannel()
            self._process.end_within(grace_ms)

    def stop(self) -> None:
        """End the process, gently first; returns at once."""
        self._stopped = True
        if self._process.runs:
            self._process.terminate()
            self._process.end_within(self._grace_ms)

    def shut_down(self) -> None:
        """Stop and wait until the process is gone or given up, for a few seconds at the most."""
        self.stop()
        self._process.wait_for_end(self._grace_ms)

    def _on_output(self) -> None:
        while self._process.canReadLine():
            self._last_line = bytes(self._process.readLine().data())
            if not self._stopped:
                self.line_read.emit(self._last_line)

    def _on_exit(self, exit_code: int, status: QProcess.ExitStatus) -> None:
        self._on_output()
        self._delete()
        if self._stopped:
            return
        if status == QProcess.ExitStatus.NormalExit and exit_code == 0:
            self.succeeded.emit()
            return
        stderr = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        with contextlib.suppress(*UNDECODABLE):
            error = error_of(self._last_line)
            if error is not None:
                self.choices = error.choices
                self.failed.emit(error.message, error.remedy)
                return
        self.failed.emit(*_what_went_wrong(stderr, self.name, said(self._process.ending)))

    def _delete(self) -> None:
        if self.parent() is not None:
            self.deleteLater()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and not self._stopped:
            self.failed.emit(
                tr(
                    "Couldn't start {program}: {reason}.",
                    program=self._call[0],
                    reason=self._process.errorString(),
                ),
                tr("Check that the installation is complete."),
            )


def _what_went_wrong(stderr: str, name: str, how: str) -> tuple[str, str]:
    words = [line.strip() for line in stderr.splitlines() if line.strip()]
    remedy = tr("Run it in a terminal to see why.")
    if not words:
        return tr("modelmon {name} {how}.", name=name, how=how), remedy
    return tr(
        "modelmon {name} {how}. Last output: {words}", name=name, how=how, words=words[-1]
    ), remedy


def look_process(arguments: Sequence[str]) -> Command:
    """Look at paths of this machine: answers with a line of Seen for each."""
    return Command([], program("modelmon.core.worker.look", *arguments), name="look")


def estimate_arguments(path: str, arms: Iterable[Entrant], repeats: int, cache: str) -> list[str]:
    """Ask what a comparison will cost: answers with an Estimate. No program is started for it."""
    shared = ["--repeats", str(repeats), "--cache", cache, "--dry-run", "--json"]
    return ["compare", path, *(word for arm in arms for word in _arm(arm)), *shared]


def _arm(arm: Entrant) -> list[str]:
    name = arm.label.lower()
    if arm.program is not None:
        return [f"--{name}-command={arm.program.command}"]
    changed = arm.config.differs_from(PRESETS["mmap"].config)
    settings = (f"--set-{name}={axis}={getattr(arm.config, axis)}" for axis in changed)
    return [f"--{name}", "mmap", *settings]


class CommandQuery(QObject):
    """Holds the command whose answer is awaited, and those that were given up until they end."""

    def __init__(
        self, make_command: Callable[[list[str]], Command] = Command, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make_command = make_command
        self._command: Command | None = None
        self._problem = ""
        self.choices: tuple[ModelChoice, ...] = ()
        """What can be opened in place of what the last answer refused."""
        self._take: Callable[[bytes], None]
        self._ended: Callable[[], None]
        self._failed: Callable[[str, str], None]

    @property
    def under_way(self) -> bool:
        """Whether an answer is awaited."""
        return self._command is not None

    @property
    def worked_ticks(self) -> int | None:
        """What shows whether the command waits, for storage or for a server."""
        return self._command.worked_ticks if self._command is not None else None

    def ask(
        self,
        arguments: Sequence[str],
        kind: type[Answer],
        succeeded: Callable[[Answer], None],
        failed: Callable[[str, str], None],
    ) -> None:
        """Start a command that answers with one line of JSON; `failed` is told why it did not.

        An answer that was awaited before is given up. When either is called, none is awaited any
        more.
        """
        answers: list[Answer] = []

        def end() -> None:
            if answers:
                succeeded(answers[-1])
            else:
                failed(tr("modelmon {name} has given no answer.", name=arguments[0]), "")

        decode = msgspec.json.Decoder(kind, dec_hook=from_wire).decode
        self.follow(arguments, decode, answers.append, end, failed)

    def follow(
        self,
        arguments: Sequence[str],
        decode: Callable[[bytes], Answer],
        read: Callable[[Answer], None],
        ended: Callable[[], None],
        failed: Callable[[str, str], None],
    ) -> None:
        """Start a command that answers with many lines; `read` gets each as it comes."""
        self.stop()

        def take(line: bytes) -> None:
            read(decode(line))

        command = self._make_command(list(arguments))
        command.setParent(self)
        command.line_read.connect(self._on_line)
        command.succeeded.connect(self._on_succeeded)
        command.failed.connect(self._on_failed)
        self._problem = ""
        self._command, self._take, self._ended, self._failed = command, take, ended, failed
        command.start()

    def end_input(self, grace_ms: int) -> None:
        """Let the command end that ends with its input; what it still says is awaited."""
        if self._command is not None:
            self._command.end_input(grace_ms)

    def forget(self) -> None:
        """Await no answer; the command ends by itself."""
        if self._command is not None:
            self._command.line_read.disconnect(self._on_line)
            self._command.succeeded.disconnect(self._on_succeeded)
            self._command.failed.disconnect(self._on_failed)
            self._command = None

    def stop(self) -> Command | None:
        """End the command whose answer is awaited; returns it at once, or None without one."""
        command, self._command = self._command, None
        if command is not None:
            command.stop()
        return command

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._command = None
        for command in self.findChildren(Command):
            command.shut_down()

    def _on_line(self, line: bytes) -> None:
        try:
            self._take(line)
        except UNDECODABLE as error:
            # The line of an error is no answer either, and comes with `failed`.
            self._problem = tr(
                "Couldn't read the answer of modelmon {name}: {error}.",
                name=self._command.name if self._command is not None else "",
                error=str(error),
            )

    def _on_succeeded(self) -> None:
        self._command = None
        if self._problem:
            self._failed(self._problem, "")
        else:
            self._ended()

    def _on_failed(self, message: str, remedy: str) -> None:
        self.choices = self._command.choices if self._command is not None else ()
        self._command = None
        self._failed(message, remedy)


_GATHER_MS = 50
"""A path that is being typed is not looked for letter by letter."""


class Presence(QObject):
    """`gone` are the paths at which nothing was found; `changed` follows every answer."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gone: set[str] = set()
        self._files: set[str] = set()
        self._asked: set[str] = set()
        self._awaited: set[str] = set()
        self._wanted: set[str] = set()
        self._soon = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._soon.timeout.connect(self._ask)
        self._is_over = False

    def shut_down(self) -> None:
        """Ask no more: who asks now would leave a process behind."""
        self._is_over = True
        self._soon.stop()

    def look(self, paths: Iterable[str]) -> None:
        """Look for these; what has not been answered yet is not asked again."""
        # A server is not called for a list.
        self._wanted |= {path for path in paths if not is_remote(path)} - self._awaited
        self._asked |= self._wanted
        if self._wanted and not self._is_over:
            self._soon.start()

    def has_file(self, path: str) -> bool:
        """Whether a file was seen there; one that was not looked for is, and `changed` follows."""
        if path not in self._asked:
            self.look([path])
        return path in self._files

    def _ask(self) -> None:
        command = look_process(sorted(self._wanted))
        self._awaited |= self._wanted
        self._wanted.clear()
        command.setParent(self)
        command.line_read.connect(self._take)
        command.start()

    def _take(self, line: bytes) -> None:
        seen = decode(line)
        self._awaited.discard(seen.path)
        for kind, paths in (("absent", self.gone), ("file", self._files)):
            (paths.add if seen.kind == kind else paths.discard)(seen.path)
        self.changed.emit()
