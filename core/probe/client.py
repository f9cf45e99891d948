"""Run a probe from this process: for the terminal and tests; blocks until it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import NOTHING, Message
from modelmon.core.probe.probe import DEFAULT_SECONDS, Probe
from modelmon.core.worker.child_process import SilentError, program
from modelmon.core.worker.client import ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_PROGRAM = "modelmon.core.probe.process"


class ProbeAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result; `not_kept` says why it could not be stored for later ("" when it was)."""

    probe: Probe
    not_kept: Message = NOTHING


# For starting, and for the requests of each phase that end late.
_PATIENCE_S = 20.0


def probe_command(
    path: Path | str, seconds: float = DEFAULT_SECONDS, server: str = ""
) -> Sequence[str]:
    """The command that takes a probe, on `server` if that is named. Keep its standard input open:
    its end stops the probe.
    """
    return program(_PROGRAM, str(path), f"{seconds:g}", server=server)


def deadline_s(seconds: float) -> float:
    """After so long without an answer the storage hangs."""
    return 2 * seconds + _PATIENCE_S


def run_probe(path: Path, seconds: float = DEFAULT_SECONDS) -> ProbeAnswer:
    """Probe the model at `path`.

    Raises ModelmonError with the probe's own words, or where it hangs or dies. An interrupt
    stops the probe and goes on upwards.
    """
    arguments = [str(path), f"{seconds:g}"]
    try:
        return ask("", arguments, ProbeAnswer, _PROGRAM, silent_s=deadline_s(seconds))
    except SilentError:
        raise LoadFailedError(
            Message("{path} doesn't respond. Measuring it was abandoned.", path=path),
            Message(
                "The storage hangs or is very slow. Check its mount{terminal}.",
                terminal=", or give more --seconds",
            ),
        ) from None
