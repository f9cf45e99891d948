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
from modelmon.core.cli.output import Facts, colon, console, print_json, print_note, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.comparison.runner import analyze, earlier_runs, keep
from modelmon.core.errors import CancelledError, ConfigError
from modelmon.core.explain.program_report import is_unread, model_text
from modelmon.core.explain.terms import phase_rows, phases_of
from modelmon.core.history.events import EventLines
from modelmon.core.history.history import History
from modelmon.core.load.config_file import read_config
from modelmon.core.load.libraries.registry import baseline
from modelmon.core.load.strategies import strategy_text
from modelmon.core.load.subset import Subset
from modelmon.core.messages import NOTHING, Message, joined, verbatim
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
from modelmon.core.worker.program_phases import variables_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import memory_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console

    from modelmon.core.comparison.commands import Command
    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.evidence import Bottleneck
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
        "phases": phases_of(told.result),
        "blocks": told.record.blocks,
        "checksum": checksum,
        "least_reading_ns": told.least_ns,
        "wait": told.wait,
    }


_STARTS = {
    "cold": Message("cold"),
    "warm": Message("warm"),
    "cold-here": Message("cold here, server state unknown"),
    "cached-below": Message("cold here, cached below"),
}
_SEEN_BY = {
    "trace": Message("the kernel's trace: each page and each direct read"),
    "residency": Message("pages that came into the page cache"),
    "counters": Message("the program's counters: a total, without blocks"),
}
_VERDICTS = {
    True: Message("matches the file"),
    False: Message("DIFFERS from the file"),
    None: Message("of the file only: the library doesn't show what it loaded"),
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
        out.print(
            Message(
                "{time} for {size}, {rate}, strategy {strategy}",
                time=duration_text(result.wall_ns),
                size=size_text(result.load_bytes),
                rate=rate_text(result.bytes_per_s),
                strategy=strategy_text(result.strategy, result.config),
            )
        )
        rows = [*_bottleneck(told.bottleneck)]
        if told.bottleneck.remedy:
            rows.append(("", told.bottleneck.remedy))
    out.print(Facts([*rows, *result_rows(result), *_checksum(told.record)]))
    # Nobody sees curves here.
    _show_notes(out, [one for one in result.warnings if whole or one.kind != "few-samples"])


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
    """Each part of the wait, what the program did in it, and what shortens it."""
    for part in wait.parts:
        name = Message("Wait") if part is wait.parts[0] else NOTHING
        yield name, Message("{name} {value}", name=part.name, value=part.text)
        is_told = part.shortened_by and part.shortened_by in wait.next_step
        if cure := part.tested if is_told else part.shortened:
            yield NOTHING, joined((verbatim(" "), cure))


def _bottleneck(found: Bottleneck) -> Iterable[tuple[str, str]]:
    yield Message("Bottleneck"), colon(found.label, found.sentence)
    if found.evidence:
        yield "", found.evidence_text


def _seen(result: RunResult, planned: Planned | None) -> Iterable[tuple[str, str]]:
    yield Message("Program"), result.strategy
    told = variables_of(program_name(result.command))
    if told and any(part.program for part in result.parts):
        yield (
            Message("Set for it"),
            Message(
                "{variables}, unless set before: it prints its phases as they begin",
                variables=" ".join(f"{name}={value}" for name, value in told.items()),
            ),
        )
    model = model_text(result)
    yield (
        Message("Model"),
        colon(plain(planned.model_name), model) if planned is not None else model,
    )
    seen_by = _SEEN_BY.get(result.seen_by) or plain(result.seen_by)
    if result.why_no_trace:
        seen_by = Message("{how}; no trace: {why}", how=seen_by, why=result.why_no_trace)
    yield Message("Seen by"), seen_by
    if result.trace_remedy:
        yield "", result.trace_remedy
    if result.other_device_bytes:
        size = size_text(result.other_device_bytes)
        yield Message("Other reads"), Message("{size} from storage", size=size)


def start_text(result: RunResult) -> str:
    """What the page cache was at the start, and how that is known."""
    state = _STARTS.get(result.start) or result.start
    if result.cache_evidence == "verified" and result.residency_before_share is not None:
        share = percent_text(result.residency_before_share)
        return Message("{state}, {share} was cached", state=state, share=share)
    if result.cache_evidence == "inferred":
        return Message("{state}, inferred from bytes read", state=state)
    return Message("cache state unknown")


def _conditions(result: RunResult) -> Iterable[tuple[str, str]]:
    yield Message("Start"), start_text(result)
    if result.prepared_with:
        yield Message("Prepared with"), result.prepared_with
    if result.subset and result.model_bytes:
        share = percent_text(result.file_bytes / result.model_bytes)
        part = Message("{part}, {share} of the model", part=result.subset, share=share)
        yield Message("Part"), part
    if result.read_bytes > result.file_bytes:
        size = size_text(result.read_bytes - result.file_bytes)
        yield Message("Extra bytes"), Message("{size} between the rows of slices", size=size)
    if result.library_version:
        library = f"{result.config.library} {result.library_version}"
        yield Message("Library"), joined((library, _touched_text(result.config)), ", ")
    if result.is_program:
        yield Message("Ready"), result.ready
    yield Message("Memory"), _memory_text(result)
    if result.extrapolated:
        whole = {
            "time": duration_text(result.model_wall_ns),
            "size": size_text(result.model_bytes),
        }
        around = result.read_around_share
        yield (
            Message("Whole model"),
            Message(
                "{time} for {size} or less, as {share} more than this came from storage,"
                " extrapolated from this part",
                share=percent_text(around),
                **whole,
            )
            if around
            else Message("{time} for {size}, extrapolated from this part", **whole),
        )


def _touched_text(config: LoadConfig) -> Message:
    if config.deliver == "untouched":
        return Message("untouched")
    if not baseline(config.library).shows_memory:
        return Message("all in memory when the call returned")
    return Message("every page read in")


def io_wait_text(run: RunFigures) -> str:
    """How much of which time a run waited for storage; empty where that is not known."""
    if run.io_wait_share is None:
        return ""
    return Message("{share} of the readers' time", share=percent_text(run.io_wait_share))


def _figures(result: RunResult) -> Iterable[tuple[str, str]]:
    if result.device_bytes is not None:
        yield Message("From storage"), size_text(result.device_bytes)
    if result.is_program:
        return  # the parts of its wait have the others
    if waited := io_wait_text(result):
        yield Message("I/O wait"), waited
    if result.config.ranks > 1:
        yield Message("Ranks"), _ranks_text(result)
    if result.cpu_user_ns is not None and result.cpu_system_ns is not None:
        user, system = duration_text(result.cpu_user_ns), duration_text(result.cpu_system_ns)
        yield Message("CPU"), Message("{user} user, {system} system", user=user, system=system)
    if result.major_faults is not None and result.minor_faults is not None:
        major, minor = f"{result.major_faults:,}", f"{result.minor_faults:,}"
        yield Message("Faults"), Message("{major} major, {minor} minor", major=major, minor=minor)


def _checksum(record: RunRecord) -> Iterable[tuple[str, str]]:
    done = record.finished
    if done is not None and done.checksum is not None:
        digest = f"SHA-256 {done.checksum[:16]}…"
        verdict = _VERDICTS[done.checksum_matches]
        text = Message("{verdict} ({digest})", verdict=verdict, digest=digest)
        yield Message("Checksum"), text


def _show_notes(out: Console, warnings: Iterable[RunWarning]) -> None:
    for warning in warnings:
        print_note(out, warning.text, warning.remedy, "yellow" if warning.counts else "red")


def _ranks_text(result: RunResult) -> str:
    text = (
        Message("{ranks} processes, each loads the whole model", ranks=result.config.ranks)
        if result.config.rank_share == "whole"
        else Message("{ranks} processes, each loads its slices", ranks=result.config.ranks)
    )
    if result.amplification is None:
        return text
    times = three_figures(result.amplification)
    again = Message("each byte was read {times}× from storage", times=times)
    return joined((text, again), "; ")


def _memory_text(result: RunResult) -> str:
    parts = [memory_text(result)]
    if result.peak_rss_bytes:
        parts.append(Message("peak {size}", size=size_text(result.peak_rss_bytes)))
    if result.conditioned_bytes:
        parts.append(Message("prepared before"))
    return joined(parts, ", ")


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
