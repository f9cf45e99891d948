"""The runs of a comparison or a race in the terminal: begun or gone on with, kept as they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import click
from click.core import ParameterSource

from modelmon.core.cli.keeping import tell_problem
from modelmon.core.cli.layout import OneLine
from modelmon.core.cli.output import tell
from modelmon.core.cli.prepare import agree_to_disturb, agree_to_run, check_prepare, run_prepare
from modelmon.core.cli.reaching import inspect_reached
from modelmon.core.comparison import working
from modelmon.core.comparison.commands import NO_COMMANDS, Commands, check_watchable
from modelmon.core.comparison.resume import LAST, unfinished
from modelmon.core.history.history import History
from modelmon.core.machine.awake import keep_awake
from modelmon.core.remote.address import place_of
from modelmon.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from modelmon.core.comparison.session import SomeSession, Underway
    from modelmon.core.comparison.working import Result
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.rows import Kind
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

    class View(AbstractContextManager["View"], Protocol):
        """Shows the run under way."""

        def begin(self, label: str, place: str) -> None:
            """A run of this arm starts."""

        def follow(self, event: AnyEvent, record: RunRecord) -> None:
            """It has told something."""


_WHY_AWAKE: dict[Kind, str] = {
    "compare": "modelmon is comparing two strategies",
    "best": "modelmon is testing strategies",
}

resume_option = click.option(
    "resume",
    "--resume",
    metavar=f"ID|{LAST}",
    help="Resume what was stopped, with the options it had; takes no PATH.",
)


def take_up(  # noqa: PLR0913  what was given beside --resume
    reference: str,
    kind: Kind,
    resume: Callable[[History, str, Inspection, Commands], Underway[SomeSession]],
    allowed: tuple[str, ...],
    *,
    yes: bool,
    given: Commands = NO_COMMANDS,
) -> Underway[SomeSession]:
    """The stopped experiment, ready to be worked off; asks before others are disturbed, and before
    a command runs that is not `given` again.

    `allowed` are the parameters that may be given with --resume: raises click.UsageError for any
    other, HistoryError where the experiment cannot be gone on with.
    """
    context = click.get_current_context()
    names = {each.name: each.opts[0] for each in context.command.params}
    for name in context.params:
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and name not in {"resume", *allowed}:
            *others, last = [names[each] for each in allowed]
            raise click.UsageError(
                "--resume keeps the options from then: leave out PATH and all options"
                f" but {', '.join(others)} and {last}."
            )
    history = History()
    # Whether a finished one can go on says `resume`.
    experiment = unfinished(history, reference, kind, done_too=True)
    place = place_of(experiment.path)
    check_prepare(str(context.params.get("prepare") or ""), place.server)
    commands = agree_to_run(experiment.arms, given)
    inspection = inspect_reached(place)
    for command in commands.values():
        check_watchable(command, inspection.server)
    agree_to_disturb(inspection, yes=yes)
    underway = resume(history, reference, inspection, commands)
    underway.session.go_on_busy()
    recorder = underway.recorder
    runs = counted(recorder.kept_runs, "run")
    tell(f"Resuming x{recorder.experiment_id} after {runs}.")
    return underway


def work_off(
    underway: Underway[SomeSession], view: View, judge: Callable[[Inspection], Result]
) -> Result:
    """Make the runs that are left, keep each as it ends, and `judge` them.

    Stopped on the way (Ctrl-C, or a run that failed), it says how to go on; a Ctrl-C goes on
    upwards, unless what has been measured says something by itself.
    """
    session, recorder = underway.session, underway.recorder

    def make() -> None:
        with keep_awake(_WHY_AWAKE[session.kind]), view:
            working.make_runs(
                underway,
                view.begin,
                view.follow,
                run_prepare,
                say_it_was_lost,
            )

    def say_it_was_lost() -> None:
        server = underway.inspection.server
        tell(f"The connection to {server} was lost. Connecting again; Ctrl-C stops.")

    def say_how_to_go_on() -> None:
        tell(f"Saved {counted(recorder.kept_runs, 'run')}.")
        tell(OneLine(f"To resume: modelmon {session.kind} --resume x{recorder.experiment_id}"))

    try:
        return working.work_off(
            underway, make, lambda: judge(underway.inspection), say_how_to_go_on
        )
    finally:
        tell_problem(recorder.problem)
