"""What a path stands on: pretended machines below a folder, as their /proc and /sys show them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from modelmon.core.machine.foundation import Foundation, Ground, foundation_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends to be Linux")

NVME = "sys/devices/pci0000:00/0000:00:1d.0/0000:02:00.0/nvme/nvme0/nvme0n1"
SATA = "sys/devices/pci0000:00/0000:00:17.0/ata{n}/host0/target0:0:0/0:0:0:0/block/sd{letter}"
USB = "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdc"
VIRTIO = "sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda"


class Pretended:
    """A machine with one mount, at `data`, and the block devices that a test adds."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "machine"
        self.data = tmp_path / "data"
        self.data.mkdir()
        self.model = self.data / "model.gguf"
        self.model.write_bytes(b"GGUF")
        self.mountinfo = "27 1 1:1 / / rw - ext4 /dev/other rw\n"

    def mount(
        self,
        number: str,
        filesystem: str,
        source: str,
        extra: str = "rw",
        point: Path | None = None,
    ) -> None:
        mount_id = 28 + self.mountinfo.count("\n")
        escaped = source.replace("\\", "\\134")
        self.mountinfo += (
            f"{mount_id} 27 {number} / {point or self.data} rw,noatime shared:3"
            f" - {filesystem} {escaped} {extra}\n"
        )
        self.write("proc/self/mountinfo", self.mountinfo)

    def found(self) -> Foundation:
        return foundation_of(self.model, self.root)

    def ground(self, *mount: str) -> Ground:
        """The lowest filesystem, after mounting what is given."""
        self.mount(*mount)
        lowest = self.found().lowest
        assert lowest is not None
        return lowest

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def link(self, path: str, target: str) -> None:
        link = self.root / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.root / target)

    def device(self, folder: str, number: str, below: tuple[str, ...] = (), **files: str) -> None:
        """A block device; `files` have their slashes written as two underscores."""
        self.write(f"{folder}/size", "2048\n")
        self.write(f"{folder}/queue/read_ahead_kb", "128\n")
        self.write(f"{folder}/queue/scheduler", "none [mq-deadline] kyber\n")
        self.write(f"{folder}/queue/rotational", "0\n")
        for name, text in files.items():
            self.write(f"{folder}/{name.replace('__', '/')}", text + "\n")
        for slave in below:
            self.link(f"{folder}/slaves/{slave.rpartition('/')[2]}", slave)
        self.link(f"sys/dev/block/{number}", folder)

    def nvme(self) -> None:
        self.device(NVME, "259:0")
        controller = NVME.rpartition("/")[0]
        self.link(f"{NVME}/device", controller)
        self.write(f"{controller}/model", "ACME Fast 990          \n")
        self.write(f"{controller}/transport", "pcie\n")
        endpoint, port = "0000:00:1d.0/0000:02:00.0", "0000:00:1d.0"
        for function, fastest in ((endpoint, "16.0 GT/s PCIe"), (port, "8.0 GT/s PCIe")):
            place = f"sys/devices/pci0000:00/{function}"
            self.write(f"{place}/current_link_speed", "8.0 GT/s PCIe\n")
            self.write(f"{place}/current_link_width", "2\n")
            self.write(f"{place}/max_link_speed", f"{fastest}\n")
            self.write(f"{place}/max_link_width", "4\n")
        self.write(f"{NVME}/nvme0n1p2/partition", "2\n")
        self.write(f"{NVME}/nvme0n1p2/size", "1024\n")
        self.link("sys/dev/block/259:2", f"{NVME}/nvme0n1p2")


@pytest.fixture
def machine(tmp_path: Path) -> Pretended:
    return Pretended(tmp_path)


def kinds(ground: Ground) -> list[tuple[str, str]]:
    return [(layer.name, layer.kind) for device in ground.devices for layer in device.walk()]


def test_that_a_partition_of_an_nvme_disk_tells_disk_bus_and_link(machine: Pretended) -> None:
    machine.nvme()
    ground = machine.ground("259:2", "ext4", "/dev/nvme0n1p2")
    assert kinds(ground) == [("nvme0n1p2", "partition"), ("nvme0n1", "disk")]
    layer = ground.devices[0].below[0]
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


