"""What a card tells on top of its figures: what held the loads back, and where their time went."""

import time
from dataclasses import replace

import msgspec
from window_fakes import LOAD_A, make_inspection

from modelmon.core.load.config import LoadConfig
from modelmon.core.probe.probe import Limits
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.gui.background.worker_process import Recording
from modelmon.gui.compare.outcome import card_view
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity


def test_that_the_time_of_a_part_says_of_how_much(session):
    whole = summarise(LOAD_A.record())
    quarter = whole.model_bytes // 4
    part = msgspec.structs.replace(whole, load_bytes=quarter, file_bytes=quarter, portion=True)
    session.set_results("A", (whole,))
    assert "of the model" not in [metric.name for metric in card_view(session, "A").metrics]
    session.set_results("A", (part,))
    first = card_view(session, "A").metrics[0]
    assert (first.value, first.name) == ("25%", "of the model")
    unclear = msgspec.structs.replace(
        summarise(LOAD_A.record()), io_wait_share=None, cpu_user_ns=None, device=None
    )
    session.set_results("A", (unclear,))
    view = card_view(session, "A")
    assert (view.sentence, view.tone) == ("Took 2.00 s; the figures don't show why", "plain")
    assert "nothing about which is faster" in view.about


def test_that_a_disk_that_was_measured_tells_what_held_a_run_back(session):
    result = msgspec.structs.replace(
        summarise(LOAD_A.record()),
        io_wait_share=0.9,
        device_bytes=LOAD_A.nbytes,
    )
    session.set_results("A", (result,))
    assert not card_view(session, "A").about.startswith("Storage bandwidth")
    session.limits = Limits(device_bytes_per_s=result.bytes_per_s * 1.05)
    view = card_view(session, "A")
    assert view.about.startswith("Storage bandwidth")
    assert view.sentence.startswith("Is limited by the disk's bandwidth")
    assert view.tone == "plain"


def test_that_a_cached_load_can_gain_what_an_earlier_one_has_gained(session):
    """One of this window, though the cards show others by now."""
    session.set_inspection(make_inspection())
    warm = {"cache_state": "warm", "device_bytes": 0}
    slow = msgspec.structs.replace(summarise(LOAD_A.record()), wall_ns=200_000_000, **warm)
    fast = msgspec.structs.replace(slow, wall_ns=slow.wall_ns // 3)
    session.set_results("A", (slow,))
    assert "seen here: 10 GB/s" in card_view(session, "A").about
    session.add_run("A", LOAD_A.record(), None, fast)
    # A recording may be of another machine.
    assert "seen here: 10 GB/s" in card_view(session, "A").about
    session.add_run("A", LOAD_A.record(), Recording(), fast)
    assert "seen here: 30.0 GB/s" in card_view(session, "A").about


def test_that_the_time_of_a_load_tells_its_phases_and_runs_on(session, monkeypatch):
    decoded = msgspec.structs.replace(
        summarise(LOAD_A.record()),
        config=LoadConfig(access="read", deliver="decoded", readers=2),
        wall_ns=2_000_000_000,
        warmup_ns=500_000_000,
        decode_ns=2_400_000_000,
        **dict.fromkeys(("open_ns", "plan_ns", "cache_ns", "conditioning_ns"), 0),
        startup_ns=80_000_000,
    )
    slower = msgspec.structs.replace(decoded, wall_ns=9_000_000_000, startup_ns=90_000_000)
    session.set_results("A", (slower, decoded, decoded))
    assert card_view(session, "A").result_tip.splitlines()[1:] == [
        "Setup (not timed): start-up 80.0 ms",
        "Timed: warm-up 500 ms, read 1.50 s, decode 1.20 s in parallel",
    ]
    record = replace(LOAD_A, until_s=1.0).record()
    record.heard_ns = 5_000_000_000
    monkeypatch.setattr(time, "monotonic_ns", lambda: record.heard_ns + 24_000_000_000)
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    session.loading, session.loading_record = "A", record
    view = card_view(session, "A")
    # A gigabyte came in the first second, and nothing since.
    assert (view.result, view.metrics[0].value) == ("25.0 s", "40 MB/s")


def test_that_a_failure_is_told_until_another_run_is_shown(session):
    failed = replace(LOAD_A, until_s=1.0, failure=ev.Failed("io", "The disk is gone.")).record()
    session.add_run("A", failed, None, None)
    assert card_view(session, "A").sentence == "The disk is gone."
    earlier = LOAD_A.record()
    session.set_results("A", (summarise(earlier),))
    assert card_view(session, "A").result == "2.00 s"
    session.set_results("A", (), failed.failed)
    assert card_view(session, "A").sentence == "The disk is gone."


def test_that_the_run_before_is_not_taken_for_the_one_being_prepared(session):
    earlier = LOAD_A.record()
    session.show_record("A", earlier)
    # The first took four times as long.
    slower = summarise(replace(LOAD_A, wall_s=8.0).record())
    session.set_results("A", (slower, summarise(earlier)))
    session.begin(Activity.COMPARING, lambda: ProgressView("At work"))
    session.loading, session.loading_record = "A", RunRecord()
    view = card_view(session, "A")
    # What the plots show stays in sight between the turns, and is not taken for a load.
    assert (view.result, view.sentence) == ("2.00 s", "Preparing")
    assert view.metrics[-1].value.startswith("2 of")
    assert view.metrics[-1].name == "runs so far"
    session.end()
    assert card_view(session, "A").result == "5.00 s"
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    session.loading, session.loading_record = "A", RunRecord()
    view = card_view(session, "A")
    assert (view.result, view.sentence) == ("", "Starting a new process")


def test_that_figures_beside_plots_of_another_run_stand_back(session):
    own, other = LOAD_A.record(), LOAD_A.record()
    session.set_results("A", (summarise(own),))
    session.show_record("A", own)
    sentence = card_view(session, "A").sentence
    session.look_at("A", other)
    view = card_view(session, "A")
    assert view.stale
    assert "plots show a recorded run" in view.sentence
    session.look_away()
    view = card_view(session, "A")
    assert not view.stale
    assert view.sentence == sentence
    session.set_axis("A", "order", "random")
    view = card_view(session, "A")
    assert view.stale
    assert "earlier settings" in view.sentence
