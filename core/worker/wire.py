"""What all events have in common: the protocol's number and the base they derive from."""

from __future__ import annotations

import msgspec

from modelmon.core.worker.protocol import PROTOCOL

__all__ = ["PROTOCOL", "Event"]


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events."""
