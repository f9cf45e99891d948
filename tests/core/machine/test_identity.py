from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

from modelmon.core.machine.origin import machine_key, storage_origin, this_machine, volume_uuid
from modelmon.core.machine.storage import Storage

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps it elsewhere")

DISK = Storage("/m", "/", "ext4", "/dev/sda1", "local-disk", device="sda", partition="sda1")


def with_machine_id(root: Path, number: str) -> Path:
    (root / "etc").mkdir(parents=True)
    (root / "etc/machine-id").write_text(f"{number}\n")
    return root


def test_that_a_machine_is_known_again_and_its_number_not_given_away(tmp_path: Path) -> None:
    first = machine_key(with_machine_id(tmp_path / "a", "0123abcd"))
    assert first == machine_key(with_machine_id(tmp_path / "b", "0123abcd"))
    assert first != machine_key(with_machine_id(tmp_path / "c", "ffffabcd"))
    assert "0123abcd" not in first


def test_that_a_machine_without_a_number_is_still_known(tmp_path: Path) -> None:
    assert machine_key(tmp_path) == machine_key(tmp_path)


def test_that_this_machine_is_the_same_each_time() -> None:
    assert this_machine().id == this_machine().id


def test_that_a_volume_has_the_uuid_that_udev_links(tmp_path: Path) -> None:
    folder = tmp_path / "dev/disk/by-uuid"
    folder.mkdir(parents=True)
    (tmp_path / "dev/sda1").write_text("")
    (folder / "11-22").symlink_to("../../sda1")
    assert volume_uuid("sda1", tmp_path) == "11-22"
    assert volume_uuid("sda2", tmp_path) == ""
    assert volume_uuid(None, tmp_path) == ""
    assert volume_uuid("sda1", tmp_path / "nowhere") == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"filesystem": "xfs"},
        {"source": "/dev/sdb1", "device": "sdb", "partition": "sdb1"},
        {"device_model": "Another"},
        {"apart_by": "root=/@snapshot"},
    ],
)
def test_that_another_disk_is_told_apart_and_free_space_is_not(changes: dict[str, str]) -> None:
    machine = this_machine()
    before = storage_origin(DISK, machine)
    assert storage_origin(msgspec.structs.replace(DISK, free_bytes=5), machine).id == before.id
    assert storage_origin(msgspec.structs.replace(DISK, **changes), machine).id != before.id


def test_that_mounts_of_one_fuse_program_are_not_taken_for_one_place() -> None:
    machine = this_machine()
    mount = msgspec.structs.replace(
        DISK,
        mount_point="/mnt/a",
        filesystem="fuse.rclone",
        source="rclone",
        kind="network",
        device=None,
        partition=None,
        device_model=None,
    )
    other = msgspec.structs.replace(mount, mount_point="/mnt/b")
    assert storage_origin(mount, machine).id != storage_origin(other, machine).id
    # A server's path is the same place wherever it is mounted.
    nfs = msgspec.structs.replace(mount, filesystem="nfs4", source="server:/models")
    moved = msgspec.structs.replace(nfs, mount_point="/mnt/b")
    assert storage_origin(nfs, machine).id == storage_origin(moved, machine).id
