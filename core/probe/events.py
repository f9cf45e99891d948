"""What a probe's process says: JSON lines, of which the last is `finished` or `failed`."""

from __future__ import annotations

import msgspec

from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.probe.probe import Probe


class ProbeProgress(msgspec.Struct, frozen=True, tag_field="event", tag="progress"):
    """A phase begins: `opening`, `memory`, `latency`, `sequential`, `readers 4`, `buffered`."""

    phase: str


class ProbeFinished(
    msgspec.Struct, frozen=True, tag_field="event", tag="finished", omit_defaults=True
):
    """The result; `not_kept` says why it could not be stored for later ("" when it was)."""

    probe: Probe
    not_kept: Message = NOTHING


class ProbeFailed(msgspec.Struct, frozen=True, tag_field="event", tag="failed"):
    """Why there is no result, and what to do next."""

    message: Message
    remedy: Message = NOTHING


ProbeEvent = ProbeProgress | ProbeFinished | ProbeFailed

_DECODER: msgspec.json.Decoder[ProbeEvent] = msgspec.json.Decoder(ProbeEvent, dec_hook=from_wire)


def encode(event: ProbeEvent) -> bytes:
    """One line."""
    return msgspec.json.encode(event, enc_hook=to_wire) + b"\n"


def decode(line: bytes) -> ProbeEvent:
    """The event of one line; raises msgspec.DecodeError for anything else."""
    return _DECODER.decode(line)
