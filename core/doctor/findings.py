"""Judge a diagnosis: what will hurt a load, what to do about it, and how that is known.

`_WORDS` is all that can be found; the functions below it say when, with which evidence. Which
strategy is fastest is not judged here but predicted (explain/prediction.py).
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.doctor.diagnosis import (
    COMFORTABLE_FACTOR,
    Diagnosis,
    Finding,
    as_root,
    fit_answer,
)
from modelmon.core.machine.block_devices import rotational_doubt
from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.messages import NOTHING, Message, filled, joined, verbatim
from modelmon.core.probe.probe import REREAD_GAIN, limits_of
from modelmon.core.units import (
    KIB,
    MIB,
    percent_text,
    rate_text,
    request_text,
    size_text,
    two_figures,
)
from modelmon.core.worker.environment_check import LEAST_SWAPPED_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.doctor.diagnosis import Severity
    from modelmon.core.machine.block_devices import BlockLayer, Disk, PciLink
    from modelmon.core.machine.cgroup import CgroupLimit, LimitKind
    from modelmon.core.machine.file_users import FileUser
    from modelmon.core.machine.mounts import FuseMount, NetworkMount
    from modelmon.core.machine.storage import MountLayer
    from modelmon.core.probe.probe import Probe

_ORDER = {"problem": 0, "note": 1}
_SMALL_REQUEST_BYTES = 256 * KIB
_SMALL_READAHEAD_BYTES = 1 * MIB
_FULL_LINK_SHARE = 0.95
_BUSY_SHARE = 0.2
_SLOW_USB_MBIT_PER_S = 480
_SLOW_BUSES = frozenset({"usb", "mmc", "iscsi"})
_WITHOUT_HOLES_SHARE = 0.95
_WIDE_SHARE = 0.7
"""What a disk gives that was measured at less of its limit is not what the limit leaves of it."""
_OVER_LIMIT = 1.05
_SLOW_SHARE = 0.8
_SLOW_FRESH = 4.0
# With these drivers the governor powersave only means that the hardware chooses.
_OWN_CHOICE = frozenset({"intel_pstate", "amd-pstate-epp"})
_OWN_DESCRIPTORS = Message(
    "Use a descriptor per reader (parallel, processes); don't share one (shared-fd)."
)
_COMPARE = Message(
    "Compare mmap (A) with parallel (B){terminal}.",
    terminal=": modelmon compare PATH --a mmap --b parallel",
)

# By kind: how bad it is, what it is, what to do, and whose figure it is that wasn't measured here.
_WORDS: dict[str, tuple[Severity, Message, *tuple[Message, ...]]] = {
    "windows-drive": (
        "problem",
        Message("The file is on a Windows drive: every request goes through Windows."),
        Message("Move the model to the Linux filesystem (in /home), or load it without mmap."),
        Message("oobabooga/textgen#2607: 113 s in WSL against 7 s in Windows"),
    ),
    "network-filesystem": (
        "note",
        Message("The file is on another machine, or on this one's host."),
        Message("mmap waits for a round trip each time readahead ends. {compare}"),
        Message(
            "safetensors/safetensors#562; sgl-project/sglang#37806 (Lustre: 28 MiB/s"
            " by page faults)"
        ),
    ),
    "small-requests": (
        "note",
        Message("The mount's requests are small, so each round trip brings little."),
        Message("Mount it with {option}, if the server allows it."),
        Message("nfs(5), mount.cifs(8) and 9p.rst in the kernel's Documentation/filesystems"),
    ),
    "nothing-cached": (
        "problem",
        Message("{name} bypasses the page cache: every load fetches everything."),
        Message("Mount it without direct_io."),
        Message("mount.fuse3(8), direct_io"),
    ),
    "fuse-object-store": (
        "note",
        Message("{name} reads from an object store; every seek may be a new request."),
        _OWN_DESCRIPTORS,
        Message(
            "huggingface/diffusers#10305: a 7.2 GB model from gcsfuse in 16 minutes"
            " with mmap, in under one without"
        ),
    ),
    "fuse-server": (
        "note",
        Message("{name} reads from another machine."),
        Message("Several readers hide its latency. {compare}"),
        Message("sshfs with 10 ms round trips: 21 MB/s by one reader, 77 MB/s by four"),
    ),
    "small-readahead": (
        "note",
        Message("Readahead on this mount is small, and each request takes long."),
        NOTHING,
        Message("a FUSE mount with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB"),
    ),
    "small-readahead of a device": (
        "note",
        Message("Readahead on {name} is small, and each request takes long."),
        NOTHING,
        Message("a device with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB"),
    ),
    "in-memory": (
        "note",
        Message("The file is in memory (tmpfs): there's no slower place to load it from."),
        Message("Copy the model to a disk to measure loading from it."),
    ),
    "hidden-layers": (
        "note",
        Message("The overlay's layers aren't visible, as in a container, so the disk is unknown."),
        Message("Put the model on a volume: modelmon then sees the disk."),
    ),
    "cached-twice": (
        "note",
        Message("{name} is an image file: reads are cached twice."),
        NOTHING,
        Message("losetup(8)"),
    ),
    "hard-disk": (
        "note",
        Message("{name} is a hard disk: every seek costs milliseconds."),
        Message("Use sequential: one reader, front to back."),
        Message("kvcache-ai/ktransformers#471: about a minute a block from a hard disk"),
    ),
    "slow-usb": (
        "problem",
        Message("{name} runs at USB 2 speed or below."),
        Message("Use a USB 3 port and cable."),
    ),
    "slow-link": (
        "problem",
        Message("A PCIe link to {name} runs slower than both of its ends support."),
        Message(
            "Check again during a load: some links slow down when idle. If it stays,"
            " reseat the drive, try another slot, and check the firmware's PCIe"
            " settings."
        ),
    ),
    "slow-slot": (
        "note",
        Message("A slot of {name} is slower than the drive in it."),
        Message("Use a faster slot, if there is one."),
    ),
    "busy-device": (
        "note",
        Message("Another program is using {device}, so loads are slower."),
        Message("Find it with iotop or pidstat -d 1, then close it or wait."),
    ),
    "file-with-holes": (
        "note",
        Message("The file takes less space than its size: it has holes or is compressed."),
        Message("Holes load at memory speed. Copy the file without holes before measuring."),
        Message("lseek(2), on holes: they read as zeros"),
    ),
    "residency-unknown": (
        "note",
        Message("Cache state is unreadable, so cold starts can't be verified."),
        Message("Trust a cold run only if all its bytes came from disk."),
    ),
    "residency-unknown of another user": (
        "note",
        Message("Cache state is unreadable, so cold starts can't be verified."),
        Message("Measure as the file's owner, or with a copy of your own."),
    ),
    "file-in-use": (
        "note",
        Message("Another process has the file open."),
        Message("Close it before measuring cold starts."),
    ),
    "file-in-use as a map": (
        "note",
        Message("Another process maps the file, so its pages can't be evicted."),
        Message("Close it before measuring cold starts."),
        Message("invalidate_mapping_pages() in the kernel's mm/truncate.c"),
    ),
    "no-model": (
        "note",
        Message("{why} Whether it fits in memory is unknown."),
    ),
    "does-not-fit": (
        "problem",
        Message("The model doesn't fit in available memory."),
        Message(
            "Free memory, raise the limit, add RAM, use a smaller quantization, or stream"
            " it with direct I/O. With mmap it is read from disk again and again."
        ),
        Message("ggml-org/llama.cpp#14154"),
    ),
    "tight-memory": (
        "note",
        Message("The model fits, but a copy or a long context may not."),
        Message("Free memory up to 1.5× the model's size, or load it mapped (usable, not owned)."),
        Message("a common rule for RAM: 1.5× the model"),
    ),
    "swapping": (
        "problem",
        Message("The machine is swapping now; a load makes it worse."),
        Message("Close programs that use memory before loading."),
    ),
    "swap-in-use": (
        "note",
        Message("Some memory is swapped out; a load may swap out more."),
        Message("If programs are slow, close some before loading. Otherwise it does no harm."),
        Message("concepts.rst in the kernel's Documentation/admin-guide/mm, on reclaim"),
    ),
    "no-huge-pages": (
        "note",
        Message("Transparent huge pages are off: new memory costs a page fault every 4 KiB."),
        as_root("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"),
        Message("on one virtual machine, reads into huge pages were 2× to 6× as fast"),
    ),
    "cgroup-limit": (
        "note",
        Message("A cgroup limits memory, and the model's page cache counts toward it."),
        Message("Set the limit to 1.5 times the model or more."),
        Message("kubernetes/kubernetes#43916"),
    ),
    "cpu-quota": (
        "note",
        Message("A cgroup allows fewer processors than are visible; extra readers get throttled."),
        Message("Use at most {value} readers, or raise the limit."),
        Message("sched-bwc.rst in the kernel's Documentation/scheduler"),
    ),
    "io-limit of bytes": (
        "problem",
        Message(
            "This program may read at most {rate} from this disk: a limit of its control group,"
            " {where}."
        ),
        Message(
            "Raise or remove the limit: IOReadBandwidthMax= of a systemd unit,"
            " --device-read-bps of a container. No strategy reads faster under it."
        ),
    ),
    "io-limit of requests": (
        "problem",
        Message(
            "This program may make at most {count} reads per second from this disk: a limit of its"
            " control group, {where}."
        ),
        Message(
            "Raise or remove the limit: IOReadIOPSMax= of a systemd unit, --device-read-iops of a"
            " container. Larger requests make fewer reads."
        ),
    ),
    "slow-governor": (
        "note",
        Message("The processor is set to save power, so page faults and copies are slower."),
        Message(
            "Run cpupower frequency-set -g schedutil or powerprofilesctl set balanced, or plug in."
        ),
        Message(
            "intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel's"
            " Documentation/admin-guide/pm"
        ),
    ),
    "busy-processors": (
        "note",
        Message("Other programs keep the processors busy: loads take longer than predicted."),
        Message("Close them or wait before measuring."),
    ),
    "throttled": (
        "problem",
        Message("The processor is too hot and slows down."),
        Message("Let it cool and check its fan before measuring."),
    ),
    "shared-probe": (
        "note",
        Message("Another program used the disk while it was measured: loads may be faster."),
        Message(
            "Wait until the disk is idle, then measure it again{terminal}.",
            terminal=": modelmon doctor PATH --probe",
        ),
    ),
    "cached-elsewhere": (
        "note",
        Message(
            "A hidden cache (host, server or disk) answers reads: the disk itself may be slower."
        ),
        Message("Read other large files before measuring cold starts."),
    ),
    "slow-fresh-memory": (
        "note",
        Message("New memory is slow to fill here."),
        Message("Use mmap, or keep a process running: copying into new memory is slow."),
    ),
}


def findings_of(found: Diagnosis) -> tuple[Finding, ...]:
    """All findings, problems first; within a severity from the storage to the machine.

    What a probe measured takes the place of rules of thumb about the same.
    """
    findings = [
        *_of_mount(found.storage_stack.lowest),
        *_of_devices(found),
        *_of_file(found),
        *_of_memory(found),
        *_of_processors(found),
        *_of_limits(found),
    ]
    if found.probe is not None:
        beaten = _beaten_by(found.probe)
        kept = (one for one in findings if one.kind not in beaten or not one.rule_of_thumb)
        findings = [*_of_probe(found.probe), *kept]
    return tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity]))


def _found(
    words: str, evidence: Message, remedy: Message | None = None, **figures: object
) -> Finding:
    """The finding in these words, which begin with its kind; `figures` go into their places."""
    severity, *texts = _WORDS[words]
    text, usual, thumb = (filled(each, **figures) for each in (*texts, NOTHING, NOTHING)[:3])
    return Finding(words.partition(" ")[0], severity, text, evidence, remedy or usual, thumb)


def _of_mount(mount: MountLayer | None) -> Iterator[Finding]:
    """What the filesystem that holds a path means for a load."""
    if mount is None:
        return
    place = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    if mount.network is not None:
        yield from _of_network(mount, mount.network, place)
    if mount.fuse is not None:
        yield from _of_fuse(mount.fuse, place)
    size = mount.readahead_bytes
    far = mount.kind == "network" or (mount.fuse is not None and mount.fuse.serves != "local")
    if far and mount.bdi is not None and size is not None and size < _SMALL_READAHEAD_BYTES:
        evidence = Message(
            "{size} on {mount_point}", size=request_text(size), mount_point=mount.mount_point
        )
        remedy = as_root(f"echo 4096 > /sys/class/bdi/{mount.bdi}/read_ahead_kb")
        yield _found("small-readahead", evidence, remedy)
    if mount.kind == "memory":
        yield _found("in-memory", place)
    if mount.layers_hidden:
        where = Message("overlay on {mount_point}", mount_point=mount.mount_point)
        yield _found("hidden-layers", where)


def _of_network(mount: MountLayer, network: NetworkMount, place: Message) -> Iterator[Finding]:
    where = Message("{where} from {source}", where=place, source=mount.source)
    if network.is_windows_drive:
        yield _found("windows-drive", where)
        return
    yield _found("network-filesystem", where, compare=_COMPARE)
    if network.request_bytes is not None and network.request_bytes < _SMALL_REQUEST_BYTES:
        most = Message("at most {request} a request", request=request_text(network.request_bytes))
        option = "msize=512000" if mount.filesystem == "9p" else "rsize=1048576"
        yield _found("small-requests", most, option=option)


def _of_fuse(fuse: FuseMount, place: Message) -> Iterator[Finding]:
    name = fuse.program or Message("A FUSE program")
    where = joined([place, *fuse.settings], ", ")
    if any(word.replace("_", "-").startswith("direct-io") for word in fuse.settings):
        yield _found("nothing-cached", where, name=name)
    if fuse.serves == "object-store":
        remedies = [_OWN_DESCRIPTORS]
        if fuse.program == "rclone":
            remedies.append(Message("Or mount it with --vfs-cache-mode full."))
        yield _found("fuse-object-store", where, joined([*remedies, _COMPARE]), name=name)
    elif fuse.serves == "server":
        yield _found("fuse-server", where, name=name, compare=_COMPARE)


def _of_devices(found: Diagnosis) -> Iterator[Finding]:
    """What the chain of devices, and what others do on it, mean for a load."""
    for layer in found.storage_stack.layers():
        if layer.direct_io is False:
            image = Message(
                "loop device without direct I/O on {backing_file}", backing_file=layer.backing_file
            )
            remedy = as_root(f"losetup --direct-io=on /dev/{layer.name}")
            yield _found("cached-twice", image, remedy, name=layer.name)
        if layer.disk is not None:
            yield from _of_disk(layer, layer.disk, is_virtual=found.host.is_virtual)
    for look in found.idle.devices if found.idle else ():
        busy, writes = look.activity.busy_share, look.activity.write_bytes_per_s
        if busy is None or busy < _BUSY_SHARE:
            continue
        figures = {"busy": percent_text(busy), "read": rate_text(look.activity.read_bytes_per_s)}
        evidence = Message("{busy} busy, reads {read}, while modelmon did nothing", **figures)
        if writes is not None:
            evidence = Message(
                "{busy} busy, reads {read}, writes {written}, while modelmon did nothing",
                written=rate_text(writes),
                **figures,
            )
        yield _found("busy-device", evidence, device=look.device)


def spins(disk: Disk, is_virtual: bool | None) -> bool:
    """Whether it is a hard disk: virtual ones repeat a `rotational` that means nothing."""
    return disk.rotational_reported is True and not rotational_doubt(disk, is_virtual)


def _of_disk(layer: BlockLayer, disk: Disk, *, is_virtual: bool | None) -> Iterator[Finding]:
    name, size, mbit = layer.name, layer.readahead_bytes, disk.usb_mbit_per_s
    slow = spins(disk, is_virtual)
    if slow:
        bus = Message("rotational, {bus}", bus=disk.bus or Message("bus unknown"))
        yield _found("hard-disk", bus, name=name)
    slow = slow or disk.bus in _SLOW_BUSES
    if slow and size is not None and size < _SMALL_READAHEAD_BYTES:
        remedy, evidence = (
            as_root(f"blockdev --setra 8192 /dev/{name}"),
            verbatim(request_text(size)),
        )
        yield _found("small-readahead of a device", evidence, remedy, name=name)
    if mbit is not None and mbit <= _SLOW_USB_MBIT_PER_S:
        evidence = Message(
            "{usb_mbit_rate} Mbit/s, which is {usb_mbit_rate2} at most",
            usb_mbit_rate=mbit,
            usb_mbit_rate2=rate_text(mbit / 8 * 1e6),
        )
        yield _found("slow-usb", evidence, name=name)
    for link in () if disk.is_virtual else disk.pci_links:
        yield from _of_link(name, link)


def _of_link(name: str, link: PciLink) -> Iterator[Finding]:
    now = link_text(link.gt_per_s, link.lanes, link.bytes_per_s)
    if link.bytes_per_s < link.possible_bytes_per_s * _FULL_LINK_SHARE:
        most = link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s)
        evidence = Message(
            "{address}: {now}, possible {most}", address=link.address, now=now, most=most
        )
        yield _found("slow-link", evidence, name=name)
    elif (link.device_max_gt_per_s, link.device_max_lanes) > (link.max_gt_per_s, link.max_lanes):
        could = Message(
            "{device_max_gt_rate} GT/s × {device_max_lanes} lanes",
            device_max_gt_rate=f"{link.device_max_gt_per_s:g}",
            device_max_lanes=link.device_max_lanes,
        )
        evidence = Message(
            "{address}: {now}, could do {could}", address=link.address, now=now, could=could
        )
        yield _found("slow-slot", evidence, name=name)


def link_text(gt_per_s: float, lanes: int, bytes_per_s: float) -> Message:
    """A link as `16 GT/s × 4 lanes (7.88 GB/s)`."""
    return Message(
        "{gt_rate} GT/s × {lanes} lanes ({bytes_rate})",
        gt_rate=f"{gt_per_s:g}",
        lanes=lanes,
        bytes_rate=rate_text(bytes_per_s),
    )


def _of_file(found: Diagnosis) -> Iterator[Finding]:
    """What holes, the page cache and other users mean for a load."""
    file = found.file
    if file is None:
        return
    share = file.allocated_share
    if share is not None and share < _WITHOUT_HOLES_SHARE:
        evidence = Message("{share} of its bytes are on disk", share=percent_text(share))
        yield _found("file-with-holes", evidence)
    if file.cached_share is None and file.size_bytes:
        words = "residency-unknown of another user" if file.of_another_user else "residency-unknown"
        yield _found(words, why_unknown(file.cached_source))
    if file.users:
        mapped = any(user.how == "mapped" for user in file.users)
        yield _found("file-in-use as a map" if mapped else "file-in-use", users_text(file.users))


def users_text(users: Iterable[FileUser]) -> Message:
    """Who uses the file and how: `llama-server (4711, mapped)`."""
    each = (
        Message("{name} ({pid}, mapped)", name=user.name, pid=user.pid)
        if user.how == "mapped"
        else Message("{name} ({pid}, open)", name=user.name, pid=user.pid)
        for user in users
    )
    return joined(each, ", ")


def _of_memory(found: Diagnosis) -> Iterator[Finding]:
    """What memory, swap and huge pages mean for a load."""
    memory, idle, file = found.memory, found.idle, found.file
    if found.no_model:
        yield _found("no-model", found.no_model, why=found.no_model)
    elif file is not None and found.storage.kind != "memory":
        usable_bytes = memory.usable_bytes
        figures = {"size": size_text(file.size_bytes), "usable": size_text(usable_bytes)}
        evidence = Message("{size} of files, {usable} of RAM available", **figures)
        if usable_bytes < memory.available_bytes:
            evidence = Message("{size} of files, {usable} left under the cgroup's limit", **figures)
        answer = fit_answer(file.size_bytes, usable_bytes)
        if answer != "fits":
            yield _found("tight-memory" if answer == "tight" else answer, evidence)
    swapped = (idle.swapped_in_bytes or 0) if idle else 0
    written = (idle.swapped_out_bytes or 0) if idle else 0
    if idle is not None and swapped + written >= LEAST_SWAPPED_BYTES:
        evidence = Message(
            "{swapped} in and {written} out in {interval} s",
            swapped=size_text(swapped),
            written=size_text(written),
            interval=f"{idle.interval_ns / 1e9:.1f}",
        )
        yield _found("swapping", evidence)
    elif memory.swap_used_bytes:
        used, total = size_text(memory.swap_used_bytes), size_text(memory.swap_total_bytes)
        evidence = Message("{swap_used} of {swap_total}", swap_used=used, swap_total=total)
        yield _found("swap-in-use", evidence)
    if found.huge_pages == "never":
        evidence = Message("/sys/kernel/mm/transparent_hugepage/enabled is never")
        yield _found("no-huge-pages", evidence)


def _of_processors(found: Diagnosis) -> Iterator[Finding]:
    """What frequency and heat of the processors mean for a load."""
    cpu, idle = found.cpu, found.idle
    if "powersave" in cpu.governors and cpu.frequency_driver not in _OWN_CHOICE:
        driver = cpu.frequency_driver or Message("an unknown driver")
        evidence = Message("governor powersave with {frequency_driver}", frequency_driver=driver)
        yield _found("slow-governor", evidence)
    elif "power" in cpu.energy_preferences:
        yield _found("slow-governor", Message("energy preference power"))
    if idle is not None and idle.has_busy_processors:
        busy = percent_text(idle.cpu_busy_share or 0.0)
        evidence = Message("{share} of all processors' time", share=busy)
        yield _found("busy-processors", evidence)
    if idle is not None and idle.throttle_events:
        evidence = Message(
            "{throttle_events} times in {interval} s",
            throttle_events=idle.throttle_events,
            interval=f"{idle.interval_ns / 1e9:.1f}",
        )
        yield _found("throttled", evidence)


def _of_limits(found: Diagnosis) -> Iterator[Finding]:
    """What limits of control groups on reads, memory and processors mean for a load."""
    measured = limits_of(found.probe).device_bytes_per_s if found.probe is not None else None
    for limit in found.limits or ():
        if limit.device:
            wide = measured is not None and measured < _WIDE_SHARE * limit.amount
            finding = _of_read_limit(limit)
            is_wide = wide and limit.kind == "read-rate"
            yield msgspec.structs.replace(finding, severity="note") if is_wide else finding
    memory, cpu, file = found.memory, found.cpu, found.file
    allowed, usable = memory.cgroup_limit_bytes, cpu.usable or cpu.logical
    wanted = COMFORTABLE_FACTOR * file.size_bytes if file and not found.no_model else inf
    if allowed is not None and allowed < min(memory.total_bytes, wanted):
        evidence = Message(
            "{limit} of {total} RAM, {cgroup_used} in use",
            limit=size_text(allowed),
            total=size_text(memory.total_bytes),
            cgroup_used=size_text(memory.cgroup_used_bytes or 0),
        )
        yield _found("cgroup-limit", _with_place(evidence, found, "memory", allowed))
    if cpu.quota is not None and cpu.quota < usable:
        evidence = Message("{quota} of {usable}", quota=f"{cpu.quota:g}", usable=usable)
        evidence = _with_place(evidence, found, "processors", cpu.quota)
        yield _found("cpu-quota", evidence, value=max(1, round(cpu.quota)))


def _of_read_limit(limit: CgroupLimit) -> Finding:
    if limit.kind == "read-rate":
        rate = rate_text(limit.amount)
        return _found("io-limit of bytes", limit.amount_text, rate=rate, where=limit.where)
    count = f"{limit.amount:,.0f}"
    return _found("io-limit of requests", limit.amount_text, count=count, where=limit.where)


def _with_place(evidence: Message, found: Diagnosis, kind: LimitKind, amount: float) -> Message:
    """The figures, and which group of the chain sets them."""
    limits = (limit for limit in found.limits or () if (limit.kind, limit.amount) == (kind, amount))
    limit = next(limits, None)
    return joined((evidence, limit.where), ", ") if limit is not None else evidence


def _beaten_by(probe: Probe) -> set[str]:
    """Kinds of rules of thumb that the probe measured to be otherwise, or measured better."""
    buffered, other = probe.storage.buffered, probe.storage.sequential
    beaten = set()
    if probe.storage_class not in ("unknown", "hard-disk"):
        beaten.add("hard-disk")
    if buffered and other and buffered.bytes_per_s >= _SLOW_SHARE * other.bytes_per_s:
        beaten.add("small-readahead")
    return beaten


def _of_probe(probe: Probe) -> Iterator[Finding]:
    """What the measured figures mean for a load."""
    storage = probe.storage
    if storage.met_others:
        # With others on the disk a rate depends on when it was taken, and says nothing of another.
        evidence = Message(
            "others moved {others} while {direct} was measured",
            others=size_text(storage.others_bytes or 0),
            direct=size_text(storage.direct_bytes),
        )
        yield _found("shared-probe", evidence)
    elif evidence := _cached_elsewhere(probe):
        if storage.others_bytes is None:
            # They may have made one rate higher than another.
            evidence = Message(
                "{evidence}; whether others used it too is unknown", evidence=evidence
            )
        yield _found("cached-elsewhere", evidence)
    copies = {(copy.threads, copy.fresh): copy for copy in probe.memory.copies}
    fresh, used = copies.get((1, True)), copies.get((1, False))
    # Fresh pages cost a fault and zeroing, on a virtual machine perhaps far more.
    if fresh and used and fresh.median_bytes_per_s * _SLOW_FRESH < used.median_bytes_per_s:
        evidence = Message(
            "{median_rate} into fresh pages, {used_median_rate} into pages in use"
            " (medians, one thread)",
            median_rate=rate_text(fresh.median_bytes_per_s),
            used_median_rate=rate_text(used.median_bytes_per_s),
        )
        yield _found("slow-fresh-memory", evidence)


def _cached_elsewhere(probe: Probe) -> Message:
    """What shows that a cache out of sight answered; empty where nothing does."""
    fastest, limit = probe.storage.best_reads, probe.device_limit_bytes_per_s
    ratio = probe.storage.reread_ratio
    if fastest and limit and fastest.bytes_per_s > _OVER_LIMIT * limit:
        return Message(
            "{bytes_rate} measured, {limit} possible for this connection",
            bytes_rate=rate_text(fastest.bytes_per_s),
            limit=rate_text(limit),
        )
    if ratio is not None and ratio >= REREAD_GAIN:
        return Message(
            "a second direct read of the same places was {ratio}× as fast", ratio=two_figures(ratio)
        )
    return NOTHING
