"""Memory conditioning: free memory is touched before a load, so that all runs start alike.

A virtual machine gives idle free memory back to its host: Linux looks for some every two seconds
(mm/page_reporting.c), what became free last first. Touching it again then costs up to ten times
more, and whether a run meets such memory is chance: without conditioning that hides every
difference between two strategies. So what was touched is held until the load may have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.host import is_virtual_machine
from modelmon.core.machine.memory import free_bytes, read_memory
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.plan import Plan
    from modelmon.core.worker.events import Cache

# What must stay free, so that conditioning itself never brings the machine into need.
_MOST_SHARE = 0.8
_STEP_BYTES = 64 * MIB


class MemoryNeed(NamedTuple):
    """Free memory that a load takes, and what another strategy's load from the same start takes
    besides: held as well it is not given back between the runs of both.
    """

    load_bytes: int
    spare_bytes: int = 0


def memory_need(
    config: LoadConfig,
    cache: Cache,
    plan: Plan,
    cached_share: float | None,
    *,
    can_map: bool = False,
) -> MemoryNeed:
    """The page cache of what is not there at the start, and a copy, as far as `config` takes them.

    `cached_share` is what is cached before the start is set: what is dropped of it for a cold start
    was in use, and needs no touching where it is enough. For a start that keeps what is cached it
    is no more than what is free without anything being dropped for it. `auto` copies nothing of
    what is cached where it `can_map` that. Nothing where touching gains
    nothing: on a machine that is known not to be virtual.
    """
    if is_virtual_machine() is False:
        return MemoryNeed(0)
    cached_bytes = round(plan.read_bytes * (cached_share or 0.0))
    missing_bytes = plan.read_bytes - cached_bytes
    # A warm start has what is missing come into the cache while this is held.
    beside_bytes = missing_bytes if cache == "warm" else 0
    free = round(free_bytes() * _MOST_SHARE) - beside_bytes
    room = round(read_memory().usable_bytes * _MOST_SHARE) if cache == "cold" else free
    cache_bytes = {"cold": plan.read_bytes, "warm": 0, "as-is": missing_bytes}[cache]
    load_bytes = 0
    if config.access not in ("direct", "auto"):  # they read past the cache what it does not hold
        load_bytes += cache_bytes
    if can_map and (config.access, config.deliver) == ("auto", "usable") and not plan.slices:
        load_bytes += min(cache_bytes, plan.planned_bytes)
    elif config.memory_kind == "owned" or config.library != NO_LIBRARY:
        load_bytes += plan.planned_bytes
    load_bytes = max(0, min(load_bytes, room))
    spare_bytes = max(0, min(cache_bytes + plan.planned_bytes, free) - load_bytes)
    if cache == "cold" and load_bytes <= cached_bytes:
        load_bytes = 0
    return MemoryNeed(load_bytes, spare_bytes)


def touched_memory(
    nbytes: int, report: Callable[[int], None], should_stop: Callable[[], bool]
) -> OwnedBuffer | None:
    """Free memory that was touched and is the caller's until it closes the buffer.

    `report` gets the bytes so far. None where nothing is asked for, or the system refuses so much.
    """
    if not nbytes:
        return None
    try:
        buffer = OwnedBuffer(nbytes)
    except (OSError, MemoryError):
        return None
    for start in range(0, nbytes, _STEP_BYTES):
        if should_stop():
            break
        step = min(_STEP_BYTES, nbytes - start)
        buffer.touch(start, step)
        report(start + step)
    return buffer
