"""What happens around work that takes long: the desktop is told, and closing asks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QSystemTrayIcon, QWidget
from window_fakes import make_comparison

from modelmon.gui.session.notices import Activity, Listening, Notice, ProgressView
from modelmon.gui.shell.long_work import CloseGuard, DesktopNotice, DesktopNotifier


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
    qtbot.mouseClick(answer(bench, "Stop"), Qt.MouseButton.LeftButton)
    assert bench.close_guard.may_close()


def test_that_the_question_goes_when_the_work_is_done(qtbot, bench):
    bench.begin(Activity.RACING)
    bench.clock.now_s += 60
    assert not bench.close_guard.may_close()
    bench.session.end()
    qtbot.waitUntil(lambda: bench.close_guard.question is None)
    assert bench.close_guard.may_close()


def test_that_a_verdict_of_before_is_no_outcome(bench):
    bench.session.conclude(make_comparison())
    bench.begin(Activity.SAMPLING)
    bench.clock.now_s += 20
    bench.session.end()
    QApplication.processEvents()
    assert bench.told == [("Sample model written in 20.0 s", "")]
