"""Which mount a path lies on, from recorded mount tables."""

import os
import sys
from pathlib import PurePosixPath

import pytest

from modelmon.core.machine.mounts import accounts_reads, kind_of, mount_of
from modelmon.core.machine.procfs import parse_mountinfo

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="device numbers are Unix's")

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
    assert mount is not None
    assert (mount.mount_point, mount.filesystem) == (mount_point, filesystem)


def test_that_without_mounts_nothing_is_claimed():
    assert mount_of(PurePosixPath("/a"), 0, []) is None


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
