"""Medians of all rounds, and the ratios that do not depend on the machine."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec
from files import FILES
from records import STATES, Arm, Delivery, Maker, Run, State

from modelmon.core.comparison.spread import mad, median_of_known

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LIBRARIES: frozenset[Maker] = frozenset({"library", "example"})

_AS_MUCH: dict[Delivery, tuple[Delivery, ...]] = {
    "usable": ("usable", "owned"),
    "owned": ("owned",),
}
"""What gives a caller as much as was asked for, or more."""


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One arm on one file from one state: medians over the rounds; None is not known.

    Rates are in bytes per second of wall time, `low` and `high` their range, `mad_share`
    the median absolute deviation of the times ÷ their median. `limit_ratio` is the rate ÷
    that of the limit of its delivery; `peer_ratio` the rate ÷ that of `best_peer`, the fastest
    library that gives as much. `device_share` and `peak_share` are bytes from the device, and the
    rise of resident memory, ÷ the model's bytes.
    """

    file: str
    state: State
    arm: str
    maker: Maker
    delivery: Delivery
    model_bytes: int
    walls_ns: tuple[int, ...]
    bytes_per_s: float
    low_bytes_per_s: float
    high_bytes_per_s: float
    mad_share: float
    cpu_s_per_gb: float
    device_share: float | None = None
    peak_rise_bytes: float | None = None
    peak_share: float | None = None
    peak_bytes: float | None = None
    limit_ratio: float | None = None
    peer_ratio: float | None = None
    best_peer: str = ""


def summarise(runs: Sequence[Run], arms: Mapping[tuple[str, str], Arm]) -> list[Summary]:
    """One summary for each arm, file and state that has runs without an error.

    `arms` are by file and name. In the order of FILES and STATES.
    """
    groups: dict[tuple[str, State, str], list[Run]] = {}
    for run in runs:
        if not run.answer.error:
            groups.setdefault((run.file, run.state, run.arm), []).append(run)
    plain = [_plain(found, arms[found[0].file, found[0].arm]) for found in groups.values()]
    plain.sort(key=lambda summary: (FILES.index(summary.file), STATES.index(summary.state)))
    return [_related(one, [s for s in plain if _together(s, one)]) for one in plain]


def best_library(summaries: Iterable[Summary], delivery: Delivery) -> Summary | None:
    """The fastest that gives as much, by modelmon's adapter or its own example; or nothing."""
    return fastest(s for s in as_much(summaries, delivery) if s.maker in LIBRARIES)


def as_much(summaries: Iterable[Summary], delivery: Delivery) -> list[Summary]:
    """Loads that leave the model in memory as `delivery` asks for, or better."""
    return [s for s in summaries if s.delivery in _AS_MUCH.get(delivery, ())]


def fastest(summaries: Iterable[Summary]) -> Summary | None:
    """The one with the highest rate, or nothing."""
    return max(summaries, key=lambda summary: summary.bytes_per_s, default=None)


def _together(one: Summary, other: Summary) -> bool:
    return (one.file, one.state) == (other.file, other.state)


def _plain(runs: Sequence[Run], arm: Arm) -> Summary:
    first = runs[0]
    answers = [run.answer for run in runs]
    nbytes = answers[0].delivered_bytes
    walls = tuple(answer.wall_ns for answer in answers)
    rise = median_of_known(answer.peak_rise_bytes for answer in answers)
    fetched = median_of_known(answer.device_bytes for answer in answers)
    return Summary(
        file=first.file,
        state=first.state,
        arm=first.arm,
        maker=arm.maker,
        delivery=arm.delivery,
        model_bytes=first.model_bytes,
        walls_ns=walls,
        bytes_per_s=nbytes * 1e9 / median(walls),
        low_bytes_per_s=nbytes * 1e9 / max(walls),
        high_bytes_per_s=nbytes * 1e9 / min(walls),
        mad_share=mad(walls) / median(walls),
        cpu_s_per_gb=median(answer.cpu_ns for answer in answers) / nbytes,
        device_share=None if fetched is None else fetched / first.model_bytes,
        peak_rise_bytes=rise,
        peak_share=None if rise is None else rise / first.model_bytes,
        peak_bytes=median_of_known(answer.peak_bytes for answer in answers),
    )


def _related(one: Summary, others: Sequence[Summary]) -> Summary:
    """`one` with its ratios to the others of the same file and state."""
    # What need not be owned is mapped where it is cached, and read where it is not.
    is_mapped = one.delivery == "usable" and one.state != "cold"
    maker: Maker = "map-limit" if is_mapped else "read-limit"
    limit = fastest(s for s in others if s.maker == maker) if one.delivery in _AS_MUCH else None
    peer = best_library(others, one.delivery) if one.maker == "modelmon" else None
    return msgspec.structs.replace(
        one,
        limit_ratio=one.bytes_per_s / limit.bytes_per_s if limit else None,
        peer_ratio=one.bytes_per_s / peer.bytes_per_s if peer else None,
        best_peer=peer.arm if peer else "",
    )
