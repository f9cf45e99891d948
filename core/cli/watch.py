"""`modelmon watch`: somebody else's program, watched while it loads a model."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import ExitStack
from pathlib import Path

import click

from modelmon.core.cli import options
from modelmon.core.cli.keeping import RecordingFile, no_history_option
from modelmon.core.cli.prepare import agree_to_disturb
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.run import keep, show, told_of
from modelmon.core.errors import EXIT_DONE, EXIT_LOAD_FAILED, ConfigError
from modelmon.core.export.atomic import check_target
from modelmon.core.history.events import EventLines
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.process_tree import adopt_orphans, end_descendants
from modelmon.core.machine.storage import storage_of
from modelmon.core.machine.users import users_of
from modelmon.core.messages import Message
from modelmon.core.model.open import open_model
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job, WatchedProgram
from modelmon.core.worker.readiness import parse_readiness
from modelmon.core.worker.watched_command import check_command, command_of, short_command

_LIMIT_S = 600.0
_KILL_WAIT_S = 1.0


@click.command("watch")
@options.path_argument
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option("--pid", type=click.IntRange(1), help="Join this running process instead.")
@click.option(
    "ready",
    "--ready",
    default="",
    metavar="SIGN",
    help=(
        "When it's ready: exit, output:REGEX, listening[:PORT], http:PORT/PATH (this machine"
        " only), quiet[:SECONDS].  [default: 2 seconds without reads once the model is in"
        " memory, or exit]"
    ),
)
@options.cache_option
@click.option(
    "limit_s",
    "--limit",
    type=click.FloatRange(0, 86400, min_open=True),
    default=_LIMIT_S,
    show_default=True,
    help="End it after so many seconds if it isn't ready.",
)
@click.option(
    "record_path",
    "--record",
    type=click.Path(path_type=Path),
    help="Save a recording (JSON lines) for replay.",
)
@options.hz_option
@options.fresh_option
@options.yes_option
@no_history_option
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one parameter per option
    path: Path,
    command: tuple[str, ...],
    pid: int | None,
    ready: str,
    cache: Cache | None,
    limit_s: float,
    record_path: Path | None,
    sample_hz: float,
    fresh_memory: bool,
    yes: bool,
    no_history: bool,
    as_json: bool,
) -> int:
    """Start a program that loads a model, and show where its time goes.

    The program is held until the cache is prepared, and ended with all its processes once it's
    ready. One that's joined with --pid goes on.
    """
    if sys.platform != "linux":
        raise ConfigError(Message("Other programs can be watched on Linux only."))
    if bool(command) == (pid is not None):
        raise click.UsageError(
            "Give the command of the program after --, or --pid for one that runs."
        )
    if pid is not None and (cache not in (None, "as-is") or ready.startswith("output:")):
        raise click.UsageError(
            "A program that runs already is joined as it is: --cache and --ready output: need"
            " one that's started."
        )
    parse_readiness(ready)
    if command:
        check_command(command[0])
    if record_path is not None:
        check_target(record_path)
    model = open_model(path)
    storage = storage_of(model.files[0])
    if command and not yes:
        agree_to_disturb(users_of(model.files, (os.getpid(),)), path, yes=yes)
    named = list(command) or command_of(pid)
    job = Job(
        path=model.path,
        config=LoadConfig(library=PROGRAM),
        strategy=short_command(named, model.files),
        cache="as-is" if pid is not None else options.chosen_start(cache, storage),
        sample_hz=sample_hz,
        allow_busy=True,
        condition_memory=not fresh_memory and pid is None,
        most_load_ns=round(limit_s * 1e9),
        program=WatchedProgram(shlex.join(named), ready, pid),
    )
    # If the worker is killed, what it started is this process's to end.
    adopt_orphans()
    with ExitStack() as stack:
        recording = stack.enter_context(RecordingFile(record_path)) if record_path else None
        bar = stack.enter_context(ProgressBar())
        lines = EventLines(recording)
        try:
            record = run_job(job, bar.follow, lines, command=command)
        finally:
            end_descendants(0.0, _KILL_WAIT_S)
    if recording is not None and recording.problem:
        click.echo(recording.problem, err=True)
    told = told_of(record, storage)
    show(told, None if no_history else keep(model, job, told.result, lines), as_json=as_json)
    late = any(warning.kind == "cut-off" for warning in record.warnings)
    return EXIT_LOAD_FAILED if late else EXIT_DONE
