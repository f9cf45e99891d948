"""Diagnoses of a healthy machine with one thing changed."""

import msgspec
from tests.core.probe.probes import probe_of, reads

from modelmon.core.doctor.diagnosis import DeviceLook, Diagnosis, IdleLook
from modelmon.core.doctor.findings import findings_of
from modelmon.core.machine.block_devices import BlockLayer, Disk, PciLink
from modelmon.core.machine.cached_pages import FOREIGN
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.host import Cpu, Host
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.mounts import FuseMount, NetworkMount
from modelmon.core.machine.storage import MountLayer, Storage, StorageStack
from modelmon.core.probe.probe import StorageFigures
from modelmon.core.worker.events import DeviceActivity

GB = 10**9
KIB = 1024
FULL = PciLink("0000:02:00.0", 16.0, 4, 16.0, 4, 16.0, 4)
HEALTHY = Diagnosis(
    schema=1,
    host=Host("Linux", "6.12.0", "x86_64", is_virtual=False, pressure=("io",)),
    cpu=Cpu("ACME Core 9", 8, cores=4, usable=8, governors=("schedutil",)),
    memory=Memory(64 * GB, 60 * GB),
    huge_pages="madvise",
    storage=Storage("/m/a.gguf", "/m", "ext4", "/dev/nvme0n1", "local-disk"),
    storage_stack=StorageStack("/m/a.gguf", "/m/a.gguf"),
    file=FileState(1, 8 * GB, 8 * GB, 0.0, "cachestat"),
    idle=IdleLook(10**9, swapped_in_bytes=0, swapped_out_bytes=0, throttle_events=0),
)


def on(kind, filesystem, **parts):
    mount = MountLayer("/m", filesystem, "source", kind, **parts)
    return msgspec.structs.replace(HEALTHY, storage_stack=StorageStack("/m/a", "/m/a", (mount,)))


def on_disk(disk, **parts):
    layer = BlockLayer("sda", "disk", size_bytes=GB, disk=disk, **parts)
    return on("local-disk", "ext4", devices=(layer,))


def changed(part, **values):
    new = msgspec.structs.replace(getattr(HEALTHY, part), **values)
    return msgspec.structs.replace(HEALTHY, **{part: new})


def found_with(**parts):
    return msgspec.structs.replace(HEALTHY, **parts)


FAST_DISK = StorageFigures(
    "direct",
    sequential=reads(1, 2e9),
    readers=tuple(reads(count, rate) for count, rate in ((1, 2e9), (2, 2e9), (4, 2.1e9), (8, 2e9))),
)
PROBE = probe_of(FAST_DISK, device_limit_bytes_per_s=15.75e9)


def probed(storage=None, **parts):
    """A healthy machine whose fast disk was measured, with other figures."""
    figures = msgspec.structs.replace(PROBE.storage, **(storage or {}))
    return found_with(probe=msgspec.structs.replace(PROBE, storage=figures, **parts))


def limited(found, *limits):
    return msgspec.structs.replace(found, limits=limits)


def judged(found):
    return {finding.kind: finding for finding in findings_of(found)}


