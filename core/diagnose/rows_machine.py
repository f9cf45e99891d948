"""What `modelmon doctor` prints of the machine: memory, processors, system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message, joined
from modelmon.core.units import percent_text, request_text, size_text

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.machine.huge_pages import HugePages
    from modelmon.core.machine.swap import Swap, SwapArea

Rows = list[tuple[str, str]]


def memory_rows(found: Diagnosis) -> Rows:
    """RAM, its limit, swap, huge pages, and whether anything waits for memory."""
    memory = found.memory
    available = Message(
        "{available} of {total} available",
        available=size_text(memory.available_bytes),
        total=size_text(memory.total_bytes),
    )
    rows: Rows = [(Message("RAM"), available), (Message("Cgroup limit"), _limit_text(found))]
    rows += [
        (Message("Swap"), _swap_text(found.swap)),
        (Message("Huge pages"), _huge_page_text(found.huge_pages)),
    ]
    if found.idle is not None and found.idle.memory_stalled_share is not None:
        stalled = percent_text(found.idle.memory_stalled_share)
        rows.append(
            (
                Message("Memory pressure"),
                Message("{stalled} of the time now (PSI)", stalled=stalled),
            )
        )
    return rows


def _limit_text(found: Diagnosis) -> str:
    if found.cgroup_version is None:
        return Message("not available: no visible memory cgroup")
    version = Message("version {number}", number=found.cgroup_version)
    used = size_text(found.memory.cgroup_used_bytes or 0)
    if found.memory.cgroup_limit_bytes is None:
        return Message(
            "none ({version}); {used} in use without cached files", version=version, used=used
        )
    limit = size_text(found.memory.cgroup_limit_bytes)
    return Message(
        "{limit} ({version}), {used} in use without cached files",
        limit=limit,
        version=version,
        used=used,
    )


def _swap_text(swap: Swap) -> str:
    if swap.areas is None:
        return Message("not available: this system does not list its swap")
    parts = [_area_text(area) for area in swap.areas] or [Message("none")]
    if swap.zswap is not None and swap.zswap.enabled:
        about = swap.zswap.compressor or "?"
        if swap.zswap.held_bytes:
            about = Message(
                "{compressor}, holds {held}",
                compressor=about,
                held=size_text(swap.zswap.held_bytes),
            )
        parts.append(Message("zswap on ({about})", about=about))
    if swap.zram_held_bytes is not None and swap.zram_memory_bytes is not None:
        taken = size_text(swap.zram_memory_bytes)
        parts.append(
            Message(
                "zram holds {zram_held} in {taken}",
                zram_held=size_text(swap.zram_held_bytes),
                taken=taken,
            )
        )
    return joined(parts, "; ")


def _area_text(area: SwapArea) -> str:
    use = Message(
        "{used} of {size} used", used=size_text(area.used_bytes), size=size_text(area.size_bytes)
    )
    return joined((f"{area.name} ({area.kind})", use), ", ")


def _huge_page_text(pages: HugePages) -> str:
    if pages.private is None:
        return Message("not available: this kernel has no transparent huge pages")
    parts: list[str] = [
        Message("private memory {private}", private=pages.private),
        Message("shared memory {shared}", shared=pages.shared or Message("unknown")),
    ]
    if pages.defrag is not None:
        parts.append(Message("defragments {defrag}", defrag=pages.defrag))
    if pages.size_bytes is not None:
        parts.append(request_text(pages.size_bytes))
    return joined(parts, ", ")


def processor_rows(found: Diagnosis) -> Rows:
    """Model, how many may be used, frequency and heat."""
    cpu = found.cpu
    count = [Message("{logical} logical", logical=cpu.logical)]
    if cpu.cores is not None:
        count.append(Message("{cores} cores", cores=cpu.cores))
    if cpu.numa_nodes is not None:
        count.append(
            Message("1 NUMA node")
            if cpu.numa_nodes == 1
            else Message("{nodes} NUMA nodes", nodes=cpu.numa_nodes)
        )
    if cpu.usable is not None and cpu.usable < cpu.logical:
        count.append(Message("this process may use {usable}", usable=cpu.usable))
    if cpu.quota is not None:
        count.append(Message("its cgroup grants {quota} at a time", quota=f"{cpu.quota:g}"))
    governor = Message(
        "not available: the kernel controls no frequency here, as is usual on virtual ones"
    )
    if cpu.governors:
        parts = [*cpu.governors, *cpu.energy_preferences]
        governor = Message(
            "{governors} (driver {driver})",
            governors=joined(parts, ", "),
            driver=cpu.frequency_driver or Message("unknown"),
        )
        if cpu.max_frequency_hz is not None:
            most = Message("up to {frequency} GHz", frequency=f"{cpu.max_frequency_hz / 1e9:.2f}")
            governor = joined((governor, most), ", ")
    heat = Message("not available: this processor or kernel does not count it")
    if cpu.throttle_events is not None:
        heat = Message(
            "slowed for heat {throttle_events} times since boot",
            throttle_events=f"{cpu.throttle_events:,}",
        )
    return [
        (Message("Model"), cpu.model or Message("not available: the kernel does not name it")),
        (Message("Number"), joined(count, ", ")),
        (Message("Governor"), governor),
        (Message("Heat"), heat),
    ]


def system_rows(found: Diagnosis) -> Rows:
    """Kernel, what modelmon runs in, and what the kernel can tell it."""
    host = found.host
    machine = Message("none detected, but this processor can't report it")
    if host.is_virtual is not None:
        machine = Message("yes") if host.is_virtual else Message("no")
    if host.virtual_machine and host.is_virtual:
        machine = joined((machine, host.virtual_machine), ", ")
    if host.is_wsl:
        machine = joined((machine, "WSL"), ", ")
    pressure = Message("not available: the kernel counts no stalls (start it with psi=1)")
    if host.pressure:
        pressure = joined(host.pressure, ", ")
    return [
        (Message("System"), f"{host.system} {host.kernel}, {host.architecture}"),
        (Message("Virtual machine"), machine),
        (Message("Container"), host.container or Message("none detected")),
        (Message("Stalls (PSI)"), pressure),
        (
            "cachestat",
            Message("not available: {cachestat}", cachestat=host.cachestat)
            if host.cachestat
            else Message("works"),
        ),
    ]
