"""What threads beside the window's leave to it, and where garbage is collected."""

import os
import subprocess
import sys
import threading

from modelmon.core.history.history import History
from modelmon.gui.background.history_access import HistoryAccess
from modelmon.gui.background.threads import MainThreadQueue, start_thread


class Kept:
    """Notes the thread on which it dies."""

    def __init__(self, died_on):
        self._died_on = died_on

    def __del__(self):
        self._died_on.append(threading.current_thread())

    def work(self, *_):
        """Whatever a thread does."""


def test_that_what_a_thread_works_with_dies_on_the_windows_thread():
    died_on = []
    start_thread(Kept(died_on).work).join()
    assert died_on == []
    start_thread(lambda: None).join()
    assert died_on == [threading.current_thread()]


def test_that_what_the_history_was_asked_by_dies_on_the_windows_thread(qapp, tmp_path):
    del qapp
    died_on = []
    access = HistoryAccess(History(tmp_path))
    for _ in range(50):
        access.ask(lambda _: None, Kept(died_on).work, Kept(died_on).work)
    access.shut_down()
    del access
    assert set(died_on) == {threading.current_thread()}


def left_by_threads(answers, calls, *names):
    """A thread for each name, all of them over."""
    threads = []
    for name in names:
        answers.expect()
        threads.append(
            threading.Thread(target=answers.leave, args=(lambda name=name: calls.append(name),))
        )
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_that_calls_are_made_on_the_windows_thread_and_not_once_ignored(qtbot):
    answers = MainThreadQueue()
    made = []
    answers.expect()
    thread = threading.Thread(
        target=answers.leave, args=(lambda: made.append(threading.current_thread()),)
    )
    thread.start()
    thread.join()
    assert made == []
    qtbot.waitUntil(lambda: bool(made))
    assert made == [threading.main_thread()]
    answers = MainThreadQueue()
    calls = []
    left_by_threads(answers, calls, "too late")
    answers.ignore()
    # One that looks no sooner, to tell when this one would have looked.
    later, told = MainThreadQueue(), list[str]()
    left_by_threads(later, told, "in time")
    qtbot.waitUntil(lambda: bool(told))
    assert calls == []


def test_that_all_that_is_expected_comes_and_nothing_is_looked_for_after_it(qtbot):
    answers = MainThreadQueue()
    calls = []
    left_by_threads(answers, calls, "one", "two", "three")
    qtbot.waitUntil(lambda: len(calls) == 3)
    assert sorted(calls) == ["one", "three", "two"]
    assert not answers.looking
    left_by_threads(answers, calls, "four")
    qtbot.waitUntil(lambda: len(calls) == 4)
    answers = MainThreadQueue()
    calls = []

    def fail():
        raise RuntimeError("on purpose")

    answers.expect()
    answers.leave(fail)
    with qtbot.captureExceptions() as caught:
        left_by_threads(answers, calls, "after it")
        qtbot.waitUntil(lambda: calls == ["after it"])
    assert [str(error) for _, error, _ in caught] == ["on purpose"]


WINDOW = """
import gc, sys, weakref
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from modelmon.gui.shell import app


class Cycle:
    def __init__(self):
        self.itself = self


class Application(QApplication):
    def exec(self):
        window = next(each for each in self.topLevelWidgets() if hasattr(each, "furnished"))
        # What is there when all of it is built is never looked at again.
        window.furnished.connect(self.litter)
        return super().exec()

    def litter(self):
        self.cycle = weakref.ref(Cycle())
        self.kept = [[] for _ in range(100_000)]
        print("kept within a call" if self.cycle() else "collected within a call")
        self.timer = QTimer(self, interval=50, timeout=self.look)
        self.timer.start()

    def look(self):
        if self.cycle() is None:
            print("collected between events")
            self.timer.stop()
            self.quit()


app.QApplication = Application
sys.exit(app.main([]))
"""


def test_that_garbage_is_collected_between_events_only(tmp_path):
    """Within a call of Qt it can wait for a lock that the call holds: the window would hang."""
    script = tmp_path / "window.py"
    script.write_text(WINDOW)
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.returncode) == (
        "kept within a call\ncollected between events\n",
        0,
    ), ended.stderr
