"""All that `modelmon doctor` knows as titles with rows of names and texts.

Terminal and window show what `sections` gives. It only words what a diagnosis holds: nothing is
looked up or judged here.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.doctor.findings import link_text, users_text
from modelmon.core.machine.block_devices import rotational_doubt
from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.messages import NOTHING, Message, filled, joined, verbatim
from modelmon.core.probe.probe import class_text
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
    from collections.abc import Callable, Iterable, Iterator

    from modelmon.core.doctor.diagnosis import Diagnosis, ExpectedTime, Fit
    from modelmon.core.machine.block_devices import BlockLayer, Disk
    from modelmon.core.machine.cgroup import CgroupLimit
    from modelmon.core.machine.mounts import FuseMount, NetworkMount
    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.machine.storage import MountLayer, StorageStack
    from modelmon.core.probe.probe import Probe, Reads, StorageFigures
    from modelmon.core.worker.events import DeviceActivity

Row = tuple[str, str]

CACHE_BAR = Message("Along the file")
"""The row that is drawn of characters, which take the same room each."""

_CELLS = 56
_LEVELS = " ░▒▓█"
_JUST_NOW_S = 60
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
_DECODERS = {
    "compiled": Message("compiled"),
    "gguf": Message("gguf's decoder"),
    "numpy": Message("numpy"),
}


def sections(found: Diagnosis) -> list[tuple[str, list[Row]]]:
    """Titles with their rows; those that have any."""
    every: tuple[tuple[str, Iterable[Row]], ...] = (
        (Message("Storage"), storage_rows(found)),
        (Message("Devices"), device_rows(found)),
        (Message("Devices now, before any load"), _activity(found)),
        (Message("Disk measurement"), _probe(found)),
        (Message("Expected load times"), _expected(found)),
        (Message("File"), _file(found)),
        (Message("Memory"), [*_memory(found), *fit_rows(found.fit)]),
        (Message("Processors"), _processors(found)),
        (Message("Decoding to float32"), _decoding(found)),
        (Message("System"), _system(found)),
    )
    known = ((title, [row for row in rows if row[1]]) for title, rows in every)
    return [(title, rows) for title, rows in known if rows]


def _told(template: Message, text: Callable[..., str] | None = None, **figures: object) -> Message:
    """The template with its figures as text; empty where one of them isn't known."""
    if None in figures.values():
        return NOTHING
    told = {name: text(each) if text else each for name, each in figures.items()}
    return Message(template.template, **told)


def _counted(one: Message, many: Message, **count: int | None) -> Message:
    """A number of things, by the words for one of them and for more."""
    return one if 1 in count.values() else _told(many, None, **count)


def _listed(*parts: str, separator: str = ", ") -> Message:
    """What is known, one after the other."""
    return joined(filter(None, parts), separator)


def _missing(reason: str) -> Message:
    return Message("not available: {reason}", reason=reason)


def storage_rows(found: Diagnosis) -> Iterator[Row]:
    """Path, mounts and what they say of themselves."""
    stack, storage = found.storage_stack, found.storage
    moved = stack.asked != stack.path
    yield Message("Path"), f"{stack.asked} → {stack.path}" if moved else stack.path
    if not stack.mounts:
        seen = Message(
            "{filesystem} on {mount_point}, {kind}",
            filesystem=storage.filesystem,
            mount_point=storage.mount_point,
            kind=_KINDS[storage.kind],
        )
        if storage.filesystem:
            yield Message("Mount"), seen
    for mount in stack.mounts:
        yield from _mount(mount)
    for image in stack.images:
        yield Message("Image"), image.path
        for mount in image.mounts:
            yield from _mount(mount)
    if storage.free_bytes is not None:
        yield Message("Free space"), size_text(storage.free_bytes)


def _mount(mount: MountLayer) -> Iterator[Row]:
    where = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    if mount.source not in ("", "none"):
        where = Message("{where} from {source}", where=where, source=mount.source)
    yield Message("Mount"), _listed(where, _KINDS[mount.kind])
    if mount.bind_root:
        shown = Message("its folder {bind_root}", bind_root=mount.bind_root)
        yield Message("Shows"), shown
    if mount.network is not None:
        yield Message("Connection"), _network_text(mount.network)
    if mount.fuse is not None:
        yield Message("Served by"), _fuse_text(mount.fuse)
    for each in mount.options:
        meaning = Message("{option}: {meaning}", option=each.option, meaning=each.meaning)
        yield Message("Option"), meaning
    if mount.readahead_bytes is not None:
        yield Message("Readahead"), request_text(mount.readahead_bytes)


