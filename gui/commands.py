"""Short work outside the window's process: one `modelmon` subcommand through QProcess."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.config import LoadConfig


def program(module: str) -> tuple[str, ...]:
    """A module as a program of this Python."""
    # -P keeps the folder in which the program was started out of the module search path.
    return (sys.executable, "-P", "-m", module)


MODELMON = program("modelmon")
SAMPLE_SIZE_BYTES = 512 * 1024**2

_GRACE_MS = 1000


class _Error(msgspec.Struct):
    message: str
    remedy: str = ""


class _Answer(msgspec.Struct):
    error: _Error | None = None


class Command(QObject):
    """One subcommand in a process of its own; ends with `succeeded` or with `failed`.

    `line_read` brings each line of output as it comes, `succeeded` all of them. `failed`
    brings a sentence and what to do. After `stop` neither is emitted. One that has a parent
    is deleted when its process has ended.
    """

    line_read = Signal(bytes)
    succeeded = Signal(bytes)
    failed = Signal(str, str)

    def __init__(
        self,
        arguments: Sequence[str],
        program: Sequence[str] = MODELMON,
        parent: QObject | None = None,
        *,
        keeps_input: bool = False,
    ) -> None:
        """`keeps_input` leaves the standard input open, for a process that ends with it."""
        super().__init__(parent)
        self._call = [*program, *arguments]
        self._name = arguments[0] if arguments else ""
        self._keeps_input = keeps_input
        self._output = b""
        self._stopped = False
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.finished.connect(self._on_exit)
        self._process.errorOccurred.connect(self._on_error)
        self._grace = QTimer(self, singleShot=True, interval=_GRACE_MS)
        self._grace.timeout.connect(self._process.kill)

    def start(self) -> None:
        """Start the process."""
        self._process.start(self._call[0], self._call[1:])
        if not self._keeps_input:
            self._process.closeWriteChannel()

    def stop(self) -> None:
        """End the process, gently first; returns at once."""
        self._stopped = True
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.terminate()
            self._grace.start()

    def shut_down(self) -> None:
        """Stop and wait until the process is gone, for two seconds at the most."""
        self.stop()
        idle = QProcess.ProcessState.NotRunning
        if self._process.state() != idle and not self._process.waitForFinished(_GRACE_MS):
            self._process.kill()
            self._process.waitForFinished(_GRACE_MS)

    def _on_output(self) -> None:
        while self._process.canReadLine():
            line = bytes(self._process.readLine().data())
            self._output += line
            if not self._stopped:
                self.line_read.emit(line)

    def _on_exit(self, exit_code: int, status: QProcess.ExitStatus) -> None:
        self._grace.stop()
        self._on_output()
        self._output += self._process.readAllStandardOutput().data()
        if self.parent() is not None:
            self.deleteLater()
        if self._stopped:
            return
        if status == QProcess.ExitStatus.NormalExit and exit_code == 0:
            self.succeeded.emit(self._output)
            return
        stderr = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        self.failed.emit(*_what_went_wrong(self._output, stderr, self._name, exit_code))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and not self._stopped:
            self.failed.emit(
                tr(
                    "{program} could not be started: {reason}.",
                    program=self._call[0],
                    reason=self._process.errorString(),
                ),
                tr("Check that the program was installed in one piece."),
            )


def _what_went_wrong(output: bytes, stderr: str, name: str, exit_code: int) -> tuple[str, str]:
    for line in reversed(output.splitlines()):
        try:
            answer = msgspec.json.decode(line, type=_Answer)
        except msgspec.DecodeError:
            continue
        if answer.error is not None:
            return answer.error.message, answer.error.remedy
    said = [line.strip() for line in stderr.splitlines() if line.strip()]
    if said and exit_code in (1, 2):
        return said[-1].removeprefix("Error: "), ""
    remedy = tr("Run it in a terminal to see why.")
    if not said:
        return tr("modelmon {name} ended with code {code}.", name=name, code=exit_code), remedy
    return tr(
        "modelmon {name} ended with code {code}. Its last words: {words}",
        name=name,
        code=exit_code,
        words=said[-1],
    ), remedy


def inspect_arguments(path: str) -> list[str]:
    """Read a model's headers and look at its storage: answers with a Preflight."""
    return ["inspect", path, "--json"]


def doctor_arguments(path: str) -> list[str]:
    """Look at the machine and at what a model lies on: answers with a Diagnosis."""
    return ["doctor", path, "--json"]


def sample_arguments(path: str) -> list[str]:
    """Write a sample model: answers with lines of progress, then its path."""
    size = f"{SAMPLE_SIZE_BYTES // 1024**2}MiB"
    shape = ["--format", "safetensors", "--size", size, "--layers", "32", "--seed", "0"]
    return ["sample", path, *shape, "--json"]


def race_plan_arguments(
    path: str, objective: str, budget_ns: int, include: Sequence[str] = ()
) -> list[str]:
    """Ask what a race will cost: answers with a RacePlan."""
    budget = f"{budget_ns / 1e9:g}s"
    asked = ["best", path, "--objective", objective, "--budget", budget, "--dry-run", "--json"]
    return [*asked, *(word for name in include for word in ("--include", name))]


def estimate_arguments(
    path: str, config_a: LoadConfig, config_b: LoadConfig, repeats: int, cache: str
) -> list[str]:
    """Ask what a comparison will cost: answers with an Estimate."""
    return [
        *("compare", path, "--dry-run", "--json"),
        *("--config-a", msgspec.json.encode(config_a).decode()),
        *("--config-b", msgspec.json.encode(config_b).decode()),
        *("--repeats", str(repeats), "--cache", cache),
    ]
