"""What a path lies on: real files below a pretended /proc and /sys, and this machine."""

import os
import sys

import pytest
from tests.core.machine.pretended import NVME, Pretended

from modelmon.core.machine.storage import storage_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends to be Linux")

PARTITION = f"{NVME}/nvme0n1p2"


class Machine(Pretended):
    """Has its mount below a name with a space, which the kernel writes in another way."""

    def __init__(self, tmp_path):
        super().__init__(tmp_path, "da ta")

    def storage(self, *mount):
        """What the model lies on, after mounting what is given."""
        self.mount(*mount)
        return storage_of(self.model, self.root)

    def nvme(self):
        super().nvme()
        self.link("sys/class/block/nvme0n1", NVME)
        self.link("sys/class/block/nvme0n1p2", PARTITION)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_that_a_partition_leads_to_its_disk(machine):
    machine.nvme()
    storage = machine.storage("259:2", "ext4", "/dev/nvme0n1p2", "rw,discard")
    assert storage.kind == "local-disk"
    assert (storage.device, storage.partition) == ("nvme0n1", "nvme0n1p2")
    assert storage.device_model == "ACME Fast 990"
    assert storage.rotational_reported is False
    assert storage.readahead_bytes == 128 * 1024
    assert storage.counts_device_bytes
    assert storage.options == "rw,noatime,discard"
    assert storage.mount_point == str(machine.data)
    assert storage.free_bytes is not None


def test_that_a_filesystem_on_a_whole_disk_has_no_partition(machine):
    machine.nvme()
    storage = machine.storage("259:0", "xfs", "/dev/nvme0n1")
    assert (storage.device, storage.partition) == ("nvme0n1", None)


def test_that_btrfs_is_found_by_what_it_was_mounted_from(machine):
    machine.nvme()
    machine.link("dev/mapper/data", "dev/nvme0n1p2")
    machine.write("sys/fs/btrfs/1234/bdi/read_ahead_kb", "4096\n")
    machine.link("sys/fs/btrfs/1234/devices/nvme0n1p2", PARTITION)
    storage = machine.storage("0:45", "btrfs", "/dev/mapper/data", "rw,subvol=/@")
    assert (storage.device, storage.partition) == ("nvme0n1", "nvme0n1p2")
    assert storage.readahead_bytes == 4096 * 1024
    assert storage.counts_device_bytes


def test_that_an_encrypted_volume_has_the_model_of_its_drive(machine):
    machine.nvme()
    machine.write("sys/devices/virtual/dm-0/queue/rotational", "0\n")
    machine.link("sys/devices/virtual/dm-0/slaves/nvme0n1p2", PARTITION)
    machine.link("sys/dev/block/253:0", "sys/devices/virtual/dm-0")
    storage = machine.storage("253:0", "ext4", "/dev/mapper/crypt")
    assert (storage.device, storage.device_model) == ("dm-0", "ACME Fast 990")


@pytest.mark.parametrize(
    ("filesystem", "kind", "counts"),
    [
        ("fuse.gcsfuse", "fuse", False),
        ("nfs4", "network", True),
        ("virtiofs", "network", False),
        ("tmpfs", "memory", False),
        ("newfs", "unknown", False),
    ],
)
def test_that_storage_without_a_disk_claims_none(machine, filesystem, kind, counts):
    machine.nvme()
    machine.write("sys/class/bdi/0:52/read_ahead_kb", "15360\n")
    storage = machine.storage("0:52", filesystem, "bucket")
    assert (storage.kind, storage.counts_device_bytes) == (kind, counts)
    assert storage.device is None
    assert storage.rotational_reported is None
    assert storage.readahead_bytes == 15360 * 1024


def test_that_what_sys_does_not_show_is_absent(machine):
    storage = machine.storage("259:2", "ext4", "/dev/nvme0n1p2")
    assert storage.kind == "local-disk"
    assert storage.device is None
    assert storage.readahead_bytes is None


def test_that_an_overlay_lies_on_the_disk_of_the_layer_with_the_file(machine, tmp_path):
    machine.nvme()
    upper, lower, other = (tmp_path / name for name in ("upper", "lower", "other"))
    for folder in (upper, lower, other):
        folder.mkdir()
    (lower / "model.gguf").write_bytes(b"GGUF")
    mounted = f"26 1 259:2 / {lower} rw - ext4 /dev/nvme0n1p2 rw\n"
    layers = f"rw,lowerdir={other}:{lower},upperdir={upper},workdir=/w"
    point = str(machine.data).replace(" ", "\\040")
    machine.write(
        "proc/self/mountinfo", f"{mounted}28 27 0:60 / {point} rw - overlay overlay {layers}\n"
    )
    storage = storage_of(machine.model, machine.root)
    assert (storage.filesystem, storage.kind) == ("overlay", "local-disk")
    assert storage.device == "nvme0n1"


def test_that_an_overlay_of_hidden_layers_names_no_disk_and_counts_reads(machine):
    layers = "rw,lowerdir=/no/such/l/AB:/no/such/l/CD,upperdir=/no/such/diff"
    storage = machine.storage("0:60", "overlay", "overlay", layers)
    assert (storage.kind, storage.device) == ("unknown", None)
    assert storage.counts_device_bytes


def test_that_a_link_leads_to_where_the_file_is(machine, tmp_path):
    link = tmp_path / "snapshot.gguf"
    link.symlink_to(machine.model)
    machine.storage("0:52", "nfs4", "server:/export")
    storage = storage_of(link, machine.root)
    assert storage.filesystem == "nfs4"
    assert storage.path == str(machine.model)


def test_that_a_path_to_come_lies_where_its_folder_is(machine):
    machine.storage("0:52", "nfs4", "server:/export")
    storage = storage_of(machine.data / "new" / "sample.gguf", machine.root)
    assert storage.filesystem == "nfs4"


def test_that_this_machine_knows_its_storage(tmp_path):
    storage = storage_of(tmp_path)
    assert storage.mount_point
    assert storage.filesystem
    assert tmp_path.is_relative_to(storage.mount_point)
    assert storage.free_bytes is not None
    if os.major(tmp_path.stat().st_dev):
        assert storage.kind == "local-disk"
        assert storage.device is not None
