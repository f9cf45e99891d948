"""How much of a load's time a better way to load could save at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.figures import served_from_cache

if TYPE_CHECKING:
    from modelmon.core.probe.limits import Limits
    from modelmon.core.worker.result import RunResult


def least_reading_ns(run: RunResult, limits: Limits) -> int | None:
    """The least time in which this disk and memory can give what the run loaded; None where they
    were not measured, or it wasn't seen when a program read. The slower of the two decides, and
    memory alone where all was cached.
    """
    if run.is_program and run.first_byte_ns is None:
        return None
    rates = [limits.memory_bytes_per_s]
    if not served_from_cache(run):
        if limits.device_bytes_per_s is None:
            return None
        rates.append(limits.device_bytes_per_s)
    known = [rate for rate in rates if rate]
    return round(run.load_bytes * 1e9 / min(known)) if known else None
