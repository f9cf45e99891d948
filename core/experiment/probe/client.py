"""Run a probe from this process: for the terminal and tests; blocks until it is done."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.experiment.probe.events import ProbeFailed, ProbeProgress, decode
from modelmon.core.experiment.probe.probe import DEFAULT_SECONDS
from modelmon.core.worker.client import outcome_text
from modelmon.core.worker.streams import Inbox

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from modelmon.core.experiment.probe.events import ProbeFinished

_PROBE = "probe"
# For starting, and for requests that end late.
_PATIENCE_S = 10.0
_REAP_S = 3.0


def probe_command(path: Path, seconds: float = DEFAULT_SECONDS) -> list[str]:
    """The command that takes a probe; `-P` keeps the current folder out of its imports.

    Keep its standard input open: its end stops the probe.
    """
    module = "modelmon.core.experiment.probe.process"
    return [sys.executable, "-P", "-m", module, str(path), f"{seconds:g}"]


def deadline_s(seconds: float) -> float:
    """After so long without a result the storage hangs."""
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
    # A session of its own: Ctrl-C reaches this process alone, which then ends the input.
    process = subprocess.Popen(
        probe_command(path, seconds),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    try:
        return _result(process, path, seconds, on_phase)
    finally:
        _stop(process)


def _result(
    process: subprocess.Popen[bytes], path: Path, seconds: float, on_phase: Callable[[str], None]
) -> ProbeFinished:
    assert process.stdout is not None
    inbox = Inbox()
    inbox.listen(_PROBE, process.stdout)
    until = time.monotonic() + deadline_s(seconds)
    phase = "starting"
    while True:
        try:
            line = inbox.get(max(0.0, until - time.monotonic())).line
        except queue.Empty:
            raise LoadFailedError(
                f"{path} does not answer: the probe was given up in the phase {phase!r}.",
                "The storage hangs or is very slow: check its mount, or give more --seconds.",
            ) from None
        if line is None or not line.endswith(b"\n"):
            break
        event = decode(line)
        if isinstance(event, ProbeFailed):
            raise LoadFailedError(event.message, event.remedy)
        if not isinstance(event, ProbeProgress):
            return event
        phase = event.phase
        on_phase(phase)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_REAP_S)
    how = "closed its output" if process.returncode is None else outcome_text(process.returncode)
    raise LoadFailedError(f"The probe of {path} {how}.", "Try again; the disk may have failed.")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the probe's input, and kill it if it does not end; one that hangs is left behind."""
    assert process.stdin is not None
    process.stdin.close()
    for wait_s in (_REAP_S, _REAP_S):
        try:
            process.wait(wait_s)
        except subprocess.TimeoutExpired:
            process.kill()
        else:
            return
