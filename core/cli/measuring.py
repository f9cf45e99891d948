"""Shared by the subcommands that measure: options of a load, questions before a run, progress, and
where results go.
"""

from __future__ import annotations

import subprocess
import sys
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from modelmon.core.cli import option
from modelmon.core.cli.options import Parsed, given_options
from modelmon.core.cli.output import answer, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.comparison.commands import (
    NO_COMMANDS,
    Commands,
    check_watchable,
    command_words,
    is_recorded_as,
    recorded_commands,
)
from modelmon.core.comparison.estimate import start_of
from modelmon.core.comparison.runner import RunView, resume, unfinished
from modelmon.core.errors import BusyError, ConfigError, ModelmonError
from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.export.history_items import resume_command
from modelmon.core.export.items import Code
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.places import write_text
from modelmon.core.export.result_items import result_items
from modelmon.core.history.history import History
from modelmon.core.load.config import CHOICES, LoadConfig, with_axis
from modelmon.core.load.config_file import read_config
from modelmon.core.load.planner import LEAST_PORTION_BYTES
from modelmon.core.load.strategies import strategy as strategy_called
from modelmon.core.load.strategies import strategy_names
from modelmon.core.messages import Message, to_text
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.redaction import shell_command_without_secrets
from modelmon.core.remote import place_of
from modelmon.core.terminal_safe import plain, without_controls
from modelmon.core.units import counted, parse_size, request_text
from modelmon.core.worker.environment_check import busy_error
from modelmon.core.worker.events import RunConditions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.comparison.commands import Commands
    from modelmon.core.comparison.result import Comparison
    from modelmon.core.comparison.runner import ExperimentRun, SomeSession
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.result import SearchResult
    from modelmon.core.history.recorder import Recorder
    from modelmon.core.history.rows import Entrant, Kind
    from modelmon.core.machine.storage import Storage
    from modelmon.core.programs.outcome import Outcome
    from modelmon.core.remote import Place
    from modelmon.core.worker.events import Cache


def _portion_bytes(text: str) -> int:
    found = parse_size(text)
    if found < LEAST_PORTION_BYTES:
        raise ValueError(f"{text} is too little: {request_text(LEAST_PORTION_BYTES)} or more.")
    return found


strategy_choice = click.Choice(strategy_names())
deliver_choice = click.Choice(CHOICES["deliver"])
DELIVER_HELP = "What counts as loaded; see `modelmon strategies`."
deliver = option(type=deliver_choice, default="usable", help=DELIVER_HELP)
portion_bytes = option(
    "--portion",
    type=Parsed("size", _portion_bytes),
    help="Load only a part of this size (256 MiB or more).",
)
program = option(
    type=click.Choice(tuple(PROGRAMS)),
    metavar="NAME",
    earlier="--engine",
    help="Start this program; see `modelmon programs`.",
)


_CONDITIONS = {
    "condition_memory": option(
        "--no-memory-prep",
        earlier="--fresh-memory",
        is_flag=True,
        callback=lambda _context, _option, given: not given,
        help="Skip preparing memory, which virtual machines do by default.",
    ),
    "prepared_with": option(
        "--prepare",
        metavar="CMD",
        default="",
        help="Run this shell command before each run's cache setup.",
    ),
    "allow_busy": option(
        "--yes", is_flag=True, help="Continue even if another process uses the model."
    ),
}


def conditions(*fields: str) -> Any:
    """The options by which runs are given these of their conditions, or all; a command has one
    parameter for them, a `RunConditions`.
    """
    names = fields or tuple(_CONDITIONS)

    def declare(parameter: str, _kind: str) -> Any:
        def add(function: Callable[..., Any]) -> Any:
            @wraps(function)
            def command(**given: Any) -> Any:
                wanted = {name: given.pop(name) for name in names}
                if "prepared_with" in wanted:
                    wanted["prepared_with"] = shell_command_without_secrets(wanted["prepared_with"])
                made = RunConditions(**wanted)
                return function(**given, **{parameter: made})

            for name in reversed(names):
                command = _CONDITIONS[name](name, "")(command)
            return command

        return add

    return declare


class WithCommand(click.Command):
    """What follows `--` is its last argument, whether or not a model comes before."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As usual, up to there."""
        at = args.index("--") if "--" in args else len(args)
        rest = super().parse_args(ctx, args[:at])
        last = [each.name for each in self.params if isinstance(each, click.Argument)][-1]
        ctx.params[last] = (*ctx.params.get(last, ()), *args[at + 1 :])
        return rest


def chosen_start(asked: Cache | None, storage: Storage) -> Cache:
    """The start that `--cache` asks for, or without it the one that is possible; says so if that
    is not a cold one.
    """
    found = start_of(asked, storage)
    if asked is None and found != "cold":
        what = f"files in memory ({storage.filesystem}) have no cold start"
        tell(f"Note: {what}, so this measures warm starts.")
    return found


def chosen_config(
    strategy: str | None, config_path: Path | None, settings: Iterable[str], deliver: str | None
) -> tuple[str, LoadConfig]:
    """Name and configuration from --strategy or --config, then --deliver and --set."""
    if strategy is not None and config_path is not None:
        raise click.UsageError("Use --strategy or --config, not both.")
    if config_path is not None:
        exported = read_config(config_path)
        name, config = exported.strategy, exported.config
    else:
        name = strategy or "mmap"
        config = strategy_called(name).config
    if deliver is not None:
        config = with_axis(config, "deliver", deliver)
    changed = config
    for setting in settings:
        axis, equals, value = setting.partition("=")
        if not equals:
            raise ConfigError(
                Message("{setting} isn't SETTING=VALUE.", setting=repr(setting)),
                Message("Write for example readers=8."),
            )
        changed = with_axis(changed, axis.strip(), value.strip())
    return (name if changed == config else f"{name}, changed"), changed


