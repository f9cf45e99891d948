"""The runs of a comparison or a race in the terminal: begun or gone on with, kept as they end."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.core import ParameterSource

from modelmon.core.cli.output import OneLine, print_json, save_json, tell
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.comparison.commands import (
    NO_COMMANDS,
    Commands,
    check_watchable,
    command_words,
    recorded_commands,
)
from modelmon.core.comparison.runner import run_experiment, unfinished
from modelmon.core.errors import BusyError, ConfigError, ModelmonError
from modelmon.core.export.atomic import WriteError
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.places import write_text
from modelmon.core.history.history import History
from modelmon.core.messages import Message
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.remote import place_of
from modelmon.core.terminal_safe import plain, without_controls
from modelmon.core.units import counted
from modelmon.core.worker.environment_check import busy_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.comparison.commands import Commands
    from modelmon.core.comparison.result import Comparison
    from modelmon.core.comparison.runner import ExperimentRun, Result, RunView, SomeSession
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.result import Race
    from modelmon.core.history.rows import ArmOf, Kind
    from modelmon.core.programs.outcome import Outcome
    from modelmon.core.remote import Place

Saved = TypeVar("Saved", "Comparison", "Race")

_WHY_AWAKE: dict[Kind, str] = {
    "compare": "modelmon is comparing two strategies",
    "best": "modelmon is testing strategies",
}


def take_up(
    reference: str,
    kind: Kind,
    resume: Callable[[History, str, Inspection, Commands], ExperimentRun[SomeSession]],
    allowed: tuple[str, ...],
    *,
    yes: bool,
    given: Commands = NO_COMMANDS,
) -> ExperimentRun[SomeSession]:
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


def hand_out(
    result: Saved,
    out_path: Path | None,
    export_place: Place | None,
    show: Callable[[Saved], None],
    *,
    as_json: bool,
) -> None:
    """Save what an experiment found, print it, and export it, as far as that is wanted."""
    if out_path is not None:
        save_json(out_path, result)
    if as_json:
        print_json(result)
    else:
        show(result)
    if export_place is not None:
        write_config(outcome_of(result), export_place)


def write_config(found: Outcome, place: Place) -> None:
    """Write modelmon.toml, and say so."""
    write_text(place, modelmon_toml(found))
    tell(f"Wrote {found.stored.strategy} to {place}.")


def make_runs(
    experiment: ExperimentRun[SomeSession], view: RunView, judge: Callable[[Inspection], Result]
) -> Result:
    """Make the runs that are left, keep each as it ends, and `judge` them.

    Stopped on the way (Ctrl-C, or a run that failed), it says how to resume; a Ctrl-C goes
    upwards, unless what has been measured says something by itself.
    """
    kind, recorder = experiment.session.kind, experiment.recorder

    def say_it_was_lost() -> None:
        server = experiment.inspection.server
        tell(f"The connection to {server} was lost. Connecting again; Ctrl-C stops.")

    def say_how_to_resume() -> None:
        tell(f"Saved {counted(recorder.kept_runs, 'run')}.")
        tell(OneLine(f"To resume: modelmon {kind} --resume x{recorder.experiment_id}"))

    try:
        return run_experiment(
            experiment,
            view,
            lambda: judge(experiment.inspection),
            prepare=run_prepare,
            lost=say_it_was_lost,
            interrupted=say_how_to_resume,
        )
    finally:
        tell_problem(recorder.problem)


_MOST_OUTPUT_LINES = 20


class PrepareFailedError(ModelmonError):
    """The command of --prepare ended with an error; nothing was measured after it."""


def agree_to_disturb(inspection: Inspection, *, yes: bool) -> bool:
    """Return if there is nobody to disturb, or the user agrees: by --yes, or when asked, which then
    counts as --yes. What is known of the choice of files is noted before.

    Raises BusyError where nobody can be asked, click.Abort where the answer is no.
    """
    for note in inspection.model.notes:
        tell(f"Note: {note}")
    if not inspection.users or yes:
        return yes
    error = busy_error(inspection.users, Path(inspection.model.path).name)
    if not sys.stdin.isatty():
        raise BusyError(
            error.message, Message("{remedy} Go ahead anyway with --yes.", remedy=error.remedy)
        )
    return click.confirm(f"{error.message} Measure anyway?", abort=True, err=True)


def agree_to_run(arms: Sequence[ArmOf], given: Commands) -> Commands:
    """The commands of a stored experiment's arms, by their labels, that may be run again.

    What a stored file holds is run only where the person sees it in full and agrees, or gives the
    same again: raises ConfigError where it is another, or nobody can be asked, click.Abort where
    the answer is no. --yes is no answer to that: it is about who else uses the model.
    """
    stored = recorded_commands(arms)
    other = next((label for label in given if shlex.join(given[label]) != stored.get(label)), None)
    if other is not None:
        raise ConfigError(
            Message("{label} of the experiment isn't this command.", label=other),
            Message("Leave it out to see which it was."),
        )
    open_still = {label: text for label, text in stored.items() if label not in given}
    if not open_still:
        return given
    for label, text in open_still.items():
        click.echo(f"{label}: {without_controls(text)}", err=True)
    if not sys.stdin.isatty():
        raise ConfigError(
            Message("Resuming runs the commands above, and nobody is here to agree."),
            Message("Resume in a terminal, or give the same commands again."),
        )
    click.confirm("Resuming runs this again. Go on?", abort=True, err=True)
    return {label: command_words(text) for label, text in stored.items()}


def check_prepare(command: str, server: str) -> None:
    """Raise ConfigError where the command of --prepare would not run where the model is."""
    if command and server:
        raise ConfigError(
            Message("--prepare runs commands here, and the model is on {server}.", server=server),
            Message("Leave it out, or run modelmon on the server."),
        )


def run_prepare(command: str) -> None:
    """Run the command and wait for it; nothing if it is empty.

    What it prints is only shown if it fails, which raises PrepareFailedError.
    """
    if not command:
        return
    done = subprocess.run(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if not done.returncode:
        return
    lines = done.stdout.splitlines()
    sys.stderr.writelines(f"{plain(line)}\n" for line in lines[-_MOST_OUTPUT_LINES:])
    raise PrepareFailedError(
        Message(
            "The --prepare command failed with exit code {returncode}: {command}",
            returncode=done.returncode,
            command=command,
        ),
        Message("See its output above. Run it on its own until it succeeds."),
    )


def history_unless(no_history: bool) -> History | None:
    """The user's history; None where nothing is to be kept."""
    return None if no_history else History()


def tell_problem(problem: Message) -> None:
    """Say why something was not kept, if so; the measurement is whole all the same."""
    if problem:
        tell(f"Not saved in the history: {problem}")


class RecordingFile:
    """Takes the lines of a run as they come; `problem` says why some are missing.

    A disk that gets full ends the recording, not the load.
    """

    def __init__(self, path: Path) -> None:
        """`path` was looked at by `check_target`. Raises WriteError if it cannot be opened."""
        try:
            # Unbuffered: a run that is cut off leaves what was seen until then.
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise WriteError(
                Message("Couldn't write {path}: {reason}.", path=path, reason=error.strerror),
                Message("Choose another folder."),
            ) from error
        self._path = path
        self.problem = ""

    def write(self, line: bytes) -> None:
        """Add one line, unless an earlier one failed."""
        if self.problem:
            return
        try:
            self._file.write(line)
        except OSError as error:
            self.problem = f"The recording {self._path} is cut: {error.strerror}."

    def __enter__(self) -> RecordingFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
