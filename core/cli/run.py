"""`modelmon run`: one load, watched."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec.structs import asdict, replace

from modelmon.core.cli import argument, declared, measuring, option, options
from modelmon.core.cli.measuring import (
    agree_to_disturb,
    check_prepare,
    run_prepare,
    tell_problem,
)
from modelmon.core.cli.output import answer, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.comparison.runner import analyze, earlier_runs, keep
from modelmon.core.errors import EXIT_DONE, EXIT_LOAD_FAILED, CancelledError, ConfigError
from modelmon.core.export.atomic import open_to_record
from modelmon.core.export.items import line
from modelmon.core.export.run_items import run_items
from modelmon.core.history.events import EventLines
from modelmon.core.history.history import History
from modelmon.core.load.config_file import read_config
from modelmon.core.load.subset import Subset
from modelmon.core.messages import Message
from modelmon.core.units import (
    whole_number,
)
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job
from modelmon.core.worker.record import read_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from modelmon.core.comparison.commands import Command
    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.export.items import Printed
    from modelmon.core.remote import Place
    from modelmon.core.watch.stacks import StackSampler
    from modelmon.core.worker.events import AnyEvent, RunConditions
    from modelmon.core.worker.record import RunRecord


@click.command("run")
@declared
def command(
    place: Place = options.place,
    strategy: str | None = option(
        type=measuring.strategy_choice,
        metavar="NAME",
        help="Strategy; see `modelmon strategies`.  [default: mmap]",
    ),
    config_path: Path | None = option(
        "--config",
        type=options.source_path,
        help="Load with the settings of an exported modelmon.toml.",
    ),
    settings: tuple[str, ...] = option(
        "--set", metavar="SETTING=VALUE", help="Change one setting."
    ),
    cache: Cache | None = options.cache,
    deliver: str | None = option(type=measuring.deliver_choice, help=measuring.DELIVER_HELP),
    tensors: tuple[str, ...] = options.tensors,
    blocks: tuple[str, ...] = options.blocks,
    rank: str | None = options.rank,
    verify: bool = option(help="Check the loaded bytes against the file; not a measurement."),
    record_path: Path | None = option(
        "--record", type=options.result_path, help="Save a recording (JSON lines) for replay."
    ),
    portion_bytes: int | None = measuring.portion_bytes,
    sample_hz: float = options.sample_hz,
    conditions: RunConditions = measuring.conditions(),
    no_history: bool = options.no_history,
    everything: bool = options.everything,
    as_json: bool = options.as_json,
) -> int:
    """Load a model once; show where the time goes."""
    check_prepare(conditions.prepared_with, place.server)
    name, config = measuring.chosen_config(strategy, config_path, settings, deliver)
    before, _, behind = (rank or "0/1").partition("/")
    number, ranks = whole_number(before), whole_number(behind)
    if number is None or ranks is None:
        raise ConfigError(
            Message("{rank} isn't a rank.", rank=repr(rank)), Message("Write for example 0/4.")
        )
    subset = Subset(tensors, blocks, number, ranks)
    if portion_bytes is not None and not subset.is_whole:
        raise click.UsageError(
            "A portion stands for the whole model: give --portion, or --tensors, --blocks and"
            " --rank, not both."
        )
    inspection = inspect_reached(place)
    cache = measuring.chosen_start(cache, inspection.storage)
    if config_path is not None:
        other = read_config(config_path).of_another_model(config_path, inspection.model)
        if other:
            tell(f"Note: {other}")
    agree_to_disturb(inspection, yes=conditions.allow_busy)
    job = Job(
        path=inspection.model.path,
        config=config,
        strategy=name,
        cache=cache,
        verify=verify,
        subset=subset,
        **asdict(
            replace(conditions, portion_bytes=portion_bytes, sample_hz=sample_hz, allow_busy=True)
        ),
    )
    run_prepare()
    made = make_run(job, inspection, record_path, no_history=no_history)
    answer(as_document(made.told), made.items(whole=everything), as_json=as_json)
    record = made.told.record
    if record.finished is not None and record.finished.checksum_matches is False:
        tell("Error: The loaded bytes differ from the file.")
        return EXIT_LOAD_FAILED
    return EXIT_DONE


class MadeRun(NamedTuple):
    """A run, what it comes to, and its number in the history if it was kept."""

    told: RunAnalysis
    run_id: int | None

    def items(self, *, whole: bool) -> Iterator[Printed]:
        """All of it; with `whole` also notes that nobody has to act on."""
        yield from run_items(self.told, whole=whole)
        if self.run_id is not None:
            yield line(f"Saved as run {self.run_id} in the history.", "quiet")


def make_run(
    job: Job,
    inspection: Inspection,
    record_path: Path | None,
    command: Command = (),
    *,
    no_history: bool,
    stacks: StackSampler | None = None,
) -> MadeRun:
    """The same without printing it. `stacks` looks into the program meanwhile."""
    with ExitStack() as stack:
        file = stack.enter_context(open_to_record(record_path)) if record_path else None
        bar = stack.enter_context(ProgressBar())
        lines = EventLines(file)

        def follow(event: AnyEvent, record: RunRecord) -> None:
            bar.follow(event, record)
            if stacks is not None:
                stacks.follow(event, record)

        try:
            record = run_job(job, follow, lines, command=command, server=inspection.server)
        except KeyboardInterrupt:
            if not bar.waiting:
                raise
            raise CancelledError(Message("Stopped."), bar.waiting) from None
    if lines.problem:
        tell(f"{record_path}: {lines.problem}")
    alone = no_history or job.program is not None
    history = None if no_history else History()
    told = analyze(record, inspection, () if alone else earlier_runs(inspection), history)
    run_id = None
    if not no_history:
        run_id, problem = keep(inspection, job, told.result, lines)
        tell_problem(problem)
    return MadeRun(told, run_id)


def as_document(told: RunAnalysis) -> dict[str, object]:
    """A run as `--json` prints it."""
    done = told.record.finished
    checksum: dict[str, object] | None = None
    if done is not None and done.checksum is not None:
        checksum = {"sha256": done.checksum, "matches": done.checksum_matches}
    return {
        "result": told.result,
        "bottleneck": told.bottleneck,
        "blocks": told.record.blocks,
        "checksum": checksum,
        "least_reading_ns": told.least_ns,
        "wait": told.wait,
    }


@click.command("replay")
@declared
def replay(recording: Path = argument(type=options.source_path)) -> int:
    """Open a recording in the window.

    RECORDING was saved by `modelmon run --record` or `modelmon watch --record`.
    """
    read_record(recording)
    # By name: the engine knows no window, and without Qt every other command still works.
    try:
        window = import_module("modelmon.__main__")
    except ImportError as error:
        raise click.ClickException(f"The window cannot start: {error}") from error
    code: int = window.open_window([str(recording)])
    return code