def _network_text(network: NetworkMount) -> str:
    return _listed(
        " ".join(filter(None, (network.protocol, network.version))),
        Message("a drive of Windows") if network.is_windows_drive else NOTHING,
        _told(Message("requests up to {request}"), request_text, request=network.request_bytes),
        _counted(
            Message("1 connection"),
            Message("{connections} connections"),
            connections=network.connections,
        ),
    )


def _fuse_text(fuse: FuseMount) -> str:
    program = fuse.program or ""
    if fuse.pid is not None:
        program = Message("{program} (process {pid})", program=program, pid=fuse.pid)
    known = (
        Message("from {place}", place=_SERVES[fuse.serves]),
        _KNOWN_FROM.get(fuse.known_from, NOTHING),
    )
    return _listed(program, *(known if fuse.program else ()), *fuse.settings)


def device_rows(found: Diagnosis) -> Iterator[Row]:
    """The chain of devices, a layer a row, each below what lies on it."""
    yield from _chain(found.storage_stack, found.host.is_virtual, 0)
    yield from read_limit_rows(found.limits)


def read_limit_rows(limits: Iterable[CgroupLimit] | None) -> Iterator[Row]:
    """What the control groups allow to be read, a limit a row."""
    for limit in limits or ():
        if limit.device:
            text = Message("{amount} ({where})", amount=limit.amount_text, where=limit.where)
            yield Message("Read limit"), text


def _chain(stack: StorageStack, on_virtual: bool | None, depth: int) -> Iterator[Row]:
    for mount in stack.mounts:
        for device in mount.devices:
            yield from _layer(device, on_virtual, depth)
    for image in stack.images:
        yield _below(depth + 1, Message("image")), image.path
        yield from _chain(image, on_virtual, depth + 2)


def _layer(layer: BlockLayer, on_virtual: bool | None, depth: int) -> Iterator[Row]:
    disk, is_whole = layer.disk, layer.kind != "partition"
    text = _listed(
        _listed(_LAYERS.get(layer.kind, layer.kind), layer.title or "", separator=" "),
        size_text(layer.size_bytes) if layer.size_bytes is not None else "",
        *(_disk_parts(disk, on_virtual) if disk is not None else ()),
        _told(
            Message("readahead {readahead}"),
            request_text,
            readahead=layer.readahead_bytes if is_whole else None,
        ),
        _told(Message("scheduler {scheduler}"), scheduler=layer.scheduler if is_whole else None),
        _told(Message("of {file}"), file=layer.backing_file),
    )
    yield _below(depth, layer.name) if depth else layer.name, text
    if disk is not None and disk.pci_links and not disk.is_virtual:
        yield Message("{indent}PCIe link", indent="  " * (depth + 1)), _links_text(disk)
    for below in layer.below:
        yield from _layer(below, on_virtual, depth + 1)


def _below(depth: int, name: str) -> Message:
    return Message("{indent}└ {name}", indent="  " * depth, name=name)


def _disk_parts(disk: Disk, on_virtual: bool | None) -> Iterator[str]:
    bus = _listed(disk.bus or "", disk.transport or "", separator=" over ")
    yield disk.model or Message("model unknown")
    yield Message("on {bus}", bus=bus) if bus else Message("bus unknown")
    if disk.usb_mbit_per_s is not None:
        yield f"{disk.usb_mbit_per_s:,} Mbit/s"
    if disk.rotational_reported is not None:
        claim = Message("reported as non-rotational")
        if disk.rotational_reported:
            claim = Message("reported as rotational")
        doubt = rotational_doubt(disk, on_virtual)
        yield (
            Message("{claim} (unreliable: {doubt})", claim=claim, doubt=doubt) if doubt else claim
        )


