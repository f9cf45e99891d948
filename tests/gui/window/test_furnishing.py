"""The window begins with its start page, makes the rest later, and draws as often as it may."""

import subprocess
import sys

import pytest
from legibility import settled
from PySide6.QtWidgets import QApplication, QMenu
from window_fakes import LOAD_A, built, ended, opened

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.libraries import registry
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.main_window import MainWindow


def test_that_the_window_starts_without_what_draws_plots_and_writes_toml():
    found = "bool({'numpy', 'pyqtgraph', 'tomlkit'} & {*sys.modules})"
    code = f"import sys, modelmon.gui.shell.app; sys.exit({found})"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


def test_that_the_start_page_is_shown_alone_and_gives_its_place_to_an_open_model(
    new_window, qtbot, monkeypatch
):
    window, looks, available = new_window, [], registry.available
    monkeypatch.setattr(registry, "available", lambda of: looks.append(of) or available(of))
    window.session.log("Told early.")
    # The menu offers the plots from the start.
    bar = window.menuBar()
    view = next(menu for menu in bar.findChildren(QMenu) if menu.title() == "&View")
    view.aboutToShow.emit()
    assert "Plots" in [action.text().replace("&", "") for action in view.actions()]
    settled(window)
    assert window.empty.isVisible()
    place, size = window.empty.mapTo(window, window.empty.rect().topLeft()), window.empty.size()
    # The rest is made once it is painted.
    qtbot.waitUntil(lambda: window.is_furnished, timeout=5000)
    settled(window)
    assert not window.actions_by_id["open_file"].icon().isNull()
    # None of its parts was a window of its own, which would take the keyboard.
    assert QApplication.activeWindow() is window
    # Whoever is made around it does not move it.
    assert window.empty.mapTo(window, window.empty.rect().topLeft()) == place
    assert window.empty.size() == size
    looks.clear()
    opened(window)
    qtbot.waitUntil(lambda: not window.empty.isVisible())
    assert window.workspace.plots.isVisible()
    assert all(card.isVisible() for card in window.workspace.cards.values())
    # What was told before is heard by those made after.
    assert window.workspace.log.toPlainText().count("Told early.") == 1
    settled(window)
    # Both cards have what is installed from one look.
    assert looks == [window.session.inspection.model]


def test_that_nothing_is_made_for_a_window_that_was_closed_and_its_choices_stay(
    qtbot, settings, monkeypatch
):
    asked, furnish = [], MainWindow._furnish_shown
    monkeypatch.setattr(MainWindow, "_furnish_shown", lambda of: asked.append(furnish(of)))
    settings.tab = "page-cache"
    window = built(settings)
    window.show()
    window.close()
    qtbot.waitUntil(lambda: bool(asked))
    assert not window.is_furnished
    ended(window)
    assert settings.tab == "page-cache"


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
def begin(new_window):
    """Begins work whose load is drawn; how often rests on what the window's frames took so far."""

    def made(activity, record):
        new_window.session.begin(activity, lambda: ProgressView("Loading"))
        new_window.session.loading_record = record

    return made


def test_that_it_is_drawn_less_often_where_a_load_wants_all_processors_or_is_compared(
    new_window, begin, qtbot
):
    session, frames = new_window.session, new_window._frames
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
        begin(Activity.RUNNING, record)
        assert frames.interval_ms == interval_ms, record
        session.end()
    for activity in (Activity.COMPARING, Activity.RACING):
        for record in (loading(64, "cold", taken=0.1), loading(2, "warm")):
            begin(activity, record)
            assert frames.interval_ms == CALM_MS
            session.end()
    # What a run led to is shown once the next begins.
    card = new_window.workspace.cards["A"].outcome
    begin(Activity.COMPARING, loading(2, "cold"))
    session.set_results("A", (summarise(LOAD_A.record()),))
    session.loading, session.loading_record = "B", RunRecord()
    assert card.result.text() != "2.00 s"
    session.load_changed.emit()
    qtbot.waitUntil(lambda: card.result.text() == "2.00 s")
    session.end()


def test_that_frames_come_as_often_as_what_they_take_allows(new_window, begin, qtbot, monkeypatch):
    clock = {"ns": 0, "step": 0}

    def tick():
        clock["ns"] += clock["step"]
        return clock["ns"]

    monkeypatch.setattr("modelmon.gui.shell.frames.time.thread_time_ns", tick)
    for took_ns, interval_ms in ((3_000_000, 125), (30_000_000, 600)):
        clock["step"] = took_ns
        begin(Activity.RUNNING, loading(2, "cold", taken=0.4))
        qtbot.waitUntil(lambda wanted=interval_ms: new_window._frames.interval_ms == wanted)
        new_window.session.end()
