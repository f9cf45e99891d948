"""The processors: how many this process may use, and whether they run as fast as they could.

Sources: Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst and amd-pstate.rst,
admin-guide/cgroup-v2.rst, scheduler/sched-bwc.rst; thermal_throttle is in
arch/x86/kernel/cpu/mce/therm_throt.c.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import psutil

from modelmon.core.machine.cgroup_limits import cgroup_limits
from modelmon.core.machine.procfs import parse_vmstat
from modelmon.core.machine.sysfs import number, value

if TYPE_CHECKING:
    from collections.abc import Iterable


class Cpu(msgspec.Struct, frozen=True, omit_defaults=True):
    """The processors of this machine; None where the platform does not tell.

    `usable` are those that this process may run on, `quota` how many of them its cgroup grants
    at a time. `governors` and `energy_preferences` are the ones that some CPU has;
    `throttle_events` counts how often a core or package got too hot since boot.
    """

    model: str | None
    logical: int
    cores: int | None = None
    usable: int | None = None
    quota: float | None = None
    numa_nodes: int | None = None
    governors: tuple[str, ...] = ()
    frequency_driver: str | None = None
    energy_preferences: tuple[str, ...] = ()
    max_frequency_hz: float | None = None
    throttle_events: int | None = None


def parse_cpu_model(cpuinfo: str) -> str | None:
    """The processor's name in /proc/cpuinfo; only x86 and a few others have one."""
    for line in cpuinfo.splitlines():
        name, _, text = line.partition(":")
        if name.strip() in {"model name", "cpu model", "Model"} and text.strip():
            return " ".join(text.split())
    return None


def read_cpu(root: Path = Path("/")) -> Cpu:
    """The processors now; `root` is where /proc and /sys are found."""
    cpus = sorted((root / "sys/devices/system/cpu").glob("cpu[0-9]*"))
    frequency = [cpu / "cpufreq" for cpu in cpus if (cpu / "cpufreq").exists()]
    fastest = [number(folder / "cpuinfo_max_freq") for folder in frequency]
    known = [kilohertz for kilohertz in fastest if kilohertz is not None]
    drivers = _each(frequency, "scaling_driver")
    limits = cgroup_limits(root=root) or ()
    quotas = [limit.amount for limit in limits if limit.kind == "processors"]
    return Cpu(
        model=parse_cpu_model(value(root / "proc/cpuinfo")) or platform.processor() or None,
        logical=os.cpu_count() or 1,
        cores=psutil.cpu_count(logical=False),
        usable=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        quota=min(quotas, default=None),
        numa_nodes=len(list((root / "sys/devices/system/node").glob("node[0-9]*"))) or None,
        governors=_each(frequency, "scaling_governor"),
        frequency_driver=drivers[0] if drivers else None,
        energy_preferences=_each(frequency, "energy_performance_preference"),
        max_frequency_hz=max(known) * 1e3 if known else None,
        throttle_events=throttle_events(root),
    )


def throttle_events(root: Path = Path("/")) -> int | None:
    """How often some core or package was slowed for its heat since boot; None if not counted.

    The cores of one package repeat its count, which therefore is taken once.
    """
    cores, packages = [], {}
    for cpu in (root / "sys/devices/system/cpu").glob("cpu[0-9]*"):
        count = number(cpu / "thermal_throttle/core_throttle_count")
        if count is not None:
            cores.append(count)
        count = number(cpu / "thermal_throttle/package_throttle_count")
        if count is not None:
            packages[value(cpu / "topology/physical_package_id")] = count
    if not cores and not packages:
        return None
    return sum(cores) + sum(packages.values())


def cgroup_throttled_ns(folders: Iterable[str | Path]) -> int | None:
    """How long these cgroups were held back since they were made, for they had used their quota.

    The largest of them, for one level holds back all that is below it. Version 1 counts
    nanoseconds, version 2 microseconds (sched-bwc.rst, cgroup-v2.rst: cpu.stat).
    """
    held = []
    for folder in folders:
        counts = parse_vmstat(value(f"{folder}/cpu.stat"))
        if "throttled_time" in counts:
            held.append(counts["throttled_time"])
        elif "throttled_usec" in counts:
            held.append(counts["throttled_usec"] * 1000)
    return max(held, default=None)


def _each(folders: list[Path], name: str) -> tuple[str, ...]:
    return tuple(sorted({text for folder in folders if (text := value(folder / name))}))
