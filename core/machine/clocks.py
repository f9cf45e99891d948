"""Whether the machine slept, or somebody set its clock, between two moments."""

from __future__ import annotations

import time
from typing import NamedTuple

_LOOKS = 5


class Clocks(NamedTuple):
    """Three clocks at one moment; `since_boot_ns` None where there is no such clock.

    Sources: clock_gettime(2). CLOCK_MONOTONIC stands still while Linux is suspended,
    CLOCK_BOOTTIME goes on. The wall clock can be set at any time.
    """

    monotonic_ns: int
    wall_ns: int
    since_boot_ns: int | None = None


def read_clocks() -> Clocks:
    """The clocks now, read as close together as a busy machine allows."""
    return min((_look() for _ in range(_LOOKS)), key=lambda look: look[0])[1]


def _look() -> tuple[int, Clocks]:
    """How long reading took, in which this process may have had to wait, and the clocks."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    start_ns = time.monotonic_ns()
    wall_ns = time.time_ns()
    since_boot_ns = time.clock_gettime_ns(boot) if boot is not None else None
    return time.monotonic_ns() - start_ns, Clocks(start_ns, wall_ns, since_boot_ns)


def suspended_ns(before: Clocks, after: Clocks) -> int | None:
    """How long the machine slept in between; None where that is not known."""
    if before.since_boot_ns is None or after.since_boot_ns is None:
        return None
    passed_ns = after.monotonic_ns - before.monotonic_ns
    return max(0, after.since_boot_ns - before.since_boot_ns - passed_ns)


def wall_jump_ns(before: Clocks, after: Clocks) -> int:
    """How much further the wall clock went than time passed; negative if it was set back."""
    return (after.wall_ns - before.wall_ns) - (after.monotonic_ns - before.monotonic_ns)
