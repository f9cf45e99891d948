"""Findings about the processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.diagnosis import Diagnosis, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

# With these drivers the governor powersave only means that the hardware chooses.
_OWN_CHOICE = frozenset({"intel_pstate", "amd-pstate-epp"})
_PSTATES = (
    "intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel's Documentation/admin-guide/pm"
)


def machine_findings(found: Diagnosis) -> Iterator[Finding]:
    """What frequency, heat and quota of the processors mean for a load."""
    cpu = found.cpu
    slow = ""
    if "powersave" in cpu.governors and cpu.frequency_driver not in _OWN_CHOICE:
        slow = f"governor powersave with {cpu.frequency_driver or 'an unknown driver'}"
    elif "power" in cpu.energy_preferences:
        slow = "energy preference power"
    if slow:
        yield Finding(
            "slow-governor",
            "note",
            "The processor is set to save power, which slows page faults and copies.",
            slow,
            "cpupower frequency-set -g schedutil, powerprofilesctl set balanced, or mains power",
            _PSTATES,
        )
    if found.idle is not None and found.idle.throttle_events:
        yield Finding(
            "throttled",
            "problem",
            "The processor is too hot and slows itself down.",
            f"{found.idle.throttle_events} times in {found.idle.interval_ns / 1e9:.1f} s",
            "Let it cool, and see to its fan, before measuring.",
        )
    usable = cpu.usable or cpu.logical
    if cpu.quota is not None and cpu.quota < usable:
        yield Finding(
            "cpu-quota",
            "note",
            "A cgroup grants fewer processors than are in sight; too many readers get stopped.",
            f"{cpu.quota:g} of {usable}",
            f"Use at most {max(1, round(cpu.quota))} readers, or raise the limit.",
            "sched-bwc.rst in the kernel's Documentation/scheduler",
        )
