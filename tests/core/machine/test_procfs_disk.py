"""Disks, mounts and cgroups from recorded texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.machine import procfs
from modelmon.core.machine.procfs import (
    DiskCounters,
    Mount,
    parse_cgroup,
    parse_diskstats,
    parse_mountinfo,
)

DISKSTATS = """\
   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 254       0 vda 12851 6757 3894650 6656 2655 17264 3244152 7730 3 2132 14525 3388 36 43800 133 140
 254       1 vda1 851 0 38946 66 0 0 0 0 0 132 145
 104       0 cciss/c0d0 10 0 80 5 0 0 0 0 0 4 5
   8       2 old2 1 2 3 4
"""


def test_that_a_disk_is_found_by_its_whole_name():
    counters = parse_diskstats(DISKSTATS, "vda")
    assert counters == DiskCounters(12851, 3894650, 6656, 3, 2132, 14525, 2655, 3244152)
    partition = parse_diskstats(DISKSTATS, "vda1")
    assert partition is not None
    assert partition.reads == 851


def test_that_a_disk_has_the_name_that_sysfs_gives_it():
    counters = parse_diskstats(DISKSTATS, "cciss!c0d0")
    assert counters is not None
    assert counters.reads == 10


@pytest.mark.parametrize("device", ["sda", "vd", "old2", ""])
def test_that_a_disk_without_counters_gives_nothing(device):
    assert parse_diskstats(DISKSTATS, device) is None


def test_that_a_mount_is_read_field_by_field():
    (mount,) = parse_mountinfo(
        "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:7 - ext3 /dev/root rw,errors=continue\n"
    )
    assert mount == Mount(
        36, 35, 98, 0, "/mnt1", "/mnt2", "rw,noatime", "ext3", "/dev/root", "rw,errors=continue",
    )  # fmt: skip


def test_that_a_mount_without_optional_fields_or_source_is_read():
    plain, nameless, hyphen = parse_mountinfo(
        "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
        "28 27 0:25 / /data rw shared:1 - tmpfs  rw,size=4k\n"
        "29 27 0:26 / /- rw - 9p - rw\n"
    )
    assert (plain.mount_point, plain.filesystem) == ("/", "ext4")
    assert (nameless.filesystem, nameless.source, nameless.super_options) == (
        "tmpfs",
        "",
        "rw,size=4k",
    )
    assert (hyphen.mount_point, hyphen.source) == ("/-", "-")


def _escaped(path):
    return "".join(f"\\{ord(c):03o}" if c in " \t\n\\#" else c for c in path)


@given(path=st.text(st.characters(exclude_characters="\0"), min_size=1))
def test_that_any_path_survives_the_kernels_escapes(path):
    field = _escaped(path)
    mounts = parse_mountinfo(
        f"36 35 98:0 {field} {field} rw - ext4 {field} rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n"
    )
    assert [mount.mount_point for mount in mounts] == [path, "/"]
    assert mounts[0].root == mounts[0].source == path


def test_that_lines_of_another_form_are_left_out():
    assert parse_mountinfo("") == []
    assert parse_mountinfo("36 35 98:0 / /mnt rw - ext4\nproc /proc proc rw 0 0\n") == []
    assert parse_mountinfo("36 35 98 / /mnt rw - ext4 /dev/sda rw\n") == []


@given(st.text())
def test_that_no_text_makes_a_parser_fail(text):
    parse_diskstats(text, "vda")
    parse_mountinfo(text)
    parse_cgroup(text)


def test_that_cgroup_paths_are_found_for_both_versions():
    paths = parse_cgroup(
        "9:name=systemd:/\n5:cpu,cpuacct:/box\n4:memory:/a:b/c\n0::/user.slice/app.scope\n"
    )
    assert paths == {
        "name=systemd": "/",
        "cpu": "/box",
        "cpuacct": "/box",
        "memory": "/a:b/c",
        "": "/user.slice/app.scope",
    }


def test_that_sectors_are_512_bytes():
    counters = parse_diskstats(DISKSTATS, "vda")
    assert counters is not None
    assert counters.sectors_read * procfs.SECTOR_BYTES == 1_994_060_800
