"""Memory limits in folders that look like /proc and /sys of real machines and containers."""

import contextlib
import mmap
import subprocess
import sys

import psutil
import pytest
from tests.system.beds import memory_limit

from modelmon.core.machine.cgroup import cgroup_memory, is_alone_in, memory_folders, shortage
from modelmon.core.machine.memory import Memory, free_bytes, oom_kills, read_memory

MIB = 1024**2
V1_UNLIMITED = 9223372036854771712
V2 = "34 27 0:30 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = (
    "35 31 0:31 {root} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "36 31 0:32 {root} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
)


def pretend(root, mountinfo, cgroup):
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text(mountinfo)
    (root / "proc/self/cgroup").write_text(cgroup)


def group(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"memory.{name}").write_text(f"{content}\n")


def test_that_a_service_has_the_limit_of_its_own_cgroup(tmp_path):
    pretend(tmp_path, V2, "0::/system.slice/app.service\n")
    top = tmp_path / "sys/fs/cgroup"
    group(top / "system.slice", max="max", current=900 * MIB)
    group(top / "system.slice/app.service", max=500 * MIB, current=100 * MIB)
    memory = read_memory(tmp_path)
    assert memory.cgroup_limit_bytes == 500 * MIB
    assert memory.cgroup_used_bytes == 100 * MIB
    assert memory.usable_bytes == min(400 * MIB, memory.available_bytes)


def test_that_the_level_with_the_least_room_decides(tmp_path):
    pretend(tmp_path, V2, "0::/pod/box\n")
    top = tmp_path / "sys/fs/cgroup"
    group(top / "pod", max=800 * MIB, current=700 * MIB)  # shared with a neighbour
    group(top / "pod/box", max=500 * MIB, current=100 * MIB)
    found = cgroup_memory(memory_folders(tmp_path))
    assert found is not None
    assert (found.limit_bytes, found.used_bytes) == (800 * MIB, 700 * MIB)


def test_that_cached_files_are_not_counted_as_used(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    stat = f"anon {60 * MIB}\nfile {400 * MIB}\ninactive_file {250 * MIB}\nactive_file {150 * MIB}"
    group(tmp_path / "sys/fs/cgroup/box", max=500 * MIB, current=490 * MIB, stat=stat)
    found = cgroup_memory(memory_folders(tmp_path))
    assert found is not None
    assert found.used_bytes == 90 * MIB


def test_that_version_1_counts_the_groups_below_too(tmp_path):
    pretend(tmp_path, V1.format(root="/"), "4:memory:/box\n1:cpu,cpuacct:/\n0::/\n")
    stat = f"inactive_file {1 * MIB}\ntotal_inactive_file {250 * MIB}\ntotal_active_file 0"
    box = tmp_path / "sys/fs/cgroup/memory/box"
    group(box, limit_in_bytes=500 * MIB, usage_in_bytes=490 * MIB, stat=stat)
    group(box.parent, limit_in_bytes=V1_UNLIMITED, usage_in_bytes=900 * MIB)
    found = cgroup_memory(memory_folders(tmp_path))
    assert found is not None
    assert (found.limit_bytes, found.used_bytes) == (500 * MIB, 240 * MIB)


def test_that_version_1s_huge_number_is_no_limit(tmp_path):
    pretend(tmp_path, V1.format(root="/"), "4:memory:/box\n")
    folder = tmp_path / "sys/fs/cgroup/memory/box"
    group(folder, limit_in_bytes=V1_UNLIMITED, usage_in_bytes=100 * MIB)
    memory = read_memory(tmp_path)
    assert memory.cgroup_limit_bytes is None
    assert memory.cgroup_used_bytes == 100 * MIB
    assert memory.usable_bytes == memory.available_bytes


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
    top = tmp_path / "sys/fs/cgroup"
    names = ("limit_in_bytes", "usage_in_bytes") if folder else ("max", "current")
    group(top / folder, **{names[0]: 300 * MIB, names[1]: 0})
    group(top.parent / "outside", max=1, current=0)
    found = cgroup_memory(memory_folders(tmp_path))
    assert found is not None
    assert found.limit_bytes == 300 * MIB


def test_that_a_machine_without_cgroups_has_no_limit(tmp_path):
    memory = read_memory(tmp_path)
    assert memory.total_bytes == psutil.virtual_memory().total
    assert memory.cgroup_limit_bytes is None
    assert memory.cgroup_used_bytes is None


def test_that_a_limit_already_reached_leaves_nothing_rather_than_less():
    full = Memory(8 * MIB, 4 * MIB, cgroup_limit_bytes=2 * MIB, cgroup_used_bytes=3 * MIB)
    assert full.usable_bytes == 0


def test_that_this_machine_has_memory():
    memory = read_memory()
    assert 0 < memory.available_bytes <= memory.total_bytes
    assert memory.usable_bytes > 0


def test_that_what_is_free_leaves_out_what_is_cached_and_what_the_kernel_keeps(tmp_path):
    pretend(tmp_path, V2, "0::/box\n")
    (tmp_path / "proc/meminfo").write_text("MemTotal: 8388608 kB\nMemFree: 1048576 kB\n")
    zone = "Node 0, zone {}\n  pages free 262144\n        low {}\n        high {}\n  pagesets\n"
    zones = zone.format("DMA32", 1, 1000) + zone.format("Normal", 2, 9000)
    (tmp_path / "proc/zoneinfo").write_text(zones + "              high:  378\n")
    kept = 10_000 * mmap.PAGESIZE
    assert free_bytes(tmp_path) == 1024 * MIB - kept
    # Cached pages fill a limit as well, and would be dropped for more.
    group(tmp_path / "sys/fs/cgroup/box", max=600 * MIB, current=500 * MIB)
    assert free_bytes(tmp_path) == 100 * MIB


@pytest.mark.system
@pytest.mark.skipif(bool(memory_limit.why_not()), reason=memory_limit.why_not())
def test_that_a_cgroup_is_ones_own_while_nobody_else_is_in_it():
    with memory_limit.limited(64 * MIB) as little:
        code = "import sys; print(flush=True); sys.stdin.read()"
        waits = little.command(sys.executable, "-c", code)
        with waiting(waits) as process:
            assert is_alone_in(little.folder, process.pid)
            with waiting(waits) as other:
                assert not is_alone_in(little.folder, process.pid)
                assert not is_alone_in(little.folder, other.pid)
            assert shortage(little.folder).refaulted_pages is not None


@contextlib.contextmanager
def waiting(command):
    """A process that has begun, and ends with its input."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.communicate()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("memory.events", "low 0\nhigh 4\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
    ],
)
def test_that_the_kills_of_the_own_cgroup_are_counted(tmp_path, name, text):
    own = tmp_path / "own"
    for folder in (own, tmp_path / "proc"):
        folder.mkdir()
    (own / name).write_text(text)
    (tmp_path / "proc/vmstat").write_text("pswpin 0\noom_kill 7\n")
    assert oom_kills([own, tmp_path], tmp_path) == 2
    assert oom_kills([], tmp_path) == 7


def test_that_a_kernel_that_does_not_count_kills_says_nothing(tmp_path):
    assert oom_kills([], tmp_path) is None
