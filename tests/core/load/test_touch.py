import mmap
import os
import sys
import threading
import time
from array import array
from pathlib import Path

import pytest

from modelmon.core.load import files as touching
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.units import MIB

linux_only = pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="needs /proc")


def mapped(path):
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def missing_pages(content):
    """Pages that were not faulted in, in memory that no kernel takes back while it is mapped."""
    with os.fdopen(os.memfd_create("touched"), "r+b", buffering=0) as file:
        file.write(content)
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    touching.touch(address_of(mapping), len(mapping))
    with Path("/proc/self/pagemap").open("rb", buffering=0) as pages:
        pages.seek(address_of(mapping) // mmap.PAGESIZE * 8)
        entries = array("Q", pages.read(-(-len(content) // mmap.PAGESIZE) * 8))
    # The highest bit of each is that of a page that is there.
    return sum(not entry >> 63 for entry in entries)


@linux_only
def test_that_every_page_of_the_range_is_faulted_in(sample):
    assert missing_pages(sample.read_bytes()) == 0


@linux_only
def test_that_a_page_that_looks_like_the_key_does_not_end_the_touching():
    page = touching._KEY + bytes(mmap.PAGESIZE - len(touching._KEY))
    assert missing_pages(page * 2048) == 0


@linux_only
@pytest.mark.parametrize("beyond", [-5, -1, 0, 1, 4096])
def test_that_copying_touches_without_lfind_too(beyond, monkeypatch):
    monkeypatch.setattr(touching, "_LFIND", None)
    assert missing_pages(b"x" * (8 * MIB + beyond)) == 0


def others_run_during(touch, path):
    """Whether this thread does something while another one touches the file."""
    span = (0, 0)

    def work():
        nonlocal span
        mapping = mapped(path)
        start_ns = time.monotonic_ns()
        touch(mapping)
        span = (start_ns, time.monotonic_ns())

    thread = threading.Thread(target=work)
    thread.start()
    seen_ns = []
    while thread.is_alive():
        seen_ns.append(time.monotonic_ns())
        time.sleep(0)
    return any(span[0] < at_ns < span[1] for at_ns in seen_ns)


@pytest.mark.soak
def test_that_other_threads_run_while_one_touches(tmp_path):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(512 * MIB)
    interval_s = sys.getswitchinterval()
    # Whoever has the interpreter keeps it until it lets it go.
    sys.setswitchinterval(1000)
    try:
        assert others_run_during(lambda map: touching.touch(address_of(map), len(map)), path)
        # A strided read keeps it: the contrast shows that this test can fail.
        assert not others_run_during(lambda map: map[:: mmap.PAGESIZE], path)
    finally:
        sys.setswitchinterval(interval_s)
