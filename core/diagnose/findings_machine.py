"""Findings about the processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import Diagnosis, Finding
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

# With these drivers the governor powersave only means that the hardware chooses.
_OWN_CHOICE = frozenset({"intel_pstate", "amd-pstate-epp"})
_PSTATES = Message(
    "intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel's Documentation/admin-guide/pm"
)


def machine_findings(found: Diagnosis) -> Iterator[Finding]:
    """What frequency, heat and quota of the processors mean for a load."""
    cpu = found.cpu
    slow = NOTHING
    if "powersave" in cpu.governors and cpu.frequency_driver not in _OWN_CHOICE:
        slow = Message(
            "governor powersave with {frequency_driver}",
            frequency_driver=cpu.frequency_driver or Message("an unknown driver"),
        )
    elif "power" in cpu.energy_preferences:
        slow = Message("energy preference power")
    if slow:
        yield Finding(
            "slow-governor",
            "note",
            Message("The processor is set to save power, so page faults and copies are slower."),
            slow,
            Message(
                "Run cpupower frequency-set -g schedutil or powerprofilesctl set"
                " balanced, or plug in."
            ),
            _PSTATES,
        )
    if found.idle is not None and found.idle.throttle_events:
        yield Finding(
            "throttled",
            "problem",
            Message("The processor is too hot and slows down."),
            Message(
                "{throttle_events} times in {interval} s",
                throttle_events=found.idle.throttle_events,
                interval=f"{found.idle.interval_ns / 1000000000.0:.1f}",
            ),
            Message("Let it cool and check its fan before measuring."),
        )
    usable = cpu.usable or cpu.logical
    if cpu.quota is not None and cpu.quota < usable:
        yield Finding(
            "cpu-quota",
            "note",
            Message(
                "A cgroup allows fewer processors than are visible; extra readers get throttled."
            ),
            Message("{quota} of {usable}", quota=f"{cpu.quota:g}", usable=usable),
            Message(
                "Use at most {value} readers, or raise the limit.", value=max(1, round(cpu.quota))
            ),
            Message("sched-bwc.rst in the kernel's Documentation/scheduler"),
        )
