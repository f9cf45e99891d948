"""What the engine aims for, and what was measured: met, or missed by how much."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec
from arms import EARLIER, OURS, OWN_EXAMPLE
from records import STATES, Delivery, State
from summary import LIBRARIES, Summary, as_much, best_library, fastest

from modelmon.core.comparison.posterior import of_pairs
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_KEPT: tuple[Delivery, ...] = ("usable", "owned")
_LARGE = ("dense", "shards", "gguf")
_IN_PART: tuple[State, ...] = ("half", "striped")


class Aim(msgspec.Struct, frozen=True):
    """One aim on one file, from one state: the figure against its bound.

    The figure is to be at least the bound, or at most where `at_most`. `against` names what
    it was compared with.
    """

    text: str
    file: str
    state: State
    delivery: Delivery
    figure: float
    bound: float
    unit: str = "x"
    at_most: bool = False
    against: str = ""

    @property
    def met(self) -> bool:
        """Whether the figure is on the right side of the bound."""
        return self.figure <= self.bound if self.at_most else self.figure >= self.bound

    @property
    def missed_share(self) -> float:
        """How far the figure is beyond the bound, as a share of the bound; 0 if it is met."""
        return 0.0 if self.met else abs(self.figure - self.bound) / self.bound


def aims_of(summaries: Sequence[Summary]) -> list[Aim]:
    """All aims for which there are figures."""
    found = []
    for file in dict.fromkeys(summary.file for summary in summaries):
        for state in STATES:
            here = [s for s in summaries if (s.file, s.state) == (file, state)]
            found += [
                *_usable(here),
                *_owned(here),
                *_memory(here),
                *_cpu(here),
                *_fair(here),
            ]
    return found


def _ours(here: Sequence[Summary], delivery: Delivery) -> Summary | None:
    return next((s for s in here if s.arm == OURS[delivery]), None)


def _usable(here: Sequence[Summary]) -> Iterator[Aim]:
    """Of the one that maps what is cached: ratios to its limit, and to all that gives as much."""
    ours = _ours(here, "usable")
    if ours is None:
        return
    is_large = ours.file in _LARGE
    if ours.state == "warm":
        peers = [s for s in here if s.maker in LIBRARIES and s.delivery == "usable"]
        yield from _ratio("ours ÷ best library's map", ours, fastest(peers), 1.0)
        if not is_large:
            yield _aim("rate", ours, ours.bytes_per_s / 1e9, 10, unit="GB/s")
    if ours.state == "cold":
        best = best_library(here, "usable")
        yield from _ratio("ours ÷ best library", ours, best, 1.0 if is_large else 2.5)
    if ours.state in _IN_PART:
        others = [s for s in as_much(here, "usable") if not s.arm.startswith(OURS["usable"])]
        yield from _ratio("ours ÷ best other strategy or library", ours, fastest(others), 1.15)
    # Of 20,000 tensors all from one state has an aim of its own above.
    if ours.limit_ratio is not None and (is_large or ours.state in _IN_PART):
        least = 0.97 if ours.state == "cold" else 0.9
        yield _aim("ours ÷ limit", ours, ours.limit_ratio, least)


def _owned(here: Sequence[Summary]) -> Iterator[Aim]:
    """Of the one with memory of its own: cold as the other; and no slower than it was before.

    Runs of one round are neighbours; the upper end of the ratio's likely range counts.
    """
    ours = _ours(here, "owned")
    if ours is None:
        return
    if ours.state == "cold":
        yield from _ratio("ours ÷ best library", ours, best_library(here, "owned"), 1.0)
        if ours.limit_ratio is not None and ours.file in _LARGE:
            yield _aim("ours ÷ limit", ours, ours.limit_ratio, 0.97)
    earlier = next((s for s in here if s.arm == EARLIER), None)
    if earlier is not None and len(earlier.walls_ns) == len(ours.walls_ns):
        high = of_pairs(earlier.walls_ns, ours.walls_ns).ratio("A", "B").high
        yield _aim("not slower, beyond the noise", ours, high, 1.0, against=EARLIER)


def _ratio(text: str, ours: Summary, other: Summary | None, least: float) -> Iterator[Aim]:
    if other is not None:
        ratio = ours.bytes_per_s / other.bytes_per_s
        yield _aim(text, ours, ratio, least, against=other.arm)


def _fair(here: Sequence[Summary]) -> Iterator[Aim]:
    """Each library through modelmon's adapter is at most 5% slower than by its own example.

    Runs of one round are neighbours: the median of their ratios.
    """
    for example in here:
        if example.maker != "example":
            continue
        name = example.arm.removesuffix(OWN_EXAMPLE)
        adapter = next((s for s in here if s.arm == name), None)
        if adapter is not None and len(adapter.walls_ns) == len(example.walls_ns):
            pairs = zip(adapter.walls_ns, example.walls_ns, strict=True)
            ratio = median(ours / theirs for ours, theirs in pairs)
            yield _aim(
                "baseline ÷ its example, in time",
                adapter,
                ratio,
                1.05,
                at_most=True,
                against=example.arm,
            )


def _memory(here: Sequence[Summary]) -> Iterator[Aim]:
    """What is needed above the model where it is owned, and in all where it streams."""
    owned, streamed = _ours(here, "owned"), _ours(here, "streamed")
    if owned is not None and owned.peak_rise_bytes is not None:
        above = (owned.peak_rise_bytes - owned.model_bytes) / MIB
        yield _aim("memory above the model", owned, above, 64, unit="MiB", at_most=True)
    if streamed is not None and streamed.peak_rise_bytes is not None:
        peak = streamed.peak_rise_bytes / MIB
        yield _aim("memory of streaming", streamed, peak, 256, unit="MiB", at_most=True)


def _cpu(here: Sequence[Summary]) -> Iterator[Aim]:
    for delivery in _KEPT:
        ours, peer = _ours(here, delivery), best_library(here, delivery)
        if ours is not None and peer is not None:
            yield _aim(
                "CPU, no more than the fastest library",
                ours,
                ours.cpu_s_per_gb,
                peer.cpu_s_per_gb,
                unit="s/GB",
                at_most=True,
                against=peer.arm,
            )


def _aim(  # noqa: PLR0913  a row of the table
    text: str,
    ours: Summary,
    figure: float,
    bound: float,
    *,
    unit: str = "x",
    at_most: bool = False,
    against: str = "",
) -> Aim:
    return Aim(text, ours.file, ours.state, ours.delivery, figure, bound, unit, at_most, against)
