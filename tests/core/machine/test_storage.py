"""What a path lies on: real files below a pretended /proc and /sys, and this machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec
import pytest
from tests.core.machine.pretended import (
    NVME,
    PARTITION,
    SATA,
    USB,
    VIRTIO,
    VIRTUAL,
    Pretended,
    kinds,
)

from modelmon.core.machine.host import machine_key
from modelmon.core.machine.mounts import accounts_reads, kind_of, mount_of
from modelmon.core.machine.origin import _digest, storage_origin, this_machine, volume_uuid
from modelmon.core.machine.procfs import parse_mountinfo
from modelmon.core.machine.storage import (
    Storage,
    _storage_elsewhere,
    storage_of,
    storage_stack_of,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends to be Linux")

MOUNTS = parse_mountinfo(
    "27 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw\n"
    "28 27 0:40 / /models rw - nfs4 server:/export rw\n"
    "29 28 0:41 / /models/fast rw - fuse.gcsfuse bucket rw\n"
    "30 27 259:2 /srv/data /mnt/bound rw - ext4 /dev/nvme0n1p2 rw\n"
    "31 27 0:50 /@home /home rw - btrfs /dev/sdb1 rw,subvol=/@home\n"
    "32 27 8:1 / /twice rw - ext4 /dev/sda1 rw\n"
    "33 32 8:2 / /twice rw - xfs /dev/sda2 rw\n"
    "34 27 8:3 / /hidden/deep rw - xfs /dev/sda3 rw\n"
    "35 27 8:4 / /hidden rw - ext4 /dev/sda4 rw\n"
)


@pytest.mark.parametrize(
    ("path", "device", "mount_point", "filesystem"),
    [
        ("/opt/model.gguf", (259, 2), "/", "ext4"),
        ("/models/a.gguf", (0, 40), "/models", "nfs4"),
        ("/models/fast/a.gguf", (0, 41), "/models/fast", "fuse.gcsfuse"),
        ("/models/fasting/a.gguf", (0, 40), "/models", "nfs4"),
        ("/mnt/bound/a", (259, 2), "/mnt/bound", "ext4"),
        ("/home/me/a", (0, 77), "/home", "btrfs"),  # a subvolume's own anonymous device
        ("/twice/a", (8, 2), "/twice", "xfs"),
        ("/hidden/deep/a", (8, 4), "/hidden", "ext4"),
    ],
)
def test_that_a_path_belongs_to_the_mount_that_is_seen_there(path, device, mount_point, filesystem):
    mount = mount_of(PurePosixPath(path), os.makedev(*device), MOUNTS)
    assert (mount.mount_point, mount.filesystem) == (mount_point, filesystem)
    assert mount_of(PurePosixPath(path), os.makedev(*device), []) is None


@pytest.mark.parametrize(
    ("filesystem", "on_block_device", "kind", "counts"),
    [
        ("ext4", True, "local-disk", True),
        ("btrfs", False, "local-disk", True),
        ("zfs", False, "local-disk", False),
        ("nfs4", False, "network", True),
        ("cifs", False, "network", False),
        ("9p", False, "network", False),
        ("virtiofs", False, "network", False),
        ("fuse.sshfs", False, "fuse", False),
        ("fuseblk", True, "fuse", False),
        ("tmpfs", False, "memory", False),
        ("proc", False, "unknown", False),
    ],
)
def test_that_the_filesystem_tells_the_kind_and_whether_reads_are_accounted(
    filesystem, on_block_device, kind, counts
):
    found = kind_of(filesystem, on_block_device)
    assert found == kind
    assert accounts_reads(filesystem, found) is counts


def test_that_a_partition_leads_to_its_disk_bus_and_link(machine):
    machine.nvme()
    storage = machine.storage("259:2", "ext4", "/dev/nvme0n1p2", "rw,discard")
    assert storage.free_bytes is not None
    assert msgspec.structs.replace(storage, free_bytes=None) == Storage(
        path=str(machine.model),
        mount_point=str(machine.data),
        filesystem="ext4",
        source="/dev/nvme0n1p2",
        kind="local-disk",
        options="rw,noatime,discard",
        device="nvme0n1",
        partition="nvme0n1p2",
        device_model="ACME Fast 990",
        rotational_reported=False,
        readahead_bytes=128 * 1024,
        counts_device_bytes=True,
    )
    mount = machine.found().lowest
    assert kinds(mount) == [("nvme0n1p2", "partition"), ("nvme0n1", "disk")]
    layer = mount.devices[0].below[0]
    assert (layer.scheduler, layer.readahead_bytes) == ("mq-deadline", 128 * 1024)
    assert layer.size_bytes == 2048 * 512
    disk = layer.disk
    assert (disk.model, disk.bus, disk.transport) == ("ACME Fast 990", "nvme", "pcie")
    assert not disk.is_virtual
    (link,) = disk.pci_links
    # The drive could do 16 GT/s, but its port only 8; two of four lanes are in use.
    assert (link.gt_per_s, link.max_gt_per_s, link.device_max_gt_per_s) == (8.0, 8.0, 16.0)
    assert (link.lanes, link.max_lanes) == (2, 4)
    assert link.possible_bytes_per_s == pytest.approx(2 * link.bytes_per_s)


def test_that_a_filesystem_on_a_whole_disk_has_no_partition(machine):
    machine.nvme()
    storage = machine.storage("259:0", "xfs", "/dev/nvme0n1")
    assert (storage.device, storage.partition) == ("nvme0n1", None)


@pytest.mark.parametrize(
    ("speed", "lanes", "bytes_per_s"), [("2.5", 1, 0.25e9), ("5", 4, 2e9), ("16.0", 4, 7.877e9)]
)
def test_that_the_line_code_of_a_link_is_taken_off(machine, speed, lanes, bytes_per_s):
    machine.nvme()
    place = "0000:00:1d.0/0000:02:00.0"
    machine.pci_link(place, (speed, lanes), ("16.0", 4))
    disk = machine.mounted("259:0", "ext4", "/dev/nvme0n1").devices[0].disk
    assert disk.pci_links[0].bytes_per_s == pytest.approx(bytes_per_s, rel=1e-3)
    machine.pci_link(place, ("Unknown", 255), ("16.0", 4))
    assert machine.found().lowest.devices[0].disk.pci_links == ()


def test_that_a_switch_makes_two_links(machine):
    ports = ["0000:00:01.0", "0000:01:00.0", "0000:02:00.0", "0000:03:00.0"]
    now = [("8.0", 8), ("8.0", 8), ("16.0", 4), ("16.0", 4)]
    most = [("8.0", 16), ("16.0", 16), ("16.0", 4), ("16.0", 4)]
    for depth, (current, largest) in enumerate(zip(now, most, strict=True), start=1):
        machine.pci_link("/".join(ports[:depth]), current, largest)
    folder = "/".join(["sys/devices/pci0000:00", *ports, "nvme/nvme0/nvme0n1"])
    machine.device(folder, "259:0")
    links = machine.mounted("259:0", "ext4", "/dev/nvme0n1").devices[0].disk.pci_links
    assert [(link.address, link.lanes, link.max_lanes, link.max_gt_per_s) for link in links] == [
        ("0000:03:00.0", 4, 4, 16.0),
        ("0000:01:00.0", 8, 16, 8.0),
    ]


def test_that_a_multipath_nvme_disk_is_led_to_its_controller(machine):
    machine.nvme()
    subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys0"
    machine.device(f"{subsystem}/nvme1n1", "259:9")
    machine.link(f"{subsystem}/nvme0", NVME.rpartition("/")[0])
    machine.write(f"{subsystem}/model", "ACME Fast 990\n")
    machine.link(f"{subsystem}/nvme1n1/device", subsystem)
    disk = machine.mounted("259:9", "xfs", "/dev/nvme1n1").devices[0].disk
    assert (disk.bus, disk.transport, len(disk.pci_links)) == ("nvme", "pcie", 1)


def test_that_a_volume_on_an_encrypted_partition_names_each_layer(machine):
    machine.nvme()
    crypt, volume = VIRTUAL.format("dm-0"), VIRTUAL.format("dm-1")
    machine.device(crypt, "253:0", (PARTITION,), dm__uuid="CRYPT-LUKS2-12ab-data", dm__name="data")
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
    storage = storage_of(machine.model, machine.root)
    assert (storage.device, storage.device_model) == ("dm-1", "ACME Fast 990")


def test_that_an_array_has_all_its_disks(machine):
    disks = [SATA.format(n=n, letter=letter) for n, letter in ((1, "a"), (2, "b"))]
    for number, disk in enumerate(disks):
        machine.device(disk, f"8:{number * 16}", device__vendor="ATA", device__model="Spin 4000")
    machine.device(VIRTUAL.format("md0"), "9:0", tuple(disks), md__level="raid0")
    mount = machine.mounted("9:0", "xfs", "/dev/md0")
    assert kinds(mount) == [("md0", "md"), ("sda", "disk"), ("sdb", "disk")]
    array = mount.devices[0]
    assert array.title == "raid0"
    assert [layer.disk.bus for layer in array.below] == ["sata", "sata"]
    assert array.below[0].disk.model == "Spin 4000"
    assert machine.found().bottom_devices() == ("sda", "sdb")


def test_that_a_disk_tells_how_it_is_attached_as_its_bus_has_it(machine):
    machine.device(VIRTIO, "251:0", device__vendor="0x1af4", queue__rotational="1")
    disk = machine.mounted("251:0", "ext4", "/dev/vda").devices[0].disk
    assert (disk.bus, disk.is_virtual, disk.model) == ("virtio", True, None)
    assert disk.rotational_reported is True
    machine.device(USB, "8:32", device__vendor="Pocket  ", device__model="SSD 1TB")
    machine.write("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/busnum", "2\n")
    machine.write("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/speed", "480\n")
    disk = machine.mounted("8:32", "exfat", "/dev/sdc").devices[0].disk
    assert (disk.bus, disk.usb_mbit_per_s, disk.model) == ("usb", 480, "Pocket SSD 1TB")
    machine.device(VIRTUAL.format("zram0"), "252:0", comp_algorithm="lzo [zstd] lz4")
    layer = machine.mounted("252:0", "ext4", "/dev/zram0").devices[0]
    assert (layer.kind, layer.title) == ("zram", "zstd")


def test_that_btrfs_is_found_by_what_it_was_mounted_from_with_its_pool(machine):
    machine.nvme()
    machine.device(VIRTIO, "254:0")
    machine.link("dev/mapper/data", "dev/nvme0n1p2")
    machine.write("sys/fs/btrfs/1234/bdi/read_ahead_kb", "4096\n")
    for name, folder in (("vda", VIRTIO), ("nvme0n1p2", PARTITION)):
        machine.link(f"sys/fs/btrfs/1234/devices/{name}", folder)
    storage = machine.storage("0:45", "btrfs", "/dev/mapper/data", "rw,compress=zstd:1,subvol=/@")
    assert (storage.device, storage.partition) == ("nvme0n1", "nvme0n1p2")
    assert (storage.readahead_bytes, storage.counts_device_bytes) == (4096 * 1024, True)
    mount = machine.found().lowest
    assert [device.name for device in mount.devices] == ["nvme0n1p2", "vda"]
    assert [option.option for option in mount.options] == ["compress=zstd:1"]


def test_that_storage_without_a_disk_in_sight_claims_none(machine):
    assert machine.found().mounts == ()
    machine.nvme()
    machine.write("sys/class/bdi/0:52/read_ahead_kb", "15360\n")
    storage = machine.storage("0:52", "newfs", "bucket")
    assert (storage.kind, storage.counts_device_bytes) == ("unknown", False)
    assert (storage.device, storage.rotational_reported) == (None, None)
    assert storage.readahead_bytes == 15360 * 1024
    storage = machine.storage("8:1", "ext4", "/dev/sda1")
    assert (storage.kind, storage.device, storage.readahead_bytes) == ("local-disk", None, None)


def test_that_an_overlay_lies_on_the_disk_of_the_layer_with_the_file(machine, tmp_path):
    machine.nvme()
    upper, lower, other = (tmp_path / name for name in ("upper", "lower", "other"))
    for folder in (upper, lower, other):
        folder.mkdir()
    (lower / "model.gguf").write_bytes(b"GGUF")
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", "rw", lower)
    layers = f"rw,lowerdir={other}:{lower},upperdir={upper},workdir=/w"
    storage = machine.storage("0:60", "overlay", "overlay", layers)
    assert (storage.filesystem, storage.kind, storage.device) == (
        "overlay",
        "local-disk",
        "nvme0n1",
    )
    assert [mount.filesystem for mount in machine.found().mounts] == ["overlay", "ext4"]


def test_that_an_overlay_of_hidden_layers_names_no_disk_and_counts_reads(machine):
    layers = "rw,lowerdir=/no/such/l/AB:/no/such/l/CD,upperdir=/no/such/diff"
    storage = machine.storage("0:60", "overlay", "overlay", layers)
    assert (storage.kind, storage.device, storage.counts_device_bytes) == ("unknown", None, True)
    mount = machine.found().lowest
    assert (mount.layers_hidden, mount.devices) == (True, ())


def test_that_links_bind_mounts_and_files_to_come_lead_where_they_lie(machine, tmp_path):
    link = tmp_path / "link.gguf"
    link.symlink_to(machine.model)
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", of="/srv/models")
    found = storage_stack_of(link, machine.root)
    assert (found.asked, found.path) == (str(link), str(machine.model))
    assert found.lowest.bind_root == "/srv/models"
    assert storage_of(link, machine.root).path == str(machine.model)
    to_come = storage_of(machine.data / "new" / "sample.gguf", machine.root)
    assert (to_come.mount_point, to_come.path) == (str(machine.data), str(machine.data))


def test_that_a_loop_device_leads_on_to_the_disk_under_its_image(machine, tmp_path):
    machine.nvme()
    image = tmp_path / "images/disk.img"
    image.parent.mkdir()
    image.write_bytes(b"image")
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", "rw", image.parent)
    loop = VIRTUAL.format("loop3")
    machine.device(loop, "7:3", loop__backing_file=str(image), loop__dio="0")
    found = machine.mounted("7:3", "ext4", "/dev/loop3")
    assert kinds(found) == [("loop3", "loop")]
    assert found.devices[0].direct_io is False
    (below,) = machine.found().images
    assert kinds(below.lowest) == [("nvme0n1p2", "partition"), ("nvme0n1", "disk")]
    assert machine.found().bottom_devices() == ("nvme0n1",)
    machine.write(f"{loop}/loop/backing_file", "/gone.img (deleted)")
    assert machine.found().images == ()


def _tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_that_a_real_loop_device_leads_to_its_image(tmp_path):
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
        if (mounted := _tool("mount", loop, point)).returncode:
            pytest.skip(f"mount: {mounted.stderr.strip()}")
        try:
            found = storage_stack_of(point)
        finally:
            _tool("umount", point)
    finally:
        _tool("losetup", "--detach", loop)
    assert kinds(found.lowest) == [(Path(loop).name, "loop")]
    assert found.images[0].path == str(image)
    assert found.images[0].mounts == storage_stack_of(image).mounts


def test_that_this_machine_knows_its_storage(tmp_path):
    storage = storage_of(tmp_path)
    assert storage.filesystem
    assert tmp_path.is_relative_to(storage.mount_point)
    assert storage.free_bytes is not None
    if os.major(tmp_path.stat().st_dev):
        assert storage.kind == "local-disk"
        assert storage.device is not None


def test_that_nfs_and_smb_tell_version_request_size_and_connections(machine):
    machine.write("sys/class/bdi/0:52/read_ahead_kb", "128\n")
    options = "rw,vers=4.2,rsize=262144,nconnect=8,hard,proto=tcp,noac"
    mount = machine.mounted("0:52", "nfs4", "server:/x", options)
    assert (mount.kind, mount.bdi, mount.readahead_bytes) == ("network", "0:52", 128 * 1024)
    nfs = mount.network
    assert (nfs.protocol, nfs.version, nfs.request_bytes) == ("NFS", "4.2", 262144)
    assert nfs.connections == 8
    assert [option.option for option in mount.options] == ["rsize=262144", "nconnect=8", "noac"]
    options = "rw,vers=3.1.1,cache=none,rsize=4194304,max_channels=2"
    mount = machine.mounted("0:53", "cifs", "//nas/models", options)
    smb = mount.network
    assert (smb.protocol, smb.version, smb.connections) == ("SMB", "3.1.1", 2)
    assert "cache=none" in {option.option for option in mount.options}


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
    machine, filesystem, source, options, windows
):
    mount = machine.mounted("0:60", filesystem, source, options)
    assert (mount.kind, mount.network.is_windows_drive) == ("network", windows)


def test_that_a_fuse_server_is_found_with_its_process_and_settings(machine):
    machine.serve(70, ["sshfs", "me@host:", "/elsewhere"], "57")
    command = ["/usr/bin/gcsfuse", "--file-cache-max-size-mb=-1", "--token-url", "secret", "bucket"]
    machine.serve(71, command, "58")
    mount = machine.mounted("0:58", "fuse.gcsfuse", "bucket", "rw,max_read=1048576")
    fuse = mount.fuse
    assert (mount.kind, fuse.program, fuse.serves, fuse.pid) == (
        "fuse", "gcsfuse", "object-store", 71
    )  # fmt: skip
    assert fuse.settings == ("file-cache-max-size-mb=-1",)
    assert [option.option for option in mount.options] == ["max_read=1048576"]


def test_that_an_older_kernel_finds_rclone_by_its_mount_point(machine):
    command = ["rclone", "mount", "gs:models", str(machine.data), "--vfs-cache-mode", "full"]
    machine.serve(71, [*command, "--s3-secret-access-key", "hush"])
    machine.serve(72, ["rclone", "mount", "gs:other", "/elsewhere"])
    fuse = machine.mounted("0:58", "fuse.rclone", "gs:models").fuse
    assert (fuse.program, fuse.pid, fuse.settings) == ("rclone", 71, ("vfs-cache-mode=full",))


@pytest.mark.parametrize(
    ("filesystem", "source", "command", "program", "serves", "known_from"),
    [
        ("fuse.sshfs", "me@host:/models", (), "sshfs", "server", "mount type"),
        ("fuse.juicefs", "JuiceFS:models", (), "juicefs", "object-store", "mount type"),
        ("fuse", "mountpoint-s3", (), "mount-s3", "object-store", "source"),
        ("fuse", "hub", ("/opt/bin/hf-mount", "x"), "hf-mount", "object-store", "serving process"),
        ("fuseblk", "/dev/sdb1", ("/sbin/mount.ntfs", "x"), "ntfs-3g", "local", "serving process"),
        ("fuse.newfs", "x", (), "newfs", "unknown", "mount type"),
        ("fuse", "x", ("python3", "/srv/server.py"), "python3", "unknown", "serving process"),
        ("fuseblk", "/dev/sdb1", (), None, "unknown", ""),
    ],
)
def test_that_type_source_and_process_name_the_program(
    machine, filesystem, source, command, program, serves, known_from
):
    if command:
        machine.serve(71, command, "58")
    found = machine.mounted("0:58", filesystem, source).fuse
    assert (found.program, found.serves, found.known_from) == (program, serves, known_from)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("--cache /tmp/c", ("cache=/tmp/c",)),
        ("--cache=/tmp/c", ("cache=/tmp/c",)),
        ("--cache --other", ("cache",)),
        ("-o ro,cache=yes,password=hush,direct_io", ("cache=yes", "direct_io")),
        ("-odirect_io", ("direct_io",)),
        ("--password hush", ()),
    ],
)
def test_that_only_settings_of_interest_are_taken_from_a_command_line(machine, words, settings):
    machine.serve(71, ["sshfs", *words.split()], "58")
    assert machine.mounted("0:58", "fuse.sshfs", "host:").fuse.settings == settings


DISK = Storage("/m", "/", "ext4", "/dev/sda1", "local-disk", device="sda", partition="sda1")


def test_that_a_machine_is_known_again_and_its_number_not_given_away(tmp_path):
    keys = []
    for number in ("0123abcd", "0123abcd", "ffffabcd"):
        machine = tmp_path / f"{len(keys)}"
        (machine / "etc").mkdir(parents=True)
        (machine / "etc/machine-id").write_text(f"{number}\n")
        keys.append(machine_key(machine))
    assert keys[0] == keys[1] != keys[2]
    assert "0123abcd" not in keys[0]
    # Also one without a number.
    assert machine_key(tmp_path) == machine_key(tmp_path)
    assert this_machine().id == this_machine().id


def test_that_a_volume_has_the_uuid_that_udev_links(tmp_path):
    assert volume_uuid("sda1", tmp_path) == ""
    folder = tmp_path / "dev/disk/by-uuid"
    folder.mkdir(parents=True)
    (tmp_path / "dev/sda1").write_text("")
    (folder / "11-22").symlink_to("../../sda1")
    assert [volume_uuid(name, tmp_path) for name in ("sda1", "sda2", None)] == ["11-22", "", ""]


def test_that_another_disk_is_told_apart_and_free_space_is_not():
    def id_of(storage, **changes):
        return storage_origin(msgspec.structs.replace(storage, **changes), machine).id

    machine = this_machine()
    before = id_of(DISK)
    assert id_of(DISK, free_bytes=5) == before
    # Histories from before more was known of mounts still know their disks.
    assert before == _digest(machine.id, "/dev/sda1 sda1", "", "ext4")
    for changes in (
        {"filesystem": "xfs"},
        {"source": "/dev/sdb1", "device": "sdb", "partition": "sdb1"},
        {"device_model": "Another"},
        {"apart_by": "root=/@snapshot"},
    ):
        assert id_of(DISK, **changes) != before
    # Several mounts of one FUSE program are several places, a server's path is one.
    mount = Storage("/m", "/mnt/a", "fuse.rclone", "rclone", "network")
    assert id_of(mount) != id_of(mount, mount_point="/mnt/b")
    nfs = msgspec.structs.replace(mount, filesystem="nfs4", source="server:/models")
    assert id_of(nfs) == id_of(nfs, mount_point="/mnt/b")


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (("nfs4", "server:/m", "rw,addr=10.0.0.1"), ("nfs4", "server:/m", "rw,addr=10.0.0.2")),
        (("nfs4", "server:/m", "rw,rsize=131072"), ("nfs4", "server:/m", "rw,rsize=1048576")),
        (("fuse.s3fs", "s3fs", "rw,max_read=65536"), ("fuse.s3fs", "s3fs", "rw")),
    ],
    ids=["server", "options", "options of FUSE"],
)
def test_that_a_mount_of_the_same_name_is_told_apart(tmp_path, then, now):
    ids = []
    for number, mount in enumerate((then, then, now)):
        found = Pretended(tmp_path / f"{number}").storage("0:41", *mount)
        ids.append(
            storage_origin(msgspec.structs.replace(found, mount_point="/m"), this_machine()).id
        )
    assert ids[0] == ids[1] != ids[2]


def test_that_an_image_is_known_by_its_file_and_a_bucket_by_its_servers_command(machine):
    def told(*mount):
        machine.mountinfo = ""
        return machine.storage(*mount).apart_by

    for number, image in ((0, "/a.img"), (1, "/a.img"), (2, "/b.img")):
        machine.device(VIRTUAL.format(f"loop{number}"), f"7:{number}", loop__backing_file=image)
    images = [told(f"7:{number}", "ext4", f"/dev/loop{number}") for number in range(3)]
    assert images == ["image=/a.img", "image=/a.img", "image=/b.img"]
    servers = []
    for bucket in ("mine", "mine", "yours"):
        machine.serve(77, ["s3fs", bucket, str(machine.data), "-opasswd=hush"])
        servers.append(told("0:41", "fuse.s3fs", "s3fs"))
    assert servers[0] == servers[1] != servers[2]
    assert servers[0].startswith("served-by=")
    assert "hush" not in servers[0]


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (r"\\server\share\models", "network"),
        (r"\\?\C:\models", "unknown"),
        (r"Z:\models", "unknown"),
    ],
)
def test_that_on_windows_a_path_on_a_server_is_on_the_network(place, kind, monkeypatch):
    monkeypatch.setattr("psutil.disk_partitions", lambda **_: [])
    assert _storage_elsewhere(PureWindowsPath(place)).kind == kind
