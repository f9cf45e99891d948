"""What a watched program's run comes to: its parts, and what of its reading could be saved."""

import pytest
from tests.core.explain.loads import COLD, S, changed

from modelmon.core.compare.program_report import (
    at_best_text,
    has_headroom,
    headline,
    model_text,
    parts_text,
)
from modelmon.core.messages import Message
from modelmon.core.worker.warned import warned

WATCHED = changed(
    COLD,
    ready="http:8080/health",
    first_byte_ns=2 * S,
    last_byte_ns=8 * S,
    wall_ns=12 * S,
)
QUICK = changed(WATCHED, first_byte_ns=2 * S, last_byte_ns=round(2.4 * S))
LATE = changed(WATCHED, warnings=(warned("cut-off", Message("Not counted.")),))
UNSEEN = changed(WATCHED, first_byte_ns=None, last_byte_ns=None)


def test_that_the_parts_make_up_the_wait():
    assert parts_text(WATCHED) == (
        "12.0 s until ready: 2.00 s before it read the model, 6.00 s reading, 4.00 s after"
    )
    assert parts_text(LATE).startswith("Not ready after 12.0 s: ")
    assert parts_text(UNSEEN) == "12.0 s until ready; when it read the model wasn't seen"


def test_that_counters_which_do_not_tell_all_tell_a_lower_bound():
    half = changed(WATCHED, seen_by="counters", load_bytes=WATCHED.model_bytes // 2)
    assert model_text(half).startswith("at least ")
    assert model_text(changed(half, load_bytes=half.model_bytes))[0].isdigit()
    assert model_text(changed(half, seen_by="trace"))[0].isdigit()


def test_that_a_model_that_was_not_read_is_in_memory_only_where_it_was():
    unread = changed(UNSEEN, load_bytes=0, residency_before_share=1.0)
    assert model_text(unread).startswith("in memory already")
    for other in (changed(unread, residency_before_share=0.05), changed(LATE, load_bytes=0)):
        assert model_text(other) == "nothing of it was seen to be read"


def test_that_what_can_be_saved_is_a_part_of_the_reading_and_no_more():
    assert "saves at most 4.00 s of the wait (33%)" in at_best_text(WATCHED, 2 * S)
    assert "(0%)" in at_best_text(WATCHED, 60 * S)


@pytest.mark.parametrize(
    ("run", "least_ns", "told"),
    [
        (WATCHED, 2 * S, "server reads the model in 6.00 s; 2.00 s is possible here"),
        (
            WATCHED,
            5_900_000_000,
            "server reads the model in 6.00 s, about as fast as is possible here",
        ),
        (WATCHED, None, "server was ready after 12.0 s, 6.00 s of it reading the model"),
        # Most of the wait is something else: it is not worth to look for a better way to load.
        (QUICK, S // 10, "server was ready after 12.0 s, 400 ms of it reading the model"),
        (UNSEEN, 2 * S, "server was ready after 12.0 s"),
        (LATE, 2 * S, "server wasn't ready after 12.0 s"),
    ],
)
def test_that_the_headline_promises_only_what_is_known(run, least_ns, told):
    assert headline("server", run, least_ns) == told


def test_that_a_gain_within_the_noise_is_none():
    assert has_headroom(WATCHED, 2 * S)
    assert not has_headroom(WATCHED, round(5.5 * S))
    assert not has_headroom(WATCHED, None)
    assert not has_headroom(QUICK, S // 10)