SEEN = DeviceLook("sda", DeviceActivity(9, 5e6, busy_share=0.6, write_bytes_per_s=3e8))
IMAGE = BlockLayer("loop3", "loop", backing_file="/x.img", direct_io=False)
UNCACHED = FuseMount("s3fs", "object-store", settings=("direct_io",))
SLOW_LINK, SLOW_SLOT = (
    PciLink("0:2", 8.0, *lanes, 16.0, 4) for lanes in ((2, 16.0, 4), (4, 8.0, 4))
)
GROUPS = (
    CgroupLimit("memory", 80 * GB, "memory.max", "/"),
    CgroupLimit("memory", 10 * GB, "memory.high", "/a.service"),
)
QUOTA = CgroupLimit("processors", 1.5, "cpu.max", "/a.service")
IO_MAX = CgroupLimit("read-rate", 1e8, "io.max", "/a.service", "sda")
HURTS = [
    (
        on("network", "9p", network=NetworkMount("9P", is_windows_drive=True)),
        "windows-drive",
        "9p on /m",
    ),
    (
        on("network", "nfs4", network=NetworkMount("NFS")),
        "network-filesystem",
        "nfs4 on /m from source",
    ),
    (
        on("network", "9p", network=NetworkMount("9P", request_bytes=8 * KIB)),
        "small-requests",
        "8 KiB",
    ),
    (
        on("fuse", "fuse.gcsfuse", fuse=FuseMount("gcsfuse", "object-store")),
        "fuse-object-store",
        "fuse.gcsfuse on /m",
    ),
    (on("fuse", "fuse.sshfs", fuse=FuseMount("sshfs", "server")), "fuse-server", "fuse.sshfs"),
    (on("fuse", "fuse.s3fs", fuse=UNCACHED), "nothing-cached", "direct_io"),
    (on("network", "nfs4", bdi="0:52", readahead_bytes=128 * KIB), "small-readahead", "128 KiB"),
    (on("memory", "tmpfs"), "in-memory", "tmpfs"),
    (on("unknown", "overlay", layers_hidden=True), "hidden-layers", "overlay"),
    (on_disk(Disk("Spin", "sata", rotational_reported=True)), "hard-disk", "rotational"),
    (on_disk(Disk("Card", "mmc"), readahead_bytes=128 * KIB), "small-readahead", "128 KiB"),
    (
        on_disk(Disk(bus="nvme", pci_links=(SLOW_LINK,))),
        "slow-link",
        "8 GT/s × 2 lanes (1.97 GB/s), possible 16 GT/s × 4 lanes (7.88 GB/s)",
    ),
    (on_disk(Disk(bus="nvme", pci_links=(SLOW_SLOT,))), "slow-slot", "could do 16 GT/s × 4 lanes"),
    (on_disk(Disk(bus="usb", usb_mbit_per_s=480)), "slow-usb", "60 MB/s"),
    (on("local-disk", "ext4", devices=(IMAGE,)), "cached-twice", "/x.img"),
    (
        changed("idle", devices=(SEEN,)),
        "busy-device",
        "60% busy, reads 5 MB/s, writes 300 MB/s, while",
    ),
    (changed("file", allocated_bytes=4 * GB), "file-with-holes", "50%"),
    (
        changed("file", users=(FileUser(7, "server", "mapped"),)),
        "file-in-use",
        "server (7, mapped)",
    ),
    (
        changed("file", cached_share=None, cached_source=FOREIGN, of_another_user=True),
        "residency-unknown",
        "belongs to another user",
    ),
    (changed("file", size_bytes=70 * GB), "does-not-fit", "60 GB of RAM"),
    (
        changed("memory", cgroup_limit_bytes=4 * GB, cgroup_used_bytes=GB),
        "does-not-fit",
        "3 GB left under the cgroup's limit",
    ),
    (changed("file", size_bytes=50 * GB), "tight-memory", "50 GB of files"),
    (changed("memory", cgroup_limit_bytes=10 * GB), "cgroup-limit", "10 GB of 64 GB"),
    (
        msgspec.structs.replace(changed("memory", cgroup_limit_bytes=40 * GB), file=None),
        "cgroup-limit",
        "40 GB of 64 GB",
    ),
    (
        limited(changed("memory", cgroup_limit_bytes=10 * GB), *GROUPS),
        "cgroup-limit",
        "in use, memory.high of /a.service",
    ),
    (changed("idle", swapped_in_bytes=40_000_000), "swapping", "40 MB in"),
    (changed("memory", swap_used_bytes=GB, swap_total_bytes=8 * GB), "swap-in-use", "1 GB of 8 GB"),
    (found_with(huge_pages="never"), "no-huge-pages", "never"),
    (
        changed("cpu", governors=("powersave",), frequency_driver="acpi-cpufreq"),
        "slow-governor",
        "acpi-cpufreq",
    ),
    (changed("cpu", energy_preferences=("power",)), "slow-governor", "preference"),
    (changed("idle", throttle_events=3), "throttled", "3 times in 1.0 s"),
    (changed("idle", cpu_busy_share=0.98), "busy-processors", "98% of all"),
    (limited(changed("cpu", quota=1.5), QUOTA), "cpu-quota", "1.5 of 8, cpu.max of /a.service"),
    (limited(HEALTHY, IO_MAX), "io-limit", "100 MB/s from sda"),
]
"""What hurts a load, with the kind and the evidence of its finding."""
