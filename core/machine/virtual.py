"""Whether this machine is a virtual one."""

from __future__ import annotations

from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")


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
