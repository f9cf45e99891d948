"""How often the window draws while something is under way."""

import itertools

import pytest
from window_fakes import LOAD_A

from modelmon.core.load.config import LoadConfig
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity

LIVE_MS, CALM_MS = 300, 1875
"""Where a frame takes 15 ms."""


def loading(processors, cache, taken=None):
    """A load that was just let go, or one that took so many processors for a second."""
    record = RunRecord()
    job = ev.Job("/data/llama", LoadConfig(), "auto", cache)
    record.feed(ev.Hello(ev.PROTOCOL, job, "0.1.0", 0.0, "Linux", processors))
    record.feed(ev.Ready(0.0, "cachestat", 0))
    record.feed(ev.Started())
    if taken is not None:
        half_ns = int(taken * 5e8)
        record.feed(ev.Sample(10**9, 0, 1, cpu_user_ns=half_ns, cpu_system_ns=half_ns))
    return record


@pytest.fixture
def window(new_window):
    """How often it is drawn rests on what its frames have taken so far."""
    return new_window


@pytest.fixture
def frames(window):
    return window._frames


def begin(window, activity, record):
    window.session.begin(activity, lambda: ProgressView("Loading"))
    window.session.loading_record = record


def test_that_a_load_that_wants_all_processors_is_drawn_less_often(window, frames):
    for record, interval_ms in (
        (None, LIVE_MS),
        (loading(2, "cold"), LIVE_MS),
        (loading(2, "cold", taken=0.4), LIVE_MS),
        (loading(2, "cold", taken=1.9), 1500),
        (loading(2, "warm"), 1500),
        (loading(2, "warm", taken=0.9), LIVE_MS),
        (loading(8, "warm", taken=7.5), 375),
        (loading(64, "warm", taken=60.0), LIVE_MS),
    ):
        begin(window, Activity.RUNNING, record)
        assert frames.interval_ms == interval_ms, record
        window.session.end()


def test_that_what_a_run_led_to_is_shown_once_the_next_begins(window, qtbot):
    session, card = window.session, window.workspace.cards["A"].outcome
    begin(window, Activity.COMPARING, loading(2, "cold"))
    session.set_results("A", (summarise(LOAD_A.record()),))
    session.loading, session.loading_record = "B", RunRecord()
    assert card.result.text() != "2.00 s"
    session.load_changed.emit()
    qtbot.waitUntil(lambda: card.result.text() == "2.00 s")
    session.end()


def test_that_measuring_is_drawn_calmly_whatever_it_takes(window, frames):
    for activity in (Activity.COMPARING, Activity.RACING):
        begin(window, activity, loading(64, "cold", taken=0.1))
        assert frames.interval_ms == CALM_MS
        begin(window, activity, loading(2, "warm"))
        assert frames.interval_ms == CALM_MS
    window.session.end()


@pytest.mark.parametrize(("took_ns", "interval_ms"), [(3_000_000, 125), (30_000_000, 600)])
def test_that_frames_come_as_often_as_what_they_take_allows(
    window, frames, qtbot, monkeypatch, took_ns, interval_ms
):
    clock = itertools.count(0, took_ns)
    monkeypatch.setattr("modelmon.gui.shell.frames.time.thread_time_ns", lambda: next(clock))
    begin(window, Activity.RUNNING, loading(2, "cold", taken=0.4))
    qtbot.waitUntil(lambda: frames.interval_ms == interval_ms, timeout=60_000)
    window.session.end()
