"""The runs of a comparison in the terminal: begun or gone on with, kept as they end, stopped."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from modelmon.core.cli.ask import agree_to_disturb
from modelmon.core.cli.keeping import tell_problem
from modelmon.core.cli.prepare import run_prepare
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.experiment.history.events import EventLines
from modelmon.core.experiment.history.history import History
from modelmon.core.experiment.resume import LAST, resume_comparison
from modelmon.core.machine.awake import keep_awake
from modelmon.core.units import counted
from modelmon.core.worker.client import run_job

if TYPE_CHECKING:
    from modelmon.core.experiment.result import Comparison
    from modelmon.core.experiment.resume import Underway

resume_option = click.option(
    "resume",
    "--resume",
    metavar=f"ID|{LAST}",
    help="Go on with a comparison that was stopped, as it was asked for; needs no PATH.",
)

_GO_WITH_RESUME = frozenset({"resume", "prepare", "out_path", "export_path", "yes", "as_json"})


def take_up(reference: str, prepare: str, *, yes: bool) -> Underway:
    """The stopped comparison, ready to go on; nothing of it can be asked for otherwise.

    Raises click.UsageError for an option that would change it, HistoryError where it cannot
    be gone on with.
    """
    context = click.get_current_context()
    for name in context.params:
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in _GO_WITH_RESUME:
            raise click.UsageError(
                "--resume goes on with what was asked for then: leave out PATH and all options"
                " but --prepare, --out, --export, --yes and --json."
            )
    underway = resume_comparison(History(), reference, prepare)
    session, preflight, recorder = underway
    agree_to_disturb(preflight.users, Path(preflight.model.path), yes=yes)
    session.go_on_busy()
    click.echo(f"Going on with x{recorder.experiment_id} after {session.done_runs} runs.", err=True)
    return underway


def work_off(underway: Underway) -> Comparison:
    """Make the runs that are left, keep each as it ends, and judge them.

    Stopped on the way (Ctrl-C, or a run that failed), it says how to go on.
    """
    session, preflight, recorder = underway
    try:
        with keep_awake("modelmon compares two ways to load a model"), ProgressBar() as bar:
            while (step := session.next_job()) is not None:
                label, job = step
                prefix = f"{session.place.capitalize()}: {label} "
                lines = EventLines()
                run_prepare(session.conditions.prepared_with)
                record = run_job(job, partial(bar.follow, prefix), lines)
                recorder.add(label, session.add(record), lines.data)
    except BaseException:
        recorder.end("stopped")
        if recorder.kept_runs:
            click.echo(
                f"Kept: {counted(recorder.kept_runs, 'run')}. To go on with them:"
                f" modelmon compare --resume x{recorder.experiment_id}",
                err=True,
            )
        tell_problem(recorder)
        raise
    try:
        comparison = session.comparison(preflight)
    except BaseException:
        recorder.end("done")
        raise
    recorder.end("done", comparison.verdict)
    tell_problem(recorder)
    return comparison
