"""The system that modelmon runs on: kernel, virtual machine or container, and its processors.

Sources: Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst and amd-pstate.rst,
admin-guide/cgroup-v2.rst, scheduler/sched-bwc.rst; thermal_throttle is in
arch/x86/kernel/cpu/mce/therm_throt.c.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import platform
import sys
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import psutil

from modelmon.core.machine.cached_pages import cachestat_pages
from modelmon.core.machine.cgroup import cgroup_limits
from modelmon.core.machine.procfs import number, parse_vmstat, value
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterable

_PRESSURES = ("io", "memory", "cpu")
_CONTAINER_MARKS = (
    ("run/.containerenv", "podman"),
    ("var/run/secrets/kubernetes.io", "kubernetes"),
    (".dockerenv", "docker"),
)
_CGROUP_WORDS = ("docker", "kubepods", "lxc", "libpod", "containerd")
_RANDOM_NODE = 1 << 40
"""RFC 9562, section 6.10: an address drawn by lot has the multicast bit set."""


class Host(msgspec.Struct, frozen=True, omit_defaults=True):
    """The system; None where it does not tell.

    `virtual_machine` is what hypervisor or maker says of itself, `container` what contains
    this process ("": nothing that can be seen). `pressure` are the resources whose stalls the
    kernel counts (PSI). `cachestat` is "" where the call works, else why not.
    """

    system: str
    kernel: str
    architecture: str
    is_virtual: bool | None = None
    virtual_machine: str = ""
    container: str = ""
    is_wsl: bool = False
    pressure: tuple[str, ...] = ()
    cachestat: Message = NOTHING


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
    governors: tuple[str, ...] = ()
    frequency_driver: str | None = None
    energy_preferences: tuple[str, ...] = ()
    throttle_events: int | None = None


def machine_key(root: Path = Path("/")) -> str:
    """A digest of this installation that stays the same over restarts, and no other program has.

    Of the installation's own number where there is one, else of the network card's address or the
    host's name. The number itself is confidential and is not kept.
    Source: machine-id(5), which asks for a keyed digest.
    """
    kept = value(root / "etc/machine-id") or value(root / "var/lib/dbus/machine-id")
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415  Windows only

        place = r"SOFTWARE\Microsoft\Cryptography"
        with suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
            kept = str(winreg.QueryValueEx(key, "MachineGuid")[0])
    node = uuid.getnode()
    card = "" if node & _RANDOM_NODE else f"{node:012x}"
    known = kept or card or platform.node()
    return hmac.new(b"modelmon history", known.encode(), hashlib.sha256).hexdigest()


def read_host(root: Path = Path("/")) -> Host:
    """The system now; `root` is where /proc, /sys and the marks of containers are found."""
    kernel = value(root / "proc/sys/kernel/osrelease") or platform.release()
    wsl = "microsoft" in kernel.lower()
    virtual = True if wsl else is_virtual_machine(root)
    # What the firmware calls the machine, or the name that Xen and its like give themselves.
    names = [value(root / "sys/class/dmi/id" / name) for name in ("sys_vendor", "product_name")]
    maker = " ".join(filter(None, names)) or value(root / "sys/hypervisor/type")
    return Host(
        system=platform.system(),
        kernel=kernel,
        architecture=platform.machine(),
        is_virtual=virtual,
        virtual_machine=maker if virtual is not False else "",
        container=_container(root),
        is_wsl=wsl,
        pressure=tuple(name for name in _PRESSURES if value(root / "proc/pressure" / name)),
        cachestat=_cachestat_obstacle(),
    )


def is_virtual_machine(root: Path = Path("/")) -> bool | None:
    """Whether the processor says that a hypervisor runs below; None where it does not tell.

    x86 has a CPUID bit for it, which Linux lists among the flags (CPUID leaf 1, ECX bit 31;
    arch/x86/include/asm/cpufeatures.h). Other processors and systems have no such word.
    """
    for line in value(root / "proc/cpuinfo").splitlines():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return "hypervisor" in flags.split()
    return None


def free_page_reports(root: Path = Path("/")) -> int | None:
    """How often the host has been given free memory back since boot; None where nothing tells.

    Every two seconds Linux looks for free memory that the host still provides
    (Documentation/mm/free_page_reporting.rst), and a virtio balloon answers each report with an
    interrupt of its queue (drivers/virtio/virtio_balloon.c).
    """
    processors, *lines = value(root / "proc/interrupts").splitlines() or [""]
    counts = [
        sum(map(int, line.split()[1 : 1 + len(processors.split())]))
        for line in lines
        if line.rstrip().endswith("-reporting_vq")
    ]
    return sum(counts) if counts else None


def _cachestat_obstacle() -> Message:
    """Why cachestat(2) cannot be used here; "" if it can. Asked of no file, it says so then."""
    if sys.platform != "linux":
        return Message("{system} has no such call", system=platform.system())
    try:
        cachestat_pages(-1, 0, 1)
    except OSError as error:
        if error.errno == errno.ENOSYS:
            return Message("the kernel is older than 6.5")
        if error.errno != errno.EBADF:
            return Message(
                "the call is refused, as some containers do: {reason}", reason=error.strerror
            )
    return NOTHING


def _container(root: Path) -> str:
    """What contains this process, by the marks that container engines leave."""
    for mark, name in _CONTAINER_MARKS:
        if (root / mark).exists():
            return name
    if named := value(root / "run/systemd/container"):
        return named
    groups = value(root / "proc/self/cgroup")
    return next((word for word in _CGROUP_WORDS if word in groups), "")


def read_cpu(root: Path = Path("/")) -> Cpu:
    """The processors now; `root` is where /proc and /sys are found."""
    frequency = sorted((root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq"))
    drivers = _each(frequency, "scaling_driver")
    quotas = [each.amount for each in cgroup_limits(root=root) or () if each.kind == "processors"]
    return Cpu(
        model=cpu_model(root),
        logical=os.cpu_count() or 1,
        cores=psutil.cpu_count(logical=False),
        usable=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        quota=min(quotas, default=None),
        governors=_each(frequency, "scaling_governor"),
        frequency_driver=drivers[0] if drivers else None,
        energy_preferences=_each(frequency, "energy_performance_preference"),
        throttle_events=throttle_events(root),
    )


def cpu_model(root: Path = Path("/")) -> str | None:
    """The processor's name; in /proc/cpuinfo only x86 and a few others have one."""
    for line in value(root / "proc/cpuinfo").splitlines():
        name, _, text = line.partition(":")
        if name.strip() in {"model name", "cpu model", "Model"} and text.strip():
            return " ".join(text.split())
    return platform.processor() or None


def throttle_events(root: Path = Path("/")) -> int | None:
    """How often some core or package was slowed for its heat since boot; None if not counted.

    The cores of one package repeat its count, which therefore is taken once.
    """
    counts = {}
    for cpu in (root / "sys/devices/system/cpu").glob("cpu[0-9]*"):
        package = value(cpu / "topology/physical_package_id")
        for place, name in ((cpu.name, "core"), (package, "package")):
            count = number(cpu / f"thermal_throttle/{name}_throttle_count")
            if count is not None:
                counts[name, place] = count
    return sum(counts.values()) if counts else None


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
