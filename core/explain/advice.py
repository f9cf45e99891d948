"""The change that gains most for a load: by times that were measured, else by predictions.

A change is named if it saves a twentieth of the time or more. That nothing is faster is said where
predictions say so; where nothing is known, what to measure.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.explain.evidence import (
    HALF,
    WAITS_FOR_STORAGE,
    busy_share,
    felt_limit,
    fetched_factor,
    is_launched,
    least_reading_ns,
    of_reading,
    served_from_cache,
    waiting_share,
)
from modelmon.core.explain.prediction import (
    WORTH_SHARE,
    LoadSize,
    Predicted,
    is_possible,
    predict,
    preference,
    simplest,
)
from modelmon.core.explain.terms import known_rate
from modelmon.core.load.config import PRESETS
from modelmon.core.load.strategies import strategy_name, strategy_text
from modelmon.core.messages import Message, joined
from modelmon.core.units import duration_text, percent_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.explain.evidence import BottleneckKind
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult

SEPARATED_RUNS = 3
"""Of so many runs of both ways none of the slower is as fast as any of the faster."""

_FEW_RUNS_GAP = 1.2
"""Fewer runs lie so far apart or say nothing."""

_OTHER_READERS = (1, 2, 4, 8, 16)

_MEASURE = Message(
    "Measure the disk to see its limit{terminal}.", terminal=": modelmon doctor MODEL --probe"
)
_COMPARE = Message("Compare it with another strategy to see which is faster.")
_COMPARE_SETTINGS = Message("Compare its load settings to see which is faster.")


class Advice(NamedTuple):
    """What to change, and the share of the time that this saves; 0 where nothing is known to."""

    text: Message
    saves_share: float = 0.0


Basis = Literal["measured", "few-runs", "predicted"]


class Change(NamedTuple):
    """Another way to load, the time that it takes, and that of the run."""

    config: LoadConfig
    ns: float
    now_ns: float
    basis: Basis

    @property
    def saves_share(self) -> float:
        """Of the run's time."""
        return 1 - self.ns / self.now_ns if self.now_ns else 0.0

    @property
    def text(self) -> Message:
        """`Use direct: predicted 2.00 s instead of 2.99 s.`"""
        # What is delivered is the same as in the run.
        config = replace(self.config, deliver="usable")
        name = strategy_text(strategy_name(config), config)
        way = Message("Use {strategy}", strategy=name)
        times = {"now": duration_text(self.now_ns), "time": duration_text(self.ns)}
        if self.basis == "predicted":
            return Message("{way}: predicted {time} instead of {now}.", way=way, **times)
        if self.basis == "few-runs":
            return Message(
                "Compare with {other}: {time}, not {now}, in few runs.", other=name, **times
            )
        return Message("{way}: {time} instead of {now}.", way=way, **times)


def advice_of(
    run: RunResult, kind: BottleneckKind, limits: Limits, others: Iterable[RunResult] = ()
) -> Advice:
    """What to change about a load whose bottleneck is of this kind."""
    if run.portion:
        return Advice(
            Message(
                "Load the whole model for advice, streamed if it doesn't fit in memory:"
                " this run loaded a part."
            )
        )
    around = _around(run, kind)
    if run.is_program:
        return around or _for_program(run, kind, limits)
    change = best_change(run, limits, others)
    if change is None:
        return around or Advice(_no_change(run, kind, limits))
    text, saves_share = change.text, 0.0 if change.basis == "few-runs" else change.saves_share
    if around is None:
        return Advice(text, saves_share)
    if kind in ("memory", "amplification"):
        return Advice(joined((around.text, text)), max(around.saves_share, saves_share))
    return around


def _no_change(run: RunResult, kind: BottleneckKind, limits: Limits) -> Message:
    """Why no change is named: none is faster, the prediction doesn't hold, or nothing is known."""
    if not _is_known(run, limits):
        return _COMPARE if served_from_cache(run) or limits.rates else _MEASURE
    own = _prediction(run, run.config, limits)
    if own is not None and run.wall_ns > own.high_ns:
        return Message(
            "It should take about {time} here. Run it again, or measure the disk again.",
            time=duration_text(own.ns),
        )
    return _nothing_faster(run, kind)


def best_change(run: RunResult, limits: Limits, others: Iterable[RunResult] = ()) -> Change | None:
    """Of those that are worth it the one that saves most, or of those that save about as much the
    one that was measured, or is simplest. Few runs can only deny predictions.
    """
    measured = dict(_measured(run, others))
    predicted = [
        one
        for one in _predicted(run, limits)
        if one.config not in measured or _agree(measured[one.config], one)
    ]
    foreseen = {one.config for one in predicted}
    changes = [one for one in measured.values() if one is not None and one.config not in foreseen]
    return simplest(
        (each for each in (*changes, *predicted) if each.saves_share >= WORTH_SHARE),
        lambda each: each.ns,
        lambda each: (each.basis == "predicted", preference(strategy_name(each.config))),
    )


def _agree(seen: Change | None, predicted: Change) -> bool:
    """Whether a gain is predicted that few runs show as well."""
    is_worth = predicted.saves_share >= WORTH_SHARE
    return seen is not None and seen.basis == "few-runs" and is_worth


def _measured(
    run: RunResult, others: Iterable[RunResult]
) -> Iterator[tuple[LoadConfig, Change | None]]:
    """Other loads of the same from the same start: None where they aren't all faster. Of few runs
    that are only a little faster nothing is said, nor of any where the start was neither cold nor
    warm: one may have found more in the cache than another.
    """
    if _cache(run) is None:
        return
    times_ns: dict[LoadConfig, list[int]] = {}
    for other in others:
        if other.counts and not other.is_program and _what(other) == _what(run):
            times_ns.setdefault(other.config, []).append(other.timed_ns)
    own_ns = times_ns.pop(run.config, [run.timed_ns])
    for config, each in times_ns.items():
        are_few = min(len(each), len(own_ns)) < SEPARATED_RUNS
        basis: Basis = "few-runs" if are_few else "measured"
        if max(each) * (_FEW_RUNS_GAP if are_few else 1) < min(own_ns):
            yield config, Change(config, median(each), median(own_ns), basis)
        elif not are_few or median(each) >= median(own_ns):
            yield config, None