def test_that_a_multipath_nvme_disk_is_led_to_its_controller(machine: Pretended) -> None:
    machine.nvme()
    subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys0"
    machine.device(f"{subsystem}/nvme1n1", "259:9")
    machine.link(f"{subsystem}/nvme0", NVME.rpartition("/")[0])
    machine.write(f"{subsystem}/model", "ACME Fast 990\n")
    machine.link(f"{subsystem}/nvme1n1/device", subsystem)
    disk = machine.ground("259:9", "xfs", "/dev/nvme1n1").devices[0].disk
    assert disk is not None
    assert (disk.bus, disk.transport, len(disk.pci_links)) == ("nvme", "pcie", 1)


def test_that_a_volume_on_an_encrypted_partition_names_each_layer(machine: Pretended) -> None:
    machine.nvme()
    crypt, volume = "sys/devices/virtual/block/dm-0", "sys/devices/virtual/block/dm-1"
    machine.device(
        crypt, "253:0", (f"{NVME}/nvme0n1p2",), dm__uuid="CRYPT-LUKS2-12ab-data", dm__name="data"
    )
    machine.device(volume, "253:1", (crypt,), dm__uuid="LVM-AbCd", dm__name="vg-models")
    ground = machine.ground("253:1", "ext4", "/dev/mapper/vg-models")
    assert kinds(ground) == [
        ("dm-1", "lvm"),
        ("dm-0", "luks"),
        ("nvme0n1p2", "partition"),
        ("nvme0n1", "disk"),
    ]
    assert ground.devices[0].title == "vg-models"
    assert machine.found().bottom_devices() == ("nvme0n1",)


def test_that_an_array_has_all_its_disks(machine: Pretended) -> None:
    disks = [SATA.format(n=n, letter=letter) for n, letter in ((1, "a"), (2, "b"))]
    for number, disk in enumerate(disks):
        machine.device(disk, f"8:{number * 16}", device__vendor="ATA", device__model="Spin 4000")
    machine.device("sys/devices/virtual/block/md0", "9:0", tuple(disks), md__level="raid0")
    ground = machine.ground("9:0", "xfs", "/dev/md0")
    assert kinds(ground) == [("md0", "md"), ("sda", "disk"), ("sdb", "disk")]
    array = ground.devices[0]
    assert array.title == "raid0"
    assert [layer.disk.bus for layer in array.below if layer.disk] == ["sata", "sata"]
    assert array.below[0].disk is not None
    assert array.below[0].disk.model == "Spin 4000"
    assert machine.found().bottom_devices() == ("sda", "sdb")


def test_that_a_loop_device_leads_on_to_the_disk_under_its_image(
    machine: Pretended, tmp_path: Path
) -> None:
    machine.nvme()
    images = tmp_path / "images"
    images.mkdir()
    (images / "disk.img").write_bytes(b"image")
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", "rw", images)
    machine.device(
        "sys/devices/virtual/block/loop3",
        "7:3",
        loop__backing_file=str(images / "disk.img"),
        loop__dio="0",
    )
    machine.mount("7:3", "ext4", "/dev/loop3")
    found = machine.found()
    assert found.lowest is not None
    assert kinds(found.lowest) == [("loop3", "loop")]
    assert found.lowest.devices[0].direct_io is False
    (image,) = found.images
    assert image.lowest is not None
    assert kinds(image.lowest) == [("nvme0n1p2", "partition"), ("nvme0n1", "disk")]
    assert found.bottom_devices() == ("nvme0n1",)


def test_that_a_lost_image_ends_the_chain(machine: Pretended) -> None:
    machine.device(
        "sys/devices/virtual/block/loop3", "7:3", loop__backing_file="/gone.img (deleted)"
    )
    machine.mount("7:3", "ext4", "/dev/loop3")
    assert machine.found().images == ()


def test_that_a_virtio_disk_is_known_as_virtual(machine: Pretended) -> None:
    machine.device(VIRTIO, "254:0", device__vendor="0x1af4", queue__rotational="1")
    disk = machine.ground("254:0", "ext4", "/dev/vda").devices[0].disk
    assert disk is not None
    assert (disk.bus, disk.is_virtual, disk.model) == ("virtio", True, None)
    assert disk.rotational_reported is True


