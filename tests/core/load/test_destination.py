"""The memory that a load fills: private, aligned, touched by its readers, and no more of it."""

import gc
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import ProcessPlan
from modelmon.core.machine.anonymous_memory import HUGE_PAGE_BYTES
from modelmon.core.units import MIB

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps").is_file(), reason="needs /proc")
SIZE = 96 * MIB


def anonymous_bytes():
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    assert found is not None
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
        paths=[str(path)],
        sizes_bytes=[SIZE],
        readers={0: [Extent(0, 0, half)], 1: [Extent(0, half, half)]},
        chunk_bytes=MIB,
        request_bytes=MIB,
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


@pytest.mark.parametrize(("huge_pages", "flag"), [("on", "hg"), ("off", "nh")])
def test_that_memory_is_private_aligned_and_asks_for_huge_pages_or_not(hole, huge_pages, flag):
    if not Path("/sys/kernel/mm/transparent_hugepage").is_dir():
        pytest.skip("this kernel has no huge pages to ask for")
    engine = engine_for(hole, LoadConfig(readers=2, huge_pages=huge_pages))
    assert engine.owned is not None
    address = engine.owned.buffer.address
    assert address % HUGE_PAGE_BYTES == 0
    head, flags = mapping_at(address)
    assert re.match(r"\S+ rw-p \S+ 00:00 0", head), "not private and anonymous"
    assert flag in flags
    engine.close()


PEAK = """
import re, sys
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.plan import ProcessPlan
from modelmon.core.load.extents import Extent
path, size, access, deliver = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
half = size // 2
extents = {0: [Extent(0, 0, half)], 1: [Extent(0, half, half)]}
config = LoadConfig(access=access, readers=2, chunk_bytes=1 << 20, deliver=deliver)
engine = Engine(ProcessPlan(config, [path], [size], extents, 1 << 20, 1 << 20))
engine.run(lambda *_: None)
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def peak_bytes(path, access, deliver):
    """The most memory that a process of its own had, mapped pages included."""
    command = [sys.executable, "-P", "-c", PEAK, path, str(path.stat().st_size), access, deliver]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout) * 1024


@pytest.mark.system
@pytest.mark.parametrize("access", ["read", "direct", "auto", "mmap"])
def test_that_what_is_owned_takes_the_models_memory_and_little_more(hole, needs_direct, access):
    del needs_direct
    assert SIZE <= peak_bytes(hole, access, "owned") <= SIZE + 64 * MIB


@pytest.mark.system
@pytest.mark.parametrize("access", ["read", "direct", "auto", "mmap"])
def test_that_streaming_takes_little_memory_for_a_model_of_any_size(tmp_path, needs_direct, access):
    del needs_direct
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(400 * MIB)
    assert peak_bytes(path, access, "streamed") <= 64 * MIB


def test_that_processes_and_ranks_do_not_change_what_a_config_owns():
    config = LoadConfig()
    assert config.memory_kind == "owned"
    assert replace(config, access="mmap").memory_kind == "mapped"
    assert replace(config, access="mmap", deliver="owned").memory_kind == "owned"
    assert replace(config, deliver="streamed", ranks=3).memory_kind == "streamed"
    assert replace(config, deliver="decoded").memory_kind == "streamed"
