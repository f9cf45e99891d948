"""What simulated storage costs, what its server counts, and how it can fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.units import parse_size

if TYPE_CHECKING:
    from modelmon.core.simulate.fuse_protocol import Read

HOLD = "hold"
"""The command to a server to answer no OPEN and no READ any more."""

Per = Literal["handle", "device"]
Kind = Literal["object-store", "hdd", "nfs", "slow-line"]


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What each read of a simulated storage costs.

    A read waits `request_s`, and `first_byte_s` more where it begins elsewhere than its stream's
    last one ended. All share `bytes_per_s`, of which one stream gets `stream_bytes_per_s` at most
    (0: all). A stream is `per` handle, as the client of an object store has it, or per device, as a
    hard disk has one head. Without `keep_cache` each open drops what is cached, without
    `keep_attributes` each stat is a request. `kind` is what the mount's type shows.
    """

    first_byte_s: float
    bytes_per_s: float
    stream_bytes_per_s: float = 0.0
    request_s: float = 0.0
    per: Per = "handle"
    readahead_bytes: int = 128 * 1024
    keep_cache: bool = True
    keep_attributes: bool = True
    kind: str = ""


COSTS: dict[Kind, Cost] = {
    "object-store": Cost(kind="object-store", first_byte_s=0.05, bytes_per_s=500e6),
    "hdd": Cost(kind="hdd", first_byte_s=0.01, bytes_per_s=150e6, per="device"),
    "nfs": Cost(kind="nfs", first_byte_s=0.0, request_s=0.002, bytes_per_s=1.1e9),
    "slow-line": Cost(kind="slow-line", first_byte_s=0.0, request_s=0.02, bytes_per_s=12.5e6),
}
"""Typical of each: a bucket in the same region, 7,200 rpm, 10 Gbit/s, and 100 Mbit/s."""


class Counts(msgspec.Struct):
    """What a server did since it was last asked: requests, their bytes, reads that did not continue
    their stream (each a GET or a seek), opened handles, requests that are never answered, and when
    the first and the last answer was due, by the monotonic clock.
    """

    requests: int = 0
    bytes: int = 0
    seeks: int = 0
    handles: int = 0
    held: int = 0
    first_s: float = 0.0
    last_s: float = 0.0

    def __add__(self, later: Counts) -> Counts:
        """Those of two times, one after the other."""
        return Counts(
            self.requests + later.requests,
            self.bytes + later.bytes,
            self.seeks + later.seeks,
            self.handles + later.handles,
            self.held + later.held,
            self.first_s or later.first_s,
            max(self.last_s, later.last_s),
        )


FaultKind = Literal["eio", "stall", "truncate", "short", "none"]


class Fault(msgspec.Struct, frozen=True):
    """How reads fail: the one at `offset_bytes` with an I/O error (`eio`); all from there on never
    (`stall`); the file ends there (`truncate`); files that are opened from now on give half of each
    request (`short`). `none` ends all.
    """

    kind: FaultKind
    offset_bytes: int = 0

    def meets(self, read: Read) -> bool:
        """Whether the read reaches it."""
        reaches = read.offset_bytes + read.nbytes > self.offset_bytes
        return reaches and (self.kind != "eio" or read.offset_bytes <= self.offset_bytes)


def fault_of(text: str) -> Fault:
    """A fault as it is typed: `eio=1GiB`, `stall`, `truncate=10MiB`, `short`, `none`."""
    name, equals, offset = text.strip().partition("=")
    takes_offset = name in {"eio", "stall", "truncate"}
    for kind in get_args(FaultKind):
        if kind == name and bool(equals) <= takes_offset:
            return Fault(kind, parse_size(offset) if equals else 0)
    raise ConfigError(
        Message("Unknown fault {text}.", text=repr(text.strip())),
        Message("Write eio=OFFSET, stall=OFFSET, truncate=OFFSET, short, or none."),
    )