def test_that_a_usb_disk_has_the_speed_of_its_port(machine: Pretended) -> None:
    machine.device(USB, "8:32", device__vendor="Pocket  ", device__model="SSD 1TB")
    machine.write("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/busnum", "2\n")
    machine.write("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/speed", "480\n")
    disk = machine.ground("8:32", "exfat", "/dev/sdc").devices[0].disk
    assert disk is not None
    assert (disk.bus, disk.usb_mbit_per_s, disk.model) == ("usb", 480, "Pocket SSD 1TB")


def test_that_compressed_memory_is_a_device_of_its_own(machine: Pretended) -> None:
    machine.device("sys/devices/virtual/block/zram0", "252:0", comp_algorithm="lzo [zstd] lz4")
    layer = machine.ground("252:0", "ext4", "/dev/zram0").devices[0]
    assert (layer.kind, layer.title) == ("zram", "zstd")


def test_that_btrfs_has_all_devices_of_its_pool(machine: Pretended) -> None:
    machine.nvme()
    machine.device(VIRTIO, "254:0")
    machine.write("dev/vda", "")
    machine.link("sys/class/block/vda", VIRTIO)
    for name, folder in (("vda", VIRTIO), ("nvme0n1", NVME)):
        machine.link(f"sys/fs/btrfs/12/devices/{name}", folder)
    ground = machine.ground("0:45", "btrfs", "/dev/vda", "rw,compress=zstd:1,subvol=/@")
    assert [device.name for device in ground.devices] == ["nvme0n1", "vda"]
    assert [option.option for option in ground.options] == ["compress=zstd:1"]


def test_that_nfs_tells_version_request_size_and_how_long_reads_took(machine: Pretended) -> None:
    machine.write("sys/class/bdi/0:52/read_ahead_kb", "128\n")
    machine.write(
        "proc/self/mountstats",
        "device /dev/vda mounted on / with fstype ext4\n"
        f"device server:/x mounted on {machine.data} with fstype nfs4 statvers=1.1\n"
        "\topts:\trw,vers=4.2\n\tper-op statistics\n"
        "\t        READ: 200 200 0 40000 52428800 10 900 1000 0\n",
    )
    options = "rw,vers=4.2,rsize=262144,nconnect=8,hard,proto=tcp,noac"
    ground = machine.ground("0:52", "nfs4", "server:/x", options)
    assert (ground.kind, ground.bdi, ground.readahead_bytes) == ("network", "0:52", 128 * 1024)
    nfs = ground.network
    assert nfs is not None
    assert (nfs.protocol, nfs.version, nfs.request_bytes) == ("NFS", "4.2", 262144)
    assert (nfs.connections, nfs.reads, nfs.mean_read_bytes) == (8, 200, 262144)
    assert nfs.mean_read_ns == 4_500_000
    assert [option.option for option in ground.options] == ["rsize=262144", "nconnect=8", "noac"]


def test_that_smb_tells_its_version_and_cache(machine: Pretended) -> None:
    options = "rw,vers=3.1.1,cache=none,rsize=4194304,max_channels=2"
    ground = machine.ground("0:53", "cifs", "//nas/models", options)
    assert ground.network is not None
    assert (ground.network.protocol, ground.network.version) == ("SMB", "3.1.1")
    assert ground.network.connections == 2
    assert "cache=none" in {option.option for option in ground.options}


@pytest.mark.parametrize(
    ("filesystem", "source", "options", "windows"),
    [
        ("9p", "C:\\", "rw,aname=drvfs;path=C:\\;uid=1000,msize=65536,trans=fd", True),
        ("9p", "drvfs", "rw,aname=drvfs;path=D:\\,msize=65536", True),
        ("drvfs", "C:", "rw", True),
        ("9p", "share", "rw,trans=virtio,msize=512000", False),
        ("virtiofs", "models", "rw", False),
    ],
)
def test_that_a_windows_drive_is_told_from_a_share_of_the_host(
    machine: Pretended, filesystem: str, source: str, options: str, windows: bool
) -> None:
    ground = machine.ground("0:60", filesystem, source, options)
    assert ground.kind == "network"
    assert ground.network is not None
    assert ground.network.is_windows_drive is windows


def process(machine: Pretended, pid: int, command: list[str], connection: str | None) -> None:
    machine.write(f"proc/{pid}/cmdline", "\0".join(command) + "\0")
    lines = f"fuse_connection:\t{connection}\n" if connection else ""
    machine.write(f"proc/{pid}/fdinfo/3", f"pos:\t0\n{lines}")
    (machine.root / f"proc/{pid}/fd").mkdir()
    (machine.root / f"proc/{pid}/fd/3").symlink_to("/dev/fuse")


