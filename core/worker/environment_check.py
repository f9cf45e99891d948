"""What may spoil a load from outside, looked at before and after it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import psutil

from modelmon.core.errors import BusyError
from modelmon.core.machine.cgroup import controller_folders
from modelmon.core.machine.file_state import FileMark, changes_text, file_marks, mark_text
from modelmon.core.machine.file_users import FileUser, users_of
from modelmon.core.machine.host import cgroup_throttled_ns, is_virtual_machine, throttle_events
from modelmon.core.machine.processes import descendants
from modelmon.core.machine.sleep import Clocks, read_clocks, suspended_ns, wall_jump_ns
from modelmon.core.machine.storage import DRIVE_BYTES_PER_S
from modelmon.core.messages import Message, joined
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.run_warnings import RunWarning, warned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from modelmon.core.worker.events import (
        DeviceActivity,
        Finished,
        Job,
        MemoryPressure,
        Planned,
        Ready,
    )


# A clock is steered by less than a thousandth of the time (adjtimex(2)); more is a jump.
_MOST_WALL_JUMP_NS = 1_000_000_000
_MOST_WALL_JUMP_SHARE = 0.001
# Nothing sleeps for less, and a process that waits between two clocks waits for less.
_LEAST_SLEEP_NS = 500_000_000
_LEAST_THROTTLED_SHARE = 0.01


class _Look(NamedTuple):
    clocks: Clocks
    hot_events: int | None
    held_back_ns: int | None


class EnvironmentCheck:
    """The files, the clocks and the processors around one load."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """The files count as they are now."""
        self._marks = file_marks(paths)
        self._cpu_folders = controller_folders("cpu")
        self._before = self._look()

    @property
    def files_mark(self) -> str:
        """A text that differs when one of the files was replaced or written to."""
        return mark_text(self._marks)

    def start(self) -> None:
        """The load starts now."""
        self._before = self._look()

    def _look(self) -> _Look:
        return _Look(read_clocks(), throttle_events(), cgroup_throttled_ns(self._cpu_folders))

    def finish(self) -> list[RunWarning]:
        """The load is over: what happened around it meanwhile."""
        before, after = self._before, self._look()
        found = (
            files_warning(self._marks, file_marks(list(self._marks))),
            clock_warning(before.clocks, after.clocks),
            heat_warning(before.hot_events, after.hot_events),
            quota_warning(
                before.held_back_ns,
                after.held_back_ns,
                after.clocks.monotonic_ns - before.clocks.monotonic_ns,
            ),
            battery_warning(_on_battery()),
        )
        return [warning for warning in found if warning is not None]


def files_warning(
    before: Mapping[Path, FileMark | None], after: Mapping[Path, FileMark | None]
) -> RunWarning | None:
    """The model was changed between the reading of its headers and the end of its load."""
    changes = changes_text(before, after)
    if not changes:
        return None
    text = Message("Not counted: the model changed while it was measured.")
    return warned("file-changed", text, changes)


def clock_warning(before: Clocks, after: Clocks) -> RunWarning | None:
    """The machine slept during the load, or its clock was set."""
    slept_ns = suspended_ns(before, after) or 0
    if slept_ns >= _LEAST_SLEEP_NS:
        text = Message("Not counted: the machine slept during the load.")
        return warned(
            "clock-jumped", text, Message("asleep for {slept}", slept=duration_text(slept_ns))
        )
    jump_ns = wall_jump_ns(before, after)
    steered_ns = (after.monotonic_ns - before.monotonic_ns) * _MOST_WALL_JUMP_SHARE
    if abs(jump_ns) < _MOST_WALL_JUMP_NS + steered_ns:
        return None
    text = Message("Not counted: the clock jumped during the load, as after sleep.")
    jump = duration_text(abs(jump_ns))
    evidence = (
        Message("{jump} ahead", jump=jump) if jump_ns > 0 else Message("{jump} back", jump=jump)
    )
    return warned("clock-jumped", text, evidence)


def heat_warning(before: int | None, after: int | None) -> RunWarning | None:
    """A core or package got too hot during the load and was slowed."""
    if before is None or after is None or after <= before:
        return None
    text = Message("The processor got too hot during the load and slowed down.")
    return warned(
        "throttled", text, Message("{after} thermal throttle events", after=after - before)
    )


def quota_warning(before: int | None, after: int | None, wall_ns: int) -> RunWarning | None:
    """The cgroup had used its CPU quota and was held back."""
    if before is None or after is None or wall_ns <= 0:
        return None
    share = (after - before) / wall_ns
    if share < _LEAST_THROTTLED_SHARE:
        return None
    text = Message("This container used up its CPU quota and was throttled.")
    evidence = Message(
        "{after}, {share} of the time",
        after=duration_text(after - before),
        share=percent_text(share),
    )
    return warned("throttled", text, evidence, Message("Raise the container's CPU limit."))


def _on_battery() -> bool | None:
    """Whether the machine runs from its battery; None where it has none or does not tell."""
    look = getattr(psutil, "sensors_battery", None)
    battery = look() if look is not None else None
    if battery is None or battery.power_plugged is None:
        return None
    return not battery.power_plugged


def battery_warning(battery: bool | None) -> RunWarning | None:
    """The machine runs from its battery, which slows processors and disks."""
    if not battery:
        return None
    text = Message("The machine runs on battery, which may slow its processor and disk.")
    return warned("on-battery", text, Message("unplugged"))


def check_users(paths: Sequence[Path], allow_busy: bool, known_pid: int | None) -> list[FileUser]:
    """Other processes that use the files, but for those that descend from a known one and itself;
    raises BusyError unless that was agreed to.
    """
    known = [] if known_pid is None else [known_pid, *descendants(known_pid)]
    users = users_of(paths, {os.getpid(), os.getppid(), *known})
    if users and not allow_busy:
        raise busy_error(users, paths[0].name)
    return users


def busy_error(users: Sequence[FileUser], name: str) -> BusyError:
    """The error that says who uses the file `name`."""
    return BusyError(
        Message("{name} is in use: {users}.", name=name, users=describe_users(users)),
        Message("Measuring would slow it down, and the other way round."),
    )


def describe_users(users: Iterable[FileUser]) -> Message:
    """The users as a clause: `llama-server (process 4711) has it mapped`."""
    by_process: dict[tuple[int, str], set[str]] = {}
    for user in users:
        by_process.setdefault((user.pid, user.name), set()).add(user.how)
    clauses = (
        Message("{name} (process {pid}) maps it", name=name, pid=pid)
        if "mapped" in how
        else Message("{name} (process {pid}) has it open", name=name, pid=pid)
        for (pid, name), how in by_process.items()
    )
    return joined(clauses, ", ")


SWAPPED_SHARE = 0.01
"""From this share of the loaded bytes on, swapping is part of what was measured."""

STALLED_SHARE = 0.1
"""A tenth of the time stalled for memory is more than the noise of runs."""

LEAST_AVAILABLE_SHARE = 0.05
"""With less of the memory left the kernel is at work to find some."""

CGROUP_FULL_SHARE = 0.95
"""With more of its limit in use a cgroup's cached pages are dropped as they are read."""

