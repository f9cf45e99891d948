"""Who interrupts whom, by the requests of a trace."""

import pytest

from modelmon.core.worker.events import Chunks
from modelmon.core.worker.record import ChunkTable
from modelmon.core.worker.result import jumps_of

COUNT = 40


def table(readers):
    """Requests of ten bytes each: offset and start, of each reader, as they come by and by."""
    found = ChunkTable()
    for reader, requests in readers.items():
        offsets, starts = zip(*requests, strict=True)
        ends, zeros = tuple(start + 5 for start in starts), (0,) * len(requests)
        found.extend(Chunks(reader, zeros, offsets, (10,) * len(requests), starts, ends))
    return found


def test_that_one_reader_in_order_does_not_jump():
    assert jumps_of(table({0: [(10 * at, at) for at in range(COUNT)]})) == (1, 0)


def test_that_readers_who_take_turns_jump_each_time():
    turns = {
        reader: [(10 * at + 1000 * reader, 4 * at + reader) for at in range(COUNT)]
        for reader in range(4)
    }
    assert jumps_of(table(turns)) == (4, 1)


def test_that_readers_one_after_another_do_not_interrupt_each_other():
    """As a program has that reads the header before its loaders do the rest."""
    late = [(10 * at, at) for at in range(1, COUNT)]
    assert jumps_of(table({0: [(0, 0)], 1: late})) == (1, 0)


@pytest.mark.parametrize("count", [0, 1])
def test_that_hardly_any_requests_tell_nothing(count):
    assert jumps_of(table({0: [(0, 0)]} if count else {})) == (None, None)
