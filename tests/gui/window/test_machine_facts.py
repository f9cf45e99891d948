"""What the side panel says of storage and memory once the doctor has looked."""

import pytest
from machine_fakes import NVME, PARTITION, make_diagnosis, make_mount
from msgspec import structs
from window_fakes import GB, make_inspection

from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.memory import Memory, Swap, Zswap
from modelmon.core.machine.mounts import TellingOption
from modelmon.core.machine.storage import StorageStack
from modelmon.core.messages import Message
from modelmon.gui.model import model_facts

LUKS = BlockLayer("dm-0", "luks", "cryptdata", below=(PARTITION,))
LVM = BlockLayer("dm-1", "lvm", "vg-models", below=(LUKS,))
RAID = BlockLayer("md0", "md", "raid0", below=(NVME, BlockLayer("nvme1n1", "disk")))


@pytest.mark.parametrize(
    ("device", "line"),
    [
        (PARTITION, "nvme0n1p2"),
        (LVM, "LVM vg-models on LUKS cryptdata on nvme0n1p2"),
        (RAID, "md0 (raid0) on nvme0n1 + nvme1n1"),
    ],
)
def test_that_the_chain_of_devices_is_one_line(device, line):
    found = make_diagnosis(storage_stack=StorageStack("/x", "/x", (make_mount(device),)))
    assert model_facts.chain_text(found) == line
    assert any("nvme0n1" in row for row in model_facts.chain_lines(found))


def test_that_layers_of_filesystems_and_options_that_matter_are_told():
    option = TellingOption("msize=262144", "the most that one read asks the host for")
    mounts = (
        make_mount(filesystem="overlay", mount_point="/", source="overlay", kind="local-disk"),
        make_mount(filesystem="9p", source="host", kind="network", options=(option,)),
    )
    found = make_diagnosis(storage_stack=StorageStack("/x", "/x", mounts))
    rows = {fact.name: fact for fact in model_facts.storage_facts(make_inspection(), found)}
    assert rows["Mount"].value == "overlay over 9p on /data"
    assert rows["Disk"].value.startswith("host, ")
    assert rows["Options"].value == "msize=262144"
    assert "asks the host" in rows["Options"].tool_tip


def test_that_what_cannot_be_known_is_not_called_zero():
    state = FileState(
        1, 1, None, None, "unknown: another owner's file", opening_may_drop_cache=True
    )
    found = make_diagnosis(file=structs.replace(state, users=(FileUser(4711, "python", "mapped"),)))
    rows = {fact.name: fact for fact in model_facts.storage_facts(make_inspection(), found)}
    assert rows["Cached"].value == "unknown"
    assert rows["Cached"].tool_tip == "another owner's file"
    assert "python (4711, mapped)" in rows["In use by"].value
    bare = make_diagnosis(file=None, storage_stack=StorageStack("/x", "/x"), cgroup_version=None)
    assert "Cached" not in {
        fact.name for fact in model_facts.storage_facts(make_inspection(), bare)
    }
    assert model_facts.chain_text(bare) == "nvme0n1"


def test_that_memory_tells_of_huge_pages_and_compressed_swap():
    swap = Swap(areas=(), zswap=Zswap(enabled=True, compressor="zstd", held_bytes=10**9))
    found = make_diagnosis(swap=swap)
    facts = model_facts.memory_facts(found.memory, None, found)
    assert {fact.name: fact.value for fact in facts}.items() >= {
        ("cgroup", "no limit"),
        ("Huge pages", "madvise of 2 MiB"),
        ("zswap", "holds 1 GB"),
    }


def test_that_memory_in_use_that_is_not_known_is_not_called_zero():
    memory = Memory(64 * GB, 60 * GB, cgroup_limit_bytes=8 * GB)
    rows = {fact.name: fact.value for fact in model_facts.memory_facts(memory, None)}
    assert rows["cgroup"] == "8 GB"
    swap = Swap(areas=(), zswap=Zswap(enabled=True, compressor="zstd"))
    found = make_diagnosis(swap=swap)
    rows = {fact.name: fact.value for fact in model_facts.memory_facts(memory, None, found)}
    assert rows["zswap"] == "on"


def test_that_what_is_cached_is_not_called_now_while_something_loads():
    state = FileState(1, 1, None, 1.0, Message("cachestat"))
    found = make_diagnosis(file=state)
    for loading, text in ((False, "100% now"), (True, "100% before measuring")):
        rows = {
            each.name: each
            for each in model_facts.storage_facts(make_inspection(), found, loading=loading)
        }
        assert rows["Cached"].value == text
