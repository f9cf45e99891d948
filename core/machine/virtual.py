"""Whether this machine is a virtual one, and when its host takes memory back."""

from __future__ import annotations

from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_INTERRUPTS = Path("/proc/interrupts")
_REPORTING = "-reporting_vq"


def is_virtual_machine(cpuinfo: Path = _CPUINFO) -> bool | None:
    """Whether the processor says that a hypervisor runs below; None where it does not tell.

    x86 has a CPUID bit for it, which Linux lists among the flags (CPUID leaf 1, ECX bit 31;
    arch/x86/include/asm/cpufeatures.h). Other processors and systems have no such word.
    """
    try:
        with cpuinfo.open() as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name.strip() == "flags":
                    return "hypervisor" in value.split()
    except OSError:
        return None
    return None


def free_page_reports(interrupts: Path = _INTERRUPTS) -> int | None:
    """How often the host has been given free memory back since boot; None where nothing tells.

    Every two seconds Linux looks for free memory that the host still provides
    (Documentation/mm/free_page_reporting.rst), and a virtio balloon answers each report with an
    interrupt of its queue (drivers/virtio/virtio_balloon.c).
    """
    try:
        with interrupts.open() as lines:
            processors = len(next(lines, "").split())
            counts = [
                line.split()[1 : 1 + processors]
                for line in lines
                if line.rstrip().endswith(_REPORTING)
            ]
    except OSError:
        return None
    return sum(sum(map(int, each)) for each in counts) if counts else None
