"""When each node of a cluster starts to load: patterns of starts, clocks apart, one barrier."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.bounded import Amount, Clock
from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.units import limit_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FIRST = re.compile(r"first:([1-9]\d{0,5})")
MOST_STEP_NS = 3600 * 10**9
_STAGGERED = re.compile(r"staggered:(\d{1,6}(?:\.\d{1,6})?)(ms|s)")


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How nodes start: all together, one every `step_ns`, as a tree, in which twice as many
    have started after each wave, and a wave starts when the one before it is ready, or all others
    when the `first` few are.
    """

    step_ns: Amount = 0
    tree: bool = False
    first: Amount = 0

    @property
    def is_together(self) -> bool:
        """Whether all start at once."""
        return not (self.step_ns or self.tree or self.first)

    @property
    def text(self) -> Message:
        """In words."""
        if self.tree:
            return Message("in growing waves")
        if self.step_ns:
            return Message("one every {step}", step=limit_text(self.step_ns))
        if self.first:
            return Message("{count} first, then the others", count=self.first)
        return Message("all together")

    @property
    def name(self) -> str:
        """As it is typed."""
        if self.tree:
            return "tree"
        if self.step_ns:
            return f"staggered:{self.step_ns / 1e9:g}s"
        return f"first:{self.first}" if self.first else "together"

    def waves(self, nodes: int) -> tuple[Wave, ...]:
        """The numbers of nodes that start without waiting for one another, each with its delay."""
        if 0 < self.first < nodes:
            every = range(nodes)
            return tuple(dict.fromkeys(e, 0) for e in (every[: self.first], every[self.first :]))
        if not self.tree:
            return ({node: node * self.step_ns for node in range(nodes)},)
        found: list[Wave] = []
        begun = 0
        while begun < nodes:
            last = min(nodes, max(1, 2 * begun))
            found.append(dict.fromkeys(range(begun, last), 0))
            begun = last
        return tuple(found)


Wave = dict[int, int]
"""Delays in ns by the number of the node."""
TOGETHER = Start()


def start_called(text: str) -> Start:
    """The pattern that `together`, `staggered:2s` (or `500ms`), `first:2` or `tree` names.

    Raises ConfigError for any other.
    """
    if text == "together":
        return TOGETHER
    if text == "tree":
        return Start(tree=True)
    if match := _FIRST.fullmatch(text):
        return Start(first=int(match[1]))
    match = _STAGGERED.fullmatch(text)
    step_ns = round(float(match[1]) * (10**9 if match[2] == "s" else 10**6)) if match else 0
    if not 0 < step_ns <= MOST_STEP_NS:
        raise ConfigError(
            Message("{text} isn't a way to start.", text=repr(text)),
            Message("Write together, tree, or for example staggered:2s or first:1."),
        )
    return Start(step_ns)


class Ping(NamedTuple):
    """One question for a node's clock: when it left here, what the node said, when that came."""

    sent_ns: int
    there_ns: int
    back_ns: int


class Offset(msgspec.Struct, frozen=True):
    """What a node's monotonic clock is ahead of the driver's: `ns`, at most `error_ns` off."""

    ns: Clock
    error_ns: Amount


def offset_of(pings: Sequence[Ping]) -> Offset:
    """The offset by the quickest of the answers, of which there is at least one.

    The node read its clock at some moment between question and answer, so that half of that time is
    the most it can be off. Source: RFC 5905, sections 8 and 10 (the clock filter).
    """
    quick = min(pings, key=lambda ping: ping.back_ns - ping.sent_ns)
    there_and_back_ns = quick.back_ns - quick.sent_ns
    return Offset(
        quick.there_ns - (quick.sent_ns + quick.back_ns) // 2, (there_and_back_ns + 1) // 2
    )


def barrier(at_ns: int, wave: Wave, offsets: Mapping[int, Offset]) -> dict[int, int]:
    """When each node of a wave starts by its own clock: its delay after `at_ns` of the driver's."""
    return {node: at_ns + delay_ns + offsets[node].ns for node, delay_ns in wave.items()}


def sizes_up_to(nodes: int) -> tuple[int, ...]:
    """The numbers of nodes over which a curve is measured: 1, 2, 4 and so on, and all."""
    powers = [1 << power for power in range(nodes.bit_length()) if 1 << power < nodes]
    return (*powers, nodes)
