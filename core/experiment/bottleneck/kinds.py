"""What can hold a load back, and how that is told."""

from __future__ import annotations

from typing import Literal

import msgspec

BottleneckKind = Literal[
    "device-bandwidth",
    "device-latency",
    "faults",
    "decode",
    "per-tensor",
    "memory",
    "amplification",
    "page-cache",
    "undecided",
]

Confidence = Literal["high", "medium", "low"]


class Evidence(msgspec.Struct, frozen=True):
    """A figure with its unit, by name."""

    name: str
    value: str


class Bottleneck(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds a load back: in short words, as a clause about the load, and in figures.

    `clause` goes on from the load's name: "waits for the device 93 % of the time". `remedy` is
    where to look for a gain; only a measurement shows whether there is one.
    """

    kind: BottleneckKind
    label: str
    clause: str
    evidence: tuple[Evidence, ...]
    confidence: Confidence
    remedy: str = ""

    @property
    def sentence(self) -> str:
        """The clause about "the load", as a sentence."""
        return f"The load {self.clause}."

    @property
    def evidence_text(self) -> str:
        """The figures in one line."""
        return ", ".join(f"{item.name} {item.value}" for item in self.evidence)


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the place of a model can do at best, as a probe measured it; None is *not measured*.

    `device_bytes_per_s` is the highest rate of reads past the cache, with any number of readers;
    `memory_bytes_per_s` that of copies into fresh memory; `latency_ns` one small random read.
    """

    device_bytes_per_s: float | None = None
    memory_bytes_per_s: float | None = None
    latency_ns: float | None = None


UNKNOWN_LIMITS = Limits()
