"""A program's run as the window shows it in place of A and B, what a person asks to watch, and the
words for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.explain.cures import known_name, more_of, program_called
from modelmon.core.explain.program_report import judge
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.worker.command_words import taken_apart
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from modelmon.core.explain.program_report import JudgedPart, WaitVerdict
    from modelmon.core.history.rows import RunRow
    from modelmon.core.watch.stacks import StackSampler
    from modelmon.core.worker.events import Cache, WatchedProgram
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult, Timed
    from modelmon.core.worker.wait_parts import WaitPart
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

LIMIT_S, MOST_LIMIT_S = 600, 86_400
READY_WHEN = (
    ("", mark("A known server says so; else 2 s without reads, or exit"), ""),
    ("exit", mark("It exits"), ""),
    ("output", mark("Its output matches"), mark("Text or regular expression")),
    ("listening", mark("It listens on a port"), mark("Port; empty for any")),
    ("http", mark("An HTTP path answers 200"), mark("Port/path, for example 8080/health")),
    ("first-token", mark("It gives a first token"), mark("Port, for example 8080")),
    ("quiet", mark("No reads for some seconds"), mark("Seconds; empty for 2")),
    ("asked", mark("It has asked a running program"), mark("Port of that program")),
)
"""The signs that can be chosen, as ready.py writes them; their names, and what each needs."""
TIMED: dict[Timed, str] = {
    "ready": mark("Start to ready"),
    "reading": mark("Reading the model"),
}
"""What a comparison compares of a program."""
NOT_WATCHABLE = mark("Other programs can be watched on Linux only.")


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """What to watch: a `command` to start, or a `pid` to join, the one that was chosen if it began
    then (`began_ticks`, processes.py); `ready` as watch/ready.py reads it.

    It comes from the dialog alone: what a record says of a command starts nothing.
    """

    command: tuple[str, ...] = ()
    pid: int | None = None
    began_ticks: int | None = None
    ready: str = ""
    cache: Cache = "cold"
    limit_s: int = LIMIT_S
    twice: bool = False
    """Whether it is started again, as the first start leaves the machine."""
    sample: bool = False
    """Whether the functions that it is in are looked at."""


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
    first: RunResult | None = None
    """The start before this one, where it was started twice."""
    request: WatchRequest | None = None
    limits: Limits = UNKNOWN_LIMITS
    caveat: str = ""
    server: str | None = None
    version: str = ""
    stacks: StackSampler | None = None
    """Which functions it was in, where that was asked for."""
    tests: tuple[RunRow, ...] | None = None
    """Earlier runs with its load settings; None while the history wasn't asked, which knows none of
    a run of another model or machine.
    """

    @property
    def wait(self) -> WaitVerdict | None:
        """What its whole wait comes to; None until it is ready."""
        if self.result is None:
            return None
        return judge(self.result, self.limits, self.name, self.tests or ())

    def functions_text(self, part: WaitPart | JudgedPart) -> str:
        """The functions that were at work in a part; empty where none was seen."""
        hottest = self.stacks.hottest(part.begin_ns, part.end_ns) if self.stacks else ()
        return ", ".join(each.text for each in hottest)

    @property
    def name(self) -> str:
        """The program's name; of a preset that Python runs, the preset's."""
        return program_called(self.program.command, self._strategy)

    @property
    def engine(self) -> str:
        """The preset that starts such a program with its load settings; empty without one."""
        return known_name(self.program.command, self._strategy)

    @property
    def _strategy(self) -> str:
        hello = self.record.hello
        return hello.job.strategy if hello is not None else ""

    @property
    def place(self) -> str:
        """Where that program is, if somebody said so here: it is started to ask what it can."""
        path = taken_apart(self.request.command if self.request is not None else ()).program
        return path if Path(path).is_absolute() else ""

    @property
    def more(self) -> tuple[str, ...]:
        """What its command sets besides, for a search of its load settings."""
        typed = self.request.command if self.request is not None else ()
        return more_of(typed or self.program.command, self._strategy)


def program_of(record: RunRecord) -> WatchedProgram | None:
    """The program that a run watched; None where modelmon loaded by itself."""
    return record.hello.job.program if record.hello is not None else None


def sign_text(ready: str) -> str:
    """A sign in words, as ready.py writes it."""
    sign, _, rest = ready.partition(":")
    name = next((name for each, name, _ in READY_WHEN if each == sign), READY_WHEN[0][1])
    return f"{tr(name)}: {rest}" if rest else tr(name)


def show_run(  # noqa: PLR0913  what is shown, and where it is from
    session: Session,
    label: ArmLabel,
    record: RunRecord,
    result: RunResult | None,
    caveat: str = "",
    *,
    is_of_here: bool = False,
) -> None:
    """Show a run's curves in an arm; a watched program in place of both, with what has to be kept
    in mind of it, and with earlier tests if it loaded the open model in its place. Without a model,
    where nothing is set up, the card shows the run as well.
    """
    blank = session.inspection is None
    if (program := program_of(record)) is not None:
        tests = None if is_of_here else ()
        session.show_program(WatchedRun(program, record, result, caveat=caveat, tests=tests))
    else:
        session.show_program(None)
        if blank:
            if record.hello is not None:
                session.set_config(label, record.hello.job.config)
            session.set_results(label, (result,) if result is not None else (), record.failed)
        session.show_record(label, record)
    if blank:
        # What is named in the title and the toolbar is then the recording's model.
        session.model_changed.emit()


def foreign_text(session: Session, record: RunRecord) -> str:
    """That a run loaded something else than the model that is open; "" where it did not."""
    inspection, planned = session.inspection, record.planned
    if inspection is None or planned is None:
        return ""
    model = inspection.model
    if (planned.model_name, planned.model_bytes) == (model.name, model.nbytes):
        return ""
    return tr("It used another model, or the file has changed since.")
