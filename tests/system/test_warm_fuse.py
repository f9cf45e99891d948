"""The cache of a FUSE mount may be dropped by whoever opens the file: does modelmon spoil it?"""

import json
import os
from contextlib import contextmanager

import pytest
from tests.page_cache import kept
from tests.system.beds import fuse_store
from tests.system.commands import typed
from tests.system.runs import started_as_asked

from modelmon.core.load.config import PRESETS
from modelmon.core.machine.page_cache import WARM_SHARE, residency
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(fuse_store.why_not()), reason=fuse_store.why_not()),
]
MAPPED = PRESETS["mmap"].config
EITHER = pytest.mark.parametrize(
    "keep_cache", [pytest.param(True, marks=pytest.mark.long), False], ids=["kept", "dropped"]
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A small one: each page of it is asked for by itself. Never changed by a test."""
    path = tmp_path_factory.mktemp("warmed") / "small.safetensors"
    return write_sample(path, "safetensors", 8 * MIB, layers=4, seed=1)


@contextmanager
def warm(path, mount_point, *, keep_cache):
    """The file behind FUSE, all of it cached, and the descriptor that looks at the cache."""
    with fuse_store.served(
        path, mount_point, first_byte_s=0.0, bytes_per_s=1e9, keep_cache=keep_cache
    ) as store:
        watcher = os.open(store.path, os.O_RDONLY)
        try:
            with kept(store.path):
                assert cached_share(watcher) == 1
                store.counts()
                yield store, watcher
        finally:
            os.close(watcher)


def cached_share(watcher):
    return residency(watcher, [(0, os.fstat(watcher).st_size)]).share


@EITHER
def test_that_a_warm_start_is_warm_whatever_opening_does(model, tmp_path, keep_cache):
    """All files are opened before the cache is filled, and none after."""

    def forget_the_preparation(event, _record):
        if isinstance(event, Ready):
            store.counts()

    with warm(model, tmp_path / "mounted", keep_cache=keep_cache) as (store, _):
        job = Job(str(store.path), MAPPED, cache="warm", allow_busy=True)
        record = started_as_asked(job, forget_the_preparation)
        during = store.counts()
    assert record.finished is not None
    assert record.finished.cache_state == "warm"
    assert record.finished.cache_evidence == "verified"
    assert record.finished.counts
    assert during.bytes <= (1 - WARM_SHARE) * record.finished.delivered_bytes
    assert during.handles == 0


def test_that_a_start_as_it_is_says_that_opening_has_dropped_the_cache(model, tmp_path):
    """Any program's opening does that here, so a load of the dropped file is what users get."""
    states = {}
    for keep_cache in (True, False):
        with warm(model, tmp_path / "mounted", keep_cache=keep_cache) as (store, _):
            record = run_job(Job(str(store.path), MAPPED, cache="as-is", allow_busy=True))
            served_bytes = store.counts().bytes
        assert record.ready is not None
        assert record.finished is not None
        states[keep_cache] = (
            record.ready.residency_share == 1,
            record.finished.cache_state,
            served_bytes >= record.finished.delivered_bytes,
        )
    assert states == {True: (True, "warm", False), False: (False, "cold-here", True)}


@EITHER
def test_that_doctor_says_that_looking_may_have_dropped_the_cache(model, tmp_path, keep_cache):
    with warm(model, tmp_path / "mounted", keep_cache=keep_cache) as (store, watcher):
        done = typed("doctor", "--json", store.path)
        left = cached_share(watcher)
    file = json.loads(done.stdout)["file"]
    assert file["opening_may_drop_cache"]
    if keep_cache:
        assert (file["cached_share"], left) == (1, 1)
    else:
        assert file["cached_share"] == 0
        # The header, which doctor reads after it has looked, with what is read ahead of it.
        assert left is not None
        assert left < 0.05
