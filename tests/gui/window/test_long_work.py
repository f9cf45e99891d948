"""What happens around work that takes long: told, asked, kept awake, and how far it has come."""

import contextlib
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QSystemTrayIcon, QWidget
from window_fakes import make_comparison

from modelmon.gui.session.notices import (
    Activity,
    Listening,
    Notice,
    ProgressView,
    Reading,
    StoppedError,
    Transfer,
)
from modelmon.gui.session.session import Session
from modelmon.gui.shell import long_work as stay_awake
from modelmon.gui.shell.long_work import CloseGuard, DesktopNotice, DesktopNotifier, SleepInhibitor


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s


class Bench:
    """A session at work in a window that is not looked at."""

    def __init__(self, session, settings, window):
        self.session, self.window, self.clock = session, window, Clock()
        self.told = []
        self.desktop_notifier = DesktopNotifier(session, settings, window, self.tell, self.clock)
        self.close_guard = CloseGuard(session, window, self.clock)

    def tell(self, title, text):
        self.told.append((title, text))

    def begin(self, activity):
        self.session.begin(activity, lambda: ProgressView("At work"))

    def work(self, activity, seconds):
        self.begin(activity)
        self.clock.now_s += seconds
        self.session.end(Notice("Use B: 1.58 times as fast."))
        QApplication.processEvents()


@pytest.fixture
def bench(qtbot, session, settings):
    window = QWidget()
    qtbot.addWidget(window)
    return Bench(session, settings, window)


@pytest.mark.parametrize(
    ("answered", "server", "detail", "left"),
    [
        ([1, 1, 1], "", "The storage hasn't answered for 7 s.", ""),
        ([1, 1, 1], "ssh://gpu", "No response from ssh://gpu for 7 s.", ""),
        ([1, 2, 2], "", "141 of 268 MB", "About 8 s left"),
        ([1, 1, 2], "", "141 of 268 MB", "About 8 s left"),
        ([None, None, None], "", "141 of 268 MB", "About 8 s left"),
    ],
)
def test_that_storage_that_answers_nothing_is_named_in_place_of_what_was_predicted(
    answered, server, detail, left
):
    clock, signs = Clock(), iter(answered)

    def look():
        told = ("A is loading", 0.5, "About 8 s left", "141 of 268 MB")
        return ProgressView(*told, answered=next(signs), server=server)

    listening = Listening(look, clock)
    for _ in answered:
        view = listening()
        clock.now_s += 3.5
    assert (view.headline, view.detail, view.time_left) == ("A is loading", detail, left)
    assert view.is_silent == (not left)


def test_that_the_desktop_is_told_what_came_of_long_work_from_its_estimate_on(bench):
    bench.begin(Activity.ESTIMATING)
    bench.clock.now_s += 10
    bench.work(Activity.COMPARING, 82)
    assert bench.told == [("Comparison finished after 92.0 s", "Use B: 1.58 times as fast.")]


def test_that_no_message_comes_of_what_is_short_stopped_looked_at_or_unwanted(
    qtbot, bench, settings
):
    bench.work(Activity.PROBING, 5)
    bench.begin(Activity.RACING)
    bench.clock.now_s += 60
    bench.session.stopping()
    bench.session.end()
    QApplication.processEvents()
    settings.notify = False
    bench.work(Activity.COMPARING, 60)
    settings.notify = True
    bench.window.show()
    bench.window.activateWindow()
    qtbot.waitUntil(bench.window.isActiveWindow)
    bench.work(Activity.COMPARING, 60)
    assert bench.told == []


def test_that_a_desktop_with_a_tray_shows_the_message_and_one_without_is_no_error(
    bench, monkeypatch
):
    shown = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    DesktopNotice(bench.window).show("Over", "Use B.")
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _, *said: shown.append(said))
    DesktopNotice(bench.window).show("Over", "Use B.")
    assert [said[:2] for said in shown] == [("Over", "Use B.")]


def answer(bench, word):
    """The button of the question that has this word."""
    buttons = bench.close_guard.question.findChildren(QPushButton)
    return next(button for button in buttons if word in button.text())


