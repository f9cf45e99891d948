"""The block devices that a path stands on, down to the disk."""

import sys

import pytest
from tests.core.machine.pretended import NVME, SATA, USB, VIRTIO, kinds

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends to be Linux")


def test_that_a_partition_of_an_nvme_disk_tells_disk_bus_and_link(machine):
    machine.nvme()
    mount = machine.mounted("259:2", "ext4", "/dev/nvme0n1p2")
    assert kinds(mount) == [("nvme0n1p2", "partition"), ("nvme0n1", "disk")]
    layer = mount.devices[0].below[0]
    assert (layer.scheduler, layer.readahead_bytes) == ("mq-deadline", 128 * 1024)
    assert layer.size_bytes == 2048 * 512
    disk = layer.disk
    assert disk is not None
    assert (disk.model, disk.bus, disk.transport) == ("ACME Fast 990", "nvme", "pcie")
    assert not disk.is_virtual
    (link,) = disk.pci_links
    # The drive could do 16 GT/s, but its port only 8; two of four lanes are in use.
    assert (link.gt_per_s, link.max_gt_per_s, link.device_max_gt_per_s) == (8.0, 8.0, 16.0)
    assert (link.lanes, link.max_lanes) == (2, 4)
    assert link.possible_bytes_per_s == pytest.approx(2 * link.bytes_per_s)


def test_that_a_multipath_nvme_disk_is_led_to_its_controller(machine):
    machine.nvme()
    subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys0"
    machine.device(f"{subsystem}/nvme1n1", "259:9")
    machine.link(f"{subsystem}/nvme0", NVME.rpartition("/")[0])
    machine.write(f"{subsystem}/model", "ACME Fast 990\n")
    machine.link(f"{subsystem}/nvme1n1/device", subsystem)
    disk = machine.mounted("259:9", "xfs", "/dev/nvme1n1").devices[0].disk
    assert disk is not None
    assert (disk.bus, disk.transport, len(disk.pci_links)) == ("nvme", "pcie", 1)


def test_that_a_volume_on_an_encrypted_partition_names_each_layer(machine):
    machine.nvme()
    crypt, volume = "sys/devices/virtual/block/dm-0", "sys/devices/virtual/block/dm-1"
    machine.device(
        crypt, "253:0", (f"{NVME}/nvme0n1p2",), dm__uuid="CRYPT-LUKS2-12ab-data", dm__name="data"
    )
    machine.device(volume, "253:1", (crypt,), dm__uuid="LVM-AbCd", dm__name="vg-models")
    mount = machine.mounted("253:1", "ext4", "/dev/mapper/vg-models")
    assert kinds(mount) == [
        ("dm-1", "lvm"),
        ("dm-0", "luks"),
        ("nvme0n1p2", "partition"),
        ("nvme0n1", "disk"),
    ]
    assert mount.devices[0].title == "vg-models"
    assert machine.found().bottom_devices() == ("nvme0n1",)


def test_that_an_array_has_all_its_disks(machine):
    disks = [SATA.format(n=n, letter=letter) for n, letter in ((1, "a"), (2, "b"))]
    for number, disk in enumerate(disks):
        machine.device(disk, f"8:{number * 16}", device__vendor="ATA", device__model="Spin 4000")
    machine.device("sys/devices/virtual/block/md0", "9:0", tuple(disks), md__level="raid0")
    mount = machine.mounted("9:0", "xfs", "/dev/md0")
    assert kinds(mount) == [("md0", "md"), ("sda", "disk"), ("sdb", "disk")]
    array = mount.devices[0]
    assert array.title == "raid0"
    assert [layer.disk.bus for layer in array.below if layer.disk] == ["sata", "sata"]
    assert array.below[0].disk is not None
    assert array.below[0].disk.model == "Spin 4000"
    assert machine.found().bottom_devices() == ("sda", "sdb")


def test_that_a_virtio_disk_is_known_as_virtual(machine):
    machine.device(VIRTIO, "254:0", device__vendor="0x1af4", queue__rotational="1")
    disk = machine.mounted("254:0", "ext4", "/dev/vda").devices[0].disk
    assert disk is not None
    assert (disk.bus, disk.is_virtual, disk.model) == ("virtio", True, None)
    assert disk.rotational_reported is True


