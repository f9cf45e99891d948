"""What is seen of a model's bytes, by what the kernel tells of files and processes."""

import mmap
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.page_cache import kept
from tests.system.runs import until

from modelmon.core.errors import ConfigError
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.machine.file_trace import FileTrace, PageTrace, TracingUnavailableError
from modelmon.core.machine.page_cache import (
    FileResidency,
    ResidencyMap,
    evict_verified,
    eviction_obstacle,
)
from modelmon.core.messages import Message, verbatim
from modelmon.core.units import MIB
from modelmon.core.watch import model_bytes
from modelmon.core.watch.model_bytes import ModelBytes
from modelmon.core.worker.figures import LoaderTotals

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the page cache of Linux")

SIZE = 16 * MIB
HALF = SIZE // 2
_US = 1000
"""The precision of the kernel's times."""
ME = [os.getpid()]


@pytest.fixture
def files(tmp_path):
    """A file of which nothing is cached, open before anything is seen."""
    path = tmp_path / "model"
    path.write_bytes(bytes(SIZE))
    opened = OpenFiles([(str(path), SIZE)], {0})
    if obstacle := eviction_obstacle(opened.descriptors[0]):
        pytest.skip(obstacle)
    assert not evict_verified([(opened.descriptors[0], [(0, SIZE)])])
    yield opened
    opened.close()


@pytest.fixture
def seen(files):
    """What is seen of it from now on."""
    made = ModelBytes(files, [Extent(0, 0, SIZE)], "residency")
    yield made
    made.close()


@pytest.fixture
def traced(files):
    """The same, by the kernel's trace."""
    try:
        made = ModelBytes(files, [Extent(0, 0, SIZE)], "trace")
    except ConfigError as error:
        pytest.skip(str(error))
    assert not evict_verified([(files.descriptors[0], [(0, SIZE)])])
    yield made
    made.close()


def read(path, start, nbytes, *, random=True):
    """What somebody's program does; nothing is read ahead of what is asked for at `random`."""
    descriptor = os.open(path, os.O_RDONLY)
    if random:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    os.pread(descriptor, nbytes, start)
    os.close(descriptor)


def test_that_pages_that_come_are_told_once_with_their_place(seen, files):
    seen.start(0)
    seen.look(10, LoaderTotals(), ME, is_last=True)
    assert not seen.opened
    assert seen.begun_ns is None
    with kept(Path(files.paths[0]), (0, HALF)):
        seen.look(20, LoaderTotals(), ME, is_last=True)
        with kept(Path(files.paths[0]), (HALF, HALF)):
            seen.look(30, LoaderTotals(), ME, is_last=True)
            seen.look(40, LoaderTotals(), ME, is_last=True)
    assert seen.opened
    assert seen.is_whole
    assert (seen.begun_ns, seen.ended_ns) == (10, 30)
    (chunks,) = seen.take(5)
    assert sum(chunks.nbytes) == SIZE
    at_once = zip(chunks.offset_bytes, chunks.start_ns, chunks.end_ns, strict=True)
    assert {(at >= HALF, start, end) for at, start, end in at_once} == {
        (False, 5, 15),
        (True, 15, 25),
    }
    assert list(seen.take(5)) == []


def test_that_what_others_bring_in_is_seen_though_the_program_reads_nothing(seen, files):
    seen.start(time.monotonic_ns())
    idle = LoaderTotals(asked_bytes=0, minor_faults=9)
    seen.look(time.monotonic_ns(), idle, ME, is_last=False)
    with kept(Path(files.paths[0])):
        until(lambda: seen.look(time.monotonic_ns(), idle, ME, is_last=False) or seen.is_whole)
    came_bytes = sum(sum(chunks.nbytes) for chunks in seen.take(0))
    assert came_bytes == pytest.approx(SIZE, rel=1 - model_bytes.WHOLE_SHARE)


@pytest.mark.parametrize("sight", ["seen", "traced"])
@pytest.mark.parametrize("cached", [0, HALF])
def test_that_a_half_that_was_cached_is_there_once_it_was_asked_for(request, files, sight, cached):
    """By calls with pauses between them, at which all that is cached is as good as in memory."""
    watch = request.getfixturevalue(sight)
    path = files.paths[0]
    with kept(Path(path), (cached, HALF)):
        watch.start(time.monotonic_ns())
        for start, is_whole in ((0, False), (HALF, True)):
            read(path, start, HALF)
            totals = LoaderTotals(asked_bytes=start + HALF)
            watch.look(time.monotonic_ns(), totals, ME, is_last=True)
            assert watch.is_whole is is_whole


@pytest.mark.parametrize("sight", ["seen", "traced"])
def test_that_a_half_that_was_cached_is_there_for_who_maps_it(request, files, sight):
    watch = request.getfixturevalue(sight)
    with kept(Path(files.paths[0]), (HALF, HALF)):
        watch.start(time.monotonic_ns())
        assert not watch.is_whole
        with kept(Path(files.paths[0]), (0, HALF)):
            watch.look(time.monotonic_ns(), LoaderTotals(asked_bytes=100), ME, is_last=True)
    assert watch.is_whole


def test_that_a_header_alone_is_not_the_beginning(seen, files):
    seen.start(0)
    read(files.paths[0], 0, 4096)
    seen.look(10, LoaderTotals(), ME, is_last=True)
    seen.look(20, LoaderTotals(), ME, is_last=True)
    with kept(Path(files.paths[0])):
        seen.look(30, LoaderTotals(), ME, is_last=True)
    assert seen.begun_ns == 20


