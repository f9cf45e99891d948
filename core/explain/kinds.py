"""What can hold a load back, and how that is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.limited_numbers import Number
from modelmon.core.messages import NOTHING, Message, joined

if TYPE_CHECKING:
    from collections.abc import Callable

BottleneckKind = Literal[
    "device-bandwidth",
    "device-latency",
    "faults",
    "decode",
    "busy-processors",
    "per-tensor",
    "memory",
    "amplification",
    "page-cache",
    "outside-reading",
    "storage",
    "computing",
    "undecided",
]

WAITS_FOR_STORAGE: frozenset[BottleneckKind] = frozenset(
    {"device-bandwidth", "device-latency", "amplification", "storage"}
)

Confidence = Literal["high", "medium", "low"]


def weaker(sure: Confidence) -> Confidence:
    """How sure a claim is where a figure is missing that would speak for it."""
    return "medium" if sure == "high" else "low"


class Evidence(msgspec.Struct, frozen=True):
    """A figure with its unit, by name."""

    name: Message
    value: str


def figure(
    name: Message, value: float | None, text: Callable[[float], str]
) -> tuple[Evidence, ...]:
    """A figure in words, by its name; nothing where it isn't known."""
    return () if value is None else (Evidence(name, text(value)),)


class Bottleneck(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds a load back: in short words, as a clause about the load, and in figures.

    `clause` goes on from the load's name: "waits for the device 93% of the time". `remedy` is the
    change that gains most, by what was measured or predicted, and `saves_share` how much of the
    time that is; 0 where nothing is known to gain.
    """

    kind: BottleneckKind
    label: Message
    clause: Message
    evidence: tuple[Evidence, ...]
    confidence: Confidence
    remedy: Message = NOTHING
    saves_share: Number = 0.0

    @property
    def sentence(self) -> Message:
        """The clause about "the load", as a sentence."""
        return Message("The load {clause}.", clause=self.clause)

    @property
    def evidence_text(self) -> Message:
        """The figures in one line."""
        return joined(
            (Message("{name} {value}", name=item.name, value=item.value) for item in self.evidence),
            ", ",
        )
