"""How nodes load: parses `direct/cluster/staggered:2s`, and compares the clocks of nodes.

Nothing here starts anything.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import Amount, Clock
from modelmon.core.load.config import LoadConfig, with_axis
from modelmon.core.load.rules import check_possible
from modelmon.core.load.strategies import strategy
from modelmon.core.messages import Message
from modelmon.core.units import limit_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.decision import Label

MOST_STEP_NS = 3600 * 10**9
_STAGGERED = re.compile(r"staggered:(\d{1,6}(?:\.\d{1,6})?)(ms|s)")


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How nodes start: all together, or one every `step_ns`."""

    step_ns: Amount = 0

    @property
    def is_together(self) -> bool:
        """Whether all start at once."""
        return not self.step_ns

    @property
    def text(self) -> Message:
        """In words."""
        if self.is_together:
            return Message("all together")
        return Message("one every {step}", step=limit_text(self.step_ns))

    @property
    def name(self) -> str:
        """As it is typed."""
        return "together" if self.is_together else f"staggered:{self.step_ns / 1e9:g}s"


TOGETHER = Start()


def start_called(text: str) -> Start:
    """The pattern that `together` or `staggered:2s` (or `500ms`) names.

    Raises ConfigError for any other.
    """
    if text == "together":
        return TOGETHER
    match = _STAGGERED.fullmatch(text)
    step_ns = round(float(match[1]) * (10**9 if match[2] == "s" else 10**6)) if match else 0
    if not 0 < step_ns <= MOST_STEP_NS:
        raise ConfigError(
            Message("Unknown start mode: {text}.", text=repr(text)),
            Message("Write together, or for example staggered:2s."),
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


def sizes_up_to(nodes: int) -> tuple[int, ...]:
    """The numbers of nodes over which a curve is measured: 1, 2, 4 and so on, and all."""
    powers = [1 << power for power in range(nodes.bit_length()) if 1 << power < nodes]
    return (*powers, nodes) if nodes else ()


CopyPer = Literal["rank", "node", "cluster"]
"""Who loads one whole copy of the model: each rank, the ranks of a node together, or all nodes."""


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """How all nodes load: a strategy, who loads a whole copy, and when each starts."""

    label: Literal["A", "B"]
    strategy: str
    config: LoadConfig
    copy_per: CopyPer = "node"
    start: Start = TOGETHER

    @property
    def name(self) -> str:
        """The strategy, with what is not as by default."""
        parts = [self.strategy]
        if self.copy_per != "node":
            parts.append(self.copy_per)
        if not self.start.is_together:
            parts.append(self.start.name)
        return "/".join(parts)


COPIES: tuple[CopyPer, ...] = get_args(CopyPer)


class ClusterDefaults(NamedTuple):
    """What a way does unless its text says otherwise; each node has so many `ranks`."""

    copy_per: CopyPer = "node"
    start: Start = TOGETHER
    ranks: int = 1
    deliver: str = "usable"


def way_called(label: Label, text: str, usual: ClusterDefaults) -> Way:
    """A strategy, with who loads a copy or when nodes start behind slashes, in any order.

    Raises ConfigError for what is neither, and for what can't be.
    """
    name, *parts = text.split("/")
    copy_per, start = usual.copy_per, usual.start
    for part in parts:
        copy = next((each for each in COPIES if each == part), None)
        if copy is not None:
            copy_per = copy
        else:
            start = start_called(part)
    config = with_axis(strategy(name).config, "deliver", usual.deliver)
    if usual.ranks > 1:
        if copy_per == "cluster":
            raise ConfigError(
                Message("Slices across all nodes have one rank per node."),
                Message("Leave out --ranks-per-node, or load one copy per node."),
            )
        config = replace(
            config, ranks=usual.ranks, rank_share="slice" if copy_per == "node" else "whole"
        )
    elif copy_per == "rank":
        copy_per = "node"
    check_possible(config)
    return Way(label, name, config, copy_per, start)