def test_that_closing_a_long_comparison_asks(qtbot, bench):
    bench.begin(Activity.COMPARING)
    assert bench.close_guard.may_close()
    bench.clock.now_s += 60
    bench.session.activity_changed.emit()
    assert not bench.close_guard.may_close()
    assert not bench.close_guard.may_close()
    qtbot.mouseClick(answer(bench, "Keep"), Qt.MouseButton.LeftButton)
    assert not bench.close_guard.may_close()
    bench.session.end()
    qtbot.waitUntil(lambda: bench.close_guard.question is None)
    assert bench.close_guard.may_close()
    bench.begin(Activity.RACING)
    bench.clock.now_s += 60
    assert not bench.close_guard.may_close()
    qtbot.mouseClick(answer(bench, "Stop"), Qt.MouseButton.LeftButton)
    assert bench.close_guard.may_close()


def test_that_a_verdict_of_before_is_no_outcome(bench):
    bench.session.conclude(make_comparison())
    bench.begin(Activity.SAMPLING)
    bench.clock.now_s += 20
    bench.session.end()
    QApplication.processEvents()
    assert bench.told == [("Sample model written in 20.0 s", "")]


def test_that_rate_and_rest_follow_what_was_done():
    now_s = 10.0
    transfer = Transfer(400_000_000, lambda: now_s)
    transfer.reached(1)
    assert transfer.time_left == ""
    now_s = 12.0
    transfer.reached(100_000_000)
    assert transfer.share == 0.25
    assert transfer.detail == "100 of 400 MB at 50 MB/s"
    assert transfer.time_left == "About 6 s left"
    transfer.reached(400_000_001)
    assert transfer.share == 1.0


def test_that_reading_a_file_says_how_far_it_is_and_stops(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(bytes(1000))
    reading = Reading()
    look = reading.view("Reading a", "Reading the run's recording.")
    reading.expect(path)
    assert look().share is None
    assert look().detail == "Reading the run's recording."
    reading.seen(150)
    assert look().share == pytest.approx(0.15)
    reading.stop()
    with pytest.raises(StoppedError):
        reading.seen(200)


class System:
    """Stands in for the system's own switch: says when it was set and taken back, and where."""

    def __init__(self):
        self.asked, self.released = threading.Event(), threading.Event()
        self.threads = []

    @contextlib.contextmanager
    def keep_awake(self, purpose):
        assert "modelmon" in purpose
        self.threads.append(threading.current_thread().name)
        self.asked.set()
        yield
        self.threads.append(threading.current_thread().name)
        self.released.set()


@pytest.fixture
def system(monkeypatch):
    standing_in = System()
    monkeypatch.setattr(stay_awake, "keep_awake", standing_in.keep_awake)
    return standing_in


def test_that_the_machine_stays_awake_from_the_first_run_to_the_end(system, qapp):
    del qapp
    session = Session()
    awake = SleepInhibitor(session)
    view = ProgressView("busy")
    session.begin(Activity.ESTIMATING, lambda: view)
    assert not awake.held
    session.begin(Activity.COMPARING, lambda: view)
    assert system.asked.wait(60)
    session.stopping()
    assert system.released.wait(60)
    session.end()
    assert not awake.held
    assert len(set(system.threads)) == 1
    assert system.threads[0] != threading.main_thread().name
    # Closing takes it back as well.
    system.released.clear()
    session.begin(Activity.COMPARING, lambda: view)
    awake.shut_down()
    assert system.released.is_set()


FALLS = """
from PySide6.QtCore import QCoreApplication
from modelmon.gui.shell.long_work import SleepInhibitor
from modelmon.gui.session.session import Session
from modelmon.gui.session.notices import Activity, ProgressView

application = QCoreApplication([])
session = Session()
awake = SleepInhibitor(session)
session.begin(Activity.COMPARING, lambda: ProgressView("busy"))
print("measures", flush=True)
raise SystemExit("It falls.")
"""


def test_that_a_window_that_falls_while_it_measures_ends():
    command = [sys.executable, "-P", "-c", FALLS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "measures\n"
    assert "It falls." in done.stderr