def _links_text(disk: Disk) -> str:
    links = (
        Message(
            "{now} of possible {most}",
            now=link_text(link.gt_per_s, link.lanes, link.bytes_per_s),
            most=link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s),
        )
        for link in disk.pci_links
    )
    return joined(links, "; above it ")


def _activity(found: Diagnosis) -> Iterator[Row]:
    """What others do on the devices, as `iostat -x` puts it."""
    for look in found.idle.devices if found.idle is not None else ():
        yield look.device, _activity_text(look.activity)


def _activity_text(seen: DeviceActivity) -> str:
    writes = seen.writes_per_s is not None and seen.write_bytes_per_s is not None
    return _listed(
        Message("{reads_rate} reads/s", reads_rate=f"{seen.reads_per_s:.0f}"),
        rate_text(seen.read_bytes_per_s),
        _told(
            Message("mean request {mean_request}"),
            request_text,
            mean_request=seen.mean_request_bytes,
        ),
        _told(Message("mean wait {read_await}"), duration_text, read_await=seen.read_await_ns),
        *(
            (
                Message("{writes_rate} writes/s", writes_rate=f"{seen.writes_per_s or 0:.0f}"),
                rate_text(seen.write_bytes_per_s or 0),
            )
            if writes
            else ()
        ),
        _told(Message("queue {queue_depth}"), "{:.2f}".format, queue_depth=seen.queue_depth),
        _told(Message("{busy} busy"), percent_text, busy=seen.busy_share),
    )


def _probe(found: Diagnosis) -> Iterator[Row]:
    """What was measured of storage and memory."""
    probe, why_not = found.probe, found.probe_missing
    if probe is None:
        if why_not:
            text = Message("not available: {probe_missing}", probe_missing=why_not)
            yield Message("Figures"), text
        elif found.file is not None:
            text = Message("none in the last 7 days; it takes a few seconds and reads the file")
            yield Message("Figures"), text
        return
    measured = Message(
        "{probe} of {path}, in {duration}",
        probe=age_text(probe),
        path=probe.path,
        duration=duration_text(probe.duration_ns),
    )
    yield Message("Measured"), measured
    kind = Message(
        "{storage_class} ({evidence})",
        storage_class=class_text(probe.storage_class),
        evidence=probe.class_evidence,
    )
    yield Message("Class"), kind
    yield from read_rows(probe.storage)
    if not probe.memory.copies:
        yield Message("Memory copy"), _missing(probe.memory.reason)
    for copy in probe.memory.copies:
        name = _counted(
            Message("Copy, 1 thread"), Message("Copy, {threads} threads"), threads=copy.threads
        )
        text = Message(
            "into {pages} {best_rate} at best, {median_rate} median of {repeats}",
            pages=Message("fresh pages") if copy.fresh else Message("pages in use"),
            best_rate=rate_text(copy.best_bytes_per_s),
            median_rate=rate_text(copy.median_bytes_per_s),
            repeats=copy.repeats,
        )
        yield name, text


def age_text(probe: Probe) -> str:
    """How long ago a probe was taken: `just now`, `3 h 5 min ago`."""
    age_s = time.time() - probe.probed_unix_s
    if age_s < _JUST_NOW_S:
        return Message("just now")
    return Message("{age} ago", age=duration_text(age_s * 1e9))


