"""Parsers of /proc on recorded texts, the odd ones included."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.machine import procfs
from modelmon.core.machine.procfs import Mount, parse_mountinfo

STAT = (
    "5898 (cat) R 5892 5892 2975 0 -1 4194304 100 7 3 9 11 13 0 0 20 0 1 0 90336 3133440 407 "
    "18446744073709551615 94273052991488 94273053011369 140720853302256 0 0 0 0 0 0 0 0 0 17 0 0\n"
)
STATUS = (
    "Name:\tpython\nState:\tR (running)\nVmHWM:\t    1696 kB\nVmRSS:\t    1696 kB\n"
    "RssAnon:\t     112 kB\nRssFile:\t    1584 kB\nRssShmem:\t       0 kB\nThreads:\t1\n"
)
PSI = (
    "some avg10=0.29 avg60=0.08 avg300=0.03 total=1250377\n"
    "full avg10=0.29 avg60=0.08 avg300=0.03 total=1174382\n"
)
CGROUPS = "9:name=systemd:/\n5:cpu,cpuacct:/box\n4:memory:/a:b/c\n0::/user.slice/app.scope\n"
DISKSTATS = """\
   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 254       0 vda 12851 6757 3894650 6656 2655 17264 3244152 7730 3 2132 14525 3388 36 43800 133 140
 254       1 vda1 851 0 38946 66 0 0 0 0 0 132 145
 104       0 cciss/c0d0 10 0 80 5 0 0 0 0 0 4 5
   8       2 old2 1 2 3 4
"""


SOCKETS = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1
   1: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 12 1
   2: 020200C0:9C42 2D00A8C0:01BB 01 00000000:00000000 00:00000000 00000000     0        0 13 1
   3: 020200C0:9C44 2D00A8C0:01BB 02 00000000:00000000 00:00000000 00000000     0        0 14 1
   4: 020200C0:9C46 2D00A8C0:01BB 06 00000000:00000000 00:00000000 00000000     0        0 0 1
   5: broken
"""
SOCKETS_6 = """\
  sl  local_address                         remote_address                        st
   0: 0:1F90 00000000000000000000000001000000:9C40 01 0:0 00:0 0     0        0 21 1
   1: 0:1F90 0000000000000000FFFF00000100007F:9C40 01 0:0 00:0 0     0        0 22 1
   2: 0:1F90 B80D0120000000000000000001000000:9C40 01 0:0 00:0 0     0        0 23 1
   3: 0:1F90 0000000000000000FFFF00002D00A8C0:9C40 01 0:0 00:0 0     0        0 24 1
"""


def test_that_sockets_to_other_machines_are_told_from_those_to_this_one():
    assert procfs.remote_sockets(SOCKETS) == {"13", "14"}
    assert procfs.remote_sockets(SOCKETS_6) == {"23", "24"}
    assert not procfs.remote_sockets("")


def test_that_sockets_that_listen_have_an_address_and_a_port():
    assert procfs.listening_sockets(SOCKETS) == {"11": (b"\x7f\0\0\1", 8080)}
    listens = SOCKETS_6.replace(" 0:1F90", f" {'0' * 24}01000000:1F90").replace(" 01 ", " 0A ")
    assert procfs.listening_sockets(listens)["21"] == (b"\0" * 15 + b"\1", 8080)


