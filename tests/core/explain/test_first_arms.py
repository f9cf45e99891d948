"""What is compared first, by what the file lies on; and the time that is expected unmeasured."""

import msgspec
import pytest

from modelmon.core.doctor.diagnosis import Diagnosis
from modelmon.core.doctor.inspection import Inspection
from modelmon.core.explain.expected import (
    fastest_ns,
    fastest_text,
    first_arms,
    rule_of_thumb,
    second_arm,
    storage_type_of,
)
from modelmon.core.machine.block_devices import BlockLayer, Disk
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.host import Cpu, Host
from modelmon.core.machine.memory import HugePages, Memory, Swap
from modelmon.core.machine.mounts import FuseMount
from modelmon.core.machine.storage import MountLayer, Storage, StorageStack
from modelmon.core.messages import NOTHING
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.probe.probe import BestTimes, MemoryFigures, Probe, Reads, StorageFigures
from modelmon.core.units import duration_text

GB = 10**9
ON_NVME = Storage("/m/a", "/m", "ext4", "/dev/nvme0n1", "local-disk", device="nvme0n1")


def inspection(storage=ON_NVME, *, free_bytes=60 * GB):
    tensor = Tensor("w", "BF16", (4 * GB,), 0, 0, 8 * GB)
    shard = Shard("/m/a", 8 * GB, 0)
    block = Block("other", (0,), 8 * GB)
    model = Model("a", "/m/a", "safetensors", (shard,), (tensor,), (block,), {})
    return Inspection(model, storage, Memory(64 * GB, free_bytes), 0.0, "cachestat")


def seen(kind, *, on_virtual=False, **parts):
    mount = MountLayer("/m", "fs", "source", kind, **parts)
    return Diagnosis(
        schema=1,
        host=Host("Linux", "6.12.0", "x86_64", is_virtual=on_virtual, pressure=("io",)),
        cpu=Cpu("ACME Core 9", 8, cores=4, usable=8, governors=("schedutil",)),
        memory=Memory(64 * GB, 60 * GB),
        swap=Swap(areas=()),
        huge_pages=HugePages("madvise", "never"),
        storage=ON_NVME,
        storage_stack=StorageStack("/m/a", "/m/a", (mount,)),
    )


def spinning(*, on_virtual=False):
    layer = BlockLayer("sda", "disk", disk=Disk(bus="sata", rotational_reported=True))
    return seen("local-disk", on_virtual=on_virtual, devices=(layer,))


@pytest.mark.parametrize(
    ("diagnosis", "mount", "b"),
    [
        (None, "flash", "auto"),
        (spinning(), "hard-disk", "sequential"),
        (spinning(on_virtual=True), "flash", "auto"),
        (seen("network"), "network", "auto"),
        (seen("fuse"), "fuse", "auto"),
        (
            seen("fuse", fuse=FuseMount("a program", serves="object-store")),
            "object-store",
            "auto",
        ),
        (seen("fuse", fuse=FuseMount("a program", serves="server")), "network", "auto"),
        (seen("memory"), "memory", "auto"),
        (seen("unknown"), "unknown", "auto"),
    ],
)
def test_that_b_suits_what_the_file_lies_on(diagnosis, mount, b):
    found = first_arms(inspection(), diagnosis)

    assert storage_type_of(ON_NVME, diagnosis) == mount
    assert (found.a, found.b) == ("mmap", b)
    assert found.reason.endswith(".")


def test_that_a_model_larger_than_memory_is_streamed():
    found = first_arms(inspection(free_bytes=GB))

    assert found.deliver == "streamed"
    assert found.b == first_arms(inspection()).b
    assert "larger than free memory" in found.reason


def test_that_a_spinning_disk_is_told_before_the_doctor_looks():
    disk = msgspec.structs.replace(ON_NVME, device="sda", rotational_reported=True)
    virtual = msgspec.structs.replace(ON_NVME, device="vda", rotational_reported=True)

    assert first_arms(inspection(disk)).b == "sequential"
    assert first_arms(inspection(virtual)).b == "auto"


def test_that_a_rule_of_thumb_is_given_only_where_the_kind_of_disk_is_known():
    virtual = msgspec.structs.replace(ON_NVME, device="vda")
    hard_disk = rule_of_thumb(virtual, "hard-disk")
    nvme = rule_of_thumb(ON_NVME, "flash")

    assert hard_disk is not None
    assert nvme is not None
    assert hard_disk.bytes_per_s < nvme.bytes_per_s
    assert rule_of_thumb(virtual, "flash") is None
    assert rule_of_thumb(ON_NVME, "network") is None


def test_that_the_reason_is_the_predicted_times_and_says_whose_figures_they_are():
    storage = StorageFigures(
        "direct",
        readers=(
            Reads(1, 2**21, 9, 9 * 2**21, 1e9, 2**21),
            Reads(8, 2**21, 9, 9 * 2**21, 4e9, 2 * 2**21),
        ),
        loads=(Reads(1, 2**18, 9, 9 * 2**18, 1e9, 2**18, access="mmap"),),
    )
    probe = Probe(
        schema=1,
        path="/m/a",
        model_bytes=GB,
        machine_id="m",
        storage_id="s",
        probed_unix_s=0.0,
        duration_ns=1,
        storage=storage,
        memory=MemoryFigures(),
        storage_class="nvme",
        class_evidence=NOTHING,
        best=BestTimes(GB),
    )
    here = inspection()
    found = first_arms(here, msgspec.structs.replace(seen("local-disk"), probe=probe))
    assert found.reason.startswith("auto is predicted to take ")
    assert found.reason.endswith(" instead of 8.00 s.")
    assert "Typical values" in first_arms(inspection()).reason
    fastest = fastest_text(here.model, probe)
    assert fastest == f"about {duration_text(fastest_ns(here.model, probe, 'cold'))} cold"
    limits = tuple(CgroupLimit("read-rate", rate, "f", "g", "sda") for rate in (5e8, 6e8))
    held = msgspec.structs.replace(probe, throttles=limits)
    assert fastest_ns(here.model, held, "cold") >= 8 * GB / 5e8 * 1e9
    assert duration_text(fastest_ns(here.model, probe, "cold")) in found.reason


def test_that_where_one_way_is_named_the_guess_is_the_other_unless_it_is_the_same():
    guess = first_arms(inspection()).b
    assert second_arm(inspection(), "mmap", "cold") == guess
    assert second_arm(inspection(), guess, "cold") == "mmap"


def test_that_a_warm_start_is_guessed_to_be_fastest_with_auto_on_any_disk():
    disk = msgspec.structs.replace(ON_NVME, device="sda", rotational_reported=True)
    assert second_arm(inspection(disk), "mmap", "cold") == "sequential"
    assert second_arm(inspection(disk), "mmap", "warm") == "auto"
