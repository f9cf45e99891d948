import sys

import msgspec
import pytest
from tests.core.machine.pretended import Pretended

from modelmon.core.machine.host import machine_key
from modelmon.core.machine.origin import (
    _digest,
    storage_origin,
    this_machine,
    volume_uuid,
)
from modelmon.core.machine.storage import Storage, storage_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps it elsewhere")

DISK = Storage("/m", "/", "ext4", "/dev/sda1", "local-disk", device="sda", partition="sda1")


def with_machine_id(root, number):
    (root / "etc").mkdir(parents=True)
    (root / "etc/machine-id").write_text(f"{number}\n")
    return root


def test_that_a_machine_is_known_again_and_its_number_not_given_away(tmp_path):
    first = machine_key(with_machine_id(tmp_path / "a", "0123abcd"))
    assert first == machine_key(with_machine_id(tmp_path / "b", "0123abcd"))
    assert first != machine_key(with_machine_id(tmp_path / "c", "ffffabcd"))
    assert "0123abcd" not in first


def test_that_a_machine_without_a_number_is_still_known(tmp_path):
    assert machine_key(tmp_path) == machine_key(tmp_path)


def test_that_this_machine_is_the_same_each_time():
    assert this_machine().id == this_machine().id


def test_that_a_volume_has_the_uuid_that_udev_links(tmp_path):
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
def test_that_another_disk_is_told_apart_and_free_space_is_not(changes):
    machine = this_machine()
    before = storage_origin(DISK, machine)
    assert storage_origin(msgspec.structs.replace(DISK, free_bytes=5), machine).id == before.id
    # Histories from before more was known of mounts still know their disks.
    assert before.id == _digest(machine.id, "/dev/sda1 sda1", "", "ext4")
    assert storage_origin(msgspec.structs.replace(DISK, **changes), machine).id != before.id


def test_that_mounts_of_one_fuse_program_are_not_taken_for_one_place():
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
        (tmp_path / f"{number}").mkdir()
        machine = Pretended(tmp_path / f"{number}")
        machine.mount("0:41", *mount)
        found = msgspec.structs.replace(storage_of(machine.model, machine.root), mount_point="/m")
        ids.append(storage_origin(found, this_machine()).id)
    assert ids[0] == ids[1] != ids[2]


def test_that_an_image_is_known_by_its_file_and_a_bucket_by_its_servers_command(machine):
    def told(*mount):
        machine.mountinfo = ""
        machine.mount(*mount)
        return storage_of(machine.model, machine.root).apart_by

    folder = "sys/devices/virtual/block/loop{}"
    for number, image in ((0, "/a.img"), (1, "/a.img"), (2, "/b.img")):
        machine.device(folder.format(number), f"7:{number}", loop__backing_file=image)
    images = [told(f"7:{number}", "ext4", f"/dev/loop{number}") for number in range(3)]
    assert images == ["image=/a.img", "image=/a.img", "image=/b.img"]

    machine.link("proc/77/fd/3", "dev/fuse")
    (machine.root / "proc/77/fd/3").unlink()
    (machine.root / "proc/77/fd/3").symlink_to("/dev/fuse")
    servers = []
    for bucket in ("mine", "mine", "yours"):
        machine.write("proc/77/cmdline", f"s3fs\0{bucket}\0{machine.data}\0-opasswd=hush\0")
        servers.append(told("0:41", "fuse.s3fs", "s3fs"))
    assert servers[0] == servers[1] != servers[2]
    assert servers[0].startswith("served-by=")
    assert "hush" not in servers[0]
