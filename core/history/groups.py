"""Groups of runs side by side, with a ratio where nothing but the strategy differs; and the median
run of each strategy of an experiment.
"""

from __future__ import annotations

from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.history.rows import RunFilter
from modelmon.core.messages import Message, joined
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.record import RunRecord

    RatioOfPairs = Callable[[Sequence[float], Sequence[float]], float]

_MUST_AGREE = {
    "machine_id": Message("another machine"),
    "storage_id": Message("another disk"),
    "model_digest": Message("another model"),
    "model_content": Message("another model of the same layout"),
    "load_bytes": Message("another size loaded"),
    "subset": Message("another part of the model"),
    "deliver": Message("another delivery"),
    "cache_state": Message("another start state"),
    "condition_memory": Message("memory conditioning"),
    "ready": Message("another sign that it's ready"),
    "timed": Message("another part of the start was timed"),
}
_UNTOLD = ("machine_id", "storage_id", "model_digest")
"""What a recording does not say, so that two of them may agree in it or not."""
_SOMETIMES_UNTOLD = "model_content"
KNOWN_STARTS = ("cold", "cold-here", "warm")
"""A cache behind this machine, as of a server, is what its users have, too."""


class Group(msgspec.Struct, frozen=True):
    """Some runs that are taken together, beside those of the first group.

    Only the runs that count are. `differs` says what keeps it from being compared with the
    first group; then `times_as_fast`, the first median ÷ this one, is None. Where both took
    turns in one comparison or race, `pairs` is the number of pairs or rounds in which both ran,
    and `times_as_fast` the ratio that these say; else it is 0.
    `part_share` is how much of the model they loaded, None where that was all of it; of runs that
    loaded more and less there is no median.
    """

    name: str
    strategy: str
    model_name: str
    cache_state: str
    runs: int
    discarded: int
    median_ns: float | None
    fastest_ns: int | None
    slowest_ns: int | None
    bytes_per_s: float | None
    differs: tuple[Message, ...]
    times_as_fast: float | None
    pairs: int = 0
    part_share: float | None = None


def side_by_side(
    named: Sequence[tuple[str, Sequence[RunRow]]], ratio_of: RatioOfPairs
) -> list[Group]:
    """Groups of at least one run each, with their names, against the first of them; of runs that
    took turns `ratio_of` says the ratio.
    """
    ways = [(name, of_one_way(rows)) for name, rows in named]
    return [_group(name, rows, ways[0][1], ratio_of) for name, rows in ways]


def how_compared(groups: Sequence[Group]) -> Iterator[Message]:
    """How the ratios were made: by pairs, or by medians of runs that did not take turns."""
    first, *others = groups
    for group in others:
        names = {"name": group.name, "base": first.name}
        if group.pairs == 1:
            yield Message("{name} alternated with {base}: the speedup is from 1 pair.", **names)
        elif group.pairs:
            yield Message(
                "{name} alternated with {base}: the speedup is from {count} pairs.",
                **names,
                count=group.pairs,
            )
    apart = [group.name for group in others if not group.pairs and group.times_as_fast]
    if apart:
        yield Message(
            "{names} didn't alternate with {base}, so the speedup of the medians includes other"
            " changes in between.",
            names=joined(apart, ", "),
            base=first.name,
        )


def of_one_way(rows: Sequence[RunRow]) -> Sequence[RunRow]:
    """Of an arm the runs that are as its first: with threads in place of processes is another way,
    which comparisons once measured beside it.
    """
    if len({(row.experiment_id, row.machine_id, row.label) for row in rows}) > 1:
        return rows
    first = min(rows, key=lambda row: (row.position is None, row.position or 0))
    return [row for row in rows if row.config_json == first.config_json]


def differences(first: Sequence[RunRow], second: Sequence[RunRow]) -> tuple[Message, ...]:
    """What keeps two groups of runs, or runs inside of them, from being compared."""
    found = []
    imported = any(row.is_imported for row in (*first, *second))
    # A program takes what it wants, each time a little more or less.
    programs = any(row.is_program for row in (*first, *second))
    for field, text in _MUST_AGREE.items():
        if (imported and field in _UNTOLD) or (programs and field == "load_bytes"):
            continue
        if field == _SOMETIMES_UNTOLD and _MUST_AGREE["model_digest"] in found:
            continue
        told = {getattr(row, field) for row in (*first, *second)}
        if len(told - {""} if field == _SOMETIMES_UNTOLD else told) > 1:
            found.append(text)
    if imported and len({row.machine_id for row in (*first, *second)}) > 1:
        found.insert(0, Message("machine, disk and model of an import are uncertain"))
    if any(row.cache_state not in KNOWN_STARTS for row in (*first, *second)):
        found.append(Message("start neither cold nor warm"))
    return tuple(found)


