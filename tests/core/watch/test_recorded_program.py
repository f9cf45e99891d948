"""What is told of a real load: llama.cpp (xllamacpp 2026.10) mapped a cold GGUF file of 400 MB, and
the kernel traced it.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from modelmon.core.explain.program_report import judge, model_text, parts_text
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise

RECORDING = Path(__file__).parents[2] / "data" / "recordings" / "llama_cpp_mmap_cold.jsonl"


@pytest.fixture(scope="module")
def record():
    return read_record(RECORDING)


def test_that_the_wait_is_told_in_its_parts(record):
    assert parts_text(summarise(record)) == (
        "3.41 s: before reading 309 ms, reading 603 ms, after reading 2.50 s"
    )
    assert model_text(summarise(record)) == "400 MB (100% of it) at 663 MB/s"


def test_that_its_wait_after_reading_is_named_and_what_it_did_meanwhile(record):
    found = judge(summarise(record), UNKNOWN_LIMITS)
    assert found.headline == "Storage isn't the problem: 73% of the wait comes after reading"
    assert found.reason == (
        "2.50 s of 3.41 s: 32% of a core busy; fills 413 MB of new memory. Reading: 603 ms."
    )
    assert found.tone == "plain"


def test_that_each_byte_came_once(record):
    assert record.planned is not None
    chunks = record.chunks
    places = sorted(zip(chunks.offset_bytes, chunks.nbytes, strict=True))
    assert places[0][0] == 0
    assert all(start + nbytes == after for (start, nbytes), (after, _) in pairwise(places))
    assert sum(chunks.nbytes) == record.planned.shard_bytes[0]
    assert record.samples[-1].device_bytes == pytest.approx(sum(chunks.nbytes), rel=0.01)


def test_that_each_block_was_there_before_the_last_byte(record):
    result = summarise(record)
    assert [block.name for block in record.blocks] == list(record.planned.block_names)
    assert result.first_byte_ns is not None
    assert result.last_byte_ns is not None
    for block in record.blocks:
        assert result.first_byte_ns < block.ready_ns <= result.last_byte_ns
    # llama.cpp asks for the whole file at its start: the kernel brings it in from front to back.
    times_ns = [block.ready_ns for block in record.blocks[1:-1]]
    assert times_ns == sorted(times_ns)
