"""What is seen of a model's bytes, by what the kernel tells of files and processes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.machine.page_cache import evict_verified, eviction_obstacle
from modelmon.core.machine.residency import FileResidency, ResidencyMap
from modelmon.core.messages import verbatim
from modelmon.core.units import MIB
from modelmon.core.worker import model_bytes
from modelmon.core.worker.loader_figures import LoaderTotals
from modelmon.core.worker.model_bytes import ModelBytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the page cache of Linux")

SIZE = 16 * MIB
ME = [os.getpid()]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[OpenFiles]:
    """A file of which nothing is cached, open before anything is seen."""
    path = tmp_path / "model"
    path.write_bytes(bytes(SIZE))
    opened = OpenFiles([str(path)], [SIZE], {0})
    if obstacle := eviction_obstacle(opened.descriptors[0]):
        pytest.skip(obstacle)
    assert not evict_verified([(opened.descriptors[0], [(0, SIZE)])]).obstacle
    yield opened
    opened.close()


@pytest.fixture
def seen(files: OpenFiles) -> Iterator[ModelBytes]:
    """What is seen of it from now on."""
    made = ModelBytes(files, [Extent(0, 0, SIZE)])
    yield made
    made.close()


def read(path: str, start: int, nbytes: int) -> None:
    """What somebody's program does."""
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    os.pread(descriptor, nbytes, start)
    os.close(descriptor)


def test_that_pages_that_come_are_told_once_with_their_place(
    seen: ModelBytes, files: OpenFiles
) -> None:
    seen.start(0)
    seen.look(10, LoaderTotals(), ME, is_last=True)
    assert not seen.opened
    assert seen.begun_ns is None
    for at_ns, start in ((20, 0), (30, SIZE // 2)):
        read(files.paths[0], start, SIZE // 2)
        seen.look(at_ns, LoaderTotals(), ME, is_last=True)
    seen.look(40, LoaderTotals(), ME, is_last=True)
    assert seen.opened
    assert seen.is_whole
    assert (seen.begun_ns, seen.ended_ns) == (10, 30)
    first, second = seen.take(5)
    assert (min(first.offset_bytes), min(second.offset_bytes)) == (0, SIZE // 2)
    assert sum(first.nbytes) == sum(second.nbytes) == SIZE // 2
    assert set(second.start_ns) == {15}
    assert set(second.end_ns) == {25}
    assert list(seen.take(5)) == []


def test_that_a_header_alone_is_not_the_beginning(seen: ModelBytes, files: OpenFiles) -> None:
    seen.start(0)
    read(files.paths[0], 0, 4096)
    seen.look(10, LoaderTotals(), ME, is_last=True)
    seen.look(20, LoaderTotals(), ME, is_last=True)
    read(files.paths[0], 0, SIZE)
    seen.look(30, LoaderTotals(), ME, is_last=True)
    assert seen.begun_ns == 20


def test_that_what_read_calls_fetch_past_the_cache_is_counted(
    seen: ModelBytes, files: OpenFiles
) -> None:
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


def test_that_where_the_cache_is_out_of_sight_counters_tell(
    seen: ModelBytes, files: OpenFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = FileResidency(SIZE, verbatim("unknown: the kernel does not tell"))
    hidden = ResidencyMap(4096, 4096, (unknown,))
    monkeypatch.setattr(model_bytes, "residency_map", lambda _files: hidden)
    seen.start(0)
    read(files.paths[0], 0, SIZE)
    seen.look(10, LoaderTotals(asked_bytes=SIZE, device_bytes=0), ME, is_last=True)
    assert seen.seen_by == "counters"
    assert seen.is_whole
