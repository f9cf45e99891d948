"""What is compared first, by what the file lies on; and the time that is expected unmeasured."""

import msgspec
import pytest
from tests.core.doctor.diagnosed import HEALTHY, found_with, on, on_disk
from tests.core.probe.probes import probe_of

from modelmon.core.doctor.inspection import Inspection
from modelmon.core.explain.expected import (
    fastest_ns,
    fastest_text,
    first_pair,
    second_strategy,
    storage_type_of,
    typical_fastest_ns,
    with_expected,
)
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.block_devices import Disk
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.mounts import FuseMount
from modelmon.core.machine.storage import Storage
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.probe.probe import Reads, StorageFigures
from modelmon.core.units import duration_text

GB = 10**9
ON_NVME = Storage("/m/a", "/m", "ext4", "/dev/nvme0n1", "local-disk", device="nvme0n1")
SPINNING = on_disk(Disk(bus="sata", rotational_reported=True))
VIRTUAL = msgspec.structs.replace(HEALTHY.host, is_virtual=True)


def inspection(storage=ON_NVME, *, free_bytes=60 * GB):
    tensor = Tensor("w", "BF16", (4 * GB,), 0, 0, 8 * GB)
    shard = Shard("/m/a", 8 * GB, 0)
    block = Block("other", (0,), 8 * GB)
    model = Model("a", "/m/a", "safetensors", (shard,), (tensor,), (block,), {})
    return Inspection(model, storage, Memory(64 * GB, free_bytes), 0.0, "cachestat")


def serving(serves):
    return on("fuse", "fs", fuse=FuseMount("a program", serves))


@pytest.mark.parametrize(
    ("diagnosis", "mount", "b"),
    [
        (None, "nvme", "auto"),
        (SPINNING, "hard-disk", "sequential"),
        (msgspec.structs.replace(SPINNING, host=VIRTUAL), "nvme", "auto"),
        (on("network", "fs"), "network", "auto"),
        (on("fuse", "fs"), "fuse", "auto"),
        (serving("object-store"), "object-store", "auto"),
        (serving("server"), "network", "auto"),
        (on("memory", "fs"), "memory", "auto"),
        (on("unknown", "fs"), "unknown", "auto"),
    ],
)
def test_that_b_suits_what_the_file_lies_on(diagnosis, mount, b):
    found = first_pair(inspection(), diagnosis)

    assert storage_type_of(ON_NVME, diagnosis) == mount
    assert (found.a, found.b) == ("mmap", b)
    assert found.reason.endswith(".")


def test_that_a_model_larger_than_memory_is_streamed():
    found = first_pair(inspection(free_bytes=GB))

    assert found.deliver == "streamed"
    assert found.b == first_pair(inspection()).b
    assert "larger than free memory" in found.reason


def test_that_a_spinning_disk_is_told_before_the_doctor_looks():
    disk = msgspec.structs.replace(ON_NVME, device="sda", rotational_reported=True)
    virtual = msgspec.structs.replace(ON_NVME, device="vda", rotational_reported=True)

    assert first_pair(inspection(disk)).b == "sequential"
    assert first_pair(inspection(virtual)).b == "auto"


def test_that_a_rule_of_thumb_is_given_only_where_the_kind_of_disk_is_known():
    devices = {"nvme0n1": "nvme", "sda": "sata", "vda": "flash", None: "flash"}
    for device, kind in devices.items():
        assert storage_type_of(msgspec.structs.replace(ON_NVME, device=device)) == kind
    storages = (msgspec.structs.replace(ON_NVME, device=device) for device in ("sda", "nvme0n1"))
    sata_ns, nvme_ns = (typical_fastest_ns(inspection().model, storage) for storage in storages)
    assert sata_ns > 2 * nvme_ns > 0
    assert (
        typical_fastest_ns(inspection().model, msgspec.structs.replace(ON_NVME, device="vda"))
        is None
    )


def test_that_the_reason_is_the_predicted_times_and_says_whose_figures_they_are():
    """Reads past the cache take 2.56 s."""
    storage = StorageFigures(
        "direct",
        readers=(
            Reads(1, 2**21, 9, 9 * 2**21, 1e9, 2**21),
            Reads(8, 2**21, 9, 9 * 2**21, 4e9, 2 * 2**21),
        ),
        loads=(Reads(1, 2**18, 9, 9 * 2**18, 1e9, 2**18, access="mmap"),),
    )
    probe = probe_of(storage)
    here = inspection()
    found = first_pair(here, found_with(probe=probe))
    assert found.reason.startswith("auto is predicted to take ")
    assert found.reason.endswith(" instead of 8.00 s.")
    mapped = Reads(1, 2**18, 9, 9 * 2**18, 3e9, 2**18, access="mmap")
    alike = probe_of(msgspec.structs.replace(storage, loads=(mapped,)))
    assert first_pair(here, found_with(probe=alike)).reason == (
        "auto (2.56 s) is predicted to be about as fast as mmap (2.67 s)."
    )
    assert "Typical values" in first_pair(inspection()).reason
    fastest = fastest_text(here.model, probe)
    assert fastest == f"about {duration_text(fastest_ns(here.model, probe, 'cold'))} cold"
    limits = tuple(CgroupLimit("read-rate", rate, "f", "g", "sda") for rate in (5e8, 6e8))
    held = msgspec.structs.replace(probe, throttles=limits)
    assert fastest_ns(here.model, held, "cold") >= 8 * GB / 5e8 * 1e9
    assert duration_text(fastest_ns(here.model, probe, "cold")) in found.reason


@pytest.mark.parametrize(("way", "is_possible"), [("direct", True), ("cache", False)])
def test_that_no_time_is_expected_of_what_is_refused_here(sample, way, is_possible):
    probe = probe_of(StorageFigures(way, readers=(Reads(1, 2**21, 9, 9 * 2**21, 1e9, 2**21),)))
    found = with_expected(found_with(probe=probe), sample)
    assert ("direct" in {each.strategy for each in found.expected}) == is_possible


def test_that_files_in_memory_have_no_cold_start(sample):
    storage = msgspec.structs.replace(HEALTHY.storage, kind="memory")
    on_disk, in_memory = (
        with_expected(found, sample).expected for found in (HEALTHY, found_with(storage=storage))
    )
    assert all(each.cold.ns for each in on_disk)
    assert {each.strategy: each.cold for each in in_memory} == dict.fromkeys(PRESETS)
    assert [each.warm.ns for each in in_memory] == sorted(each.warm.ns for each in in_memory)


def test_that_where_one_way_is_named_the_guess_is_the_other_unless_it_is_the_same():
    guess = first_pair(inspection()).b
    assert second_strategy(inspection(), "mmap", "cold") == guess
    assert second_strategy(inspection(), guess, "cold") == "mmap"


def test_that_a_warm_start_is_guessed_to_be_fastest_with_auto_on_any_disk():
    disk = msgspec.structs.replace(ON_NVME, device="sda", rotational_reported=True)
    assert second_strategy(inspection(disk), "mmap", "cold") == "sequential"
    assert second_strategy(inspection(disk), "mmap", "warm") == "auto"
