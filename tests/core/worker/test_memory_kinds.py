"""Where a load's bytes are, in words and as what a race weighs."""

import pytest

from modelmon.core.find_best.contenders import held_bytes
from modelmon.core.worker.result import memory_meaning, memory_text

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
