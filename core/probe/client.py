"""Run a probe from this process: for the terminal and tests; blocks until it is done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.probe.probe import DEFAULT_SECONDS, Probe
from modelmon.core.worker.child_process import ChildProcess, SilentError, program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


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
    """The event of one line; raises one of UNDECODABLE for anything else."""
    return _DECODER.decode(line)


# For starting, and for requests that end late.
_PATIENCE_S = 10.0
_REAP_S = 3.0


def probe_command(
    path: Path | str, seconds: float = DEFAULT_SECONDS, server: str = ""
) -> Sequence[str]:
    """The command that takes a probe, on `server` if that is named. Keep its standard input open:
    its end stops the probe.
    """
    return program("modelmon.core.probe.process", str(path), f"{seconds:g}", server=server)


def deadline_s(seconds: float) -> float:
    """After so long in one phase the storage hangs."""
    return 2 * seconds + _PATIENCE_S


def run_probe(
    path: Path,
    seconds: float = DEFAULT_SECONDS,
    on_phase: Callable[[str], None] = lambda _phase: None,
) -> ProbeFinished:
    """Probe the model at `path`; `on_phase` gets the name of each phase as it begins.

    Raises LoadFailedError with the probe's own words, or where it hangs or dies. An interrupt
    stops the probe and goes on upwards.
    """
    child = ChildProcess(probe_command(path, seconds))
    phase = "starting"
    try:
        for event in map(decode, iter(partial(child.line, deadline_s(seconds)), None)):
            if isinstance(event, ProbeFinished):
                return event
            if isinstance(event, ProbeFailed):
                raise LoadFailedError(event.message, event.remedy)
            phase = event.phase
            on_phase(phase)
    except SilentError:
        raise LoadFailedError(
            Message(
                "{path} doesn't respond: measuring it was abandoned during {phase}.",
                path=path,
                phase=repr(phase),
            ),
            Message("The storage hangs or is very slow: check its mount, or give more --seconds."),
        ) from None
    finally:
        ending = child.end(_REAP_S)
    raise LoadFailedError(
        Message("Measuring {path} failed: its process {how}.", path=path, how=ending),
        Message("Try again."),
    )