def test_that_a_usb_disk_has_the_speed_of_its_port(machine):
    machine.device(USB, "8:32", device__vendor="Pocket  ", device__model="SSD 1TB")
    machine.write("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/busnum", "2\n")
    machine.write("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/speed", "480\n")
    disk = machine.mounted("8:32", "exfat", "/dev/sdc").devices[0].disk
    assert disk is not None
    assert (disk.bus, disk.usb_mbit_per_s, disk.model) == ("usb", 480, "Pocket SSD 1TB")


def test_that_compressed_memory_is_a_device_of_its_own(machine):
    machine.device("sys/devices/virtual/block/zram0", "252:0", comp_algorithm="lzo [zstd] lz4")
    layer = machine.mounted("252:0", "ext4", "/dev/zram0").devices[0]
    assert (layer.kind, layer.title) == ("zram", "zstd")


def test_that_btrfs_has_all_devices_of_its_pool(machine):
    machine.nvme()
    machine.device(VIRTIO, "254:0")
    machine.write("dev/vda", "")
    machine.link("sys/class/block/vda", VIRTIO)
    for name, folder in (("vda", VIRTIO), ("nvme0n1", NVME)):
        machine.link(f"sys/fs/btrfs/12/devices/{name}", folder)
    mount = machine.mounted("0:45", "btrfs", "/dev/vda", "rw,compress=zstd:1,subvol=/@")
    assert [device.name for device in mount.devices] == ["nvme0n1", "vda"]
    assert [option.option for option in mount.options] == ["compress=zstd:1"]


def test_that_without_proc_nothing_is_claimed(machine):
    assert machine.found().mounts == ()


@pytest.mark.parametrize(
    ("speed", "lanes", "bytes_per_s"),
    [("2.5 GT/s PCIe", 1, 0.25e9), ("5 GT/s", 4, 2e9), ("16.0 GT/s PCIe", 4, 7.877e9)],
)
def test_that_the_line_code_of_a_link_is_taken_off(machine, speed, lanes, bytes_per_s):
    machine.nvme()
    place = "sys/devices/pci0000:00/0000:00:1d.0/0000:02:00.0"
    machine.write(f"{place}/current_link_speed", speed)
    machine.write(f"{place}/current_link_width", f"{lanes}")
    disk = machine.mounted("259:0", "ext4", "/dev/nvme0n1").devices[0].disk
    assert disk.pci_links[0].bytes_per_s == pytest.approx(bytes_per_s, rel=1e-3)
    machine.write(f"{place}/current_link_speed", "Unknown")
    assert machine.found().lowest.devices[0].disk.pci_links == ()


def test_that_a_switch_makes_two_links(machine):
    ports = ["0000:00:01.0", "0000:01:00.0", "0000:02:00.0", "0000:03:00.0"]
    now = [("8.0", 8), ("8.0", 8), ("16.0", 4), ("16.0", 4)]
    most = [("8.0", 16), ("16.0", 16), ("16.0", 4), ("16.0", 4)]
    for depth, (current, largest) in enumerate(zip(now, most, strict=True)):
        place = "/".join(["sys/devices/pci0000:00", *ports[: depth + 1]])
        for name, (speed, lanes) in (("current", current), ("max", largest)):
            machine.write(f"{place}/{name}_link_speed", f"{speed} GT/s PCIe")
            machine.write(f"{place}/{name}_link_width", f"{lanes}")
    folder = "/".join(["sys/devices/pci0000:00", *ports, "nvme/nvme0/nvme0n1"])
    machine.device(folder, "259:0")
    links = machine.mounted("259:0", "ext4", "/dev/nvme0n1").devices[0].disk.pci_links
    assert [(link.address, link.lanes, link.max_lanes, link.max_gt_per_s) for link in links] == [
        ("0000:03:00.0", 4, 4, 16.0),
        ("0000:01:00.0", 8, 16, 8.0),
    ]
