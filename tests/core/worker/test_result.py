"""What a result says: of warnings, of memory, and of who interrupts whom."""

from typing import get_args

import pytest

from modelmon.core.find_best.contenders import held_bytes
from modelmon.core.worker.events import Chunks, decode, encode
from modelmon.core.worker.record import ChunkTable
from modelmon.core.worker.result import jumps_of, memory_meaning, memory_text
from modelmon.core.worker.run_warnings import MEANINGS, RunWarning, WarningKind, warned

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


GB = 10**9


@pytest.mark.parametrize(
    ("kind", "mapped_bytes", "text", "held"),
    [
        ("mapped", GB, "memory-mapped (reclaimable)", GB // 10),
        ("mapped", None, "memory-mapped (reclaimable)", GB // 10),
        ("mixed", 62 * GB // 100, "62% memory-mapped, 38% private", 48 * GB // 100),
        ("owned", 0, "private copy", 11 * GB // 10),
        ("owned", None, "private copy", 11 * GB // 10),
        ("another version's", None, "not seen in the program's own memory", 11 * GB // 10),
    ],
)
def test_that_it_is_said_how_much_is_mapped_and_that_only_the_rest_is_held(
    loaded, kind, mapped_bytes, text, held
):
    run = loaded(memory_kind=kind, mapped_bytes=mapped_bytes, peak_rss_bytes=11 * GB // 10)
    assert memory_text(run) == text
    assert memory_meaning(run).lower().startswith(text)
    assert held_bytes(run) == held


RANKED_NEVER = {
    "cache-not-cold",
    "cache-not-warm",
    "served-from-cache",
    "not-kept",
    "nothing-touched",
    "verified",
    "cut-off",
    "reading-unseen",
    "program-cold",
    "memory-taken",
    "file-changed",
    "swapped",
    "clock-jumped",
}


def test_that_every_kind_says_what_to_do_and_whether_its_run_counts():
    assert set(MEANINGS) == set(get_args(WarningKind))
    assert all(meaning.remedy.endswith(".") for meaning in MEANINGS.values())
    assert {kind for kind, meaning in MEANINGS.items() if not meaning.counts} == RANKED_NEVER


def test_that_a_warning_has_its_kinds_remedy_unless_it_knows_better():
    assert warned("on-battery", "Unplugged.").remedy == MEANINGS["on-battery"].remedy
    assert warned("on-battery", "Unplugged.", "0 W", "Buy a cable.").remedy == "Buy a cable."


@pytest.mark.parametrize("line", [b'{"event":"warning","kind":"late-samples","message":"Late."}'])
def test_that_a_recording_from_before_evidence_and_remedies_is_read(line):
    event = decode(line)
    assert event == RunWarning("late-samples", "Late.")
    assert encode(event) == line + b"\n"
