"""What was cached at a start, and where, by figures that are given."""

import os
from itertools import pairwise

import pytest
from tests.page_cache import left_alone

from modelmon.core.errors import CancelledError
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.machine.cached_pages import filesystem_type
from modelmon.core.machine.direct_io import give_advice
from modelmon.core.machine.page_cache import (
    FileResidency,
    Residency,
    ResidencyMap,
    evict,
    residency,
)
from modelmon.core.units import MIB
from modelmon.core.worker import cache_state as module
from modelmon.core.worker.cache_state import CacheMaps, CacheState
from modelmon.core.worker.events import Progress

PLANNED = 1_000_000


@pytest.fixture
def a_file(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(bytes(PLANNED))
    return OpenFiles([(str(path), PLANNED)], [0])


@pytest.fixture
def state(a_file):
    return CacheState(a_file, [Extent(0, 0, PLANNED)])


@pytest.mark.parametrize(
    ("share", "fetched", "seen", "evidence", "counts"),
    [
        (0.0, 1.0, "cold", "verified", True),
        (0.0, None, "cold", "verified", True),
        (0.0, 0.3, "cold", "verified", False),
        (0.5, 0.5, "mixed", "verified", False),
        (1.0, 0.0, "warm", "verified", False),
        (None, 0.99, "cold", "inferred", True),
        (None, 0.5, "mixed", "inferred", False),
        (None, 0.0, "warm", "inferred", False),
        (None, None, "unknown", "unknown", True),
    ],
)
def test_that_a_run_counts_as_cold_only_if_it_was(state, share, fetched, seen, evidence, counts):
    state.before = Residency(share, "cachestat" if share is not None else "unknown: not yours")
    judged = state.judge("cold", None if fetched is None else round(fetched * PLANNED))
    assert (judged.state, judged.evidence, judged.counts) == (seen, evidence, counts)
    if not counts:
        assert judged.warnings[-1].kind == "cache-not-cold"
        assert "Not counted" in judged.warnings[-1].message
        assert seen != "mixed" or "the start wasn't cold" in judged.warnings[-1].message


@pytest.mark.parametrize(
    ("share", "fetched", "seen", "counts"),
    [(0.0, 0.7, "cold", True), (0.0, 0.0, "cold", False), (None, 0.7, "unknown", True)],
)
def test_that_where_an_unknown_part_was_compressed_away_less_comes_from_storage(
    a_file, monkeypatch, share, fetched, seen, counts
):
    monkeypatch.setattr(module, "HIDE_COMPRESSION", {filesystem_type(a_file.descriptors[0])})
    state = CacheState(a_file, [Extent(0, 0, PLANNED)])
    state.before = Residency(share, "cachestat" if share is not None else "unknown: not yours")
    judged = state.judge("cold", round(fetched * PLANNED))
    assert (judged.state, judged.counts) == (seen, counts)


@pytest.mark.parametrize(("share", "counts"), [(1.0, True), (0.995, True), (0.9, False)])
def test_that_a_run_counts_as_warm_only_if_it_was(state, share, counts):
    state.before = Residency(share, "cachestat")
    judged = state.judge("warm", 0)
    assert judged.counts == counts
    told = [(each.kind, "the start wasn't warm" in each.message) for each in judged.warnings]
    assert told == [] if counts else [("cache-not-warm", True)]


@pytest.mark.parametrize(
    ("behind", "kinds"), [("nfs4", ["server-unseen"]), ("fuse.simulated-hdd", [])]
)
def test_that_behind_a_server_nothing_is_called_cold(a_file, behind, kinds):
    state = CacheState(a_file, [Extent(0, 0, PLANNED)], behind)
    state.before = Residency(0.0, "cachestat")
    judged = state.judge("cold", PLANNED)
    assert (judged.state, judged.counts) == ("cold-here", True)
    assert [each.kind for each in judged.warnings] == kinds


def test_that_a_start_as_is_always_counts(state):
    state.before = Residency(0.4, "cachestat")
    judged = state.judge("as-is", 600_000)
    assert (judged.state, judged.counts, judged.warnings) == ("mixed", True, ())


def test_that_wanted_parts_are_filled_also_where_pages_are_dropped_meanwhile(on_a_device):
    size = on_a_device.stat().st_size
    wanted = [Extent(0, 3 * MIB, MIB), Extent(0, 9 * MIB + 7, MIB)]
    files = OpenFiles([(str(on_a_device), size)], [0])
    descriptor = files.descriptors[0]
    give_advice(descriptor, "random")
    state, told = CacheState(files, wanted), []

    def tell(progress):
        told.append(progress)
        if len(told) == 1:
            evict(descriptor)

    def filled():
        told.clear()
        state.set("warm", tell, lambda: False)
        return state.residency().share, residency(descriptor, [(0, size)]).resident_bytes

    share, resident_bytes = left_alone(filled, on_a_device)
    assert share == 1.0
    # What was dropped is read again in larger pieces than it was wanted in.
    assert 2 * MIB < resident_bytes < 4 * MIB
    assert told[-1] == Progress("cache", 2 * MIB, 2 * MIB)
    state.close()
    files.close()


def test_that_filling_can_be_stopped(state):
    told = []
    with pytest.raises(CancelledError):
        state.set("warm", told.append, lambda: True)
    assert not told


MS = 1_000_000
SIZES = (300_000, 70_000)


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / name for name in "ab"]
    for path, size in zip(paths, SIZES, strict=True):
        path.write_bytes(os.urandom(size))
    opened = OpenFiles([*zip(map(str, paths), SIZES, strict=True)], [0])
    yield opened
    opened.close()


def test_that_files_the_load_leaves_alone_are_not_opened_for_a_look(files):
    found = CacheMaps(files).look("before")
    assert [file.size_bytes for file in found.map.files] == list(SIZES)
    assert found.map.files[1] == FileResidency(SIZES[1], "unknown: the file is not open")
    assert found.took_ns > 0


def test_that_looks_at_a_running_load_are_rare_and_rarer_the_longer_it_lasts(files, monkeypatch):
    monkeypatch.setattr(module, "residency_map", _known)
    # On a busy machine a look takes its time.
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: 0)
    maps = CacheMaps(files)
    maps.look("before")
    hour_ns = 3_600_000 * MS
    looks = [t_ns for t_ns in range(0, hour_ns, 50 * MS) if maps.look_if_due(t_ns) is not None]
    assert looks[0] == 500 * MS
    assert min(later - earlier for earlier, later in pairwise(looks)) >= 500 * MS
    assert 50 < len(looks) < 200


def test_that_a_look_that_took_long_is_not_soon_repeated(files, monkeypatch):
    monkeypatch.setattr(module, "residency_map", _known)
    clock = iter([0, 30 * MS])
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: next(clock))
    maps = CacheMaps(files)
    maps.look("before")
    monkeypatch.undo()
    assert maps.look_if_due(5_900 * MS) is None


def test_that_a_running_load_is_not_asked_by_mincore_or_where_nothing_is_told(files, monkeypatch):
    for source, pages in (("mincore", (3,)), ("unknown: not yours", ())):
        monkeypatch.setattr(module, "residency_map", _telling(source, pages))
        maps = CacheMaps(files)
        maps.look("before")
        assert maps.look_if_due(3_600_000 * MS) is None


def _telling(source, pages):
    def look(files):
        return ResidencyMap(10**6, 4096, tuple(FileResidency(n, source, pages) for _, n in files))

    return look


_known = _telling("cachestat", (3,))