@pytest.mark.parametrize(
    ("parse", "text", "found"),
    [
        # A unit makes a size; counts are left out.
        (
            procfs.parse_meminfo,
            "MemFree:   24285212 kB\nActive(anon):  1544 kB\nHugePages_Total:  7\nSwap: 0 kB\n",
            {"MemFree": 24285212 * 1024, "Active(anon)": 1544 * 1024, "Swap": 0},
        ),
        (procfs.parse_pid_io, "rchar: 6\nread_bytes: 4096\n", {"rchar": 6, "read_bytes": 4096}),
        (procfs.parse_pid_status_rss, STATUS, (112 * 1024, 1584 * 1024, 0)),
        # A kernel thread.
        (procfs.parse_pid_status_rss, "Name:\tkthreadd\nState:\tS (sleeping)\nThreads:\t1\n", None),
        (procfs.parse_pid_stat, STAT, ("R", 100, 3, 11, 13, 1, 5892, 90336)),
        (procfs.parse_pid_stat, "", None),
        (procfs.parse_pid_stat, "5898 (cat) R 1 2 3", None),
        (procfs.parse_schedstat, "717244 250 1\n", 250),
        (procfs.parse_schedstat, "717244 0 1\n", 0),
        (procfs.parse_schedstat, "0 0 0\n", None),
        (procfs.parse_schedstat, "717244 0", None),
        # Guests are in user and nice already.
        (
            procfs.parse_cpu_times,
            "cpu  2654 10 1827 172087 154 3 27 7 500 10\ncpu0 573 0 573 87186 10 0 11 1 0 0\n",
            (172087, 154, 2654 + 10 + 1827 + 172087 + 154 + 3 + 27 + 7),
        ),
        (procfs.parse_cpu_times, "cpu 1 2 3 4\n", (4, None, 10)),
        (procfs.parse_cpu_times, "intr 5 6 7 8\n", None),
        (procfs.parse_psi, PSI, 1250377),
        (procfs.parse_psi, PSI.splitlines()[0], 1250377),
        (procfs.parse_psi, "", None),
        (procfs.parse_vmstat, "pswpin 12\npswpout 0\n", {"pswpin": 12, "pswpout": 0}),
        (
            procfs.parse_cgroup,
            CGROUPS,
            {
                "name=systemd": "/",
                "cpu": "/box",
                "cpuacct": "/box",
                "memory": "/a:b/c",
                "": "/user.slice/app.scope",
            },
        ),
        (parse_mountinfo, "", []),
        (parse_mountinfo, "36 35 98:0 / /mnt rw - ext4\nproc /proc proc rw 0 0\n", []),
        (parse_mountinfo, "36 35 98 / /mnt rw - ext4 /dev/sda rw\n", []),
        (
            parse_mountinfo,
            "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:7 - ext3 /dev/sda rw,a=x\n",
            [Mount(36, 35, 98, 0, "/mnt1", "/mnt2", "rw,noatime", "ext3", "/dev/sda", "rw,a=x")],
        ),
        # Without optional fields, without a source, and with hyphens for names.
        (
            parse_mountinfo,
            "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 0:25 / /d rw shared:1 - tmpfs  rw\n"
            "29 27 0:26 / /- rw - 9p - rw\n",
            [
                Mount(27, 1, 254, 0, "/", "/", "rw", "ext4", "/dev/vda", "rw"),
                Mount(28, 27, 0, 25, "/", "/d", "rw", "tmpfs", "", "rw"),
                Mount(29, 27, 0, 26, "/", "/-", "rw", "9p", "-", "rw"),
            ],
        ),
    ],
)  # fmt: skip
def test_that_a_text_of_the_kernel_is_read(parse, text, found):
    assert parse(text) == found


@pytest.mark.parametrize(
    ("device", "reads"),
    [("vda", 12851), ("vda1", 851), ("cciss!c0d0", 10), ("vd", None), ("old2", None)],
)  # fmt: skip
def test_that_a_disk_is_found_by_its_whole_name_as_sysfs_has_it(device, reads):
    found = procfs.parse_diskstats(DISKSTATS, device)
    assert (found and found.reads) == reads
    if device == "vda":
        assert found == (12851, 3894650, 6656, 2132, 14525, 2655, 3244152)
        assert found.sectors_read * procfs.SECTOR_BYTES == 1_994_060_800


@given(name=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=15))
def test_that_a_program_name_cannot_shift_the_fields(name):
    assert procfs.parse_pid_stat(STAT.replace("(cat)", f"({name})")) == procfs.parse_pid_stat(STAT)


@given(path=st.text(st.characters(exclude_characters="\0"), min_size=1))
def test_that_any_path_survives_the_kernels_escapes(path):
    field = "".join(f"\\{ord(c):03o}" if c in " \t\n\\#" else c for c in path)
    mounts = parse_mountinfo(
        f"36 35 98:0 {field} {field} rw - ext4 {field} rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n"
    )
    assert [mount.mount_point for mount in mounts] == [path, "/"]
    assert mounts[0].root == mounts[0].source == path


@given(st.text())
def test_that_no_text_makes_a_parser_fail(text):
    for name in dir(procfs):
        if name.startswith("parse_"):
            more = {"parse_diskstats": ("vda",), "parse_pid_status_size": ("VmHWM",)}.get(name, ())
            getattr(procfs, name)(text, *more)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc on this platform")
def test_that_this_machine_reads_like_the_recordings():
    assert procfs.parse_meminfo(procfs.value("/proc/meminfo"))["MemTotal"] > 0
    assert procfs.parse_pid_status_rss(procfs.value("/proc/self/status")) is not None
    stat = procfs.process_stat("self")
    assert (stat.state, stat.minor_faults > 0) == ("R", True)
    assert procfs.parse_cpu_times(procfs.value("/proc/stat")) is not None
