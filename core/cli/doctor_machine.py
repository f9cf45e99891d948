"""What `modelmon doctor` prints of the machine: memory, processors, system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.units import percent_text, request_text, size_text

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.machine.huge_pages import HugePages
    from modelmon.core.machine.swap import Swap, SwapArea

Rows = list[tuple[str, str]]


def memory_rows(found: Diagnosis) -> Rows:
    """RAM, its limit, swap, huge pages, and whether anything waits for memory."""
    memory = found.memory
    available = f"{size_text(memory.available_bytes)} of {size_text(memory.total_bytes)} available"
    rows = [("RAM", available), ("Cgroup limit", _limit_text(found))]
    rows += [("Swap", _swap_text(found.swap)), ("Huge pages", _huge_page_text(found.huge_pages))]
    if found.idle is not None and found.idle.memory_stalled_share is not None:
        stalled = percent_text(found.idle.memory_stalled_share)
        rows.append(("Waiting for it", f"{stalled} of the time now (PSI)"))
    return rows


def _limit_text(found: Diagnosis) -> str:
    if found.cgroup_version is None:
        return "not available: no memory cgroup in sight"
    version = f"version {found.cgroup_version}"
    used = size_text(found.memory.cgroup_used_bytes or 0)
    if found.memory.cgroup_limit_bytes is None:
        return f"none ({version}); {used} in use without cached files"
    limit = size_text(found.memory.cgroup_limit_bytes)
    return f"{limit} ({version}), {used} in use without cached files"


def _swap_text(swap: Swap) -> str:
    if swap.areas is None:
        return "not available: this system does not list its swap"
    parts = [_area_text(area) for area in swap.areas] or ["none"]
    if swap.zswap is not None and swap.zswap.enabled:
        held = f", holds {size_text(swap.zswap.held_bytes)}" if swap.zswap.held_bytes else ""
        parts.append(f"zswap on ({swap.zswap.compressor}{held})")
    if swap.zram_held_bytes is not None and swap.zram_memory_bytes is not None:
        taken = size_text(swap.zram_memory_bytes)
        parts.append(f"zram holds {size_text(swap.zram_held_bytes)} in {taken}")
    return "; ".join(parts)


def _area_text(area: SwapArea) -> str:
    use = f"{size_text(area.used_bytes)} of {size_text(area.size_bytes)} used"
    return f"{area.name} ({area.kind}), {use}"


def _huge_page_text(pages: HugePages) -> str:
    if pages.private is None:
        return "not available: this kernel has no transparent huge pages"
    parts = [f"private memory {pages.private}", f"shared memory {pages.shared or 'not told'}"]
    if pages.defrag is not None:
        parts.append(f"defragments {pages.defrag}")
    if pages.size_bytes is not None:
        parts.append(request_text(pages.size_bytes))
    return ", ".join(parts)


def processor_rows(found: Diagnosis) -> Rows:
    """Model, how many may be used, frequency and heat."""
    cpu = found.cpu
    count = [f"{cpu.logical} logical"]
    if cpu.cores is not None:
        count.append(f"{cpu.cores} cores")
    if cpu.numa_nodes is not None:
        count.append(f"{cpu.numa_nodes} NUMA node{'s' if cpu.numa_nodes > 1 else ''}")
    if cpu.usable is not None and cpu.usable < cpu.logical:
        count.append(f"this process may use {cpu.usable}")
    if cpu.quota is not None:
        count.append(f"its cgroup grants {cpu.quota:g} at a time")
    governor = "not available: the kernel controls no frequency here, as is usual on virtual ones"
    if cpu.governors:
        parts = [*cpu.governors, *cpu.energy_preferences]
        governor = ", ".join(parts) + f" (driver {cpu.frequency_driver or 'not told'})"
        if cpu.max_frequency_hz is not None:
            governor += f", up to {cpu.max_frequency_hz / 1e9:.2f} GHz"
    heat = "not available: this processor or kernel does not count it"
    if cpu.throttle_events is not None:
        heat = f"slowed for heat {cpu.throttle_events:,} times since boot"
    return [
        ("Model", cpu.model or "not available: the kernel does not name it"),
        ("Number", ", ".join(count)),
        ("Governor", governor),
        ("Heat", heat),
    ]


def system_rows(found: Diagnosis) -> Rows:
    """Kernel, what modelmon runs in, and what the kernel can tell it."""
    host = found.host
    machine = "no sign of it, but this processor cannot tell"
    if host.is_virtual is not None:
        machine = "yes" if host.is_virtual else "no"
    if host.virtual_machine and host.is_virtual:
        machine += f", {host.virtual_machine}"
    if host.is_wsl:
        machine += ", WSL"
    pressure = "not available: the kernel counts no stalls (start it with psi=1)"
    if host.pressure:
        pressure = ", ".join(host.pressure)
    return [
        ("System", f"{host.system} {host.kernel}, {host.architecture}"),
        ("Virtual machine", machine),
        ("Container", host.container or "no sign of one"),
        ("Stalls (PSI)", pressure),
        ("cachestat", f"not available: {host.cachestat}" if host.cachestat else "works"),
    ]
