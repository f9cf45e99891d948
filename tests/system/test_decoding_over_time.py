"""What the samples of a real load tell of its decoders."""

import sys
from itertools import pairwise

import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.readers import decoders_each, usable_processors
from modelmon.core.model.sample import write_sample
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job

pytestmark = pytest.mark.system

TICK_NS = 10_000_000


@pytest.fixture(scope="module")
def quantised(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quantised")
    return write_sample(folder / "tiny.gguf", "gguf", 64 * 1024**2, 4, 0)


@pytest.mark.soak
@pytest.mark.parametrize("readers", [1, 2])
def test_that_a_decoding_load_tells_the_decoders_time_as_it_grows(quantised, readers):
    config = LoadConfig(access="read", deliver="decoded", readers=readers)
    record = run_job(ev.Job(str(quantised), config, cache="warm", sample_hz=50))
    assert record.finished is not None
    assert record.finished.decode_ns is not None
    assert record.finished.decoders == readers * decoders_each(config, usable_processors())
    told = [sample.decode_ns for sample in record.samples]
    known = [value for value in told if value is not None]
    assert len(known) == (len(told) if sys.platform == "linux" else 0)
    assert all(value <= record.finished.decode_ns + readers * TICK_NS for value in known)
    assert all(before <= after for before, after in pairwise(known))
    for block in record.blocks:
        assert block.decode_ns is not None
        assert block.wait_ns is not None
        # Each is rounded.
        assert 0 <= block.decode_ns + block.wait_ns <= block.busy_ns + 1
    assert any(block.decode_ns for block in record.blocks)
    assert any(block.wait_ns for block in record.blocks)


def test_that_a_load_that_decodes_nothing_tells_no_such_time(quantised):
    record = run_job(ev.Job(str(quantised), LoadConfig(), cache="warm"))
    assert record.finished is not None
    assert {sample.decode_ns for sample in record.samples} == {None}
    assert {block.decode_ns for block in record.blocks} == {None}
