"""Short work outside the window's process: one `modelmon` subcommand through QProcess."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from modelmon.core.load.config import PRESETS
from modelmon.core.messages import MESSAGES, TYPED
from modelmon.core.remote import is_remote
from modelmon.core.worker.child_process import program
from modelmon.core.worker.client import error_of
from modelmon.gui.background.askpass import let_ssh_ask
from modelmon.gui.background.child_process import ChildProcess
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.history.rows import Entrant
    from modelmon.core.model.sharded import ModelChoice


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

    def __init__(
        self,
        arguments: Sequence[str],
        program: Sequence[str] = MODELMON,
        parent: QObject | None = None,
        *,
        keeps_input: bool = False,
        name: str = "",
    ) -> None:
        """`keeps_input` leaves the standard input open, for a process that ends with it; `name` is
        what does the same in a terminal, where that is not the first argument.
        """
        super().__init__(parent)
        if any(map(is_remote, arguments)):
            let_ssh_ask()
        self._call = [*program, *arguments]
        self.name = name or next(iter(arguments), "")
        self._keeps_input = keeps_input
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
            self._process.end_within(_GRACE_MS)

    def shut_down(self) -> None:
        """Stop and wait until the process is gone or given up, for a few seconds at the most."""
        self.stop()
        self._process.wait_for_end(_GRACE_MS)

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
        with contextlib.suppress(msgspec.DecodeError):
            error = error_of(self._last_line)
            if error is not None:
                self.choices = error.choices
                self.failed.emit(error.message, error.remedy)
                return
        self.failed.emit(*_what_went_wrong(stderr, self.name, exit_code))

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


def _what_went_wrong(stderr: str, name: str, exit_code: int) -> tuple[str, str]:
    said = [line.strip() for line in stderr.splitlines() if line.strip()]
    remedy = tr("Run it in a terminal to see why.")
    if not said:
        return tr("modelmon {name} ended with code {code}.", name=name, code=exit_code), remedy
    return tr(
        "modelmon {name} ended with code {code}. Last output: {words}",
        name=name,
        code=exit_code,
        words=said[-1],
    ), remedy


def look_process(arguments: Sequence[str]) -> Command:
    """Look at paths of this machine: answers with a line of Seen for each."""
    return Command([], program("modelmon.core.worker.look", *arguments), name="look")


def inspect_arguments(path: str) -> list[str]:
    """Read a model's headers and look at its storage: answers with a Inspection."""
    return ["inspect", path, "--json"]


def doctor_arguments(path: str, *, decoding: bool = False) -> list[str]:
    """Look at the machine and at what a model lies on, and measure decoding where that is asked
    for: answers with a Diagnosis.
    """
    return ["doctor", path, *(["--decode"] if decoding else []), "--json"]


def list_arguments(reference: str) -> list[str]:
    """List a folder on a server: answers with FolderEntries."""
    return ["remote", "list", "--json", "--", reference]


def models_there_arguments(server: str) -> list[str]:
    """List the models in a server's usual caches: answers with a line for each."""
    return ["models", "--json", "--", server]


def install_arguments(server: str) -> list[str]:
    """Copy what measures to a server, which was agreed to; answers with nothing."""
    return ["remote", "install", "--yes", "--", server]


def cluster_arguments(asked: Sequence[str]) -> list[str]:
    """Measure on a cluster: answers with lines of LiveEvents, and stops when its input ends."""
    return [*asked, "--json", "--live"]


def sample_arguments(path: str) -> list[str]:
    """Write a sample model: answers with lines of progress, then its path."""
    size = f"{SAMPLE_SIZE_BYTES // 1024**2}MiB"
    shape = ["--format", "safetensors", "--size", size, "--layers", "32", "--seed", "0"]
    return ["sample", path, *shape, "--json"]


def race_plan_arguments(
    path: str, objective: str, budget_ns: int, include: Sequence[str] = ()
) -> list[str]:
    """Ask what a race will cost: answers with a BestPlan."""
    budget = f"{budget_ns / 1e9:g}s"
    asked = ["best", path, "--objective", objective, "--time-limit", budget, "--dry-run", "--json"]
    return [*asked, *(word for name in include for word in ("--include", name))]


def engines_arguments(path: str, python: str = "") -> list[str]:
    """Ask which programs are here, and can load a model: answers with ListedEngines. Packages are
    looked for in the environment of `python` if one is named.
    """
    at = ["--at", python] if python else []
    return ["programs", path, *at, "--json"]


def tune_plan_arguments(  # noqa: PLR0913, PLR0917  what the command takes
    path: str,
    engine: str,
    objective: str,
    budget_ns: int,
    limit_s: int,
    more: Sequence[str],
    at: str = "",
) -> list[str]:
    """Ask how the settings of a program, of the one `at` a place if that is named, would be raced,
    each with `more` options of its own: answers with a ProgramPlan.
    """
    limits = ["--time-limit", f"{budget_ns / 1e9:g}s", "--limit", str(limit_s)]
    wanted = ["--program", engine, "--objective", objective, *limits]
    if at:
        wanted += ["--at", at]
    return ["best", path, *wanted, "--dry-run", "--json", "--", *more]


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
