"""`modelmon run`: one load, watched."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import options
from modelmon.core.cli.keeping import RecordingFile, no_history_option, tell_problem
from modelmon.core.cli.output import console, print_json, tell
from modelmon.core.cli.prepare import agree_to_disturb, check_prepare, prepare_option, run_prepare
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.reaching import inspect_reached
from modelmon.core.cli.run_report import show_run
from modelmon.core.comparison import single
from modelmon.core.comparison.single import told_of
from modelmon.core.explain.terms import phases_of
from modelmon.core.export.atomic import check_target
from modelmon.core.history.events import EventLines
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.comparison.single import Told
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.remote.address import Place
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


@click.command("run")
@options.place_argument
@click.option("--strategy", type=options.strategy_choice, help="Strategy.  [default: mmap]")
@click.option(
    "config_path",
    "--config",
    type=options.source_path,
    help="Load with the settings of an exported modelmon.toml.",
)
@click.option(
    "settings", "--set", multiple=True, metavar="SETTING=VALUE", help="Change one setting."
)
@options.cache_option
@click.option("--deliver", type=options.deliver_choice, help=options.DELIVER_HELP)
@options.tensors_option
@options.blocks_option
@options.rank_option
@click.option(
    "--verify",
    is_flag=True,
    help="Check that the loaded bytes match the file. The run isn't a measurement.",
)
@click.option(
    "record_path",
    "--record",
    type=options.target_path,
    help="Save a recording (JSON lines) for replay.",
)
@options.portion_option
@options.hz_option
@options.fresh_option
@prepare_option
@options.yes_option
@no_history_option
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one parameter per option
    place: Place,
    strategy: str | None,
    config_path: Path | None,
    settings: tuple[str, ...],
    cache: Cache | None,
    deliver: str | None,
    tensors: tuple[str, ...],
    blocks: tuple[str, ...],
    rank: str | None,
    verify: bool,
    record_path: Path | None,
    portion_bytes: int | None,
    sample_hz: float,
    fresh_memory: bool,
    prepare: str,
    yes: bool,
    no_history: bool,
    as_json: bool,
) -> None:
    """Load a model once and show where the time goes."""
    check_prepare(prepare, place.server)
    if record_path is not None:
        check_target(record_path)
    name, config = options.chosen_config(strategy, config_path, settings, deliver)
    subset = options.subset_of(tensors, blocks, rank)
    if portion_bytes is not None and not subset.is_whole:
        raise click.UsageError(
            "A portion stands for the whole model: give --portion, or --tensors, --blocks and"
            " --rank, not both."
        )
    inspection = inspect_reached(place)
    cache = options.chosen_start(cache, inspection.storage)
    if config_path is not None:
        options.warn_of_another_model(config_path, inspection.model)
    agree_to_disturb(inspection, yes=yes)
    job = Job(
        path=inspection.model.path,
        config=config,
        strategy=name,
        cache=cache,
        verify=verify,
        portion_bytes=portion_bytes,
        subset=subset,
        sample_hz=sample_hz,
        allow_busy=True,
        condition_memory=not fresh_memory,
        prepared_with=prepare,
    )
    run_prepare(prepare)
    with ExitStack() as stack:
        recording = stack.enter_context(RecordingFile(record_path)) if record_path else None
        bar = stack.enter_context(ProgressBar())
        lines = EventLines(recording)
        record = run_job(job, bar.follow, lines, server=inspection.server)
    if recording is not None and recording.problem:
        tell(recording.problem)
    told = told_of(record, inspection)
    show(told, None if no_history else keep(inspection, job, told.result, lines), as_json=as_json)
    if record.finished is not None and record.finished.checksum_matches is False:
        raise click.ClickException("The loaded bytes differ from the file.")


def show(told: Told, run_id: int | None, *, as_json: bool) -> None:
    """Print one run, and its number in the history."""
    phases = phases_of(told.result)
    if as_json:
        print_json(
            {
                "result": told.result,
                "bottleneck": told.bottleneck,
                "phases": phases,
                "blocks": told.record.blocks,
                "checksum": _checksum(told.record),
                "least_reading_ns": told.least_ns,
                "wait": told.wait,
            }
        )
        return
    show_run(told, phases)
    if run_id is not None:
        console().print(f"Saved as run {run_id} in the history.", style="dim")


def keep(inspection: Inspection, job: Job, result: RunResult, lines: EventLines) -> int | None:
    """Enter the run into the history; its number there, None if that failed, which is said."""
    run_id, problem = single.keep(inspection, job, result, lines)
    tell_problem(problem)
    return run_id


def _checksum(record: RunRecord) -> dict[str, object] | None:
    done = record.finished
    if done is None or done.checksum is None:
        return None
    return {"sha256": done.checksum, "matches": done.checksum_matches}
