import pytest

from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.machine.page_cache import Residency
from modelmon.core.worker.cache_state import CacheState

PLANNED = 1_000_000


@pytest.fixture
def state(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(bytes(PLANNED))
    files = OpenFiles([str(path)], [PLANNED], [0])
    return CacheState(files, [Extent(0, 0, PLANNED)])


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


@pytest.mark.parametrize(("share", "counts"), [(1.0, True), (0.995, True), (0.9, False)])
def test_that_a_run_counts_as_warm_only_if_it_was(state, share, counts):
    state.before = Residency(share, "cachestat")
    judged = state.judge("warm", 0)
    assert judged.counts == counts


def test_that_a_start_as_is_always_counts(state):
    state.before = Residency(0.4, "cachestat")
    judged = state.judge("as-is", 600_000)
    assert (judged.state, judged.counts, judged.warnings) == ("mixed", True, ())
