"""The system that modelmon runs on: kernel, virtual machine or container, what it can tell."""

from __future__ import annotations

import errno
import os
import platform
import sys
from pathlib import Path

import msgspec

from modelmon.core.machine.cache_syscalls import cachestat_pages
from modelmon.core.machine.sysfs import value
from modelmon.core.machine.virtual import is_virtual_machine
from modelmon.core.messages import NOTHING, Message

_PRESSURES = ("io", "memory", "cpu")
_CGROUP_WORDS = ("docker", "kubepods", "lxc", "libpod", "containerd")


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


def read_host(root: Path = Path("/")) -> Host:
    """The system now; `root` is where /proc, /sys and the marks of containers are found."""
    kernel = value(root / "proc/sys/kernel/osrelease") or platform.release()
    wsl = "microsoft" in kernel.lower()
    virtual = is_virtual_machine(root / "proc/cpuinfo")
    return Host(
        system=platform.system(),
        kernel=kernel,
        architecture=platform.machine(),
        is_virtual=True if wsl else virtual,
        virtual_machine=_virtual_machine(root) if wsl or virtual is not False else "",
        container=_container(root),
        is_wsl=wsl,
        pressure=tuple(name for name in _PRESSURES if value(root / "proc/pressure" / name)),
        cachestat=cachestat_obstacle(),
    )


def cachestat_obstacle() -> Message:
    """Why cachestat(2) cannot be used here; "" if it can. Tried on a file in memory of our own."""
    if sys.platform != "linux":
        return Message("{system} has no such call", system=platform.system())
    file = os.memfd_create("modelmon")
    try:
        os.ftruncate(file, 1)
        cachestat_pages(file, 0, 1)
    except OSError as error:
        if error.errno == errno.ENOSYS:
            return Message("the kernel is older than 6.5")
        return Message(
            "the call is refused, as some containers do: {reason}", reason=error.strerror
        )
    finally:
        os.close(file)
    return NOTHING


def _virtual_machine(root: Path) -> str:
    """What the firmware calls the machine, or the name that Xen and its like give themselves."""
    names = [value(root / "sys/class/dmi/id" / name) for name in ("sys_vendor", "product_name")]
    return " ".join(name for name in names if name) or value(root / "sys/hypervisor/type")


def _container(root: Path) -> str:
    """What contains this process, by the marks that container engines leave."""
    if (root / "run/.containerenv").exists():
        return "podman"
    if (root / "var/run/secrets/kubernetes.io").exists():
        return "kubernetes"
    if (root / ".dockerenv").exists():
        return "docker"
    if named := value(root / "run/systemd/container"):
        return named
    groups = value(root / "proc/self/cgroup")
    return next((word for word in _CGROUP_WORDS if word in groups), "")