def test_that_what_read_calls_fetch_past_the_cache_is_counted(seen, files):
    seen.start(0)
    others = LoaderTotals(asked_bytes=5 * SIZE, device_bytes=5 * SIZE)
    seen.look(10, others, ME, is_last=True)
    assert seen.delivered_bytes == 0
    read(files.paths[0], 0, 1)
    now = LoaderTotals(asked_bytes=6 * SIZE, device_bytes=6 * SIZE)
    seen.look(20, now, ME, is_last=True)
    assert seen.seen_by == "counters"
    assert seen.delivered_bytes == SIZE
    assert list(seen.take(0)) == []


def test_that_where_the_cache_is_out_of_sight_counters_tell(seen, files, monkeypatch):
    unknown = FileResidency(SIZE, verbatim("unknown: the kernel does not tell"))
    hidden = ResidencyMap(4096, 4096, (unknown,))
    monkeypatch.setattr(model_bytes, "residency_map", lambda _files: hidden)
    seen.start(0)
    read(files.paths[0], 0, SIZE)
    seen.look(10, LoaderTotals(asked_bytes=SIZE, device_bytes=0), ME, is_last=True)
    assert seen.seen_by == "counters"
    assert seen.is_whole


def test_that_code_touched_after_the_model_was_mapped_is_no_part_of_it(files):
    seen = ModelBytes(files, [Extent(0, 0, SIZE)], "counters")
    seen.start(0)
    with Path(files.paths[0]).open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
        for at_ns, nbytes in ((10, 0), (20, SIZE), (30, SIZE + 8 * MIB)):
            seen.look(at_ns, LoaderTotals(rss_file_bytes=nbytes), ME, is_last=False)
    seen.close()
    assert seen.is_whole
    assert seen.ended_ns == 20


def test_that_a_trace_tells_times_and_threads_of_its_own(traced, files):
    began_ns = time.monotonic_ns()
    traced.start(began_ns)
    read(files.paths[0], 0, SIZE // 2)
    middle_ns = time.monotonic_ns()
    with ThreadPoolExecutor(1) as other:
        other.submit(read, files.paths[0], SIZE // 2, SIZE // 2).result()
    ended_ns = time.monotonic_ns()
    # Looked at only now, it knows all the same what came when.
    traced.look(ended_ns + 10**9, LoaderTotals(), ME, is_last=True)
    assert traced.seen_by == "trace"
    assert traced.is_whole
    first, second = traced.take(0)
    assert (first.reader, second.reader) == (0, 1)
    assert sum(first.nbytes) == sum(second.nbytes) == SIZE // 2
    assert began_ns - _US <= min(first.start_ns) <= max(first.end_ns) <= middle_ns
    assert middle_ns - _US <= min(second.start_ns) <= max(second.end_ns) <= ended_ns
    assert (traced.begun_ns, traced.ended_ns) == (min(first.start_ns), max(second.end_ns))


def test_that_cached_reads_have_places_in_a_trace(traced, files):
    with kept(Path(files.paths[0])):
        traced.start(0)
        read(files.paths[0], 0, SIZE)
        traced.look(10, LoaderTotals(), ME, is_last=True)
    assert traced.seen_by == "trace"
    assert sum(sum(chunks.nbytes) for chunks in traced.take(0)) == SIZE
    assert traced.beside_bytes(SIZE) == SIZE - mmap.PAGESIZE


def test_that_what_would_let_it_be_traced_is_kept(files, monkeypatch):
    def refuse(_trace, _paths):
        raise TracingUnavailableError(Message("tracing needs root"), Message("Become root."))

    monkeypatch.setattr(FileTrace, "__init__", refuse)
    seen = ModelBytes(files, [Extent(0, 0, SIZE)])
    assert (seen.why_no_trace, seen.trace_remedy) == ("tracing needs root", "Become root.")
    seen.close()


def test_that_a_large_model_is_traced_only_where_that_is_asked_for(traced, files, monkeypatch):
    monkeypatch.setattr(model_bytes, "_MOST_TRACED_BYTES", SIZE - 1)
    for see_by, seen_by in (("auto", "residency"), ("trace", "trace")):
        seen = ModelBytes(files, [Extent(0, 0, SIZE)], see_by)
        seen.start(time.monotonic_ns())
        assert seen.seen_by == seen_by
        assert ("--seen-by trace" in seen.trace_remedy) == (seen_by == "residency")
        seen.close()


def test_that_counters_tell_of_a_load_of_which_the_trace_lost_some(traced, files, monkeypatch):
    traced.start(time.monotonic_ns())
    read(files.paths[0], 0, HALF)
    totals = LoaderTotals(asked_bytes=HALF)
    traced.look(time.monotonic_ns(), totals, ME, is_last=False)
    monkeypatch.setattr(FileTrace, "read", lambda _trace: PageTrace([], 7))
    read(files.paths[0], HALF, HALF)
    totals = LoaderTotals(asked_bytes=SIZE)
    traced.look(time.monotonic_ns(), totals, ME, is_last=True)
    assert traced.seen_by == "counters"
    assert traced.why_no_trace == "7 events of the kernel were lost"
    assert traced.delivered_bytes == SIZE
    assert traced.is_whole
