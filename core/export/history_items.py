"""What is said of runs and experiments of the history."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from modelmon.core.comparison.result import Verdict
from modelmon.core.comparison.runner import tests_of
from modelmon.core.explain.program_report import judge
from modelmon.core.export.items import Code, Column, Paragraph, known, line, of_all, table
from modelmon.core.export.run_items import START_WORDS, result_rows, wait_rows
from modelmon.core.find_best.result import Recommendation
from modelmon.core.history.groups import how_compared
from modelmon.core.history.history import is_at_work
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import Message, joined, verbatim
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.remote import parts_of
from modelmon.core.units import duration_text, percent_text, rate_text, size_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.comparison.changes import Changes
    from modelmon.core.explain.program_report import WaitVerdict
    from modelmon.core.export.items import Printed
    from modelmon.core.history.groups import Group
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import ClusterRow, Kind, RunRow
    from modelmon.core.worker.result import RunResult

_LONGEST_NAME = 60


def when_text(unix_s: float) -> str:
    """Local date and time, to the minute."""
    return datetime.fromtimestamp(unix_s, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def machine_text(row: RunRow) -> str:
    """The machine in a few words: `Ryzen 7, 16 CPUs, 33.5 GB RAM`."""
    # A recording that was taken in does not tell its machine's RAM.
    ram = Message("{size} RAM", size=size_text(row.ram_bytes)) if row.ram_bytes else ""
    cpus = Message("{count} CPUs", count=row.cpu_count)
    return joined(filter(None, (row.cpu_model, cpus, ram)), ", ")


def where_text(row: RunRow, machine_id: str) -> str:
    """The disk; of another machine than this, that first, by its address if it has one."""
    if row.machine_id == machine_id:
        return row.storage_text
    if server := parts_of(row.path).server:
        return f"{server}, {row.storage_text}"
    return f"another machine ({machine_text(row)}), {row.storage_text}"


def model_text(row: RunRow | ClusterRow) -> str:
    """The model's name in a table, where one long name would widen every row."""
    name, half = row.model_name, _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


def time_columns(time_ns: Callable[[RunRow], int]) -> tuple[Column[RunRow], Column[RunRow]]:
    """A time of each run: for the whole model, or else for a part of it."""

    def whole(row: RunRow) -> str:
        return duration_text(time_ns(row)) if row.part_share is None else ""

    def part(row: RunRow) -> str:
        share = known(percent_text, row.part_share)
        time = duration_text(time_ns(row))
        return Message("{time} for {share} of the model", time=time, share=share) if share else ""

    return (
        Column(Message("Time"), whole, "right lead"),
        Column(Message("Part"), part, "right lead"),
    )


def start_text(row: RunRow) -> str:
    """What the run started from, and whether it counts."""
    start = START_WORDS.get(row.start) or row.start
    if row.counts:
        return start
    counted = Message("{start}, not counted", start=start)
    return joined((counted, "(--verify)")) if row.verified else counted


def run_facts(history: History, row: RunRow, result: RunResult) -> list[tuple[str, str]]:
    """One run in full, for reading."""
    number = Message("{run} of experiment {experiment}", run=row.id, experiment=row.experiment)
    time = {"time": duration_text(row.wall_ns), "size": size_text(row.load_bytes)}
    took, machine = Message("{time} for {size}", **time), machine_text(row)
    if row.part_share:
        share = percent_text(row.part_share)
        took = joined((took, Message("{share} of the model", share=share)), ", ")
    if row.machine_id != this_machine().id:
        machine = Message("{machine} (another machine)", machine=machine)
    found: list[tuple[str, str]] = [
        (Message("Run"), joined((number, Message("starred")), ", ") if row.starred else number),
        (Message("Name"), row.name),
        (Message("When"), when_text(row.started_unix_s)),
        (Message("Model"), f"{row.model_name}, {size_text(row.model_bytes)}, {row.path}"),
        (Message("Strategy"), row.strategy_text),
        (Message("Command"), row.command),
        (Message("Asked for"), Message("{start} start", start=START_WORDS[row.cache_asked])),
        (Message("Why not counted"), result.why_not),
        (Message("Time"), took),
        (Message("Rate"), rate_text(row.bytes_per_s)),
    ]
    if result.is_program:
        wait = judged(history, row, result)
        found += [(Message("Judgment"), wait.headline), ("", wait.reason), ("", wait.next_step)]
        found += wait_rows(wait)
    found += [
        *result_rows(result),
        (Message("Machine"), machine),
        (Message("Kernel"), row.kernel),
        (Message("Disk"), ", ".join(filter(None, (row.storage_text, row.device_model)))),
        ("modelmon", row.modelmon_version),
        (Message("Recording"), Message("saved") if row.events_file else Message("none")),
    ]
    return [(name, text) for name, text in found if text]


def judged(history: History, row: RunRow, result: RunResult) -> WaitVerdict:
    """What a watched program's whole wait comes to, also by other starts of it in the history."""
    tests = tests_of(history, row, row.model_digest, row.machine_id, row.storage_id)
    return judge(result, UNKNOWN_LIMITS, tests=tests)


def verdict_of(history: History, row: RunRow) -> Verdict | Recommendation | None:
    """What was said when a run's experiment ended. Raises HistoryError where another version did
    that in other terms.
    """
    if row.kind == "best":
        return history.verdict(row.experiment_id, Recommendation)
    return history.verdict(row.experiment_id, Verdict)


