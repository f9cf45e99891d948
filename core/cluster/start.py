"""When each node of a cluster starts to load: at once or one after another, by clocks apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import Amount, Clock
from modelmon.core.messages import Message, verbatim
from modelmon.core.units import limit_text

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_STEP_NS = 3600 * 10**9
_STAGGERED = re.compile(r"staggered:(\d{1,6}(?:\.\d{1,6})?)(ms|s)")


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How nodes start: all together, or one every `step_ns`.

    `tree` and `first` are of older versions, whose results tell of growing waves, or of a few nodes
    before all others.
    """

    step_ns: Amount = 0
    tree: bool = False
    first: Amount = 0

    @property
    def is_together(self) -> bool:
        """Whether all start at once."""
        return self == TOGETHER

    @property
    def text(self) -> Message:
        """In words."""
        if self.step_ns:
            return Message("one every {step}", step=limit_text(self.step_ns))
        return Message("all together") if self.is_together else verbatim(self.name)

    @property
    def name(self) -> str:
        """As it is typed."""
        if self.step_ns:
            return f"staggered:{self.step_ns / 1e9:g}s"
        if self.tree:
            return "tree"
        return f"first:{self.first}" if self.first else "together"


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
            Message("{text} isn't a way to start.", text=repr(text)),
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
