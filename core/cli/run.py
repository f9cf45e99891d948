"""`modelmon run`: one load, watched."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec.structs import asdict, replace

from modelmon.core.cli import argument, declared, measuring, option, options
from modelmon.core.cli.measuring import (
    RecordingFile,
    agree_to_disturb,
    check_prepare,
    run_prepare,
    tell_problem,
)
from modelmon.core.cli.output import Facts, console, print_json, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.comparison.runner import analyze, earlier_runs, keep
from modelmon.core.errors import CancelledError, ConfigError
from modelmon.core.explain.program_report import is_unread, model_text
from modelmon.core.explain.terms import phase_rows, phases_of
from modelmon.core.history.events import EventLines
from modelmon.core.load.libraries.registry import baseline
from modelmon.core.load.strategies import read_config, strategy_text
from modelmon.core.load.subset import Subset
from modelmon.core.messages import Message
from modelmon.core.terminal_safe import plain
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    size_text,
    three_figures,
    whole_number,
)
from modelmon.core.watch.command import program_name
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job
from modelmon.core.worker.printed import variables_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import memory_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console

    from modelmon.core.comparison.commands import Command
    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.figures import Bottleneck
    from modelmon.core.explain.program_report import WaitVerdict
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.remote import Place
    from modelmon.core.watch.stacks import StackSampler
    from modelmon.core.worker.events import AnyEvent, Planned, RunConditions
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunFigures, RunResult
    from modelmon.core.worker.run_warnings import RunWarning


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
) -> None:
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
    if as_json:
        print_json(as_document(made.told))
    else:
        show_made(made, whole=everything)
    record = made.told.record
    if record.finished is not None and record.finished.checksum_matches is False:
        raise click.ClickException("The loaded bytes differ from the file.")


class MadeRun(NamedTuple):
    """A run, what it comes to, and its number in the history if it was kept."""

    told: RunAnalysis
    run_id: int | None


def show_made(made: MadeRun, *, whole: bool) -> None:
    """Print it; with `whole` also notes that nobody has to act on."""
    show_run(made.told, whole=whole)
    if made.run_id is not None:
        console().print(f"Saved as run {made.run_id} in the history.", style="dim")


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
        recording = stack.enter_context(RecordingFile(record_path)) if record_path else None
        bar = stack.enter_context(ProgressBar())
        lines = EventLines(recording)

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
    if recording is not None and recording.problem:
        tell(recording.problem)
    alone = no_history or job.program is not None
    told = analyze(record, inspection, () if alone else earlier_runs(inspection))
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
        "phases": phases_of(told.result),
        "blocks": told.record.blocks,
        "checksum": checksum,
        "least_reading_ns": told.least_ns,
        "wait": told.wait,
    }


_STARTS = {
    "cold-here": "cold here, server state unknown",
    "cached-below": "cold here, cached below",
}
_SEEN_BY = {
    "trace": "the kernel's trace: each page and each direct read",
    "residency": "pages that came into the page cache",
    "counters": "the program's counters: a total, without blocks",
}
_VERDICTS = {
    True: "matches the file",
    False: "DIFFERS from the file",
    None: "of the file only: the library doesn't show what it loaded",
}


def show_run(told: RunAnalysis, *, whole: bool = True) -> None:
    """Print one finished run; of a watched program first what its whole wait comes to."""
    out, result, wait = console(), told.result, told.wait
    if wait is not None:
        show_wait(out, wait)
        rows = [*wait_rows(wait), *_seen(result, told.record.planned)]
        if told.bottleneck.kind != "outside-reading" and not is_unread(result):
            rows += _bottleneck(told.bottleneck)
    else:
        headline = f"{duration_text(result.wall_ns)} for {size_text(result.load_bytes)}"
        strategy = strategy_text(result.strategy, result.config)
        out.print(f"{headline}, {rate_text(result.bytes_per_s)}, strategy {strategy}")
        rows = [*_bottleneck(told.bottleneck)]
        if told.bottleneck.remedy:
            rows.append(("", told.bottleneck.remedy))
    out.print(Facts([*rows, *result_rows(result), *_checksum(told.record)]))
    _show_notes(out, [each for each in result.warnings if whole or is_to_act_on(each, result)])


def result_rows(result: RunResult) -> list[tuple[str, str]]:
    """What a run started from, and what it took."""
    phases = phases_of(result)
    if result.is_program:  # the parts of its wait have the others
        phases = tuple(phase for phase in phases if phase.when == "before")
    return [*_conditions(result), *_figures(result), *phase_rows(phases)]


def show_wait(out: Console, wait: WaitVerdict) -> None:
    """The judgment of a watched program, what it follows from, and what to do."""
    out.print(wait.headline, style="bold")
    for line in filter(None, (wait.reason, wait.next_step)):
        out.print(line)


def wait_rows(wait: WaitVerdict) -> Iterable[tuple[str, str]]:
    """Each part of the wait, and what the program did in it."""
    for part in wait.parts:
        yield "Wait" if part is wait.parts[0] else "", f"{part.name} {part.text}"


def _bottleneck(found: Bottleneck) -> Iterable[tuple[str, str]]:
    yield "Bottleneck", f"{found.label}: {found.sentence}"
    if found.evidence:
        yield "", found.evidence_text


def _seen(result: RunResult, planned: Planned | None) -> Iterable[tuple[str, str]]:
    yield "Program", result.strategy
    told = variables_of(program_name(result.command))
    if told and any(part.program for part in result.parts):
        told_text = " ".join(f"{name}={value}" for name, value in told.items())
        yield "Set for it", f"{told_text}, unless set before: it prints its phases as they begin"
    name = f"{plain(planned.model_name)}: " if planned is not None else ""
    yield "Model", name + model_text(result)
    why = f"; no trace: {result.why_no_trace}" if result.why_no_trace else ""
    yield "Seen by", _SEEN_BY.get(result.seen_by, plain(result.seen_by)) + why
    if result.trace_remedy:
        yield "", result.trace_remedy
    if result.other_device_bytes:
        yield "Other reads", f"{size_text(result.other_device_bytes)} from storage"


def start_text(result: RunResult) -> str:
    """What the page cache was at the start, and how that is known."""
    state = _STARTS.get(result.start, result.start)
    if result.cache_evidence == "verified" and result.residency_before_share is not None:
        return f"{state}, {percent_text(result.residency_before_share)} was cached"
    if result.cache_evidence == "inferred":
        return f"{state}, inferred from bytes read"
    return "cache state unknown"


def _conditions(result: RunResult) -> Iterable[tuple[str, str]]:
    yield "Start", start_text(result)
    if result.prepared_with:
        yield "Prepared with", result.prepared_with
    if result.subset and result.model_bytes:
        share = percent_text(result.file_bytes / result.model_bytes)
        yield "Part", f"{result.subset}, {share} of the model"
    if result.read_bytes > result.file_bytes:
        between = size_text(result.read_bytes - result.file_bytes)
        yield "Extra bytes", f"{between} between the rows of slices"
    if result.library_version:
        touched = _touched_text(result.config)
        yield "Library", f"{result.config.library} {result.library_version}, {touched}"
    if result.is_program:
        yield "Ready", result.ready
    yield "Memory", _memory_text(result)
    if result.extrapolated:
        whole = f"{duration_text(result.model_wall_ns)} for {size_text(result.model_bytes)}"
        if around := result.read_around_share:
            whole += f" or less, as {percent_text(around)} more than this came from storage"
        yield "Whole model", f"{whole}, extrapolated from this part"


def _touched_text(config: LoadConfig) -> str:
    if config.deliver == "untouched":
        return "untouched"
    if not baseline(config.library).shows_memory:
        return "all in memory when the call returned"
    return "every page read in"


def io_wait_text(run: RunFigures) -> str:
    """How much of which time a run waited for storage; empty where that is not known."""
    if run.io_wait_share is None:
        return ""
    return f"{percent_text(run.io_wait_share)} of the readers' time"


def _figures(result: RunResult) -> Iterable[tuple[str, str]]:
    if result.device_bytes is not None:
        yield "From storage", size_text(result.device_bytes)
    if result.is_program:
        return  # the parts of its wait have the others
    if waited := io_wait_text(result):
        yield "I/O wait", waited
    if result.config.ranks > 1:
        yield "Ranks", _ranks_text(result)
    if result.cpu_user_ns is not None and result.cpu_system_ns is not None:
        user, system = duration_text(result.cpu_user_ns), duration_text(result.cpu_system_ns)
        yield "CPU", f"{user} user, {system} system"
    if result.major_faults is not None and result.minor_faults is not None:
        yield "Faults", f"{result.major_faults:,} major, {result.minor_faults:,} minor"


def _checksum(record: RunRecord) -> Iterable[tuple[str, str]]:
    done = record.finished
    if done is not None and done.checksum is not None:
        verdict = _VERDICTS[done.checksum_matches]
        yield "Checksum", f"{verdict} (SHA-256 {done.checksum[:16]}…)"


def _show_notes(out: Console, warnings: Iterable[RunWarning]) -> None:
    for warning in warnings:
        out.print(f"Note: {warning.text}", style="yellow" if warning.counts else "red")
        if warning.remedy:
            out.print(f"      {warning.remedy}", style="dim")


def is_to_act_on(warning: RunWarning, result: RunResult) -> bool:
    """Whether a person at a terminal can do something about it: there are no curves, and memory
    that was prepared is as it should be.
    """
    prepared = warning.kind == "slow-first-touch" and result.conditioned_bytes
    return not prepared and warning.kind != "few-samples"


def _ranks_text(result: RunResult) -> str:
    what = "loads the whole model" if result.config.rank_share == "whole" else "loads its slices"
    text = f"{result.config.ranks} processes, each {what}"
    if result.amplification is None:
        return text
    return f"{text}; each byte was read {three_figures(result.amplification)}× from storage"


def _memory_text(result: RunResult) -> str:
    peak = f", peak {size_text(result.peak_rss_bytes)}" if result.peak_rss_bytes else ""
    touched = ", prepared before" if result.conditioned_bytes else ""
    return f"{memory_text(result)}{peak}{touched}"


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
