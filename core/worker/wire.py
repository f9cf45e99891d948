"""What all events have in common: the protocol's number and the base they derive from."""

from __future__ import annotations

from typing import Annotated

import msgspec

PROTOCOL = 1

_MOST = 2**62
"""Sums of two still fit into 64 bits."""

Amount = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
"""Bytes, a length of time or a number of things, as recordings of strangers may give them."""
Moment = Annotated[int, msgspec.Meta(ge=-_MOST, le=_MOST)]
"""Nanoseconds since the start."""


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events."""
