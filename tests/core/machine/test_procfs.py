"""Parsers of /proc on recorded texts, the odd ones included."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.machine import procfs

MEMINFO = """\
MemTotal:       24684092 kB
MemFree:        24277768 kB
MemAvailable:   24285212 kB
Active(anon):       1544 kB
SwapTotal:             0 kB
HugePages_Total:       7
Hugepagesize:       2048 kB
"""

STAT = (
    "5898 (cat) R 5892 5892 2975 0 -1 4194304 100 7 3 9 11 13 0 0 20 0 1 0 90336 3133440 407 "
    "18446744073709551615 94273052991488 94273053011369 140720853302256 0 0 0 0 0 0 0 0 0 17 0 0 "
    "0 0 0 0 94273053027376 94273053028992 94273419718656 140720853309960 140720853310001 0\n"
)

STATUS = """\
Name:\tpython
State:\tR (running)
VmHWM:\t    1696 kB
VmRSS:\t    1696 kB
RssAnon:\t     112 kB
RssFile:\t    1584 kB
RssShmem:\t       0 kB
Threads:\t1
"""

KERNEL_THREAD_STATUS = "Name:\tkthreadd\nState:\tS (sleeping)\nThreads:\t1\n"


def test_that_meminfo_is_in_bytes_and_leaves_counts_out():
    sizes = procfs.parse_meminfo(MEMINFO)
    assert sizes["MemAvailable"] == 24285212 * 1024
    assert sizes["Active(anon)"] == 1544 * 1024
    assert sizes["SwapTotal"] == 0
    assert "HugePages_Total" not in sizes


def test_that_pid_io_gives_device_bytes():
    text = (
        "rchar: 6976\nwchar: 0\nsyscr: 10\nsyscw: 0\nread_bytes: 4096\ncancelled_write_bytes: 0\n"
    )
    numbers = procfs.parse_pid_io(text)
    assert numbers["read_bytes"] == 4096
    assert numbers["rchar"] == 6976
    assert procfs.parse_pid_io("rchar: 1\n") == {"rchar": 1}


def test_that_rss_is_split_by_origin():
    assert procfs.parse_pid_status_rss(STATUS) == (112 * 1024, 1584 * 1024, 0)


def test_that_a_kernel_thread_has_no_rss_rather_than_none_of_it():
    assert procfs.parse_pid_status_rss(KERNEL_THREAD_STATUS) is None


def test_that_pid_stat_has_faults_ticks_and_threads():
    assert procfs.parse_pid_stat(STAT) == ("R", 100, 3, 11, 13, 1, 5892, 90336)


@given(name=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=15))
def test_that_a_program_name_cannot_shift_the_fields(name):
    assert procfs.parse_pid_stat(STAT.replace("(cat)", f"({name})")) == (
        "R",
        100,
        3,
        11,
        13,
        1,
        5892,
        90336,
    )


@pytest.mark.parametrize("text", ["", "5898 (cat)", "5898 (cat) R 1 2 3", "garbage"])
def test_that_a_stat_that_breaks_off_is_not_zero(text):
    assert procfs.parse_pid_stat(text) is None


def test_that_schedstat_is_in_nanoseconds():
    assert procfs.parse_schedstat("717244 250 1\n") == (717244, 250)
    assert procfs.parse_schedstat("717244 0 1\n") == (717244, 0)


@pytest.mark.parametrize("text", ["", "0 0 0\n", "717244 0"])
def test_that_a_kernel_without_schedstat_gives_nothing(text):
    assert procfs.parse_schedstat(text) is None


def test_that_cpu_times_count_guests_once():
    text = "cpu  2654 10 1827 172087 154 3 27 7 500 10\ncpu0 573 0 573 87186 10 0 11 1 0 0\n"
    times = procfs.parse_cpu_times(text)
    assert times == (172087, 154, 2654 + 10 + 1827 + 172087 + 154 + 3 + 27 + 7)


def test_that_cpu_times_without_iowait_say_so():
    assert procfs.parse_cpu_times("cpu 1 2 3 4\n") == (4, None, 10)
    assert procfs.parse_cpu_times("intr 5 6 7 8\n") is None
    assert procfs.parse_cpu_times("") is None


def test_that_pressure_totals_are_read():
    text = (
        "some avg10=0.29 avg60=0.08 avg300=0.03 total=1250377\n"
        "full avg10=0.29 avg60=0.08 avg300=0.03 total=1174382\n"
    )
    assert procfs.parse_psi(text) == 1250377


def test_that_pressure_of_the_cpu_before_linux_5_13_has_no_full_line():
    assert procfs.parse_psi("some avg10=0.00 avg60=0.00 avg300=0.00 total=12\n") == 12
    assert procfs.parse_psi("") is None


def test_that_vmstat_has_swap_counters():
    numbers = procfs.parse_vmstat("nr_free_pages 1101173\npswpin 12\npswpout 0\n")
    assert (numbers["pswpin"], numbers["pswpout"]) == (12, 0)


@given(st.text())
def test_that_no_text_makes_a_parser_fail(text):
    procfs.parse_meminfo(text)
    procfs.parse_pid_io(text)
    procfs.parse_pid_status_rss(text)
    procfs.parse_pid_stat(text)
    procfs.parse_schedstat(text)
    procfs.parse_cpu_times(text)
    procfs.parse_psi(text)
    procfs.parse_vmstat(text)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc on this platform")
def test_that_this_machine_reads_like_the_recordings():
    proc = Path("/proc")
    assert procfs.parse_meminfo((proc / "meminfo").read_text())["MemTotal"] > 0
    assert procfs.parse_pid_status_rss((proc / "self/status").read_text()) is not None
    stat = procfs.parse_pid_stat((proc / "self/stat").read_text())
    assert stat is not None
    assert stat.state == "R"
    assert stat.minor_faults > 0
    assert procfs.parse_cpu_times((proc / "stat").read_text()) is not None
