"""What threads beside the window's work with dies on the window's."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from modelmon.core.history.history import History
from modelmon.gui.background.threads import start_thread
from modelmon.gui.history.access import HistoryAccess

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


class Kept:
    """Notes the thread on which it dies."""

    def __init__(self, died_on: list[threading.Thread]) -> None:
        self._died_on = died_on

    def __del__(self) -> None:
        self._died_on.append(threading.current_thread())

    def work(self, *_: object) -> None:
        """Whatever a thread does."""


def test_that_what_a_thread_works_with_dies_on_the_windows_thread() -> None:
    died_on: list[threading.Thread] = []
    start_thread(Kept(died_on).work).join()
    assert died_on == []
    start_thread(lambda: None).join()
    assert died_on == [threading.current_thread()]


def test_that_what_the_history_was_asked_by_dies_on_the_windows_thread(
    qapp: QApplication, tmp_path: Path
) -> None:
    del qapp
    died_on: list[threading.Thread] = []
    access = HistoryAccess(History(tmp_path))
    for _ in range(50):
        access.ask(lambda _: None, Kept(died_on).work, Kept(died_on).work)
    access.shut_down()
    del access
    assert set(died_on) == {threading.current_thread()}