def read_rows(storage: StorageFigures) -> Iterator[Row]:
    """How fast storage was read, and what that may be wrong by."""
    reason, latency = storage.way_reason, storage.latency
    if storage.way in _WAYS:
        read = Message("{size} {way}", size=size_text(storage.read_bytes), way=_WAYS[storage.way])
        if reason:
            read = Message("{way}. {reason}", way=read, reason=reason)
    else:
        reason = reason or Message("the file is empty")
        read = Message("not available: {way_reason}", way_reason=reason)
    yield Message("Read"), read
    if latency is not None:
        waits = f"p50 {wait_text(latency.p50_ns)}"
        if latency.p99_ns is not None:
            waits += f", p99 {wait_text(latency.p99_ns)}"
        text = Message("{waits}, {samples} samples", waits=waits, samples=f"{latency.samples:,}")
        yield Message("Random {request}", request=request_text(latency.request_bytes)), text
    if storage.sequential is not None:
        yield Message("Sequential"), _reads_text(storage.sequential)
    if storage.buffered is not None:
        yield Message("Buffered"), _reads_text(storage.buffered)
    elif why_not := storage.buffered_reason:
        text = Message("not measured: {buffered_reason}", buffered_reason=why_not)
        yield Message("Buffered"), text
    for reads in storage.readers:
        name = _counted(Message("1 reader"), Message("{readers} readers"), readers=reads.readers)
        yield name, _reads_text(reads)
    if storage.met_others:
        text = Message(
            "others moved {others} during {own} of reads: rates are too low",
            others=size_text(storage.others_bytes or 0),
            own=size_text(storage.direct_bytes),
        )
        yield Message("Other use"), text
    if storage.repeated_places:
        text = Message("places were read more than once, which caches may speed up")
        yield Message("Small file"), text
    if storage.left_cached_bytes:
        yield Message("Left in the cache"), size_text(storage.left_cached_bytes)


def _reads_text(reads: Reads) -> str:
    request = Message(
        "{mean_wait} for {request}",
        mean_wait=wait_text(reads.mean_wait_ns),
        request=request_text(reads.request_bytes),
    )
    return _listed(rate_text(reads.bytes_per_s), request)


def _expected(found: Diagnosis) -> Iterator[Row]:
    """What each strategy should take from a cold and a warm start, and what for mostly."""
    for each in found.expected:
        cold = _time_text(Message("{time} cold ({mostly})"), each.cold)
        warm = _time_text(Message("{time} warm ({mostly})"), each.warm)
        yield each.strategy, _listed(cold, warm)
    if found.expected and not found.expected[0].measured:
        yield Message("Based on"), Message("typical values of such storage")


def _time_text(template: Message, one: ExpectedTime | None) -> Message:
    if one is None:
        return NOTHING
    return filled(template, time=duration_text(one.ns), mostly=_MOSTLY.get(one.mostly, _OTHER))


def _file(found: Diagnosis) -> Iterator[Row]:
    """Size, what is on the disk, what is cached, who uses it."""
    file = found.file
    if file is None:
        return
    size: str = size_text(file.size_bytes)
    if file.files != 1:
        size = Message("{size} in {files} files", size=size, files=file.files)
    yield Message("Size"), size
    if file.allocated_share is not None:
        yield Message("On the disk"), percent_text(file.allocated_share)
    cached = _missing(why_unknown(file.cached_source))
    if file.cached_share is not None:
        cached = Message(
            "{cached} of the bytes, known by {cached_source}",
            cached=percent_text(file.cached_share),
            cached_source=file.cached_source,
        )
    if file.opening_may_drop_cache:
        cached = Message("{cached}; opening the file to check may have evicted more", cached=cached)
    yield Message("Cached now"), cached
    if file.cache_map is not None and file.cached_share is not None:
        yield CACHE_BAR, cache_bar(file.cache_map)
    yield Message("Used by"), users_text(file.users) or Message("no visible process")


def cache_bar(found: ResidencyMap) -> str:
    """A mark for each part of a model's files: blank is not cached, a full one is cached whole.

    Several files stand one after the other with a line between them, as long as their sizes
    say; of very many, some get no mark. A file of which nothing is known has question marks.
    """
    total = sum(file.size_bytes for file in found.files) or 1
    bars, start = [], 0
    for number, file in enumerate(found.files):
        first = round(start * _CELLS / total)
        start += file.size_bytes
        cells = round(start * _CELLS / total) - first
        pages = found.pages_of(number) if file.is_known else ()
        bars.append(_marks(file.cached_pages, pages, cells) if file.is_known else "?" * cells)
    return f"[{'│'.join(filter(None, bars))}]"


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


def _memory(found: Diagnosis) -> Iterator[Row]:
    """RAM, its limit, swap, huge pages, and whether anything waits for memory."""
    memory = found.memory
    available = Message(
        "{available} of {total} available",
        available=size_text(memory.available_bytes),
        total=size_text(memory.total_bytes),
    )
    yield Message("RAM"), available
    yield Message("Cgroup limit"), _limit_text(found)
    swap = Message("none")
    if memory.swap_total_bytes:
        used, size = size_text(memory.swap_used_bytes), size_text(memory.swap_total_bytes)
        swap = Message("{used} of {size} used", used=used, size=size)
    yield Message("Swap"), swap
    yield Message("Huge pages"), found.huge_pages or ""
    stalled = found.idle.memory_stalled_share if found.idle is not None else None
    now = _told(Message("{stalled} of the time now (PSI)"), percent_text, stalled=stalled)
    yield Message("Memory pressure"), now