def test_that_gcsfuse_is_found_with_its_process_and_settings(machine: Pretended) -> None:
    process(machine, 70, ["sshfs", "me@host:", "/elsewhere"], "57")
    command = ["/usr/bin/gcsfuse", "--file-cache-max-size-mb=-1", "--token-url", "secret", "bucket"]
    process(machine, 71, command, "58")
    ground = machine.ground("0:58", "fuse.gcsfuse", "bucket", "rw,max_read=1048576")
    assert ground.kind == "fuse"
    fuse = ground.fuse
    assert fuse is not None
    assert (fuse.program, fuse.serves, fuse.pid) == ("gcsfuse", "object-store", 71)
    assert fuse.settings == ("file-cache-max-size-mb=-1",)
    assert [option.option for option in ground.options] == ["max_read=1048576"]


def test_that_an_older_kernel_finds_rclone_by_its_mount_point(machine: Pretended) -> None:
    command = ["rclone", "mount", "gs:models", str(machine.data), "--vfs-cache-mode", "full"]
    process(machine, 71, [*command, "--s3-secret-access-key", "hush"], None)
    process(machine, 72, ["rclone", "mount", "gs:other", "/elsewhere"], None)
    fuse = machine.ground("0:58", "fuse.rclone", "gs:models").fuse
    assert fuse is not None
    assert (fuse.program, fuse.pid, fuse.settings) == ("rclone", 71, ("vfs-cache-mode=full",))


def test_that_a_container_s_root_says_that_its_layers_are_hidden(machine: Pretended) -> None:
    layers = "rw,lowerdir=/no/such/l/AB:/no/such/l/CD,upperdir=/no/such/diff"
    ground = machine.ground("0:60", "overlay", "overlay", layers)
    assert ground.layers_hidden
    assert ground.devices == ()


def test_that_an_overlay_shows_both_itself_and_what_is_below(
    machine: Pretended, tmp_path: Path
) -> None:
    machine.nvme()
    lower = tmp_path / "lower"
    lower.mkdir()
    (lower / "model.gguf").write_bytes(b"GGUF")
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", "rw", lower)
    machine.mount("0:60", "overlay", "overlay", f"rw,lowerdir={lower}")
    assert [ground.filesystem for ground in machine.found().grounds] == ["overlay", "ext4"]


def test_that_a_link_and_a_bind_mount_are_shown_as_such(machine: Pretended, tmp_path: Path) -> None:
    link = tmp_path / "link.gguf"
    link.symlink_to(machine.model)
    machine.mountinfo += f"40 27 259:2 /srv/models {machine.data} rw - ext4 /dev/nvme0n1p2 rw\n"
    machine.write("proc/self/mountinfo", machine.mountinfo)
    found = foundation_of(link, machine.root)
    assert (found.asked, found.path) == (str(link), str(machine.model))
    assert found.lowest is not None
    assert found.lowest.bind_root == "/srv/models"


def test_that_without_proc_nothing_is_claimed(machine: Pretended) -> None:
    assert machine.found().grounds == ()


def _tool(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.system
def test_that_a_real_loop_device_leads_to_its_image(tmp_path: Path) -> None:
    if os.geteuid() or not (shutil.which("losetup") and shutil.which("mkfs.ext4")):
        pytest.skip("needs root, losetup and mkfs.ext4")
    image, point = tmp_path / "disk.img", tmp_path / "mounted"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(16 * 1024**2)
    assert _tool("mkfs.ext4", "-q", image).returncode == 0
    attached = _tool("losetup", "--find", "--show", image)
    if attached.returncode:
        pytest.skip(f"losetup: {attached.stderr.strip()}")
    loop = attached.stdout.strip()
    try:
        mounted = _tool("mount", loop, point)
        if mounted.returncode:
            pytest.skip(f"mount: {mounted.stderr.strip()}")
        try:
            found = foundation_of(point)
        finally:
            _tool("umount", point)
    finally:
        _tool("losetup", "--detach", loop)
    assert found.lowest is not None
    assert kinds(found.lowest) == [(Path(loop).name, "loop")]
    assert found.images[0].path == str(image)
    assert found.images[0].grounds == foundation_of(image).grounds
