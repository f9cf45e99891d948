"""What a window can be busy with, and how long it has been."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.gui.background.commands import SILENT_S
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.session.notices import ProgressView
    from modelmon.gui.session.session import Session

LONG_S = 15.0
"""From here on somebody may have turned to something else."""


class Activity(Enum):
    """What the window is busy with; the value says it, to be translated where it is shown."""

    IDLE = mark("idle")
    OPENING = mark("opening")
    SAMPLING = mark("writing the sample")
    IMPORTING = mark("importing")
    ESTIMATING = mark("estimating")
    PROBING = mark("measuring the disk")
    RUNNING = mark("running")
    COMPARING = mark("comparing")
    RACING = mark("finding the best")
    WATCHING = mark("watching a program")
    CLUSTERING = mark("measuring a cluster")
    STOPPING = mark("stopping")


ARMS_LOADING = (Activity.RUNNING, Activity.COMPARING, Activity.RACING)
"""Activities that load as modelmon does."""
LOADING = (*ARMS_LOADING, Activity.WATCHING, Activity.STOPPING)
"""Activities in which a worker may be loading."""


class Listening:
    """Asked how far work has come, it also says for how long storage has answered nothing."""

    def __init__(
        self, look: Callable[[], ProgressView], now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._look, self._now_s = look, now_s
        self._answered: object = None
        self._since_s = now_s()

    def __call__(self) -> ProgressView:
        """How far it is now."""
        view, now_s = self._look(), self._now_s()
        if view.answered is None or view.answered != self._answered:
            self._answered, self._since_s = view.answered, now_s
        seconds = int(now_s - self._since_s)
        if seconds < SILENT_S:
            return view
        silence = (
            tr("No response from {server} for {seconds} s.", server=view.server, seconds=seconds)
            if view.server
            else tr("The storage hasn't answered for {seconds} s.", seconds=seconds)
        )
        # What was predicted rests on storage that answers.
        return replace(view, detail=silence, time_left="", is_silent=True)


class WorkClock(QObject):
    """Runs from the first activity to the return to idle; `done` carries the activity that
    ended and its seconds, not for work that was asked to stop.
    """

    done = Signal(Activity, float)

    def __init__(
        self,
        session: Session,
        now_s: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._now_s = now_s
        self._began_s: float | None = None
        self._last = Activity.IDLE
        session.activity_changed.connect(self._follow)

    @property
    def busy_s(self) -> float:
        """How long it has been at work; 0 while idle."""
        return 0.0 if self._began_s is None else self._now_s() - self._began_s

    def _follow(self) -> None:
        activity, seconds = self._session.activity, self.busy_s
        if activity is Activity.IDLE:
            ended, self._last, self._began_s = self._last, Activity.IDLE, None
            if ended not in (Activity.IDLE, Activity.STOPPING):
                self.done.emit(ended, seconds)
            return
        if self._began_s is None:
            self._began_s = self._now_s()
        self._last = activity
