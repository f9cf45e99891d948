"""What all events have in common: the protocol's number and the base they derive from."""

from __future__ import annotations

import msgspec

PROTOCOL = 1
"""Which events and jobs these are; recordings of another number can't be read."""


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events."""