def experiment_items(
    history: History, rows: Sequence[RunRow], verdict: Verdict | Recommendation | None
) -> Iterator[Printed]:
    """What was said of an experiment, and its runs."""
    experiment = history.experiment(rows[0].experiment_id)
    # One that was killed could not say so.
    killed = experiment.state == "running" and not is_at_work(experiment)
    state, is_search = "stopped" if killed else experiment.state, experiment.kind == "best"
    yield Paragraph(
        Message(
            "Experiment x{id} ({kind}, {state}), {when}, {model}, {path}",
            id=experiment.id,
            kind=experiment.kind,
            state=state,
            when=when_text(experiment.created_unix_s),
            model=experiment.model_name,
            path=experiment.path,
        )
    )
    if verdict is not None:
        yield Paragraph(verdict.sentence, "strong")
    if isinstance(verdict, Verdict):
        yield Paragraph(verdict.reason)
        yield Paragraph(verdict.caveat, "quiet")
    elif verdict is not None:
        yield from map(Paragraph, verdict.reasons)
    yield table(
        rows,
        Column("ID", lambda row: str(row.id), "right lead"),
        Column(
            Message("Round") if is_search else Message("Pair"),
            lambda row: (
                Message("not used") if row.position is None else str(row.pair + (not is_search))
            ),
            "right named",
        ),
        Column("A/B", lambda row: "" if is_search else row.label, "lead"),
        Column(Message("Strategy"), lambda row: row.strategy_text, "lead"),
        Column(Message("Start"), start_text),
        *time_columns(lambda row: row.timed_ns),
        Column(
            Message("Rate"),
            lambda row: rate_text(row.load_bytes * 1e9 / row.timed_ns) if row.timed_ns else "",
            "right",
        ),
    )
    for label, command in sorted({(row.label, row.command) for row in rows if row.command}):
        yield Code(f"{label}: {command}", "quiet")
    if experiment.kind != "single" and state == "stopped":
        command = resume_command(experiment.kind, experiment.id, rows[0].prepared_with)
        yield Code(f"To resume: {command}", "quiet")


def resume_command(kind: Kind, experiment_id: int | None, prepare: str) -> str:
    """What continues an experiment: the command before each run has to be given again."""
    prepared = f" --prepare {shlex.quote(prepare)}" if prepare else ""
    return f"modelmon {kind} --resume x{experiment_id}{prepared}"


def group_items(groups: Sequence[Group]) -> Iterator[Printed]:
    """Groups of runs beside the first of them."""
    yield table(
        groups,
        Column("ID", lambda group: group.name, "lead"),
        Column(Message("Model"), lambda group: group.model_name),
        Column(Message("Strategy"), lambda group: group.strategy, "lead"),
        Column(Message("Start"), _starts),
        Column(Message("Median"), lambda group: _median(group, of_a_part=False), "right lead"),
        Column(
            Message("Range"),
            lambda group: _range(group) if group.part_share is None else "",
            "right",
        ),
        Column(Message("Part"), lambda group: _median(group, of_a_part=True), "right lead"),
        Column(Message("Rate"), lambda group: known(rate_text, group.bytes_per_s), "right"),
        Column(Message("Runs"), lambda group: of_all(group.runs, group.discarded), "right named"),
        Column(Message("Speedup"), _speedup, "right named"),
        tone=lambda group: "warn" if group.differs else "",
    )
    first, *others = groups
    for group in others:
        if group.differs:
            text = Message(
                "{name} can't be compared with {base}: {why}.",
                name=group.name,
                base=first.name,
                why=joined(group.differs, ", "),
            )
            yield Paragraph(text, "warn")
    for text in how_compared(groups):
        yield Paragraph(text, "quiet")
    text = Message(
        "Speedup: times as fast as the first. For a confidence interval, compare two{terminal}.",
        terminal=" (modelmon compare, modelmon history show)",
    )
    yield Paragraph(text, "quiet")


def _starts(group: Group) -> str:
    return joined((START_WORDS.get(each, each) for each in group.cache_state.split(", ")), ", ")


def _median(group: Group, *, of_a_part: bool) -> str:
    """In the column of whole loads, or in that of parts, which has the range too."""
    if of_a_part != (group.part_share is not None):
        return ""
    middle = known(duration_text, group.median_ns, Message("none"))
    if group.part_share is None:
        return middle
    share = percent_text(group.part_share)
    part = Message("{time} for {share} of the model", time=middle, share=share)
    return joined((part, _range(group)), ", ") if group.runs > 1 else part


def _range(group: Group) -> str:
    if group.fastest_ns is None or group.slowest_ns is None:
        return ""
    low, high = duration_text(group.fastest_ns), duration_text(group.slowest_ns)
    return Message("{low} to {high}", low=low, high=high)


def _speedup(group: Group) -> str:
    if not group.times_as_fast:
        return Message("not comparable")
    return f"{three_figures(group.times_as_fast)}×"


def change_items(found: Changes, since: str, machine_id: str) -> Iterator[Printed]:
    """What changed since a day, here and on other machines."""
    for change in found.changes:
        yield Paragraph(change.headline, "strong")
        # Two spaces before it, one of them the one between.
        yield Paragraph(joined((verbatim(" "), change.reason)))
        if change.remedy:
            yield Paragraph(joined((verbatim(" "), change.remedy)))
        if len(change.loads) > 1:
            names = ", ".join(f"{load.model_name} {load.strategy}" for load in change.loads)
            yield line(f"  {names}", "quiet")
        if change.machine_id != machine_id:
            elsewhere = Message(
                "another machine ({cpu}), {storage}", cpu=change.cpu_model, storage=change.storage
            )
            yield Paragraph(joined((verbatim(" "), elsewhere)), "quiet")
    yield Paragraph(found.summary(since), "quiet")
