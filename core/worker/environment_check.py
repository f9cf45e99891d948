"""What around a run spoils it: users of its files, clocks, processors, memory, other readers.

`EnvironmentCheck` looks before and after a load, `pressure_warnings` at the figures of one. A new
condition is a check here and a kind in run_warnings.py. Nothing here changes anything.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import psutil

from modelmon.core.errors import BusyError
from modelmon.core.machine.cgroup import controller_folders
from modelmon.core.machine.file_state import changes_text, file_marks, mark_text
from modelmon.core.machine.file_users import FileUser, users_of
from modelmon.core.machine.host import cgroup_throttled_ns, is_virtual_machine, throttle_events
from modelmon.core.machine.processes import descendants
from modelmon.core.machine.sleep import Clocks, read_clocks, suspended_ns, wall_jump_ns
from modelmon.core.machine.storage import DRIVE_BYTES_PER_S
from modelmon.core.messages import Message, joined
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.run_warnings import RunWarning, warned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
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

LEAST_SWAPPED_BYTES = 1_000_000
"""Any program that slept for long swaps in a few pages when it wakes."""

_OVER_LIMIT = 1.05
_OTHERS_IDLE_BYTES_PER_S = 10e6
_OTHERS_SHARE = 0.1
_LEAST_OTHERS_BYTES = 8_000_000


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
        Message("Both would slow each other down."),
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


class Look(NamedTuple):
    """The machine at one moment; None where it does not tell."""

    clocks: Clocks
    hot_events: int | None = None
    held_back_ns: int | None = None
    on_battery: bool | None = None


class EnvironmentCheck:
    """The files, the clocks and the processors around one load."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """The files count as they are now."""
        self._marks = file_marks(paths)
        self._cpu_folders = controller_folders("cpu")
        self.start()

    @property
    def files_mark(self) -> str:
        """A text that differs when one of the files was replaced or written to."""
        return mark_text(self._marks)

    def start(self) -> None:
        """The load starts now."""
        self._before = self._look()

    def _look(self) -> Look:
        held_back_ns = cgroup_throttled_ns(self._cpu_folders)
        return Look(read_clocks(), throttle_events(), held_back_ns)

    def finish(self) -> list[RunWarning]:
        """The load is over: what happened around it meanwhile."""
        after = self._look()._replace(on_battery=_on_battery())
        found = [*changes_between(self._before, after)]
        if changes := changes_text(self._marks, file_marks(list(self._marks))):
            text = Message("Not counted: the model changed while it was measured.")
            found.insert(0, warned("file-changed", text, changes))
        return found


def changes_between(before: Look, after: Look) -> Iterator[RunWarning]:
    """What happened to the machine between the start and the end of a load."""
    wall_ns = after.clocks.monotonic_ns - before.clocks.monotonic_ns
    slept_ns = suspended_ns(before.clocks, after.clocks) or 0
    jump_ns = wall_jump_ns(before.clocks, after.clocks)
    if slept_ns >= _LEAST_SLEEP_NS:
        text = Message("Not counted: the machine slept during the load.")
        slept = Message("asleep for {slept}", slept=duration_text(slept_ns))
        yield warned("clock-jumped", text, slept)
    elif abs(jump_ns) >= _MOST_WALL_JUMP_NS + wall_ns * _MOST_WALL_JUMP_SHARE:
        text = Message("Not counted: the clock jumped during the load, as after sleep.")
        jump = duration_text(abs(jump_ns))
        ahead, back = Message("{jump} ahead", jump=jump), Message("{jump} back", jump=jump)
        yield warned("clock-jumped", text, ahead if jump_ns > 0 else back)
    if hot_events := _grown(before.hot_events, after.hot_events):
        text = Message("The processor got too hot during the load and slowed down.")
        yield warned(
            "throttled", text, Message("{after} thermal throttle events", after=hot_events)
        )
    held_back_ns = _grown(before.held_back_ns, after.held_back_ns)
    if wall_ns > 0 and held_back_ns / wall_ns >= _LEAST_THROTTLED_SHARE:
        text = Message("This container used up its CPU quota and was throttled.")
        evidence = Message(
            "{after}, {share} of the time",
            after=duration_text(held_back_ns),
            share=percent_text(held_back_ns / wall_ns),
        )
        yield warned("throttled", text, evidence, Message("Raise the container's CPU limit."))
    if after.on_battery:
        text = Message("The machine runs on battery, which may slow its processor and disk.")
        yield warned("on-battery", text, Message("unplugged"))


def _grown(before: int | None, after: int | None) -> int:
    return 0 if before is None or after is None else max(0, after - before)


def _on_battery() -> bool | None:
    """Whether the machine runs from its battery; None where it has none or does not tell."""
    look = getattr(psutil, "sensors_battery", None)
    battery = look() if look is not None else None
    if battery is None or battery.power_plugged is None:
        return None
    return not battery.power_plugged


def pressure_warnings(
    job: Job,
    planned: Planned,
    ready: Ready,
    done: Finished,
    limit_bytes_per_s: float = DRIVE_BYTES_PER_S,
) -> list[RunWarning]:
    """All that figures say against a load; its devices give `limit_bytes_per_s` at most."""
    return [
        *(_memory_warnings(done.memory, done.delivered_bytes) if done.memory else ()),
        *_eviction_warnings(job, planned, done),
        *_first_touch_warnings(job),
        *_reader_warnings(ready.idle_device, done),
        *_too_fast_warnings(planned, done, limit_bytes_per_s),
    ]


def _memory_warnings(memory: MemoryPressure, delivered_bytes: int) -> Iterator[RunWarning]:
    """Memory was swapped during the load, or the machine or the cgroup was short of it."""
    came, went = memory.swapped_in_bytes or 0, memory.swapped_out_bytes or 0
    if came + went >= max(LEAST_SWAPPED_BYTES, SWAPPED_SHARE * delivered_bytes):
        evidence = Message("{came} in, {went} out", came=size_text(came), went=size_text(went))
        text = Message("Not counted: memory was swapped during the load.")
        yield warned("swapped", text, evidence)
    signs = []
    if (stalled := memory.stalled_share) is not None and stalled >= STALLED_SHARE:
        share = percent_text(stalled)
        signs.append(Message("tasks waited for memory {stalled} of the time", stalled=share))
    least, total = memory.least_available_bytes, memory.total_bytes
    if least is not None and total and least < LEAST_AVAILABLE_SHARE * total:
        left = size_text(least)
        signs.append(Message("{least} of {total} was left", least=left, total=size_text(total)))
    used, limit = memory.cgroup_used_bytes, memory.cgroup_limit_bytes
    if used is not None and limit and used >= CGROUP_FULL_SHARE * limit:
        full = size_text(limit)
        signs.append(
            Message("{used} of the cgroup's {limit} was in use", used=size_text(used), limit=full)
        )
    if signs:
        text = Message("Memory ran short during the load.")
        yield warned("memory-pressure", text, joined(signs, ", "))


def _eviction_warnings(job: Job, planned: Planned, done: Finished) -> Iterator[RunWarning]:
    """A mapped model did not stay in memory, so that it is not loaded; or it had to be read more
    than once.
    """
    if done.delivered_bytes < planned.planned_bytes:
        return  # it was ended, or took a part: what it had not read was not dropped
    signs = []
    left = done.residency_after_share
    mapped = done.memory_kind == "mapped"
    mapped_bytes = done.delivered_bytes if mapped else done.mapped_bytes or 0
    kept = LEAST_KEPT_SHARE * mapped_bytes / max(1, done.delivered_bytes)
    gone = left is not None and left < kept and job.config.deliver != "untouched"
    if left is not None and gone:
        signs.append(Message("{left} was still cached at the end", left=percent_text(left)))
    # A program reads other files, too; what it read again of the model is told apart.
    again = done.memory.refaulted_bytes if done.memory and job.program is None else None
    wanted = planned.read_bytes or planned.file_bytes or planned.planned_bytes
    if again and min(again, (done.device_bytes or 0) - wanted) >= REREAD_SHARE * wanted:
        signs.append(Message("{again} was read twice", again=size_text(again)))
    if gone:
        text = Message(
            "Not counted: the model wasn't in memory at the end, since its pages were dropped"
            " during the load."
        )
        yield warned("not-kept", text, joined(signs, ", "))
    elif signs:
        text = Message("Pages of the model were dropped during the load and read again.")
        yield warned("memory-pressure", text, joined(signs, ", "))


def _first_touch_warnings(job: Job) -> Iterator[RunWarning]:
    """Free memory may be slow to touch, and nobody made sure that it is not."""
    if job.program is not None and job.program.pid is not None:
        return  # it had its memory before
    if not job.condition_memory and is_virtual_machine():
        yield warned(
            "slow-first-touch",
            Message("Free memory wasn't conditioned first; on a virtual machine it may be slow."),
            Message("a hypervisor runs below, --no-memory-prep was given"),
        )


def _reader_warnings(idle: DeviceActivity | None, done: Finished) -> Iterator[RunWarning]:
    """Somebody else used the device: read or wrote just before the load, or read during it."""
    signs = []
    if idle is not None and idle.read_bytes_per_s >= _OTHERS_IDLE_BYTES_PER_S:
        read = rate_text(idle.read_bytes_per_s)
        signs.append(Message("{read_rate} just before the start", read_rate=read))
    if idle is not None and (idle.write_bytes_per_s or 0) >= _OTHERS_IDLE_BYTES_PER_S:
        written = rate_text(idle.write_bytes_per_s or 0)
        signs.append(Message("{written} written just before the start", written=written))
    if done.device_read_bytes is not None and done.device_bytes:
        others = done.device_read_bytes - done.device_bytes
        if others >= max(_LEAST_OTHERS_BYTES, _OTHERS_SHARE * done.device_bytes):
            signs.append(
                Message("{others} during the load, besides its own", others=size_text(others))
            )
    if signs:
        text = Message("Another program used the same disk.")
        yield warned("other-reader", text, joined(signs, ", "))


def _too_fast_warnings(
    planned: Planned, done: Finished, limit_bytes_per_s: float
) -> Iterator[RunWarning]:
    """A cold start whose bytes came faster than its device is attached; several together may."""
    name = planned.device_name
    if done.cache_state != "cold" or not done.wall_ns or not name or name.startswith("md"):
        return
    fetched = done.device_bytes if done.device_bytes is not None else done.delivered_bytes
    rate = fetched * 1e9 / done.wall_ns
    if rate > _OVER_LIMIT * limit_bytes_per_s:
        yield warned(
            "served-from-cache",
            Message(
                "Not counted: faster than this disk can be. A cache below this machine's had the"
                " file."
            ),
            Message(
                "{rate}; its connection carries {limit}",
                rate=rate_text(rate),
                limit=rate_text(limit_bytes_per_s),
            ),
        )
