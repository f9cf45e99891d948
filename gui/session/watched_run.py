"""A program's run as the window shows it in place of A and B, and what a person asks to watch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.explain.program_report import preset_of, program_called
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits

if TYPE_CHECKING:
    from modelmon.core.worker.events import Cache, WatchedProgram
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

LIMIT_S = 600


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """What to watch: a `command` to start, or a `pid` to join, the one that was chosen if it began
    then (`began_ticks`, processes.py); `ready` as watch/command.py reads it.

    It comes from the dialog alone: what a record says of a command starts nothing.
    """

    command: tuple[str, ...] = ()
    pid: int | None = None
    began_ticks: int | None = None
    ready: str = ""
    cache: Cache = "cold"
    limit_s: int = LIMIT_S


@dataclass(frozen=True, slots=True, eq=False)
class WatchedRun:
    """A program that is watched, or was; `result` is None until it is ready, and where it failed.

    `request` is there where it was typed in this window: only that can be watched again as it is.
    `limits` are those of the place that it read from, where it is known to be that; `caveat` is
    what to keep in mind of a run that was not made here and now. `server` is where it ran, None
    where that is not known and "" for this machine, and `version` what its preset knows of it.
    """

    program: WatchedProgram
    record: RunRecord
    result: RunResult | None = None
    request: WatchRequest | None = None
    limits: Limits = UNKNOWN_LIMITS
    caveat: str = ""
    server: str | None = None
    version: str = ""

    @property
    def name(self) -> str:
        """The program's name; of a preset that Python runs, the preset's."""
        return program_called(self.program.command, self._strategy)

    @property
    def engine(self) -> str:
        """The preset that starts such a program with its load settings; empty without one."""
        return preset_of(self.program.command, self._strategy)

    @property
    def _strategy(self) -> str:
        hello = self.record.hello
        return hello.job.strategy if hello is not None else ""

    @property
    def place(self) -> str:
        """Where that program is, if somebody said so here: it is started to ask what it can."""
        path = self.request.command[0] if self.request is not None and self.request.command else ""
        return path if Path(path).is_absolute() else ""


def program_of(record: RunRecord) -> WatchedProgram | None:
    """The program that a run watched; None where modelmon loaded by itself."""
    return record.hello.job.program if record.hello is not None else None