LEAST_KEPT_SHARE = 0.9
"""The kernel drops single pages at any time; a tenth of a mapped model is no chance."""

REREAD_SHARE = 0.1
"""Readahead and alignment add some percent; more was dropped before it was used."""

SLOW_TOUCH_BYTES_PER_S = 1.5e9
"""Fresh memory in pages of 4 KiB took 1.65 GB/s, reported-free memory of a virtual machine 0.8
to 1.3 GB/s: below this the host had to provide it anew."""

LEAST_SWAPPED_BYTES = 1_000_000
"""Any program that slept for long swaps in a few pages when it wakes."""

_OVER_LIMIT = 1.05
_LEAST_TOUCHED_BYTES = 64_000_000
_OTHERS_IDLE_BYTES_PER_S = 10e6
_OTHERS_SHARE = 0.1
_LEAST_OTHERS_BYTES = 8_000_000


def pressure_warnings(
    job: Job,
    planned: Planned,
    ready: Ready,
    done: Finished,
    limit_bytes_per_s: float = DRIVE_BYTES_PER_S,
) -> list[RunWarning]:
    """All that speaks against a finished load; its devices give `limit_bytes_per_s` at most."""
    found = (
        swap_warning(done.memory, done.delivered_bytes),
        pressure_warning(done.memory),
        eviction_warning(job, planned, done),
        first_touch_warning(job, ready),
        reader_warning(ready.idle_device, done),
        too_fast_warning(planned, done, limit_bytes_per_s),
    )
    return [warning for warning in found if warning is not None]


def swap_warning(memory: MemoryPressure | None, delivered_bytes: int) -> RunWarning | None:
    """Memory was swapped during the load."""
    if memory is None:
        return None
    came, went = memory.swapped_in_bytes or 0, memory.swapped_out_bytes or 0
    if came + went < max(LEAST_SWAPPED_BYTES, SWAPPED_SHARE * delivered_bytes):
        return None
    text = Message("Not counted: memory was swapped during the load.")
    return warned(
        "swapped",
        text,
        Message("{came} in, {went} out", came=size_text(came), went=size_text(went)),
    )


def pressure_warning(memory: MemoryPressure | None) -> RunWarning | None:
    """The machine or the cgroup was short of memory."""
    if memory is None:
        return None
    signs = []
    if memory.stalled_share is not None and memory.stalled_share >= STALLED_SHARE:
        signs.append(
            Message(
                "tasks waited for memory {stalled} of the time",
                stalled=percent_text(memory.stalled_share),
            )
        )
    least, total = memory.least_available_bytes, memory.total_bytes
    if least is not None and total and least < LEAST_AVAILABLE_SHARE * total:
        signs.append(
            Message("{least} of {total} was left", least=size_text(least), total=size_text(total))
        )
    used, limit = memory.cgroup_used_bytes, memory.cgroup_limit_bytes
    if used is not None and limit and used >= CGROUP_FULL_SHARE * limit:
        signs.append(
            Message(
                "{used} of the cgroup's {limit} was in use",
                used=size_text(used),
                limit=size_text(limit),
            )
        )
    if not signs:
        return None
    return warned(
        "memory-pressure", Message("Memory ran short during the load."), joined(signs, ", ")
    )


