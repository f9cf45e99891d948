"""What a probe's process says: JSON lines, of which the last is `finished` or `failed`."""

from __future__ import annotations

import msgspec

from modelmon.core.experiment.probe.probe import Probe


class ProbeProgress(msgspec.Struct, frozen=True, tag_field="event", tag="progress"):
    """A phase begins: `opening`, `memory`, `latency`, `sequential`, `readers 4`, `buffered`."""

    phase: str


class ProbeFinished(
    msgspec.Struct, frozen=True, tag_field="event", tag="finished", omit_defaults=True
):
    """The result; `not_kept` says why it could not be stored for later ("" when it was)."""

    probe: Probe
    not_kept: str = ""


class ProbeFailed(msgspec.Struct, frozen=True, tag_field="event", tag="failed"):
    """Why there is no result, and what to do next."""

    message: str
    remedy: str = ""


ProbeEvent = ProbeProgress | ProbeFinished | ProbeFailed

_DECODER: msgspec.json.Decoder[ProbeEvent] = msgspec.json.Decoder(ProbeEvent)


def encode(event: ProbeEvent) -> bytes:
    """One line."""
    return msgspec.json.encode(event) + b"\n"


def decode(line: bytes) -> ProbeEvent:
    """The event of one line; raises msgspec.DecodeError for anything else."""
    return _DECODER.decode(line)
