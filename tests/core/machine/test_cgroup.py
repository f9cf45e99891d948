"""Limits in folders that look like /proc and /sys of real machines and containers."""

import contextlib
import mmap
import string
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.system.beds import memory_limit

from modelmon.core.machine import memory
from modelmon.core.machine.cgroup import (
    CgroupLimit,
    cgroup_limits,
    is_alone_in,
    over_a_load,
    shortage,
)
from modelmon.core.machine.host import read_cpu
from modelmon.core.machine.memory import Memory, free_bytes, oom_kills, ran_out, read_memory

MIB = 1024**2
V1_UNLIMITED = 9223372036854771712
V2 = "34 27 0:30 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = "".join(
    f"{number} 31 0:{number} {{root}} /sys/fs/cgroup/{name} rw - cgroup cgroup rw,{name}\n"
    for number, name in ((35, "cpu,cpuacct"), (36, "memory"), (37, "blkio"))
)
V1 += "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
CGROUP = "sys/fs/cgroup"


def pretend(root, mountinfo, cgroup):
    write(root, {"proc/self/mountinfo": mountinfo, "proc/self/cgroup": cgroup})


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")


def group(folder, **files):
    write(folder, {f"memory.{name}": content for name, content in files.items()})


def disks(root, **numbers):
    write(root, {f"sys/class/block/{name}/dev": number for name, number in numbers.items()})


def in_words(limits):
    return [f"{limit.amount_text}, {limit.where}" for limit in limits or ()]


STAT = f"anon {60 * MIB}\ninactive_file {250 * MIB}\nactive_file {150 * MIB}"
OLD_STAT = f"inactive_file {MIB}\ntotal_inactive_file {250 * MIB}\ntotal_active_file 0"


@pytest.mark.parametrize(
    ("mountinfo", "cgroup", "groups", "limit", "used"),
    [
        # A service has the limit of its own group.
        (
            V2,
            "0::/system.slice/app.service",
            {
                "system.slice": {"max": "max", "current": 900 * MIB},
                "system.slice/app.service": {"max": 500 * MIB, "current": 100 * MIB},
            },
            500,
            100,
        ),
        # The level with the least room decides: this one is shared with a neighbour.
        (
            V2,
            "0::/pod/box",
            {
                "pod": {"max": 800 * MIB, "current": 700 * MIB},
                "pod/box": {"max": 500 * MIB, "current": 100 * MIB},
            },
            800,
            700,
        ),
        # Cached files aren't counted as used, in version 1 with those of the groups below.
        (V2, "0::/box", {"box": {"max": 500 * MIB, "current": 490 * MIB, "stat": STAT}}, 500, 90),
        (
            V1.format(root="/"),
            "4:memory:/box\n0::/",
            {
                "memory": {"limit_in_bytes": V1_UNLIMITED, "usage_in_bytes": 900 * MIB},
                "memory/box": {
                    "limit_in_bytes": 500 * MIB, "usage_in_bytes": 490 * MIB, "stat": OLD_STAT
                },
            },
            500,
            240,
        ),
        # The huge number of version 1 is no limit.
        (
            V1.format(root="/"),
            "4:memory:/box",
            {"memory/box": {"limit_in_bytes": V1_UNLIMITED, "usage_in_bytes": 100 * MIB}},
            None,
            100,
        ),
    ],
)  # fmt: skip
def test_that_the_limit_with_the_least_room_is_found(
    tmp_path, mountinfo, cgroup, groups, limit, used
):
    pretend(tmp_path, mountinfo, f"{cgroup}\n")
    for name, files in groups.items():
        group(tmp_path / CGROUP / name, **files)
    memory = read_memory(tmp_path)
    assert memory.cgroup_limit_bytes == (limit and limit * MIB)
    assert memory.cgroup_used_bytes == used * MIB
    room = memory.available_bytes if limit is None else (limit - used) * MIB
    assert memory.usable_bytes == min(room, memory.available_bytes)