def _what(run: RunResult) -> tuple[object, ...]:
    """What was loaded to where, and from which start."""
    return run.start, run.load_bytes, run.config.deliver, run.subset, run.portion


def _is_known(run: RunResult, limits: Limits) -> bool:
    """Whether predictions here rest on measurements."""
    return bool(limits.rates) and not limits.typical and _cache(run) is not None


def _cache(run: RunResult) -> Cache | None:
    if served_from_cache(run):
        return "warm"
    return "cold" if run.cache_state in ("cold", "cold-here") else None


def _prediction(run: RunResult, config: LoadConfig, limits: Limits) -> Predicted | None:
    """What this way would take to load the same; None where no measurement says."""
    cache, size = _cache(run), LoadSize(run.asked_bytes, max(1, run.tensors))
    if cache is None or not _is_known(run, limits):
        return None
    keeps_files = run.storage_kind in ("local-disk", "memory")
    return predict(config, size, msgspec.structs.replace(limits, keeps_files=keeps_files), cache)


def _predicted(run: RunResult, limits: Limits) -> Iterator[Change]:
    """Presets and other numbers of readers. A run that took longer than predicted would do so in
    other ways as well: no more is saved than by their ratio.
    """
    own = _prediction(run, run.config, limits)
    if own is None:
        return
    # A run doesn't tell where its model's order jumps, by which the time in that order depends.
    ways = [one.config for one in PRESETS.values() if one.config.order == "file"]
    if run.config.descriptor == "own" and run.config.order == "file":
        ways += [replace(run.config, readers=count) for count in _OTHER_READERS]
    same = {name: getattr(run.config, name) for name in ("deliver", "ranks", "rank_share")}
    for config in (replace(one, **same) for one in ways):
        if config == run.config or not is_possible(config, limits):
            continue
        if (found := _prediction(run, config, limits)) is not None:
            ns = max(found.ns, run.wall_ns * found.ns / own.ns)
            yield Change(config, ns, run.wall_ns, "predicted")


def _around(run: RunResult, kind: BottleneckKind) -> Advice | None:
    """What holds a load back from outside, and what ranks do to each other."""
    reading = of_reading(run)
    limit, busy = felt_limit(reading), busy_share(reading)
    by_storage = kind in ("device-bandwidth", "device-latency")
    if kind == "memory":
        text = Message("Close other programs, raise the memory limit, or load a part.")
        if run.is_program:
            text = Message("Close other programs, raise the memory limit, or use direct I/O.")
        return Advice(text, WORTH_SHARE)
    if kind == "busy-processors":
        text = Message(
            "Close programs that keep the processors busy, or raise the container's CPU limit."
        )
        return Advice(text, run.run_queue_share or 0.0)
    if by_storage and limit is not None:
        text = Message("Raise or remove the limit: no strategy reads faster under it.")
        if limit.kind != "read-rate":
            text = Message("Raise or remove the limit, or use larger requests, which are fewer.")
        return Advice(text, WORTH_SHARE)
    if kind == "device-bandwidth" and busy is not None and busy < HALF:
        text = Message(
            "Check for an I/O limit on the container, service or volume, and for encryption."
        )
        return Advice(text)
    if kind == "amplification" and run.config.ranks > 1 and run.config.rank_share == "whole":
        saved = _saved_by_reading_once(reading)
        text = Message(
            "Set rank_share to slice, or let one rank read for all: saves up to {saved}.",
            saved=percent_text(saved),
        )
        return Advice(text, saved)
    return None


def _saved_by_reading_once(run: RunResult) -> float:
    return (waiting_share(run) or 0.0) * (1 - 1 / max(1.0, fetched_factor(run) or 1.0))


def _nothing_faster(run: RunResult, kind: BottleneckKind) -> Message:
    if kind == "decode":
        return Message("Nothing here is faster; only a type that decodes faster helps.")
    if served_from_cache(run):
        return Message("Nothing here is faster; only a smaller file or faster memory helps.")
    return Message(
        "Nothing here is faster; only a faster disk, a smaller file or a warm cache helps."
    )


def _for_program(run: RunResult, kind: BottleneckKind, limits: Limits) -> Advice:
    """What helps a program that nobody wants to change: that its model is read ahead of it, unless
    that is done already, or it reads past the page cache.
    """
    if kind not in WAITS_FOR_STORAGE or not run.reading_ns:
        return Advice(_COMPARE_SETTINGS)
    reached = msgspec.structs.replace(limits, device_bytes_per_s=known_rate(limits) or None)
    least_ns: float | None = least_reading_ns(run, reached)
    if least_ns is None and kind == "amplification":
        least_ns = run.reading_ns * (1 - _saved_by_reading_once(of_reading(run)))
    if least_ns is None:
        return Advice(_MEASURE)
    saved = 1 - least_ns / run.reading_ns
    if saved < WORTH_SHARE:
        return Advice(_nothing_faster(run, kind))
    if is_launched(run) or (run.residency_after_share or 0.0) < HALF:
        return Advice(_COMPARE_SETTINGS)
    text = Message(
        "Read the model ahead with modelmon launch or modelmon warm:"
        " about {least} instead of {now}.",
        least=duration_text(least_ns),
        now=duration_text(run.reading_ns),
    )
    return Advice(text, saved)
