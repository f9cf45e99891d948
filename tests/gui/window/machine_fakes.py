"""A made-up machine as the doctor tells of it."""

from msgspec import structs
from window_fakes import GB, make_inspection

from modelmon.core.doctor.diagnosis import SCHEMA, Diagnosis, Finding
from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.host import Cpu, Host
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import MountLayer, StorageStack
from modelmon.core.probe.probe import (
    SCHEMA as PROBE_SCHEMA,
)
from modelmon.core.probe.probe import (
    CopyRate,
    Latency,
    MemoryFigures,
    Probe,
    Reads,
    StorageFigures,
)

PATH = "/data/llama/model.safetensors"
NVME = BlockLayer("nvme0n1", "disk", size_bytes=1000 * GB)
PARTITION = BlockLayer("nvme0n1p2", "partition", below=(NVME,))
HURTS = Finding(
    "small-readahead",
    "problem",
    "The kernel reads little ahead.",
    "128 KiB on /data",
    "As root: echo 4096",
    "a FUSE mount with 2 ms a request",
)


def make_mount(*devices, **more):
    """ext4 on /data, unless said otherwise."""
    usual = {
        "mount_point": "/data",
        "filesystem": "ext4",
        "source": "/dev/nvme0n1p2",
        "kind": "local-disk",
        "readahead_bytes": 128 * 1024,
    }
    return MountLayer(**usual | more, devices=devices)


def make_diagnosis(**more):
    """An NVMe disk, plenty of memory, a file of which a quarter is cached."""
    found = Diagnosis(
        schema=SCHEMA,
        host=Host("Linux", "6.8.0", "x86_64"),
        cpu=Cpu("A processor", 8),
        memory=Memory(64 * GB, 50 * GB),
        huge_pages="madvise",
        storage=make_inspection().storage,
        storage_stack=StorageStack(PATH, PATH, (make_mount(PARTITION),)),
        cgroup_version=2,
        file=FileState(1, 2 * GB, 2 * GB, 0.25, "cachestat"),
        findings=(HURTS,),
    )
    return structs.replace(found, **more)


def make_probe(**more):
    """3 GB/s past the cache, 80 µs a block; memory is filled at 10 GB/s."""
    alone = Reads(1, 1024**2, 1000, GB, 2e9, 5e5)
    four = Reads(4, 1024**2, 1000, GB, 3e9, 1.4e6)
    memory = MemoryFigures((CopyRate(2, True, GB, 3, 1e10, 9e9),))
    storage = StorageFigures(
        "direct", latency=Latency(4096, 500, 80_000, 190_000), sequential=alone, readers=(four,)
    )
    probe = Probe(
        schema=PROBE_SCHEMA,
        path=PATH,
        model_bytes=GB,
        machine_id="m",
        storage_id="s",
        probed_unix_s=1_790_000_000.0,
        duration_ns=5 * 10**9,
        storage=storage,
        memory=memory,
        storage_class="nvme",
        class_evidence="random 4 KiB 80 µs, at most 3 GB/s",
    )
    return structs.replace(probe, **more)
