"""Memory conditioning: free memory is touched before a load, so that all runs start alike.

A virtual machine gives idle free memory back to its host. Touching it again then costs up to
ten times more, and whether a run meets such memory is chance: without conditioning that
hides every difference between two strategies.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.memory import free_bytes, read_memory
from modelmon.core.machine.virtual import is_virtual_machine
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.plan import Plan
    from modelmon.core.worker.events import Cache

# What must stay free, so that conditioning itself never brings the machine into need.
_MOST_SHARE = 0.8
_STEP_BYTES = 64 * MIB
# The kernel does not hand out first what was given back last: of as much as a warm load takes, a
# good part would be other memory.
_WARM_FACTOR = 3


def conditioned_bytes(
    config: LoadConfig, cache: Cache, plan: Plan, cached_share: float | None
) -> int:
    """How much free memory to touch for a start and its load, which take the page cache of what is
    not cached yet, and the load's own copy.

    `cached_share` is what was cached before the start was set. What has just been dropped for a
    cold start was in use: it needs no touching where it is enough, and is touched first where it
    is not. Before a warm start, whose time is that of memory, three times as much is touched as it
    takes, but no more than what is free without anything being dropped for it. 0 where
    conditioning gains nothing: on a machine that is known not to be virtual.
    """
    if is_virtual_machine() is False:
        return 0
    goes_through_cache = cache == "warm" or config.access != "direct"
    cached = round(plan.read_bytes * (cached_share or 0.0))
    needed = plan.read_bytes if goes_through_cache else 0
    if config.memory_kind == "owned" or config.library != NO_LIBRARY:
        needed += plan.planned_bytes
    if cache == "cold":
        room = round(read_memory().usable_bytes * _MOST_SHARE)
        return 0 if needed <= cached else min(needed, room)
    free = round(free_bytes() * _MOST_SHARE)
    return min(_WARM_FACTOR * (needed - cached if goes_through_cache else needed), free)


def condition_memory(
    nbytes: int, report: Callable[[int], None], should_stop: Callable[[], bool]
) -> int:
    """Touch `nbytes` of free memory and give it back; returns how much was touched.

    `report` gets the bytes so far. Where the system refuses so much, nothing is touched.
    """
    if not nbytes:
        return 0
    try:
        buffer = OwnedBuffer(nbytes)
    except (OSError, MemoryError):
        return 0
    done = 0
    while done < nbytes and not should_stop():
        step = min(_STEP_BYTES, nbytes - done)
        ctypes.memset(buffer.address + done, 1, step)
        done += step
        report(done)
    buffer.close()
    return done
