"""The three parts of a program's wait: before it reads the model, reading it, and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord

_QUIET_S = 0.5
"""While it is watched, reading that paused for so long is drawn as over, until more comes."""


class WaitParts(NamedTuple):
    """Moments since the start, in seconds; None for what was not seen, or not yet.

    `is_over` says that it is ready, or was ended.
    """

    first_byte_s: float | None
    last_byte_s: float | None
    end_s: float
    is_over: bool


def wait_parts(record: RunRecord) -> WaitParts:
    """Those of a run that is over as it told them, of one under way as its samples do so far."""
    end_s = record.t_ns / 1e9
    if (done := record.finished) is not None:
        return WaitParts(_seconds(done.first_byte_ns), _seconds(done.last_byte_ns), end_s, True)
    first = next((each.t_ns for each in record.samples if each.delivered_bytes), None)
    if first is None:
        return WaitParts(None, None, end_s, record.done)
    total = record.samples[-1].delivered_bytes
    last = record.samples[-1].t_ns
    for sample in reversed(record.samples):
        if sample.delivered_bytes < total:
            break
        last = sample.t_ns
    is_whole = record.planned is not None and total >= record.planned.planned_bytes
    paused = record.done or is_whole or end_s - last / 1e9 > _QUIET_S
    return WaitParts(first / 1e9, last / 1e9 if paused else None, end_s, record.done)


def _seconds(at_ns: int | None) -> float | None:
    return None if at_ns is None else at_ns / 1e9
