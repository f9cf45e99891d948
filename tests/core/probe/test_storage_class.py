"""Storage is told apart by how it behaves; the figures are recorded ones."""

import pytest
from tests.core.probe.probes import reads

from modelmon.core.machine.block_devices import BlockLayer, Disk, PciLink
from modelmon.core.machine.storage import DRIVE_BYTES_PER_S, MountLayer, StorageStack, device_limit
from modelmon.core.probe.probe import (
    StorageFigures,
    StorageHints,
    classify,
)

DISK = StorageHints("local-disk", "ext4")
FUSE = StorageHints("fuse", "fuse")
MS = 1_000_000
MB = 1e6


@pytest.mark.parametrize(
    ("around", "p50_ns", "bytes_per_s", "gain", "expected"),
    [
        # A seek of 10 ms: 124 MB/s by one reader, 20 by four, 89 to 95 random reads a second.
        (DISK, 10.9 * MS, 124 * MB, 20 / 124, "hard-disk"),
        (FUSE, 10.9 * MS, 124 * MB, 20 / 124, "hard-disk"),
        # 50 ms until the first byte, 20 pages a second; 0.57 s by one reader, 0.26 by four.
        (FUSE, 50 * MS, 500 * MB, 0.57 / 0.26, "object-store"),
        (StorageHints("fuse", "fuse.gcsfuse", "object-store"), 10 * MS, 5e8, 2.0, "object-store"),
        # A round trip of 10 ms: 21 MB/s by one reader, 77 by four.
        (FUSE, 10 * MS, 77 * MB, 77 / 21, "network"),
        (StorageHints("fuse", "fuse.sshfs", "server"), 10 * MS, 77 * MB, None, "network"),
        (StorageHints("network", "nfs4"), 0.2 * MS, 900 * MB, 1.1, "network"),
        # A disk of a cloud behind a block device: waits overlap.
        (DISK, 0.8 * MS, 250 * MB, 3.0, "network"),
        # A virtual disk that calls itself rotating: 2.5 GB/s, 21 us.
        (DISK, 21_000, 2.5e9, 1.1, "nvme"),
        # A throttle of 150 MB/s knows no seeks.
        (DISK, 0.1 * MS, 150 * MB, 1.0, "sata"),
        (DISK, 0.1 * MS, 550 * MB, 1.0, "sata"),
        (StorageHints("memory", "tmpfs"), 2_000, 9e9, 1.5, "memory"),
        (DISK, 2_000, 9e9, 1.5, "memory"),
        (DISK, None, 2.5e9, 1.1, "unknown"),
        (DISK, 21_000, None, None, "unknown"),
    ],
)
def test_that_recorded_storage_gets_its_class(around, p50_ns, bytes_per_s, gain, expected):
    found, evidence = classify(around, p50_ns, bytes_per_s, gain)
    assert found == expected
    assert evidence


def test_that_the_class_comes_with_the_figures_it_follows_from():
    _, evidence = classify(DISK, 10.9 * MS, 124 * MB, 0.16)
    for part in ("10.9 ms", "124 MB/s", "0.16×"):
        assert part in evidence


def test_that_a_disk_under_others_is_no_hard_disk_for_its_slowness():
    found, evidence = classify(DISK, 7.7 * MS, 24 * MB, 0.9, shared=True)
    assert found == "unknown"
    assert "others" in evidence
    # What is fast among others is fast.
    assert classify(DISK, 90_000, 2e9, 1.1, shared=True)[0] == "nvme"


def on(*disks):
    layers = tuple(BlockLayer(f"d{number}", "disk", disk=disk) for number, disk in enumerate(disks))
    return StorageStack(
        "/m", "/m", (MountLayer("/", "ext4", "/dev/d0", "local-disk", devices=layers),)
    )


def test_that_the_limit_of_devices_is_that_of_their_links():
    link = PciLink("0000:02:00.0", 8.0, 4, 16.0, 4, 16.0, 4)
    slow_slot = Disk("ACME", "nvme", "pcie", pci_links=(link,))
    assert device_limit(on(slow_slot)) == link.possible_bytes_per_s
    assert device_limit(on(Disk(bus="usb", usb_mbit_per_s=480))) == 60e6
    virtual = Disk(bus="virtio", is_virtual=True)
    assert device_limit(on(virtual)) == DRIVE_BYTES_PER_S
    assert device_limit(on(virtual, virtual)) == 2 * DRIVE_BYTES_PER_S
    assert device_limit(StorageStack("/m", "/m")) is None


ONE = reads(1, 1e9)


@pytest.mark.parametrize(
    ("storage", "best"),
    [
        (StorageFigures("direct", sequential=ONE, readers=(reads(4, 2e9),)), 2e9),
        (StorageFigures("direct", sequential=ONE, buffered=reads(1, 2e9)), 2e9),
        (StorageFigures("direct", sequential=ONE, loads=(reads(1, 2e9),)), 2e9),
        # A cache out of sight answered.
        (StorageFigures("direct", sequential=ONE, loads=(reads(1, 2e9),), reread_ratio=3.0), 1e9),
        (StorageFigures("none"), None),
    ],
)
def test_that_the_best_rate_is_that_of_any_readers(storage, best):
    assert (storage.best_reads and storage.best_reads.bytes_per_s) == best