def eviction_warning(job: Job, planned: Planned, done: Finished) -> RunWarning | None:
    """A mapped model did not stay in memory, so that it is not loaded; or it had to be read more
    than once.
    """
    if done.delivered_bytes < planned.planned_bytes:
        return None  # it was ended, or took a part: what it had not read was not dropped
    signs = []
    left = done.residency_after_share
    mapped_bytes = done.mapped_bytes or 0
    if done.memory_kind == "mapped":
        mapped_bytes = done.delivered_bytes
    kept = LEAST_KEPT_SHARE * mapped_bytes / max(1, done.delivered_bytes)
    gone = left is not None and left < kept and job.config.deliver != "untouched"
    if left is not None and gone:
        signs.append(Message("{left} of it was still cached at the end", left=percent_text(left)))
    # A program reads other files, too; what it read again of the model is told apart.
    again = done.memory.refaulted_bytes if done.memory and job.program is None else None
    wanted = planned.read_bytes or planned.file_bytes or planned.planned_bytes
    more = (done.device_bytes or 0) - wanted
    if again and min(again, more) >= REREAD_SHARE * wanted:
        signs.append(Message("{again} was read twice", again=size_text(again)))
    if not signs:
        return None
    evidence = joined(signs, ", ")
    if gone:
        text = Message(
            "Not counted: the model wasn't in memory at the end, since its pages were dropped"
            " during the load."
        )
        return warned("not-kept", text, evidence)
    text = Message("Pages of the model were dropped during the load and read again.")
    return warned("memory-pressure", text, evidence)


def first_touch_warning(job: Job, ready: Ready) -> RunWarning | None:
    """Free memory is slow to touch here, or nobody made sure that it was not."""
    if job.program is not None and job.program.pid is not None:
        return None  # it had its memory before
    if not job.condition_memory:
        if not is_virtual_machine():
            return None
        text = Message("Free memory wasn't conditioned first; on a virtual machine it may be slow.")
        return warned(
            "slow-first-touch", text, Message("a hypervisor runs below, --fresh-memory was asked")
        )
    if ready.conditioned_bytes < _LEAST_TOUCHED_BYTES or not ready.conditioning_ns:
        return None
    rate = ready.conditioned_bytes * 1e9 / ready.conditioning_ns
    if rate >= SLOW_TOUCH_BYTES_PER_S:
        return None
    text = Message("The host had taken back free memory, so it was conditioned before the load.")
    return warned(
        "slow-first-touch", text, Message("{rate} at the first touch", rate=rate_text(rate))
    )


def reader_warning(idle: DeviceActivity | None, done: Finished) -> RunWarning | None:
    """Somebody else used the device: read or wrote just before the load, or read during it."""
    signs = []
    if idle is not None and idle.read_bytes_per_s >= _OTHERS_IDLE_BYTES_PER_S:
        signs.append(
            Message("{read_rate} just before the start", read_rate=rate_text(idle.read_bytes_per_s))
        )
    written = idle.write_bytes_per_s if idle is not None else None
    if written is not None and written >= _OTHERS_IDLE_BYTES_PER_S:
        signs.append(Message("{written} written just before the start", written=rate_text(written)))
    if done.device_read_bytes is not None and done.device_bytes:
        others = done.device_read_bytes - done.device_bytes
        if others >= max(_LEAST_OTHERS_BYTES, _OTHERS_SHARE * done.device_bytes):
            signs.append(
                Message("{others} during the load, besides its own", others=size_text(others))
            )
    if not signs:
        return None
    return warned(
        "other-reader", Message("Another program used the same disk."), joined(signs, ", ")
    )


def too_fast_warning(
    planned: Planned, done: Finished, limit_bytes_per_s: float
) -> RunWarning | None:
    """A cold start whose bytes came faster than its device is attached; several together may."""
    name = planned.device_name
    if done.cache_state != "cold" or not done.wall_ns or not name or name.startswith("md"):
        return None
    fetched = done.device_bytes if done.device_bytes is not None else done.delivered_bytes
    rate = fetched * 1e9 / done.wall_ns
    if rate <= _OVER_LIMIT * limit_bytes_per_s:
        return None
    text = Message(
        "Not counted: faster than this disk can be. A cache below this machine's had the file."
    )
    evidence = Message(
        "{rate}; its connection carries {limit}",
        rate=rate_text(rate),
        limit=rate_text(limit_bytes_per_s),
    )
    return warned("served-from-cache", text, evidence)