@pytest.mark.parametrize(
    ("mountinfo", "cgroup", "folder"),
    [
        (V1.format(root="/docker/4f2a"), "4:memory:/docker/4f2a\n", "memory"),
        (V1.format(root="/docker/4f2a"), "4:memory:/docker/4f2a/inner\n", "memory/inner"),
        (V1.format(root="/docker/4f2a"), "4:memory:/\n", "memory"),
        (V1.format(root="/"), "4:memory:/docker/4f2a\n", "memory"),
        (V2, "0::/\n", ""),
        (V2, "0::/../outside\n", ""),
        (V2, "0::/kubepods/pod1/c1\n", ""),
    ],
)
def test_that_a_container_finds_its_limit_wherever_it_is_mounted(
    tmp_path, mountinfo, cgroup, folder
):
    pretend(tmp_path, mountinfo, cgroup)
    names = ("limit_in_bytes", "usage_in_bytes") if folder else ("max", "current")
    group(tmp_path / CGROUP / folder, **{names[0]: 300 * MIB, names[1]: 0})
    group(tmp_path / "sys/fs/outside", max=1, current=0)
    assert read_memory(tmp_path).cgroup_limit_bytes == 300 * MIB
    where = "/inner" if folder.endswith("/inner") else "/"
    assert in_words(cgroup_limits((), tmp_path)) == [
        f"315 MB of memory, memory.{names[0]} of {where}"
    ]


def test_that_a_machine_without_cgroups_has_no_limit_and_a_full_one_no_room(tmp_path):
    memory = read_memory(tmp_path)
    assert memory.total_bytes == psutil.virtual_memory().total
    assert (memory.cgroup_limit_bytes, memory.cgroup_used_bytes) == (None, None)
    full = Memory(8 * MIB, 4 * MIB, cgroup_limit_bytes=2 * MIB, cgroup_used_bytes=3 * MIB)
    assert full.usable_bytes == 0
    here = read_memory()
    assert 0 < here.usable_bytes <= here.available_bytes <= here.total_bytes


def test_that_what_is_free_leaves_out_what_is_cached_and_what_the_kernel_keeps(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    zone = "Node 0, zone {}\n  pages free 262144\n        low {}\n        high {}\n  pagesets\n"
    zones = zone.format("DMA32", 1, 1000) + zone.format("Normal", 2, 9000)
    meminfo = "MemTotal: 8388608 kB\nMemFree: 1048576 kB\n"
    write(
        tmp_path,
        {"proc/meminfo": meminfo, "proc/zoneinfo": f"{zones}              high:  378\n"},
    )
    assert free_bytes(tmp_path) == 1024 * MIB - 10_000 * mmap.PAGESIZE
    # Cached pages fill a limit as well, and would be dropped for more.
    group(tmp_path / CGROUP / "box", max=600 * MIB, current=500 * MIB)
    assert free_bytes(tmp_path) == 100 * MIB


@pytest.mark.skipif(bool(memory_limit.why_not()), reason=memory_limit.why_not())
def test_that_a_cgroup_is_ones_own_while_nobody_else_is_in_it():
    @contextlib.contextmanager
    def waiting():
        """A process in it that has begun, and ends with its input."""
        code = "import sys; print(flush=True); sys.stdin.read()"
        command = little.command(sys.executable, "-c", code)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, **pipes) as process:
            process.stdout.readline()
            yield process
            process.communicate()

    with memory_limit.limited(64 * MIB) as little, waiting() as process:
        assert is_alone_in(little.folder, process.pid)
        with waiting() as other:
            assert not is_alone_in(little.folder, process.pid)
            assert not is_alone_in(little.folder, other.pid)
        assert shortage(little.folder).refaulted_pages is not None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("memory.events", "low 0\nhigh 4\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
    ],
)
def test_that_the_kills_of_the_own_cgroup_are_counted(tmp_path, name, text):
    assert oom_kills(tmp_path) is None
    write(tmp_path, {"proc/vmstat": "pswpin 0\noom_kill 7"})
    assert oom_kills(tmp_path) == 7
    pretend(tmp_path, V2, "0::/box/own\n")
    write(tmp_path / CGROUP / "box", {f"own/{name}": text, "memory.events": "oom_kill 5"})
    assert oom_kills(tmp_path) == 2


