"""Warnings."""

from __future__ import annotations

from typing import Literal

from modelmon.core.worker.wire import Event

WarningKind = Literal[
    "cache-not-cold",
    "cache-not-warm",
    "residency-unknown",
    "mapped-elsewhere",
    "direct-refused",
    "nothing-touched",
    "late-samples",
    "few-samples",
    "dropped-samples",
    "unknown-event",
]


class Warned(Event, frozen=True, tag="warning"):
    """Something that makes the figures worth less, with evidence and what to do."""

    kind: WarningKind
    message: str
