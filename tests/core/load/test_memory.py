"""The memory that a load fills: private, aligned, touched by its readers, and no more of it."""

import gc
import itertools
import mmap
import os
import re
import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load import files as touching
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import Layout, OwnedDestination, PassingDestination
from modelmon.core.load.plan import ProcessPlan, ReaderPlan
from modelmon.core.machine.anonymous_memory import HUGE_PAGE_BYTES, OwnedBuffer, address_of
from modelmon.core.units import MIB

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps").is_file(), reason="needs /proc")
SIZE = 96 * MIB


def anonymous_bytes():
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    return int(found[1]) * 1024


def mapping_at(address):
    """The line of /proc/self/smaps that heads the mapping with this address, and its flags."""
    head, inside = "", False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
            inside = int(found[1], 16) <= address < int(found[2], 16)
            head = line if inside else head
        elif inside and line.startswith("VmFlags:"):
            return head, set(line.split()[1:])
    raise AssertionError("no mapping has this address")


@pytest.fixture
def hole(tmp_path):
    """A large file that takes no room on the disk."""
    path = tmp_path / "hole"
    with path.open("wb") as file:
        file.truncate(SIZE)
    return path


def engine_for(path, config):
    half = SIZE // 2
    share = ProcessPlan(
        config,
        files=[(str(path), SIZE)],
        readers=[ReaderPlan([Extent(0, at * half, half)], number=at) for at in range(2)],
        chunk_bytes=MIB,
    )
    return Engine(share)


@pytest.mark.parametrize("access", ["read", "direct", "mmap"])
def test_that_memory_is_taken_by_the_readers_once_and_given_back(hole, needs_direct, access):
    del needs_direct
    gc.collect()
    before = anonymous_bytes()
    config = LoadConfig(access=access, readers=2, chunk_bytes=MIB, deliver="owned")
    engine = engine_for(hole, config)
    assert anonymous_bytes() - before < 8 * MIB, "touched before its readers were let go"
    engine.run(lambda *_: None)
    taken = anonymous_bytes() - before
    assert SIZE <= taken < SIZE + 16 * MIB
    engine.close()
    del engine
    gc.collect()
    assert anonymous_bytes() - before < 16 * MIB


PEAK = """
import re, sys
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.plan import ProcessPlan, ReaderPlan
from modelmon.core.load.extents import Extent
path, size, access, deliver = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
half = size // 2
readers = [ReaderPlan([Extent(0, at * half, half)], number=at) for at in range(2)]
config = LoadConfig(access=access, readers=2, chunk_bytes=1 << 20, deliver=deliver)
engine = Engine(ProcessPlan(config, [(path, size)], readers, 1 << 20))
engine.run(lambda *_: None)
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def peak_bytes(path, access, deliver):
    """The most memory that a process of its own had, mapped pages included."""
    command = [sys.executable, "-P", "-c", PEAK, path, str(path.stat().st_size), access, deliver]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout) * 1024


@pytest.mark.parametrize("access", ["read", "direct", "auto", "mmap"])
def test_that_a_load_takes_the_models_memory_or_next_to_none(hole, needs_direct, access):
    del needs_direct
    assert SIZE <= peak_bytes(hole, access, "owned") <= SIZE + 64 * MIB
    os.truncate(hole, 400 * MIB)
    assert peak_bytes(hole, access, "streamed") <= 64 * MIB


def test_that_processes_and_ranks_do_not_change_what_a_config_owns():
    config = LoadConfig()
    assert config.memory_kind == "owned"
    assert replace(config, access="mmap").memory_kind == "mapped"
    assert replace(config, access="mmap", deliver="owned").memory_kind == "owned"
    assert replace(config, deliver="streamed", ranks=3).memory_kind == "streamed"
    assert replace(config, deliver="decoded").memory_kind == "streamed"


@st.composite
def disjoint_extents(draw):
    extents, offset = [], 0
    for gap, size in draw(
        st.lists(st.tuples(st.integers(0, 9000), st.integers(1, 9000)), min_size=1, max_size=20)
    ):
        offset += gap
        extents.append(Extent(draw(st.integers(0, 2)), offset, size))
        offset += size
    return draw(st.permutations(extents))


@given(disjoint_extents())
def test_that_no_two_bytes_share_a_place_and_alignment_is_kept(extents):
    layout = Layout(extents)
    places = sorted(
        (layout.place(extent.shard, extent.offset_bytes), extent.nbytes) for extent in extents
    )
    for (start, size), (following, _) in itertools.pairwise(places):
        assert start + size <= following
    assert places[-1][0] + places[-1][1] <= layout.nbytes
    for extent in extents:
        place = layout.place(extent.shard, extent.offset_bytes)
        assert place % 4096 == extent.offset_bytes % 4096


def test_that_a_byte_outside_the_layout_has_no_place():
    layout = Layout([Extent(1, 4096, 100)])
    for shard, offset in ((0, 4096), (1, 0), (1, 4196), (1, 5000)):
        with pytest.raises(KeyError):
            layout.place(shard, offset)


@pytest.mark.skipif(sys.platform != "linux", reason="smaps is Linux's")
@pytest.mark.parametrize(
    ("make", "has_huge_pages"),
    [
        # One that is used again has it cleared once; direct reads into small pages are slow.
        (lambda: PassingDestination(1 << 20, 1, huge_pages=True).buffer, True),
        (lambda: OwnedBuffer(1 << 20), True),
        (lambda: OwnedBuffer(4096), False),
        (lambda: OwnedDestination([Extent(0, 0, 1 << 22)], huge_pages=True).buffer, True),
        (lambda: OwnedDestination([Extent(0, 0, 1 << 20)], huge_pages=True).buffer, False),
        (lambda: PassingDestination(1 << 20, 1, huge_pages=False).buffer, False),
    ],
)
def test_that_all_but_a_small_model_has_room_in_huge_pages(make, has_huge_pages):
    if not Path("/sys/kernel/mm/transparent_hugepage").exists():
        pytest.skip("a kernel without huge pages")
    buffer = make()
    head, flags = mapping_at(buffer.address)
    assert re.match(r"\S+ rw-p \S+ 00:00 0", head), "not private and anonymous"
    assert ("hg" in flags, "nh" in flags) == (has_huge_pages, not has_huge_pages)
    if has_huge_pages:
        assert buffer.address % HUGE_PAGE_BYTES == 0
        end = int(head.split()[0].split("-")[1], 16)
        assert buffer.address + HUGE_PAGE_BYTES <= end
    buffer.close()


linux_only = pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="needs /proc")


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