def pair_times(first: Sequence[RunRow], second: Sequence[RunRow]) -> list[tuple[int, int]]:
    """Time of the first and of the second for each pair or round of one experiment in which both
    ran, in ns; empty where their runs did not take turns.
    """
    of = {(row.experiment_id, row.kind) for row in (*first, *second)}
    if len(of) != 1 or of.pop()[1] == "single":
        return []
    times, others = _times_by_pair(first), _times_by_pair(second)
    if first[0].label == second[0].label:
        return []
    return [(times[pair], others[pair]) for pair in sorted(times.keys() & others.keys())]


def _times_by_pair(rows: Sequence[RunRow]) -> dict[int, int]:
    """Times in ns of an arm. Runs after the pairs or rounds are left out: those of an arm in
    another way, and those of a race from the other state of the cache.
    """
    used = without_follow_ups(rows)
    alike = [row for row in used if row.config_json == used[0].config_json]
    return {row.pair: row.timed_ns for row in alike}


def without_follow_ups(rows: Sequence[RunRow]) -> list[RunRow]:
    """Runs of one experiment in their order, without those that it did not use, and without those
    after a race from the other state of the cache.
    """
    used = [(row.position, row) for row in rows if row.position is not None]
    ordered = [row for _, row in sorted(used, key=itemgetter(0))]
    return [row for row in ordered if row.cache_asked == ordered[0].cache_asked]


def _group(
    name: str, rows: Sequence[RunRow], first: Sequence[RunRow], ratio_of: RatioOfPairs
) -> Group:
    kept, base = _counting(rows), _counting(first)
    parts = {row.part_share for row in kept}
    alike = kept if len(parts) == 1 else []
    walls, walls_of_base = [row.timed_ns for row in alike], [row.timed_ns for row in base]
    differs = differences(base, kept) if base and kept else (Message("no counted run"),)
    middle = median(walls) if walls else None
    comparable = middle and walls_of_base and not differs
    pairs = pair_times(base, kept) if comparable else []
    as_fast = median(walls_of_base) / middle if comparable and middle else None
    return Group(
        name=name,
        strategy=", ".join(sorted({row.strategy for row in rows})),
        model_name=rows[0].model_name,
        cache_state=", ".join(sorted({row.start for row in kept or rows})),
        runs=len(kept),
        discarded=len(rows) - len(kept),
        median_ns=middle,
        fastest_ns=min(walls, default=None),
        slowest_ns=max(walls, default=None),
        bytes_per_s=kept[0].load_bytes * 1e9 / middle if middle else None,
        differs=differs,
        times_as_fast=ratio_of(*zip(*pairs, strict=True)) if pairs else as_fast,
        pairs=len(pairs),
        part_share=parts.pop() if alike else None,
    )


def _counting(rows: Sequence[RunRow]) -> list[RunRow]:
    return [row for row in rows if row.counts and row.timed_ns]


def typical_runs(
    history: History, experiment_id: int, cache: str | None = None
) -> dict[str, RunRow]:
    """For each arm of an experiment the run in the middle of those that count and that the history
    still has the events of; an arm without any is left out, and so are its runs with threads in
    place of processes. `cache` is what they started from.
    """
    found: dict[str, list[RunRow]] = {}
    for row in history.runs(RunFilter(experiment_id=experiment_id, counts=True, cache=cache)):
        if row.position is not None:
            found.setdefault(row.label, []).append(row)
    middles = {
        label: middle_run(row for row in of_one_way(rows) if row.events_file is not None)
        for label, rows in found.items()
    }
    return {label: row for label, row in middles.items() if row is not None}


def typical_records(history: History, experiment_id: int) -> dict[str, RunRecord]:
    """The events of those runs."""
    rows = typical_runs(history, experiment_id)
    return {label: history.record(row.id) for label, row in rows.items()}