_WITH_RESUME = ("--prepare", "--out", "--export", "--yes", "--json")


def take_up(
    reference: str,
    kind: type[SomeSession],
    more: tuple[str, ...],
    conditions: RunConditions,
    given: Commands = NO_COMMANDS,
    budget_ns: int | None = None,
) -> ExperimentRun[SomeSession]:
    """The stopped experiment, ready to be worked off; asks before others are disturbed, and before
    a command runs that is not `given` again.

    With --resume only options go that say where results go and whether it may begin, and `more`:
    raises click.UsageError for any other, HistoryError where the experiment cannot be gone on with.
    """
    *others, last = allowed = (*more, *_WITH_RESUME)
    if not {"--resume", *allowed}.issuperset(given_options().values()):
        raise click.UsageError(
            "--resume keeps the options from then: leave out PATH and all options"
            f" but {', '.join(others)} and {last}."
        )
    history = History()
    # Whether a finished one can go on says `resume`.
    experiment = unfinished(history, reference, kind.kind, done_too=True)
    place = place_of(experiment.path)
    check_prepare(conditions.prepared_with, place.server)
    commands = agree_to_run(experiment.arms, given)
    inspection = inspect_reached(place)
    for command in commands.values():
        check_watchable(command, inspection.server)
    agree_to_disturb(inspection, yes=conditions.allow_busy)
    prepare = conditions.prepared_with
    underway = resume(kind, history, reference, inspection, commands, prepare, budget_ns)
    underway.session.go_on_busy()
    recorder = underway.recorder
    runs = counted(recorder.kept_runs, "run")
    tell(f"Resuming x{recorder.experiment_id} after {runs}.")
    return underway


def hand_out(
    result: Comparison | SearchResult,
    recorder: Recorder,
    out_path: Path | None,
    export_place: Place | None,
    *,
    as_json: bool,
) -> None:
    """Print what an experiment found, save and export it, as far as that is wanted."""
    tell_problem(recorder.problem)
    answer(result, result_items(result), as_json=as_json)
    # Where it can't be written it is not lost.
    if out_path is not None:
        save_json(out_path, result)
    if export_place is not None:
        write_config(outcome_of(result), export_place)


def save_json(path: Path, value: object) -> None:
    """Write `value` to a file, as text for people."""
    content = msgspec.json.format(msgspec.json.encode(value, enc_hook=to_text))
    write_text_atomic(path, content.decode())


def write_config(found: Outcome, place: Place) -> None:
    """Write modelmon.toml, and say so."""
    write_text(place, modelmon_toml(found))
    tell(f"Wrote {found.stored.strategy} to {place}.")


class ExperimentBar(ProgressBar, RunView):
    """Shows runs in the terminal; says how to resume where they are stopped."""

    def prepare(self) -> None:
        """See run_prepare."""
        run_prepare()

    def lost(self, server: str) -> None:
        """Say so."""
        tell(f"The connection to {server} was lost. Connecting again; Ctrl-C stops.")

    def interrupted(self, kind: Kind, recorder: Recorder) -> bool:
        """Nothing that was measured is lost."""
        if recorder.kept_runs:
            tell(f"Saved {counted(recorder.kept_runs, 'run')}.")
            prepare = shell_command_without_secrets(_prepare_given())
            again = resume_command(kind, recorder.experiment_id, prepare)
            tell(Code(f"To resume: {again}"))
        tell_problem(recorder.problem)
        return True


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


def agree_to_run(arms: Sequence[Entrant], given: Commands) -> Commands:
    """The commands of a stored experiment's arms, by their labels, that may be run again.

    What a stored file holds is run only where the person sees it in full and agrees, or gives the
    same again: raises ConfigError where it is another, or nobody can be asked, click.Abort where
    the answer is no. --yes is no answer to that: it is about who else uses the model.
    """
    stored = recorded_commands(arms)
    other = next(
        (label for label in given if not is_recorded_as(given[label], stored.get(label, ""))), None
    )
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
            Message("Resuming runs the commands above, and there is no terminal to ask in."),
            Message("Resume in a terminal, or give the same commands again."),
        )
    click.confirm("Resuming runs this again. Continue?", abort=True, err=True)
    return {label: command_words(text) for label, text in stored.items()}


def check_prepare(command: str, server: str) -> None:
    """Raise ConfigError where the command of --prepare would not run where the model is."""
    if command and server:
        raise ConfigError(
            Message("--prepare runs commands here, and the model is on {server}.", server=server),
            Message("Leave it out, or run modelmon on the server."),
        )


def _prepare_given() -> str:
    """The command of --prepare as it was typed; empty without one."""
    context = click.get_current_context(silent=True)
    return (context.params.get("prepared_with") or "") if context is not None else ""


def run_prepare() -> None:
    """Run the command of --prepare, as it was typed, and wait for it; nothing without one.

    What it prints is only shown if it fails, which raises PrepareFailedError.
    """
    command = _prepare_given()
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
            command=shell_command_without_secrets(command),
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
