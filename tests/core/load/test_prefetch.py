"""Reading ahead: as far as its window and no further, and over when the load is."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, cast

import pytest

from modelmon.core.errors import LoadFailedError
from modelmon.core.load import warmup
from modelmon.core.load.api import stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import ProcessPlan
from modelmon.core.load.warmup import Prefetch
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from modelmon.core.load.files import OpenFiles

CHUNK = 64 * KIB


class Files:
    """Notes what is read ahead."""

    def __init__(self, problem=None):
        self.read = SimpleQueue()
        self._problem = problem

    def read_into(self, view, request):
        if self._problem is not None:
            raise self._problem
        assert len(view) == request.nbytes
        self.read.put(request.offset_bytes // CHUNK)

    def taken(self):
        """All that was read and not taken yet."""
        numbers = []
        try:
            while True:
                numbers.append(self.read.get_nowait())
        except Empty:
            return numbers


def prefetch(files, requests, window):
    extents = [Extent(0, 0, requests * CHUNK)]
    return Prefetch(cast("OpenFiles", files), extents, CHUNK, window * CHUNK)


def test_that_it_reads_its_window_and_waits_there():
    files = Files()
    ahead = prefetch(files, requests=100, window=4)
    ahead.start()
    assert [files.read.get() for _ in range(4)] == [0, 1, 2, 3]
    ahead.passed(3)
    assert [files.read.get() for _ in range(3)] == [4, 5, 6]
    ahead.stop()
    assert files.taken() == []


def test_that_it_leaves_out_what_the_reader_has_passed():
    files = Files()
    ahead = prefetch(files, requests=100, window=2)
    ahead.passed(90)
    ahead.start()
    assert [files.read.get() for _ in range(2)] == [90, 91]
    ahead.stop()


def test_that_it_ends_with_the_last_request():
    files = Files()
    ahead = prefetch(files, requests=3, window=50)
    ahead.start()
    assert [files.read.get() for _ in range(3)] == [0, 1, 2]
    ahead.stop()
    assert (files.taken(), ahead.take_problem()) == ([], None)


def test_that_its_problem_is_kept_and_its_end_still_comes():
    ahead = prefetch(Files(LoadFailedError("gone")), requests=3, window=2)
    ahead.start()
    ahead.stop()
    assert str(ahead.take_problem()) == "gone"
    assert ahead.take_problem() is None


@pytest.mark.parametrize("readers", [1, 3])
def test_that_no_thread_is_left_when_the_load_ends_or_fails(sample, readers):
    config = LoadConfig(readers=readers, chunk_bytes=CHUNK, prefetch_bytes=4 * CHUNK)
    before = threading.active_count()
    stream_model(sample, lambda *_: None, config)
    assert threading.active_count() == before

    def refuse(_tensor, _position, _data):
        raise ArithmeticError("no more")

    with pytest.raises(ArithmeticError, match="no more"):
        stream_model(sample, refuse, config)
    assert threading.active_count() == before


def test_that_a_failure_to_read_ahead_fails_the_load(sample, monkeypatch):
    def broken(self):
        self._problem = LoadFailedError("The disk is gone.")

    monkeypatch.setattr(Prefetch, "_run", broken)
    config = LoadConfig(chunk_bytes=CHUNK, prefetch_bytes=4 * CHUNK)
    with pytest.raises(LoadFailedError, match="disk is gone"):
        stream_model(sample, lambda *_: None, config)


def test_that_it_reads_through_a_descriptor_of_its_own_also_where_readers_share_theirs(
    tensor_file, monkeypatch
):
    used = []

    class Noting(Prefetch):
        def __init__(self, files, *rest):
            used.append(files.descriptors[0])
            super().__init__(files, *rest)

    monkeypatch.setattr(warmup, "Prefetch", Noting)
    path = tensor_file([4 * CHUNK])
    size = path.stat().st_size
    config = LoadConfig(descriptor="shared", chunk_bytes=CHUNK, prefetch_bytes=2 * CHUNK)
    with path.open("rb") as shared:
        inherited = {0: shared.fileno()}
        share = ProcessPlan(
            config,
            [str(path)],
            [size],
            {0: [Extent(0, 0, size)]},
            CHUNK,
            CHUNK,
            inherited=inherited,
        )
        load = Engine(share)
        assert len(used) == 1
        assert used != [shared.fileno()]
        load.run(lambda *_: None)
        load.close()
