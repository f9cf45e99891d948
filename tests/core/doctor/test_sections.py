"""How terminal and window word a diagnosis."""

import msgspec
from tests.core.doctor.diagnosed import FULL, GB, HEALTHY, KIB, changed, found_with, on, on_disk

from modelmon.core.doctor.diagnosis import DeviceLook, Expected, ExpectedTime
from modelmon.core.doctor.sections import cache_bar, sections
from modelmon.core.machine.block_devices import BlockLayer, Disk
from modelmon.core.machine.host import Cpu, Host
from modelmon.core.machine.mounts import NetworkMount, TellingOption
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.worker.events import DeviceActivity


def rows_of(title, found):
    return dict(sections(found)).get(title, [])


def text_of(title, found):
    return "\n".join(f"{name}: {value}" for name, value in rows_of(title, found))


def test_that_the_terminal_tells_a_network_mount_in_words():
    nfs = NetworkMount("NFS", "4.2", 1024 * KIB, 8)
    option = TellingOption("noac", "every access asks the server")
    found = on("network", "nfs4", network=nfs, options=(option,), bind_root="/models")
    text = text_of("Storage", (found))
    assert "Mount: nfs4 on /m from source, network" in text
    assert "Connection: NFS 4.2, requests up to 1 MiB, 8 connections\n" in text
    assert "Option: noac: every access asks the server" in text
    assert "Shows: its folder /models" in text


def test_that_the_terminal_indents_what_lies_below():
    disk = BlockLayer("nvme0n1", "disk", disk=Disk("ACME Fast", "nvme", "pcie", pci_links=(FULL,)))
    volume = BlockLayer("dm-0", "luks", "data", scheduler="none", below=(disk,))
    rows = rows_of("Devices", on("local-disk", "ext4", devices=(volume,)))
    assert [name for name, _ in rows] == ["dm-0", "  └ nvme0n1", "    PCIe link"]
    assert rows[0][1] == "LUKS, decrypted by the CPU data, scheduler none"
    assert rows[1][1] == "disk, ACME Fast, on nvme over pcie"
    assert rows[2][1].startswith("16 GT/s × 4 lanes (7.88 GB/s) of possible 16 GT/s")


def test_that_a_virtual_disk_s_claim_is_marked():
    disk = Disk(bus="virtio", is_virtual=True, rotational_reported=True)
    text = text_of("Devices", (on_disk(disk)))
    assert "reported as rotational (unreliable: a virtual disk" in text
    assert "PCIe link" not in text


def test_that_a_fuse_file_says_that_looking_may_have_changed_its_cache():
    text = text_of("File", (changed("file", opening_may_drop_cache=True)))
    assert "0% of the bytes, known by cachestat; opening the file" in text


def test_that_a_device_is_shown_as_iostat_does():
    activity = DeviceActivity(120.4, 15e6, 128 * KIB, 2_500_000, 0.31, 0.25, 7.2, 2e6)
    rows = rows_of(
        "Devices now, before any load", changed("idle", devices=(DeviceLook("sda", activity),))
    )
    assert rows == [
        (
            "sda",
            "120 reads/s, 15 MB/s, mean request 128 KiB, mean wait 2.50 ms,"
            " 7 writes/s, 2 MB/s, queue 0.31, 25% busy",
        )
    ]


def test_that_what_is_missing_is_named_only_where_a_user_can_act_on_the_reason():
    bare = msgspec.structs.replace(
        HEALTHY,
        host=Host("Darwin", "24.0", "arm64", cachestat="Darwin has no such call"),
        cpu=Cpu(None, 8),
        huge_pages=None,
        idle=None,
    )
    rows = [row for title in ("Memory", "Processors", "System") for row in rows_of(title, bare)]
    missing = {name for name, value in rows if value.startswith("not available: ")}
    assert missing == {"Stalls (PSI)", "cachestat"}
    names = {name for name, _ in rows}
    assert not names & {"Cgroup limit", "Huge pages", "Model", "Governor", "Heat"}
    assert rows_of("Devices now, before any load", bare) == []
    assert rows_of("Devices", on("local-disk", "ext4")) == []


def test_that_swap_is_told_by_what_is_used_of_it():
    text = text_of("Memory", changed("memory", swap_total_bytes=4 * GB, swap_used_bytes=GB))
    assert "Swap: 1 GB of 4 GB used" in text
    assert "Swap: none" in text_of("Memory", HEALTHY)


def test_that_expected_times_have_a_row_each_and_say_whose_figures_they_are():
    time = ExpectedTime(2 * 10**9, 10**9, 3 * 10**9, "device-bandwidth")
    warm = msgspec.structs.replace(time, ns=10**8, mostly="faults")
    auto = Expected("auto", True, time, warm)
    found = msgspec.structs.replace(HEALTHY, expected=(auto,))
    (row,) = rows_of("Expected load times", found)
    assert row == ("auto", "2.00 s cold (storage bandwidth), 100 ms warm (page faults)")
    guessed = msgspec.structs.replace(auto, measured=False)
    assert len(rows_of("Expected load times", found_with(expected=(guessed,)))) == 2
    there = msgspec.structs.replace(auto, cold=None)
    (row,) = rows_of("Expected load times", found_with(expected=(there,)))
    assert row == ("auto", "100 ms warm (page faults)")
    assert not rows_of("Expected load times", HEALTHY)


PAGE = 4096
BUCKET = 4 * PAGE


def _file(*cached, short=0):
    return FileResidency(len(cached) * BUCKET - short, "cachestat", cached)


def test_that_a_half_cached_file_is_half_a_bar():
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(*[4] * 28, *[0] * 28),)))
    assert bar == f"[{'█' * 28}{' ' * 28}]"


def test_that_only_what_is_wholly_there_looks_full_and_only_nothing_looks_empty():
    quarters = [*[1] * 14, *[2] * 14, *[3] * 14, *[4] * 14]
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(*quarters),)))
    assert bar == f"[{'░' * 14}{'▒' * 14}{'▓' * 14}{'█' * 14}]"


def test_that_files_are_as_long_as_they_are_large_and_an_unknown_one_is_no_empty_one():
    unknown = FileResidency(BUCKET, "unknown: not yours")
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(4, 4, 4, short=PAGE), unknown)))
    full, question = bar.strip("[]").split("│")
    assert set(full) == {"█"}
    assert set(question) == {"?"}
    assert 2 < len(full) / len(question) < 3
    assert len(bar) == 56 + 3


def test_that_a_short_last_bucket_can_be_full():
    bar = cache_bar(ResidencyMap(BUCKET, PAGE, (_file(4, 1, short=3 * PAGE + 1),)))
    assert bar == f"[{'█' * 56}]"
