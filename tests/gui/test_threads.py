"""What threads beside the window's work with dies on the window's."""

import threading

from modelmon.core.history.history import History
from modelmon.gui.background.history_access import HistoryAccess
from modelmon.gui.background.threads import start_thread


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
