"""What may spoil a load from outside, looked at before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import psutil

from modelmon.core.machine.cgroup import controller_folders
from modelmon.core.machine.file_state import FileMark, changes_text, file_marks, mark_text
from modelmon.core.machine.host import cgroup_throttled_ns, throttle_events
from modelmon.core.machine.sleep import Clocks, read_clocks, suspended_ns, wall_jump_ns
from modelmon.core.messages import Message
from modelmon.core.units import duration_text, percent_text
from modelmon.core.worker.run_warnings import RunWarning, warned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

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


class Surroundings:
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
