"""Judge a diagnosis: what will hurt a load, what to do about it, and how that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.doctor.diagnosis import COMFORTABLE_FACTOR, Diagnosis, Finding, as_root
from modelmon.core.machine.block_devices import rotational_doubt
from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.messages import NOTHING, Message, joined, verbatim
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
from modelmon.core.worker.memory_pressure import LEAST_SWAPPED_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.machine.block_devices import BlockLayer, Disk, PciLink
    from modelmon.core.machine.cgroup import CgroupLimit, LimitKind
    from modelmon.core.machine.file_state import FileState
    from modelmon.core.machine.file_users import FileUser
    from modelmon.core.machine.memory import Memory
    from modelmon.core.machine.storage import MountLayer
    from modelmon.core.probe.probe import Probe

_ORDER = {"problem": 0, "note": 1, "ok": 2}


def findings_of(found: Diagnosis) -> tuple[Finding, ...]:
    """All findings, problems first; within a severity from the storage to the machine.

    What a probe measured takes the place of rules of thumb about the same.
    """
    findings = [
        *filesystem_findings(found),
        *device_findings(found),
        *file_findings(found),
        *memory_findings(found),
        *processor_findings(found),
        *limit_findings(found),
    ]
    if found.probe is not None:
        measured = probe_findings(found.probe)
        findings = [*measured, *without_beaten(findings, found.probe)]
    return tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity]))


_SMALL_REQUEST_BYTES = 256 * KIB
_SMALL_READAHEAD_BYTES = 1 * MIB
_COMPARE = Message("Measure: modelmon compare PATH --a mmap --b parallel.")


def filesystem_findings(found: Diagnosis) -> Iterator[Finding]:
    """What the mount means for a load."""
    mount = found.storage_stack.lowest
    if mount is None:
        return
    yield from _of_network(mount)
    yield from _of_fuse(mount)
    yield from _of_readahead(mount)
    if mount.kind == "memory":
        yield Finding(
            "in-memory",
            "note",
            Message("The file is in memory (tmpfs): there's no slower place to load it from."),
            Message(
                "{filesystem} on {mount_point}",
                filesystem=mount.filesystem,
                mount_point=mount.mount_point,
            ),
            Message("Copy the model to a disk to measure loading from it."),
        )
    if mount.layers_hidden:
        yield Finding(
            "hidden-layers",
            "note",
            Message(
                "The overlay's layers aren't visible, as in a container, so the disk is unknown."
            ),
            Message("overlay on {mount_point}", mount_point=mount.mount_point),
            Message("Put the model on a volume, so that modelmon sees the disk."),
        )


def _of_network(mount: MountLayer) -> Iterator[Finding]:
    network = mount.network
    if network is None:
        return
    place = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    where = Message("{where} from {source}", where=place, source=mount.source)
    if network.is_windows_drive:
        yield Finding(
            "windows-drive",
            "problem",
            Message("The file is on a Windows drive: every request goes through Windows."),
            where,
            Message("Move the model to the Linux filesystem (in /home), or load it without mmap."),
            Message("oobabooga/textgen#2607: 113 s in WSL against 7 s in Windows"),
        )
        return
    yield Finding(
        "network-filesystem",
        "note",
        Message("The file is on another machine, or on this one's host."),
        where,
        Message(
            "mmap waits for a round trip each time readahead ends. {compare}", compare=_COMPARE
        ),
        Message(
            "safetensors/safetensors#562; sgl-project/sglang#37806 (Lustre: 28 MiB/s"
            " by page faults)"
        ),
    )
    if network.request_bytes is not None and network.request_bytes < _SMALL_REQUEST_BYTES:
        option = "msize=512000" if mount.filesystem == "9p" else "rsize=1048576"
        yield Finding(
            "small-requests",
            "note",
            Message("The mount's requests are small, so each round trip brings little."),
            Message("at most {request} a request", request=request_text(network.request_bytes)),
            Message("Mount it with {option}, if the server allows it.", option=option),
            Message("nfs(5), mount.cifs(8) and 9p.rst in the kernel's Documentation/filesystems"),
        )


def _of_fuse(mount: MountLayer) -> Iterator[Finding]:
    fuse = mount.fuse
    if fuse is None:
        return
    name = fuse.program or Message("A FUSE program")
    place = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    where = joined([place, *fuse.settings], ", ")
    if any(word.replace("_", "-").startswith("direct-io") for word in fuse.settings):
        yield Finding(
            "nothing-cached",
            "problem",
            Message("{name} bypasses the page cache: every load fetches everything.", name=name),
            where,
            Message("Mount it without direct_io."),
            Message("mount.fuse3(8), direct_io"),
        )
    if fuse.serves == "object-store":
        remedies = [
            Message(
                "Use a descriptor per reader (parallel, processes); don't share one (shared-fd)."
            )
        ]
        if fuse.program == "rclone":
            remedies.append(Message("Or mount it with --vfs-cache-mode full."))
        yield Finding(
            "fuse-object-store",
            "note",
            Message(
                "{name} reads from an object store; every seek may be a new request.",
                name=name,
            ),
            where,
            joined([*remedies, _COMPARE]),
            Message(
                "huggingface/diffusers#10305: a 7.2 GB model from gcsfuse in 16 minutes"
                " with mmap, in under one without"
            ),
        )
    elif fuse.serves == "server":
        yield Finding(
            "fuse-server",
            "note",
            Message("{name} reads from another machine.", name=name),
            where,
            Message("Several readers hide its latency. {compare}", compare=_COMPARE),
            Message("sshfs with 10 ms round trips: 21 MB/s by one reader, 77 MB/s by four"),
        )


def _of_readahead(mount: MountLayer) -> Iterator[Finding]:
    size = mount.readahead_bytes
    far = mount.kind == "network" or (mount.fuse is not None and mount.fuse.serves != "local")
    if not far or mount.bdi is None or size is None or size >= _SMALL_READAHEAD_BYTES:
        return
    yield Finding(
        "small-readahead",
        "note",
        Message("Readahead on this mount is small, and each request takes long."),
        Message("{size} on {mount_point}", size=request_text(size), mount_point=mount.mount_point),
        as_root(f"echo 4096 > /sys/class/bdi/{mount.bdi}/read_ahead_kb"),
        Message("a FUSE mount with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB"),
    )


_FULL_SHARE = 0.95
_BUSY_SHARE = 0.2
_SLOW_USB_MBIT_PER_S = 480
_SLOW_BUSES = frozenset({"usb", "mmc", "iscsi"})


def device_findings(found: Diagnosis) -> Iterator[Finding]:
    """What the chain of devices, and what others do on it, mean for a load."""
    for layer in found.storage_stack.layers():
        if layer.direct_io is False:
            yield Finding(
                "cached-twice",
                "note",
                Message(
                    "{name} is an image file: reads are cached twice.",
                    name=layer.name,
                ),
                Message(
                    "loop device without direct I/O on {backing_file}",
                    backing_file=layer.backing_file,
                ),
                as_root(f"losetup --direct-io=on /dev/{layer.name}"),
                Message("losetup(8)"),
            )
        if layer.disk is not None:
            spins = _spins(layer.disk, found.host.is_virtual)
            yield from _of_disk(layer, layer.disk, spins=spins)
    yield from _of_activity(found)


def _spins(disk: Disk, is_virtual: bool | None) -> bool:
    return disk.rotational_reported is True and not rotational_doubt(disk, is_virtual)


def _of_disk(layer: BlockLayer, disk: Disk, *, spins: bool) -> Iterator[Finding]:
    if spins:
        yield Finding(
            "hard-disk",
            "note",
            Message(
                "{name} is a hard disk: every seek costs milliseconds.",
                name=layer.name,
            ),
            Message("rotational, {bus}", bus=disk.bus or Message("bus unknown")),
            Message("Use sequential (one reader, front to back), or move the model to an SSD."),
            Message("kvcache-ai/ktransformers#471: about a minute a block from a hard disk"),
        )
    slow = spins or disk.bus in _SLOW_BUSES
    size = layer.readahead_bytes
    if slow and size is not None and size < _SMALL_READAHEAD_BYTES:
        yield Finding(
            "small-readahead",
            "note",
            Message(
                "Readahead on {name} is small, and each request takes long.",
                name=layer.name,
            ),
            verbatim(request_text(size)),
            as_root(f"blockdev --setra 8192 /dev/{layer.name}"),
            Message("a device with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB"),
        )
    if disk.usb_mbit_per_s is not None and disk.usb_mbit_per_s <= _SLOW_USB_MBIT_PER_S:
        yield Finding(
            "slow-usb",
            "problem",
            Message("{name} runs at USB 2 speed or below.", name=layer.name),
            Message(
                "{usb_mbit_rate} Mbit/s, which is {usb_mbit_rate2} at most",
                usb_mbit_rate=disk.usb_mbit_per_s,
                usb_mbit_rate2=rate_text(disk.usb_mbit_per_s / 8 * 1000000.0),
            ),
            Message("Use a USB 3 port and cable."),
        )
    if not disk.is_virtual:
        for link in disk.pci_links:
            yield _of_link(layer.name, link)


def _of_link(name: str, link: PciLink) -> Finding:
    now = link_text(link.gt_per_s, link.lanes, link.bytes_per_s)
    most = link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s)
    if link.bytes_per_s < link.possible_bytes_per_s * _FULL_SHARE:
        return Finding(
            "slow-link",
            "problem",
            Message("A PCIe link to {name} runs slower than both of its ends support.", name=name),
            Message("{address}: {now}, possible {most}", address=link.address, now=now, most=most),
            Message(
                "Check again during a load: some links slow down when idle. If it stays,"
                " reseat the drive, try another slot, and check the firmware's PCIe"
                " settings."
            ),
        )
    if (link.device_max_gt_per_s, link.device_max_lanes) > (link.max_gt_per_s, link.max_lanes):
        could = Message(
            "{device_max_gt_rate} GT/s × {device_max_lanes} lanes",
            device_max_gt_rate=f"{link.device_max_gt_per_s:g}",
            device_max_lanes=link.device_max_lanes,
        )
        return Finding(
            "slow-slot",
            "note",
            Message("A slot of {name} is slower than the drive in it.", name=name),
            Message(
                "{address}: {now}, could do {could}", address=link.address, now=now, could=could
            ),
            Message("Use a faster slot, if there is one."),
        )
    return Finding(
        "full-link",
        "ok",
        Message("The PCIe link to {name} runs at full speed.", name=name),
        Message("{address}: {now}", address=link.address, now=now),
    )


def link_text(gt_per_s: float, lanes: int, bytes_per_s: float) -> str:
    """A link as `16 GT/s × 4 lanes (7.88 GB/s)`."""
    return Message(
        "{gt_rate} GT/s × {lanes} lanes ({bytes_rate})",
        gt_rate=f"{gt_per_s:g}",
        lanes=lanes,
        bytes_rate=rate_text(bytes_per_s),
    )


def _of_activity(found: Diagnosis) -> Iterator[Finding]:
    for look in found.idle.devices if found.idle else ():
        busy, writes = look.activity.busy_share, look.activity.write_bytes_per_s
        if busy is not None and busy >= _BUSY_SHARE:
            read = rate_text(look.activity.read_bytes_per_s)
            evidence = (
                Message(
                    "{busy} busy, reads {read}, writes {written}, while modelmon did nothing",
                    busy=percent_text(busy),
                    read=read,
                    written=rate_text(writes),
                )
                if writes is not None
                else Message(
                    "{busy} busy, reads {read}, while modelmon did nothing",
                    busy=percent_text(busy),
                    read=read,
                )
            )
            yield Finding(
                "busy-device",
                "note",
                Message(
                    "Another program is using {device}, so loads are slower.",
                    device=look.device,
                ),
                evidence,
                Message("Find it with iotop or pidstat -d 1, then close it or wait."),
            )


_WITHOUT_HOLES_SHARE = 0.95


def file_findings(found: Diagnosis) -> Iterator[Finding]:
    """What holes, the page cache and other users mean for a load."""
    file = found.file
    if file is None:
        return
    share = file.allocated_share
    if share is not None and share < _WITHOUT_HOLES_SHARE:
        yield Finding(
            "file-with-holes",
            "note",
            Message("The file takes less space than its size: it has holes or is compressed."),
            Message("{share} of its bytes are on disk", share=percent_text(share)),
            Message("Holes load at memory speed. Copy the file without holes before measuring."),
            Message("lseek(2), on holes: they read as zeros"),
        )
    if file.cached_share is None and file.size_bytes:
        yield Finding(
            "residency-unknown",
            "note",
            Message("Cache state is unreadable, so cold starts can't be verified."),
            why_unknown(file.cached_source),
            Message("Measure as the file's owner, or with a copy of your own.")
            if file.of_another_user
            else Message("Trust a run only if the bytes from disk show how it started."),
        )
    if file.users:
        who = users_text(file.users)
        mapped = any(user.how == "mapped" for user in file.users)
        yield Finding(
            "file-in-use",
            "note",
            Message("Another process maps the file, so its pages can't be evicted.")
            if mapped
            else Message("Another process has the file open."),
            who,
            Message("Close it before measuring cold starts."),
            Message("invalidate_mapping_pages() in the kernel's mm/truncate.c")
            if mapped
            else NOTHING,
        )
    else:
        yield Finding(
            "file-unused",
            "ok",
            Message("No other process uses the file."),
            Message("checked the open files and maps of all visible processes"),
        )


def users_text(users: Iterable[FileUser]) -> Message:
    """Who uses the file and how: `llama-server (4711, mapped)`."""
    return joined(
        (
            Message("{name} ({pid}, mapped)", name=user.name, pid=user.pid)
            if user.how == "mapped"
            else Message("{name} ({pid}, open)", name=user.name, pid=user.pid)
            for user in users
        ),
        ", ",
    )


# With these drivers the governor powersave only means that the hardware chooses.
_OWN_CHOICE = frozenset({"intel_pstate", "amd-pstate-epp"})
_PSTATES = Message(
    "intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel's Documentation/admin-guide/pm"
)


def memory_findings(found: Diagnosis) -> Iterator[Finding]:
    """What memory, swap and huge pages mean for a load."""
    memory = found.memory
    if found.no_model:
        text = Message("This isn't a model modelmon can load, so whether it fits is unknown.")
        yield Finding("no-model", "note", text, found.no_model)
    elif found.file is not None:
        yield _of_fit(found.file, memory)
    yield from _of_swap(found)
    if found.huge_pages.private == "never":
        yield Finding(
            "no-huge-pages",
            "note",
            Message("Transparent huge pages are off: new memory costs a page fault every 4 KiB."),
            Message("/sys/kernel/mm/transparent_hugepage/enabled is never"),
            as_root("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"),
            Message("on one virtual machine, reads into huge pages were 2× to 6× as fast"),
        )


def _of_fit(file: FileState, memory: Memory) -> Finding:
    usable = memory.usable_bytes
    limited = usable < memory.available_bytes
    figures = {"size": size_text(file.size_bytes), "usable": size_text(usable)}
    evidence = (
        Message("{size} of files, {usable} left under the cgroup's limit", **figures)
        if limited
        else Message("{size} of files, {usable} of RAM available", **figures)
    )
    if file.size_bytes > usable:
        return Finding(
            "does-not-fit",
            "problem",
            Message("The model doesn't fit in available memory."),
            evidence,
            Message(
                "Free memory, raise the limit, add RAM, use a smaller quantization, or stream"
                " it with direct I/O. With mmap it is read from disk again and again."
            ),
            Message("ggml-org/llama.cpp#14154"),
        )
    if file.size_bytes * COMFORTABLE_FACTOR > usable:
        return Finding(
            "tight-memory",
            "note",
            Message("The model fits, but a copy of it or a long context may not."),
            evidence,
            Message(
                "Free memory up to 1.5× the model's size, or load it mapped (usable, not owned)."
            ),
            Message("a common rule for RAM: 1.5× the model"),
        )
    return Finding("fits", "ok", Message("The model fits in memory with room to spare."), evidence)


def _of_swap(found: Diagnosis) -> Iterator[Finding]:
    swapped = (found.idle.swapped_in_bytes or 0) if found.idle else 0
    written = (found.idle.swapped_out_bytes or 0) if found.idle else 0
    if found.idle is not None and swapped + written >= LEAST_SWAPPED_BYTES:
        yield Finding(
            "swapping",
            "problem",
            Message("The machine is swapping now; a load makes it worse."),
            Message(
                "{swapped} in and {written} out in {interval} s",
                swapped=size_text(swapped),
                written=size_text(written),
                interval=f"{found.idle.interval_ns / 1000000000.0:.1f}",
            ),
            Message("Close programs that use memory before loading."),
        )
    elif found.memory.swap_used_bytes:
        yield Finding(
            "swap-in-use",
            "note",
            Message("Some memory is swapped out; a load may swap out more."),
            Message(
                "{swap_used} of {swap_total}",
                swap_used=size_text(found.memory.swap_used_bytes),
                swap_total=size_text(found.memory.swap_total_bytes),
            ),
            Message("If programs are slow, close some before loading. Otherwise it does no harm."),
            Message("concepts.rst in the kernel's Documentation/admin-guide/mm, on reclaim"),
        )


def processor_findings(found: Diagnosis) -> Iterator[Finding]:
    """What frequency and heat of the processors mean for a load."""
    cpu = found.cpu
    slow = NOTHING
    if "powersave" in cpu.governors and cpu.frequency_driver not in _OWN_CHOICE:
        slow = Message(
            "governor powersave with {frequency_driver}",
            frequency_driver=cpu.frequency_driver or Message("an unknown driver"),
        )
    elif "power" in cpu.energy_preferences:
        slow = Message("energy preference power")
    if slow:
        yield Finding(
            "slow-governor",
            "note",
            Message("The processor is set to save power, so page faults and copies are slower."),
            slow,
            Message(
                "Run cpupower frequency-set -g schedutil or powerprofilesctl set"
                " balanced, or plug in."
            ),
            _PSTATES,
        )
    if found.idle is not None and found.idle.throttle_events:
        yield Finding(
            "throttled",
            "problem",
            Message("The processor is too hot and slows down."),
            Message(
                "{throttle_events} times in {interval} s",
                throttle_events=found.idle.throttle_events,
                interval=f"{found.idle.interval_ns / 1000000000.0:.1f}",
            ),
            Message("Let it cool and check its fan before measuring."),
        )


WIDE_SHARE = 0.7
"""What a disk gives that was measured at less of its limit is not what the limit leaves of it."""


def limit_findings(found: Diagnosis) -> Iterator[Finding]:
    """What limits of reads, memory and processors mean for a load."""
    measured = limits_of(found.probe).device_bytes_per_s if found.probe is not None else None
    for limit in found.limits or ():
        if limit.device:
            wide = measured is not None and measured < WIDE_SHARE * limit.amount
            yield _of_reads(limit, is_wide=wide and limit.kind == "read-rate")
    memory, cpu = found.memory, found.cpu
    allowed = memory.cgroup_limit_bytes
    if allowed is not None and allowed < memory.total_bytes:
        yield Finding(
            "cgroup-limit",
            "note",
            Message("A cgroup limits memory, and the model's page cache counts toward it."),
            _with_place(
                Message(
                    "{limit} of {total} RAM, {cgroup_used} in use",
                    limit=size_text(allowed),
                    total=size_text(memory.total_bytes),
                    cgroup_used=size_text(memory.cgroup_used_bytes or 0),
                ),
                found,
                "memory",
                allowed,
            ),
            Message("Set the limit to 1.5 times the model or more."),
            Message("kubernetes/kubernetes#43916"),
        )
    usable = cpu.usable or cpu.logical
    if cpu.quota is not None and cpu.quota < usable:
        yield Finding(
            "cpu-quota",
            "note",
            Message(
                "A cgroup allows fewer processors than are visible; extra readers get throttled."
            ),
            _with_place(
                Message("{quota} of {usable}", quota=f"{cpu.quota:g}", usable=usable),
                found,
                "processors",
                cpu.quota,
            ),
            Message(
                "Use at most {value} readers, or raise the limit.", value=max(1, round(cpu.quota))
            ),
            Message("sched-bwc.rst in the kernel's Documentation/scheduler"),
        )


def _of_reads(limit: CgroupLimit, *, is_wide: bool) -> Finding:
    if limit.kind == "read-rate":
        text = Message(
            "This program may read at most {rate} from this disk: a limit of its control group,"
            " {where}.",
            rate=rate_text(limit.amount),
            where=limit.where,
        )
        remedy = Message(
            "Raise or remove the limit: IOReadBandwidthMax= of a systemd unit,"
            " --device-read-bps of a container. No strategy reads faster under it."
        )
    else:
        text = Message(
            "This program may make at most {count} reads per second from this disk: a limit of its"
            " control group, {where}.",
            count=f"{limit.amount:,.0f}",
            where=limit.where,
        )
        remedy = Message(
            "Raise or remove the limit: IOReadIOPSMax= of a systemd unit, --device-read-iops of a"
            " container. Larger requests make fewer reads."
        )
    return Finding("io-limit", "note" if is_wide else "problem", text, limit.amount_text, remedy)


def _with_place(evidence: Message, found: Diagnosis, kind: LimitKind, amount: float) -> Message:
    """The figures, and which group of the chain sets them."""
    limits = (limit for limit in found.limits or () if (limit.kind, limit.amount) == (kind, amount))
    limit = next(limits, None)
    return joined((evidence, limit.where), ", ") if limit is not None else evidence


_OVER_LIMIT = 1.05
_SLOW_SHARE = 0.8
_SLOW_FRESH = 4.0


def probe_findings(probe: Probe) -> Iterator[Finding]:
    """What the measured figures mean for a load."""
    storage = probe.storage
    yield from _of_others(probe)
    # With others on the disk a rate depends on when it was taken, and says nothing of another.
    if not storage.met_others:
        for finding in _of_other_caches(probe):
            yield finding if storage.others_bytes is not None else _unsure(finding)
    yield from _of_memory(probe)


def _unsure(finding: Finding) -> Finding:
    """Where others are not counted, they may have made one rate higher than another."""
    evidence = Message(
        "{evidence}; whether others used it too is unknown", evidence=finding.evidence
    )
    return msgspec.structs.replace(finding, evidence=evidence)


def without_beaten(findings: Iterable[Finding], probe: Probe) -> list[Finding]:
    """The findings without those that the probe measured to be otherwise, or measured better."""
    storage = probe.storage
    beaten = set()
    if probe.storage_class not in ("unknown", "hard-disk"):
        beaten.add("hard-disk")
    buffered, other = storage.buffered, storage.sequential
    if buffered and other and buffered.bytes_per_s >= _SLOW_SHARE * other.bytes_per_s:
        beaten.add("small-readahead")
    return [
        finding for finding in findings if finding.kind not in beaten or not finding.rule_of_thumb
    ]


def _of_others(probe: Probe) -> Iterator[Finding]:
    storage = probe.storage
    if storage.met_others:
        yield Finding(
            "shared-probe",
            "note",
            Message("Another program used the disk while it was measured: loads may be faster."),
            Message(
                "others moved {others} while {direct} was measured",
                others=size_text(storage.others_bytes or 0),
                direct=size_text(storage.direct_bytes),
            ),
            Message(
                "Wait until the disk is idle, then measure again: modelmon doctor PATH --probe"
            ),
        )


def _of_other_caches(probe: Probe) -> Iterator[Finding]:
    fastest, limit = probe.storage.best_reads, probe.device_limit_bytes_per_s
    ratio = probe.storage.reread_ratio
    seen = NOTHING
    if fastest and limit and fastest.bytes_per_s > _OVER_LIMIT * limit:
        seen = Message(
            "{bytes_rate} measured, {limit} possible for this connection",
            bytes_rate=rate_text(fastest.bytes_per_s),
            limit=rate_text(limit),
        )
    elif ratio is not None and ratio >= REREAD_GAIN:
        seen = Message(
            "a second direct read of the same places was {ratio}× as fast",
            ratio=two_figures(ratio),
        )
    if seen:
        yield Finding(
            "cached-elsewhere",
            "note",
            Message(
                "A hidden cache (host, server or disk) answers reads: the disk itself may"
                " be slower."
            ),
            seen,
            Message("Read other large files before measuring cold starts."),
        )


def _of_memory(probe: Probe) -> Iterator[Finding]:
    """Fresh pages cost a fault and zeroing, on a virtual machine perhaps far more."""
    copies = {(copy.threads, copy.fresh): copy for copy in probe.memory.copies}
    fresh, used = copies.get((1, True)), copies.get((1, False))
    if fresh is None or used is None:
        return
    if fresh.median_bytes_per_s * _SLOW_FRESH < used.median_bytes_per_s:
        yield Finding(
            "slow-fresh-memory",
            "note",
            Message("New memory is slow to fill here."),
            Message(
                "{median_rate} into fresh pages, {used_median_rate} into pages in use"
                " (medians, one thread)",
                median_rate=rate_text(fresh.median_bytes_per_s),
                used_median_rate=rate_text(used.median_bytes_per_s),
            ),
            Message("Use mmap, or keep a process running: copying into new memory is slow."),
        )
