"""Limits in folders that look like /proc and /sys of real machines and containers."""

import string
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.machine.test_memory import MIB, V2, pretend

from modelmon.core.machine.cgroup import (
    CgroupLimit,
    ControlGroups,
    cgroup_limits,
    over_a_load,
)
from modelmon.core.machine.host import read_cpu
from modelmon.core.machine.memory import read_memory

V1 = (
    "35 31 0:31 {root} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "36 31 0:32 {root} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "37 31 0:33 {root} /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
)


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


def disks(root, **numbers):
    write(root, {f"sys/class/block/{name}/dev": number for name, number in numbers.items()})


def in_words(limits):
    return [f"{limit.amount_text}, {limit.where}" for limit in limits or ()]


def test_that_a_service_and_its_slice_have_each_a_limit_on_the_disk_below(tmp_path):
    pretend(tmp_path, V2, "0::/system.slice/app.service\n")
    disks(tmp_path, nvme0n1="259:0", sdb="8:16")
    write(
        tmp_path / "sys/fs/cgroup/system.slice",
        {
            "io.max": "259:0 rbps=max wbps=1000 riops=2000 wiops=max",
            "io.stat": "8:16 rbytes=9 rios=1\n259:0 rbytes=8192 wbytes=0 rios=2 wios=0",
            "app.service/io.max": "8:16 rbps=5\n259:0 rbps=100000000 wbps=max",
            "app.service/io.stat": "259:0 rbytes=4096 wbytes=0 rios=1 wios=0",
        },
    )
    found = cgroup_limits(["nvme0n1"], tmp_path)
    assert in_words(found) == [
        "100 MB/s from nvme0n1, io.max of /system.slice/app.service",
        "2,000 reads per second from nvme0n1, io.max of /system.slice",
    ]
    assert [limit.counted for limit in found or ()] == [4096, 2]


def test_that_each_device_that_a_volume_lies_on_may_be_limited(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    disks(tmp_path, **{"dm-0": "253:0", "loop3": "7:3", "sda": "8:0"})
    write(tmp_path / "sys/fs/cgroup/box", {"io.max": "253:0 rbps=7000\n7:3 riops=9\n8:0 rbps=max"})
    found = cgroup_limits(["dm-0", "loop3", "sda"], tmp_path)
    assert [(limit.device, limit.amount) for limit in found or ()] == [("dm-0", 7000), ("loop3", 9)]


def test_that_a_container_finds_its_limit_where_its_groups_are_mounted(tmp_path):
    mount = V2.replace(" / /sys", " /docker/abc /sys")
    pretend(tmp_path, mount, "0::/docker/abc\n")
    disks(tmp_path, vda="254:0")
    write(tmp_path / "sys/fs/cgroup", {"io.max": "254:0 rbps=1000000", "cpu.max": "50000 100000"})
    assert in_words(cgroup_limits(["vda"], tmp_path)) == [
        "0.5 processors, cpu.max of /",
        "1 MB/s from vda, io.max of /",
    ]


def test_that_version_1_throttles_only_the_processes_of_the_group_itself(tmp_path):
    pretend(tmp_path, V1.format(root="/"), "5:blkio:/outer/inner\n4:memory:/\n1:cpu,cpuacct:/\n")
    disks(tmp_path, vda="254:0")
    write(
        tmp_path / "sys/fs/cgroup/blkio/outer",
        {
            "blkio.throttle.read_bps_device": "254:0 5000",
            "inner/blkio.throttle.read_bps_device": "254:0 20000000",
            "inner/blkio.throttle.read_iops_device": "8:0 70\n254:0 300",
            "inner/blkio.throttle.io_service_bytes": "254:0 Read 123\n254:0 Write 7\nTotal 130",
            "inner/blkio.throttle.io_serviced": "254:0 Write 7\n254:0 Read 5\nTotal 12",
        },
    )
    found = cgroup_limits(["vda"], tmp_path)
    assert in_words(found) == [
        "20 MB/s from vda, blkio.throttle.read_bps_device of /outer/inner",
        "300 reads per second from vda, blkio.throttle.read_iops_device of /outer/inner",
    ]
    assert [limit.counted for limit in found or ()] == [123, 5]


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({"cpu.max": "150000 100000"}, 1.5),
        ({"cpu.max": "max 100000"}, None),
        ({"cpu.cfs_quota_us": "50000", "cpu.cfs_period_us": "100000"}, 0.5),
        ({"cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000"}, None),
    ],
)
def test_that_a_cgroup_may_grant_a_part_of_the_processors(tmp_path, files, quota):
    pretend(tmp_path, V2, "0::/outer/inner\n")
    write(tmp_path / "sys/fs/cgroup/outer", {"cpu.max": "300000 100000"} if quota else {})
    write(tmp_path / "sys/fs/cgroup/outer/inner", files)
    assert read_cpu(tmp_path).quota == quota


def test_that_memory_high_is_a_limit_where_it_is_the_lower_one(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    box = {"memory.max": f"{900 * MIB}", "memory.high": f"{500 * MIB}", "memory.current": "4096"}
    write(tmp_path / "sys/fs/cgroup/box", box)
    assert in_words(cgroup_limits((), tmp_path)) == ["524 MB of memory, memory.high of /box"]
    assert read_memory(tmp_path).cgroup_limit_bytes == 500 * MIB
    write(tmp_path / "sys/fs/cgroup/box", {"memory.high": "max"})
    assert read_memory(tmp_path).cgroup_limit_bytes == 900 * MIB


def test_that_no_limit_is_not_the_same_as_no_group_in_sight(tmp_path):
    assert cgroup_limits(["vda"], tmp_path) is None
    pretend(tmp_path, V2, "0::/box\n")
    write(tmp_path / "sys/fs/cgroup/box", {"io.max": "", "memory.max": "max"})
    assert cgroup_limits(["vda"], tmp_path) == ()


def test_that_over_a_load_the_limit_is_that_of_its_beginning(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    disks(tmp_path, vda="254:0")
    box = tmp_path / "sys/fs/cgroup/box"
    write(box, {"io.max": "254:0 rbps=1000", "io.stat": "254:0 rbytes=300"})
    groups = ControlGroups(["vda"], tmp_path)
    before = groups.limits()
    write(box, {"io.max": "254:0 rbps=9000", "io.stat": "254:0 rbytes=750"})
    (told,) = over_a_load(before, groups.limits()) or ()
    assert (told.amount, told.counted) == (1000, 450)
    # A group that is gone counts nothing any more.
    (told,) = over_a_load(before, ()) or ()
    assert (told.amount, told.counted) == (1000, None)
    assert over_a_load(None, before) is None


@given(
    io_max=st.text(string.ascii_lowercase + string.digits + " =:-\n", max_size=60),
    amount=st.integers(0, 2**70),
)
def test_that_whatever_a_file_says_is_a_limit_that_can_be_kept(io_max, amount):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        pretend(root, V2, "0::/box\n")
        disks(root, vda="254:0")
        lines = f"{io_max}\n254:0 rbps={amount} riops"
        write(root / "sys/fs/cgroup/box", {"io.max": lines, "io.stat": lines, "cpu.max": io_max})
        limits = cgroup_limits(["vda"], root) or ()
    kept = msgspec.json.decode(msgspec.json.encode(limits), type=tuple[CgroupLimit, ...])
    assert kept == limits
    # What is more than any machine has is how some say that there is no limit.
    assert (amount in {limit.amount for limit in limits}) == (amount < 2**53)