def _limit_text(found: Diagnosis) -> str:
    if found.cgroup_version is None:
        return NOTHING
    figures = {
        "version": Message("version {number}", number=found.cgroup_version),
        "used": size_text(found.memory.cgroup_used_bytes or 0),
    }
    if found.memory.cgroup_limit_bytes is None:
        return Message("none ({version}); {used} in use without cached files", **figures)
    limit = size_text(found.memory.cgroup_limit_bytes)
    return Message(
        "{limit} ({version}), {used} in use without cached files", limit=limit, **figures
    )


def fit_rows(fits: Iterable[Fit]) -> Iterator[Row]:
    """For each delivery whether the model fits."""
    for fit in fits:
        yield _DELIVERIES[fit.delivery], fit.sentence


def _processors(found: Diagnosis) -> Iterator[Row]:
    """Model, how many may be used, governor and heat."""
    cpu = found.cpu
    yield Message("Model"), cpu.model or ""
    fewer = cpu.usable if cpu.usable is not None and cpu.usable < cpu.logical else None
    count = _listed(
        Message("{logical} logical", logical=cpu.logical),
        _told(Message("{cores} cores"), cores=cpu.cores),
        _told(Message("this process may use {usable}"), usable=fewer),
        _told(Message("its cgroup grants {quota} at a time"), "{:g}".format, quota=cpu.quota),
    )
    yield Message("Number"), count
    if cpu.governors:
        governor = Message(
            "{governors} (driver {driver})",
            governors=_listed(*cpu.governors, *cpu.energy_preferences),
            driver=cpu.frequency_driver or Message("unknown"),
        )
        yield Message("Governor"), governor
    heat = _told(
        Message("slowed for heat {throttle_events} times since boot"),
        "{:,}".format,
        throttle_events=cpu.throttle_events,
    )
    yield Message("Heat"), heat


def _decoding(found: Diagnosis) -> Iterator[Row]:
    """Stored bytes a second that become float32, by type; and what is missing to be faster."""
    if not found.decode_rates:
        return
    from modelmon.core.load.decode import COMPILED  # noqa: PLC0415  slow to import

    for rate in found.decode_rates:
        text = Message(
            "{rate} ({low} to {high}), {decoder}",
            rate=rate_text(rate.bytes_per_s),
            low=rate_text(rate.low_bytes_per_s),
            high=rate_text(rate.high_bytes_per_s),
            decoder=_DECODERS[rate.decoder],
        )
        yield rate.dtype, text
    threads = found.decode_rates[0].threads
    yield (
        Message("Rates"),
        Message("Stored bytes a second, with {threads} threads.", threads=threads),
    )
    if any(rate.decoder == "gguf" and rate.dtype in COMPILED for rate in found.decode_rates):
        yield Message("Fix"), MEANINGS["slow-decoder"].remedy


def _system(found: Diagnosis) -> Iterator[Row]:
    """Kernel, what modelmon runs in, and what the kernel can tell it."""
    host = found.host
    yield Message("System"), f"{host.system} {host.kernel}, {host.architecture}"
    machine = Message("none detected, but this processor can't report it")
    if host.is_virtual is not None:
        machine = Message("yes") if host.is_virtual else Message("no")
    name = host.virtual_machine if host.is_virtual else None
    yield Message("Virtual machine"), _listed(machine, name or "", "WSL" if host.is_wsl else "")
    yield Message("Container"), host.container or Message("none detected")
    missing = Message("not available: the kernel counts no stalls (start it with psi=1)")
    yield Message("Stalls (PSI)"), _listed(*host.pressure) or missing
    works = Message("works")
    if host.cachestat:
        works = Message("not available: {cachestat}", cachestat=host.cachestat)
    yield "cachestat", works