def test_that_memory_is_said_to_have_run_out_where_a_kill_was_counted(monkeypatch):
    monkeypatch.setattr(memory, "oom_kills", lambda: 3)
    assert [bool(ran_out(before)) for before in (None, 3, 2)] == [False, False, True]
    assert "ran out of memory" in ran_out(2)


def test_that_a_service_and_its_slice_have_each_a_limit_on_the_disk_below(tmp_path):
    assert cgroup_limits(["nvme0n1"], tmp_path) is None
    pretend(tmp_path, V2, "0::/system.slice/app.service\n")
    disks(tmp_path, nvme0n1="259:0", sdb="8:16", loop3="7:3")
    write(
        tmp_path / CGROUP / "system.slice",
        {
            "io.max": "259:0 rbps=max wbps=1000 riops=2000 wiops=max\n7:3 riops=9",
            "io.stat": "8:16 rbytes=9 rios=1\n259:0 rbytes=8192 wbytes=0 rios=2 wios=0",
            "app.service/io.max": "8:16 rbps=5\n259:0 rbps=100000000 wbps=max",
            "app.service/io.stat": "259:0 rbytes=4096 wbytes=0 rios=1 wios=0",
        },
    )
    found = cgroup_limits(["nvme0n1", "loop3"], tmp_path)
    assert in_words(found) == [
        "100 MB/s from nvme0n1, io.max of /system.slice/app.service",
        "2,000 reads per second from nvme0n1, io.max of /system.slice",
        "9 reads per second from loop3, io.max of /system.slice",
    ]
    assert [limit.counted for limit in found or ()] == [4096, 2, None]


def test_that_version_1_throttles_only_the_processes_of_the_group_itself(tmp_path):
    pretend(tmp_path, V1.format(root="/"), "5:blkio:/outer/inner\n4:memory:/\n1:cpu,cpuacct:/\n")
    disks(tmp_path, vda="254:0")
    throttle = "blkio.throttle"
    write(
        tmp_path / CGROUP / "blkio/outer",
        {
            f"{throttle}.read_bps_device": "254:0 5000",
            f"inner/{throttle}.read_bps_device": "254:0 20000000",
            f"inner/{throttle}.read_iops_device": "8:0 70\n254:0 300",
            f"inner/{throttle}.io_service_bytes": "254:0 Read 123\n254:0 Write 7\nTotal 130",
            f"inner/{throttle}.io_serviced": "254:0 Write 7\n254:0 Read 5\nTotal 12",
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
    write(tmp_path / CGROUP / "outer", {"cpu.max": "300000 100000"} if quota else {})
    write(tmp_path / CGROUP / "outer/inner", files)
    assert read_cpu(tmp_path).quota == quota


def test_that_memory_high_is_a_limit_where_it_is_the_lower_one(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    group(tmp_path / CGROUP / "box", max=900 * MIB, high=500 * MIB, current=4096)
    assert in_words(cgroup_limits((), tmp_path)) == ["524 MB of memory, memory.high of /box"]
    assert read_memory(tmp_path).cgroup_limit_bytes == 500 * MIB
    group(tmp_path / CGROUP / "box", high="max")
    assert read_memory(tmp_path).cgroup_limit_bytes == 900 * MIB


def test_that_over_a_load_the_limit_is_that_of_its_beginning(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    disks(tmp_path, vda="254:0")
    box = tmp_path / CGROUP / "box"
    write(box, {"io.max": "254:0 rbps=1000", "io.stat": "254:0 rbytes=300"})
    before = cgroup_limits(["vda"], tmp_path)
    write(box, {"io.max": "254:0 rbps=9000", "io.stat": "254:0 rbytes=750"})
    (told,) = over_a_load(before, cgroup_limits(["vda"], tmp_path)) or ()
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
        write(root / CGROUP / "box", {"io.max": lines, "io.stat": lines, "cpu.max": io_max})
        limits = cgroup_limits(["vda"], root) or ()
    kept = msgspec.json.decode(msgspec.json.encode(limits), type=tuple[CgroupLimit, ...])
    assert kept == limits
    # What is more than any machine has is how some say that there is no limit.
    assert (amount in {limit.amount for limit in limits}) == (amount < 2**53)
