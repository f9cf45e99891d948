"""What a real load tells of the page cache along its files: before, during and after."""

import os
import sys

import pytest

from modelmon.core.load.config import preset
from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.sample import write_sample
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job
from modelmon.core.worker.record import read_record

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="needs the page cache of Linux"),
]

SIZE_BYTES = 32 * 1024**2


@pytest.fixture
def model(tmp_path):
    """A model of several files, on a disk."""
    written = write_sample(tmp_path / "model", "sharded", SIZE_BYTES, 4, 0)
    folder = os.open(tmp_path, os.O_RDONLY)
    obstacle = eviction_obstacle(folder)
    os.close(folder)
    if obstacle:
        pytest.skip(obstacle)
    return written


def test_that_a_cold_load_through_the_cache_fills_it_along_the_files(model, tmp_path):
    job = ev.Job(str(model), preset("sequential").config, cache="cold")
    saved = tmp_path / "run.jsonl"
    with saved.open("wb") as recording:
        record = run_job(job, recording=recording)
    before, after = record.cache_maps[0], record.cache_maps[-1]
    assert (before.moment, before.t_ns) == ("before", 0)
    assert (after.moment, after.t_ns) == ("after", record.finished.wall_ns)
    assert {each.moment for each in record.cache_maps[1:-1]} <= {"during"}
    for each in (before, after):
        sizes = tuple(file.size_bytes for file in each.map.files)
        assert sizes == record.planned.shard_bytes
        assert each.took_ns > 0
    assert before.map.whole.share < 0.01
    # The kernel may have taken some of it back.
    assert after.map.whole.share > 0.5
    assert read_record(saved).cache_maps == record.cache_maps


def test_that_a_direct_load_leaves_the_cache_as_it_was(model):
    record = run_job(ev.Job(str(model), preset("direct").config, cache="cold"))
    assert record.finished is not None, record.failed
    if any(warning.kind == "direct-refused" for warning in record.warnings):
        pytest.skip("this filesystem has no direct I/O")
    shares = [each.map.whole.share for each in record.cache_maps]
    assert all(share is not None and share < 0.05 for share in shares)
