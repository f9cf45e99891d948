"""Keeps the machine from sleeping while Compare or Find best measures."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from modelmon.core.machine.sleep import keep_awake
from modelmon.gui.background.threads import start_thread
from modelmon.gui.language import mark, tr
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from modelmon.gui.session.session import Session

_PURPOSE = mark("modelmon is comparing strategies")


class SleepInhibitor:
    """Follows a session: from the first run of a comparison or race to its end.

    The system is asked from a thread, since its answer may take seconds and the request
    must be taken back by the thread that made it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._over: threading.Event | None = None
        self._thread: threading.Thread | None = None
        session.activity_changed.connect(self._follow)

    @property
    def held(self) -> bool:
        """Whether a request is under way or in force."""
        return self._over is not None

    def shut_down(self) -> None:
        """Take the request back and wait until that is done."""
        self._release()
        if self._thread is not None:
            self._thread.join()

    def _follow(self) -> None:
        if self._session.activity not in (Activity.COMPARING, Activity.RACING):
            self._release()
        elif self._over is None:
            self._over = threading.Event()
            self._thread = start_thread(partial(_hold, tr(_PURPOSE), self._over))

    def _release(self) -> None:
        if self._over is not None:
            self._over.set()
            self._over = None


def _hold(purpose: str, over: threading.Event) -> None:
    with keep_awake(purpose):
        over.wait()
