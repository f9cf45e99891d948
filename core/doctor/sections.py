"""All that `modelmon doctor` knows in groups of rows, for the terminal and for the window."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from modelmon.core.doctor.findings import link_text, users_text
from modelmon.core.machine.block_devices import rotational_doubt
from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.messages import Message, joined, verbatim
from modelmon.core.probe.storage_class import class_text
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    wait_text,
)
from modelmon.core.worker.run_warnings import MEANINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.doctor.decoded_as import DecodedAs
    from modelmon.core.doctor.diagnosis import Diagnosis, Finding, Fit
    from modelmon.core.machine.block_devices import BlockLayer, Disk
    from modelmon.core.machine.cgroup import CgroupLimit
    from modelmon.core.machine.memory import HugePages, Swap, SwapArea
    from modelmon.core.machine.mounts import FuseMount, NetworkMount
    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.machine.storage import MountLayer, StorageStack
    from modelmon.core.probe.probe import MemoryFigures, Probe, Reads, StorageFigures


def doctor_groups(found: Diagnosis) -> list[tuple[str, list[tuple[str, str]]]]:
    """Titles with their rows of names and texts; those that have any."""
    groups = [
        (Message("Storage"), storage_rows(found)),
        (Message("Devices"), device_rows(found)),
        (Message("Devices now, before any load"), idle_rows(found)),
        (Message("Disk measurement"), probe_rows(found)),
        (Message("Expected load times"), expected_rows(found)),
        (Message("File"), file_rows(found)),
        (Message("Memory"), [*memory_rows(found), *fit_rows(found.fit)]),
        (Message("Processors"), processor_rows(found)),
        (Message("Decoding to float32"), decode_rows(found)),
        (Message("This model in each type"), decoded_as_rows(found)),
        (Message("System"), system_rows(found)),
    ]
    return [(title, rows) for title, rows in groups if rows]


def finding_rows(finding: Finding) -> list[tuple[str, str]]:
    """What a finding rests on, what to do, and whose figure it is that was not measured here."""
    rows = [
        (Message("Evidence"), finding.evidence),
        (Message("Fix"), finding.remedy),
        (Message("Typical value, not measured here"), finding.rule_of_thumb),
    ]
    return [(name, text) for name, text in rows if text]


Rows = list[tuple[str, str]]

CACHE_BAR = Message("Along the file")
"""The row that is drawn of characters, which take the same room each."""

_KINDS = {
    "local-disk": Message("local disk"),
    "network": Message("network"),
    "fuse": verbatim("FUSE"),
    "memory": Message("memory"),
    "unknown": Message("storage type unknown"),
}
_SERVES = {
    "object-store": Message("an object store"),
    "server": Message("another machine"),
    "local": Message("local files"),
    "unknown": Message("unknown"),
}


_KNOWN_FROM = {
    "mount type": Message("known from its mount type"),
    "source": Message("known from its source"),
    "serving process": Message("known from its serving process"),
}


def storage_rows(found: Diagnosis) -> Rows:
    """Path, mounts and what they say of themselves."""
    stack, storage = found.storage_stack, found.storage
    moved = stack.asked != stack.path
    rows: Rows = [(Message("Path"), f"{stack.asked} → {stack.path}" if moved else stack.path)]
    if not stack.mounts:
        seen = Message(
            "{filesystem} on {mount_point}, {kind}",
            filesystem=storage.filesystem,
            mount_point=storage.mount_point,
            kind=_KINDS[storage.kind],
        )
        rows.append(
            (
                Message("Mount"),
                seen if storage.filesystem else Message("not available: no visible mount"),
            )
        )
    for mount in stack.mounts:
        rows += _mount_rows(mount)
    for image in stack.images:
        rows += [
            (Message("Image"), image.path),
            *(row for g in image.mounts for row in _mount_rows(g)),
        ]
    if storage.free_bytes is not None:
        rows.append((Message("Free space"), size_text(storage.free_bytes)))
    return rows


def _mount_rows(mount: MountLayer) -> Rows:
    where = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    if mount.source not in ("", "none"):
        where = Message("{where} from {source}", where=where, source=mount.source)
    rows: Rows = [(Message("Mount"), joined((where, _KINDS[mount.kind]), ", "))]
    if mount.bind_root:
        rows.append(
            (Message("Shows"), Message("the folder {bind_root} of it", bind_root=mount.bind_root))
        )
    if mount.layers_hidden:
        rows.append(
            (
                Message("Below"),
                Message("not available: the layers aren't visible, as in a container"),
            )
        )
    if mount.network is not None:
        rows.append((Message("Connection"), _network_text(mount.network)))
    if mount.fuse is not None:
        rows.append((Message("Served by"), _fuse_text(mount.fuse)))
    rows += [
        (
            Message("Option"),
            Message("{option}: {meaning}", option=option.option, meaning=option.meaning),
        )
        for option in mount.options
    ]
    if mount.readahead_bytes is not None:
        rows.append((Message("Readahead"), request_text(mount.readahead_bytes)))
    return rows


def _network_text(network: NetworkMount) -> str:
    parts = [" ".join(filter(None, (network.protocol, network.version)))]
    if network.is_windows_drive:
        parts.append(Message("a drive of Windows"))
    if network.request_bytes is not None:
        parts.append(
            Message("requests up to {request}", request=request_text(network.request_bytes))
        )
    if network.connections is not None:
        parts.append(
            Message("1 connection")
            if network.connections == 1
            else Message("{connections} connections", connections=network.connections)
        )
    if network.mean_read_bytes is not None and network.mean_read_ns is not None:
        mean = Message(
            "{size} in {duration}",
            size=request_text(network.mean_read_bytes),
            duration=duration_text(network.mean_read_ns),
        )
        parts.append(
            Message(
                "{reads} reads since mounted, {mean} on average",
                reads=f"{network.reads:,}",
                mean=mean,
            )
        )
    return joined(parts, ", ")


def _fuse_text(fuse: FuseMount) -> str:
    parts = [fuse.program or Message("not available: no visible process serves it")]
    if fuse.pid is not None:
        parts[0] = Message("{program} (process {pid})", program=parts[0], pid=fuse.pid)
    if fuse.program:
        parts.append(Message("from {place}", place=_SERVES[fuse.serves]))
        if fuse.known_from in _KNOWN_FROM:
            parts.append(_KNOWN_FROM[fuse.known_from])
    return joined([*parts, *fuse.settings], ", ")


def file_rows(found: Diagnosis) -> Rows:
    """Size, what is on the disk, what is cached, who uses it."""
    file = found.file
    if file is None:
        return []
    size: str = size_text(file.size_bytes)
    if file.files != 1:
        size = Message("{size} in {files} files", size=size, files=file.files)
    rows: Rows = [(Message("Size"), size)]
    if file.allocated_share is not None:
        rows.append((Message("On the disk"), percent_text(file.allocated_share)))
    cached = (
        Message("not available: {reason}", reason=why_unknown(file.cached_source))
        if file.cached_share is None
        else Message(
            "{cached} of the bytes, known by {cached_source}",
            cached=percent_text(file.cached_share),
            cached_source=file.cached_source,
        )
    )
    if file.opening_may_drop_cache:
        cached = Message(
            "{cached}; opening the file to check may have evicted more",
            cached=cached,
        )
    users = users_text(file.users)
    rows.append((Message("Cached now"), cached))
    if file.cache_map is not None and file.cached_share is not None:
        rows.append((CACHE_BAR, cache_bar(file.cache_map)))
    return [*rows, (Message("Used by"), users or Message("no visible process"))]


_CELLS = 56
_LEVELS = " ░▒▓█"
_BETWEEN_FILES = "│"


def cache_bar(found: ResidencyMap) -> str:
    """A mark for each part: blank is not cached, a full one is cached whole.

    Several files stand one after the other with a line between them, as long as their sizes
    say; of very many, some get no mark. A file of which nothing is known has question marks.
    """
    total = sum(file.size_bytes for file in found.files) or 1
    bars = []
    start = 0
    for number, file in enumerate(found.files):
        first = round(start * _CELLS / total)
        start += file.size_bytes
        cells = round(start * _CELLS / total) - first
        if not file.is_known:
            bars.append("?" * cells)
            continue
        bars.append(_marks(file.cached_pages, found.pages_of(number), cells))
    return f"[{_BETWEEN_FILES.join(bar for bar in bars if bar)}]"


def _marks(cached: tuple[int, ...], pages: tuple[int, ...], cells: int) -> str:
    """`cells` marks for the buckets of a file; where there are more cells, some say the same."""
    marks = []
    for cell in range(cells):
        first = cell * len(cached) // cells
        last = max(first + 1, (cell + 1) * len(cached) // cells)
        there, whole = sum(cached[first:last]), sum(pages[first:last])
        # Blank and full mean all of it; what lies between never looks like either.
        between = 1 + there * (len(_LEVELS) - 2) // whole
        marks.append(_LEVELS[0 if not there else -1 if there >= whole else between])
    return "".join(marks)


_LAYERS = {
    "lvm": Message("LVM volume"),
    "luks": Message("LUKS, decrypted by the CPU"),
    "crypt": Message("dm-crypt, decrypted by the CPU"),
    "verity": Message("dm-verity, checked by the CPU"),
    "mapped": Message("device mapper"),
    "md": Message("array (md)"),
    "loop": Message("loop device"),
    "zram": Message("compressed memory (zram)"),
}


def device_rows(found: Diagnosis) -> Rows:
    """The chain of devices, a layer a row, each below what lies on it."""
    rows = list(_chain(found.storage_stack, found.host.is_virtual, 0))
    if not rows and found.storage.kind == "local-disk":
        reason = (
            Message("the kernel shows none")
            if sys.platform == "linux"
            else Message("not on {platform}", platform=sys.platform)
        )
        rows.append((Message("Chain"), Message("not available: {reason}", reason=reason)))
    return [*rows, *read_limit_rows(found.limits)]


def read_limit_rows(limits: Iterable[CgroupLimit] | None) -> Rows:
    """What the control groups allow to be read, a limit a row."""
    return [
        (
            Message("Read limit"),
            Message("{amount} ({where})", amount=limit.amount_text, where=limit.where),
        )
        for limit in limits or ()
        if limit.device
    ]


def _chain(stack: StorageStack, on_virtual: bool | None, depth: int) -> Iterator[tuple[str, str]]:
    for mount in stack.mounts:
        for device in mount.devices:
            yield from _layer_rows(device, on_virtual, depth)
    for image in stack.images:
        yield _below(depth + 1, Message("image")), image.path
        yield from _chain(image, on_virtual, depth + 2)


def _layer_rows(
    layer: BlockLayer, on_virtual: bool | None, depth: int
) -> Iterator[tuple[str, str]]:
    name = _below(depth, layer.name) if depth else layer.name
    kind: str = _LAYERS.get(layer.kind, layer.kind)
    parts: list[str] = [joined(filter(None, (kind, layer.title)))]
    if layer.size_bytes is not None:
        parts.append(size_text(layer.size_bytes))
    if layer.disk is not None:
        parts += _disk_parts(layer.disk, on_virtual)
    if layer.kind != "partition":
        if layer.readahead_bytes is not None:
            parts.append(
                Message("readahead {readahead}", readahead=request_text(layer.readahead_bytes))
            )
        if layer.scheduler is not None:
            parts.append(Message("scheduler {scheduler}", scheduler=layer.scheduler))
    if layer.backing_file is not None:
        parts.append(Message("of {file}", file=layer.backing_file))
    yield name, joined(parts, ", ")
    if layer.disk is not None:
        indent = "  " * (depth + 1)
        yield Message("{indent}PCIe link", indent=indent), _links_text(layer.disk)
    for below in layer.below:
        yield from _layer_rows(below, on_virtual, depth + 1)


def _below(depth: int, name: str) -> Message:
    return Message("{indent}└ {name}", indent="  " * depth, name=name)


def _disk_parts(disk: Disk, on_virtual: bool | None) -> list[str]:
    bus = joined(filter(None, (disk.bus, disk.transport)), " over ")
    parts = [
        disk.model or Message("model unknown"),
        Message("on {bus}", bus=bus) if bus else Message("bus unknown"),
    ]
    if disk.usb_mbit_per_s is not None:
        parts.append(f"{disk.usb_mbit_per_s:,} Mbit/s")
    if disk.rotational_reported is not None:
        claim = (
            Message("reported as rotational")
            if disk.rotational_reported
            else Message("reported as non-rotational")
        )
        doubt = rotational_doubt(disk, on_virtual)
        if doubt:
            claim = Message("{claim} (unreliable: {doubt})", claim=claim, doubt=doubt)
        parts.append(claim)
    return parts


def _links_text(disk: Disk) -> str:
    if disk.is_virtual:
        return Message("not available: a virtual disk has none of its own")
    if not disk.pci_links:
        return Message("not available: the kernel names no speed for it")
    links = (
        Message(
            "{now} of possible {most}",
            now=link_text(link.gt_per_s, link.lanes, link.bytes_per_s),
            most=link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s),
        )
        for link in disk.pci_links
    )
    return joined(links, "; above it ")


def idle_rows(found: Diagnosis) -> Rows:
    """What others do on the devices, as `iostat -x` puts it."""
    if found.idle is None:
        return []
    rows: Rows = []
    for look in found.idle.devices:
        seen = look.activity
        parts = [
            Message("{reads_rate} reads/s", reads_rate=f"{seen.reads_per_s:.0f}"),
            rate_text(seen.read_bytes_per_s),
        ]
        if seen.mean_request_bytes is not None:
            parts.append(
                Message(
                    "mean request {mean_request}",
                    mean_request=request_text(seen.mean_request_bytes),
                )
            )
        if seen.read_await_ns is not None:
            parts.append(
                Message("mean wait {read_await}", read_await=duration_text(seen.read_await_ns))
            )
        if seen.writes_per_s is not None and seen.write_bytes_per_s is not None:
            parts.append(Message("{writes_rate} writes/s", writes_rate=f"{seen.writes_per_s:.0f}"))
            parts.append(rate_text(seen.write_bytes_per_s))
        if seen.queue_depth is not None:
            parts.append(Message("queue {queue_depth}", queue_depth=f"{seen.queue_depth:.2f}"))
        if seen.busy_share is not None:
            parts.append(Message("{busy} busy", busy=percent_text(seen.busy_share)))
        rows.append((look.device, joined(parts, ", ")))
    return rows


_WAYS = {
    "direct": Message("direct I/O"),
    "cache": Message("buffered, cold"),
    "memory": Message("from memory"),
}
_DELIVERIES = {
    "mapped": Message("Mapped"),
    "owned": Message("As a private copy"),
    "decoded": Message("Decoded to float32, kept"),
}
_JUST_NOW_S = 60
_MOSTLY = {
    "device-bandwidth": Message("storage bandwidth"),
    "device-latency": Message("storage latency"),
    "amplification": Message("repeated reads"),
    "faults": Message("page faults"),
    "page-cache": Message("copying"),
    "decode": Message("decoding"),
    "per-tensor": Message("per-tensor overhead"),
}
_OTHER = Message("other")


def fit_rows(fits: Sequence[Fit]) -> Rows:
    """For each delivery whether the model fits."""
    return [(_DELIVERIES[fit.delivery], fit.sentence) for fit in fits]


def probe_rows(found: Diagnosis) -> Rows:
    """What was measured of storage and memory."""
    probe = found.probe
    if probe is None:
        if found.probe_missing:
            return [
                (
                    Message("Figures"),
                    Message("not available: {probe_missing}", probe_missing=found.probe_missing),
                )
            ]
        advice = Message("none in the last 7 days; it takes a few seconds and reads the file")
        return [(Message("Figures"), advice)] if found.file is not None else []
    return [
        (
            Message("Measured"),
            Message(
                "{probe} of {path}, in {duration}",
                probe=age_text(probe),
                path=probe.path,
                duration=duration_text(probe.duration_ns),
            ),
        ),
        (
            Message("Class"),
            Message(
                "{storage_class} ({evidence})",
                storage_class=class_text(probe.storage_class),
                evidence=probe.class_evidence,
            ),
        ),
        *_storage_rows(probe.storage),
        *_memory_rows(probe.memory),
    ]


def expected_rows(found: Diagnosis) -> Rows:
    """What each strategy should take from a cold and a warm start, and what for mostly."""
    rows: Rows = [
        (
            each.strategy,
            Message(
                "{cold} cold ({cold_term}), {warm} warm ({warm_term})",
                cold=duration_text(each.cold.ns),
                cold_term=_MOSTLY.get(each.cold.mostly, _OTHER),
                warm=duration_text(each.warm.ns),
                warm_term=_MOSTLY.get(each.warm.mostly, _OTHER),
            ),
        )
        for each in found.expected
    ]
    if found.expected and not found.expected[0].measured:
        rows.append((Message("Based on"), Message("typical values of such storage")))
    return rows


def age_text(probe: Probe) -> str:
    """How long ago a probe was taken: `just now`, `3 h 5 min ago`."""
    age_s = time.time() - probe.probed_unix_s
    return (
        Message("just now")
        if age_s < _JUST_NOW_S
        else Message("{age} ago", age=duration_text(age_s * 1000000000.0))
    )


def _storage_rows(storage: StorageFigures) -> Rows:
    rows: Rows = []
    if storage.way in _WAYS:
        way = Message("{size} {way}", size=size_text(storage.read_bytes), way=_WAYS[storage.way])
        if storage.way_reason:
            way = Message("{way}. {reason}", way=way, reason=storage.way_reason)
        rows.append((Message("Read"), way))
    else:
        rows.append(
            (
                Message("Read"),
                Message(
                    "not available: {way_reason}",
                    way_reason=storage.way_reason or Message("the file is empty"),
                ),
            )
        )
    if storage.latency is not None:
        latency = storage.latency
        waits = f"p50 {wait_text(latency.p50_ns)}"
        if latency.p99_ns is not None:
            waits += f", p99 {wait_text(latency.p99_ns)}"
        name = Message("Random {request}", request=request_text(latency.request_bytes))
        rows.append(
            (
                name,
                Message("{waits}, {samples} samples", waits=waits, samples=f"{latency.samples:,}"),
            )
        )
    if storage.sequential is not None:
        rows.append((Message("Sequential"), _reads_text(storage.sequential)))
    if storage.buffered is not None:
        rows.append((Message("Buffered"), _reads_text(storage.buffered)))
    elif storage.buffered_reason:
        rows.append(
            (
                Message("Buffered"),
                Message("not measured: {buffered_reason}", buffered_reason=storage.buffered_reason),
            )
        )
    for reads in storage.readers:
        name = (
            Message("1 reader")
            if reads.readers == 1
            else Message("{readers} readers", readers=reads.readers)
        )
        rows.append((name, _reads_text(reads)))
    if storage.met_others:
        others, own = size_text(storage.others_bytes or 0), size_text(storage.direct_bytes)
        rows.append(
            (
                Message("Other use"),
                Message(
                    "others moved {others} during {own} of it: rates are too low",
                    others=others,
                    own=own,
                ),
            )
        )
    if storage.repeated_places:
        rows.append(
            (
                Message("Small file"),
                Message("places were read more than once, which caches may speed up"),
            )
        )
    if storage.left_cached_bytes:
        rows.append((Message("Left in the cache"), size_text(storage.left_cached_bytes)))
    return rows


def _reads_text(reads: Reads) -> str:
    request = Message(
        "{mean_wait} for {request}",
        mean_wait=wait_text(reads.mean_wait_ns),
        request=request_text(reads.request_bytes),
    )
    return joined((rate_text(reads.bytes_per_s), request), ", ")


def _memory_rows(memory: MemoryFigures) -> Rows:
    if not memory.copies:
        return [(Message("Memory copy"), Message("not available: {reason}", reason=memory.reason))]
    return [
        (
            Message("Copy, 1 thread")
            if copy.threads == 1
            else Message("Copy, {threads} threads", threads=copy.threads),
            Message(
                "into {pages} {best_rate} at best, {median_rate} median of {repeats}",
                pages=Message("fresh pages") if copy.fresh else Message("pages in use"),
                best_rate=rate_text(copy.best_bytes_per_s),
                median_rate=rate_text(copy.median_bytes_per_s),
                repeats=copy.repeats,
            ),
        )
        for copy in memory.copies
    ]


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


_DECODERS = {
    "compiled": Message("compiled"),
    "gguf": Message("gguf's decoder"),
    "numpy": Message("numpy"),
}


def decode_rows(found: Diagnosis) -> Rows:
    """Stored bytes a second that become float32, by type; and what is missing to be faster."""
    if not found.decode_rates:
        return []
    from modelmon.core.load.decode import COMPILED  # noqa: PLC0415  slow to import

    rows: Rows = [
        (
            rate.dtype,
            Message(
                "{rate} ({low} to {high}), {decoder}",
                rate=rate_text(rate.bytes_per_s),
                low=rate_text(rate.low_bytes_per_s),
                high=rate_text(rate.high_bytes_per_s),
                decoder=_DECODERS[rate.decoder],
            ),
        )
        for rate in found.decode_rates
    ]
    told = Message(
        "Stored bytes a second, with {threads} threads.", threads=found.decode_rates[0].threads
    )
    rows.append((Message("Rates"), told))
    if any(rate.decoder == "gguf" and rate.dtype in COMPILED for rate in found.decode_rates):
        rows.append((Message("Fix"), MEANINGS["slow-decoder"].remedy))
    return rows


def decoded_as_rows(found: Diagnosis) -> Rows:
    """The model as it is, or why that can't be decoded, and as each type."""
    rows: Rows = [(one.dtype or Message("As it is"), _text(one)) for one in found.decoded_as]
    if found.no_decoding:
        rows.insert(0, (Message("As it is"), found.no_decoding))
    if found.decoded_as and found.probe is not None:
        rows.append(
            (
                Message("Range"),
                Message(
                    "Lower: decodes while reading. Upper: reads, then decodes. At the disk's best"
                    " measured rate."
                ),
            )
        )
    return rows


def _text(one: DecodedAs) -> Message:
    size = size_text(one.model_bytes)
    if one.least_ns is None or one.most_ns is None:
        decoding = duration_text(one.decode_ns)
        return Message("{size}, decoding alone {decoding}", size=size, decoding=decoding)
    return Message(
        "{size}, {least} to {most} from a cold start",
        size=size,
        least=duration_text(one.least_ns),
        most=duration_text(one.most_ns),
    )
