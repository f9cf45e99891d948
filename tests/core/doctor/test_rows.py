"""How the terminal words a diagnosis."""

import msgspec

from modelmon.core.doctor.diagnosis import (
    DeviceLook,
    Diagnosis,
    Expected,
    ExpectedTime,
    IdleLook,
)
from modelmon.core.doctor.sections import (
    device_rows,
    expected_rows,
    file_rows,
    idle_rows,
    memory_rows,
    processor_rows,
    storage_rows,
    system_rows,
)
from modelmon.core.machine.block_devices import BlockLayer, Disk, PciLink
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.host import Cpu, Host
from modelmon.core.machine.memory import HugePages, Memory, Swap, SwapArea
from modelmon.core.machine.mounts import NetworkMount, TellingOption
from modelmon.core.machine.storage import MountLayer, Storage, StorageStack
from modelmon.core.worker.events import DeviceActivity

GB = 10**9
KIB = 1024
FULL = PciLink("0000:02:00.0", 16.0, 4, 16.0, 4, 16.0, 4)
PLAIN = Diagnosis(
    schema=1,
    host=Host("Linux", "6.12.0", "x86_64"),
    cpu=Cpu("ACME Core 9", 8),
    memory=Memory(64 * GB, 60 * GB),
    swap=Swap(areas=()),
    huge_pages=HugePages("madvise", "never"),
    storage=Storage("/m/a.gguf", "/m", "ext4", "/dev/nvme0n1", "local-disk"),
    storage_stack=StorageStack("/m/a.gguf", "/m/a.gguf"),
    file=FileState(1, 8 * GB, 8 * GB, 0.0, "cachestat"),
    idle=IdleLook(10**9),
)


def with_ground(kind, filesystem, **parts):
    mount = MountLayer("/m", filesystem, "source", kind, **parts)
    return msgspec.structs.replace(PLAIN, storage_stack=StorageStack("/m/a", "/m/a", (mount,)))


def with_disk(disk):
    return with_ground("local-disk", "ext4", devices=(BlockLayer("sda", "disk", disk=disk),))


def changed(part, **values):
    new = msgspec.structs.replace(getattr(PLAIN, part), **values)
    return msgspec.structs.replace(PLAIN, **{part: new})


def text_of(rows):
    return "\n".join(f"{name}: {value}" for name, value in rows)


def test_that_the_terminal_tells_a_network_mount_in_words():
    nfs = NetworkMount("NFS", "4.2", 1024 * KIB, 8, 200, 256 * KIB, 4_500_000)
    option = TellingOption("noac", "every access asks the server")
    found = with_ground("network", "nfs4", network=nfs, options=(option,), bind_root="/models")
    text = text_of(storage_rows(found))
    assert "Mount: nfs4 on /m from source, network" in text
    assert "Connection: NFS 4.2, requests up to 1 MiB, 8 connections, 200 reads since" in text
    assert "256 KiB in 4.50 ms on average" in text
    assert "Option: noac: every access asks the server" in text
    assert "Shows: the folder /models of it" in text


def test_that_the_terminal_indents_what_lies_below():
    disk = BlockLayer("nvme0n1", "disk", disk=Disk("ACME Fast", "nvme", "pcie", pci_links=(FULL,)))
    volume = BlockLayer("dm-0", "luks", "data", scheduler="none", below=(disk,))
    rows = device_rows(with_ground("local-disk", "ext4", devices=(volume,)))
    assert [name for name, _ in rows] == ["dm-0", "  └ nvme0n1", "    PCIe link"]
    assert rows[0][1] == "LUKS, decrypted by the CPU data, scheduler none"
    assert rows[1][1] == "disk, ACME Fast, on nvme over pcie"
    assert rows[2][1].startswith("16 GT/s × 4 lanes (7.88 GB/s) of possible 16 GT/s")


def test_that_a_virtual_disk_s_claim_is_marked():
    disk = Disk(bus="virtio", is_virtual=True, rotational_reported=True)
    text = text_of(device_rows(with_disk(disk)))
    assert "reported as rotational (unreliable: a virtual disk" in text
    assert "PCIe link: not available: a virtual disk has none" in text


def test_that_a_fuse_file_says_that_looking_may_have_changed_its_cache():
    text = text_of(file_rows(changed("file", opening_may_drop_cache=True)))
    assert "0% of the bytes, known by cachestat; opening the file" in text


def test_that_a_device_is_shown_as_iostat_does():
    activity = DeviceActivity(120.4, 15e6, 128 * KIB, 2_500_000, 0.31, 0.25, 7.2, 2e6)
    rows = idle_rows(changed("idle", devices=(DeviceLook("sda", activity),)))
    assert rows == [
        (
            "sda",
            "120 reads/s, 15 MB/s, mean request 128 KiB, mean wait 2.50 ms,"
            " 7 writes/s, 2 MB/s, queue 0.31, 25% busy",
        )
    ]


def test_that_what_is_missing_is_named_with_its_reason():
    bare = msgspec.structs.replace(
        PLAIN,
        host=Host("Darwin", "24.0", "arm64", cachestat="Darwin has no such call"),
        cpu=Cpu(None, 8),
        swap=Swap(),
        huge_pages=HugePages(),
        idle=None,
    )
    rows = [*memory_rows(bare), *processor_rows(bare), *system_rows(bare)]
    missing = {name for name, value in rows if value.startswith("not available: ")}
    assert missing == {
        "Cgroup limit",
        "Swap",
        "Huge pages",
        "Model",
        "Governor",
        "Heat",
        "Stalls (PSI)",
        "cachestat",
    }
    assert idle_rows(bare) == []


def test_that_swap_is_listed_by_its_places():
    areas = (SwapArea("/dev/zram0", "zram", 4 * GB, GB),)
    swap = Swap(areas=areas, zram_held_bytes=GB, zram_memory_bytes=GB // 4)
    text = text_of(memory_rows(msgspec.structs.replace(PLAIN, swap=swap)))
    assert "/dev/zram0 (zram), 1 GB of 4 GB used; zram holds 1 GB in 250 MB" in text


def test_that_expected_times_have_a_row_each_and_say_whose_figures_they_are():
    time = ExpectedTime(2 * 10**9, 10**9, 3 * 10**9, "device-bandwidth")
    warm = msgspec.structs.replace(time, ns=10**8, mostly="faults")
    auto = Expected("auto", True, time, warm)
    found = msgspec.structs.replace(PLAIN, expected=(auto,))
    (row,) = expected_rows(found)
    assert row == ("auto", "2.00 s cold (storage bandwidth), 100 ms warm (page faults)")
    guessed = msgspec.structs.replace(auto, measured=False)
    assert len(expected_rows(msgspec.structs.replace(PLAIN, expected=(guessed,)))) == 2
    assert not expected_rows(PLAIN)
