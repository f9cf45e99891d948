"""How the timeline names the parts of a program's wait, and the moments between them."""

from modelmon.core.worker.wait_parts import AFTER, WaitPart, parts_between
from modelmon.gui.watch.timeline import marks_of, part_text, whole_text

S = 10**9
WHOLE = parts_between(2_100_000_000, 8_400_000_000, 12 * S)


def test_that_the_moments_seen_of_a_run_are_named():
    assert [part_text(part) for part in WHOLE] == [
        "before reading 2.10 s",
        "reading 6.30 s",
        "after reading 3.60 s",
    ]
    assert [name for _, name in marks_of(WHOLE, ended="ready")] == [
        *("start", "opens the model", "model read", "ready 12.0 s")
    ]
    assert marks_of(WHOLE, ended="failed")[-1] == (12.0, "ended")
    assert [name for _, name in marks_of(WHOLE[:2], ended="")] == ["start", "opens the model"]
    unseen = parts_between(None, None, 12 * S)
    assert [name for _, name in marks_of(unseen, ended="ready")] == ["start", "ready 12.0 s"]


def test_that_what_it_did_is_told_with_the_part():
    after = WaitPart(AFTER, 0, 4 * S, cpu_user_ns=4 * S, cpu_system_ns=0)
    assert whole_text(after) == "after reading 4.00 s: one core busy"
