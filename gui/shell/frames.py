"""Frames of the window while something is under way."""

from __future__ import annotations

import time
from collections import deque
from statistics import median
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from modelmon.gui.plots.plot_room import paint_at_once
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from modelmon.core.worker.events import Sample
    from modelmon.gui.shell.main_window import MainWindow

_FRAME_MS, _RAREST_FRAME_MS = 125, 2000
_WATCHING_SHARE, _MEASURING_SHARE, _SPARING_SHARE = 0.05, 0.008, 0.005
"""Frames and their painting take at most so much of a processor: while a run is watched, while
Compare or Find best measures, and of each processor where a load wants them all."""
_USUAL_NS = 15_000_000
"""What a frame takes, as long as none was drawn."""
_LATEST = 5
_BUSY_SHARE = 0.7
_TIMED = ("ready", "loading")


class Frames(QObject):
    """Lets the window show what has come in, by one timer."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_next)
        self._texts_due = True
        self._took_ns: deque[int] = deque([_USUAL_NS], maxlen=_LATEST)
        window.session.activity_changed.connect(self._pace)
        window.session.load_changed.connect(self._on_load)

    @property
    def interval_ms(self) -> int:
        """Time between frames of what is under way now."""
        session = self._window.session
        measuring = session.activity in (Activity.COMPARING, Activity.RACING)
        share = _MEASURING_SHARE if measuring else _WATCHING_SHARE
        if (processors := self._wanted_processors) is not None:
            share = min(share, _SPARING_SHARE * processors)
        needed_ms = median(self._took_ns) / 1e6 / share
        return round(min(_RAREST_FRAME_MS, max(_FRAME_MS, needed_ms)))

    @property
    def _wanted_processors(self) -> int | None:
        """How many processors this machine has, while the load wants them all."""
        record = self._window.session.loading_record
        if record is None or record.state not in _TIMED or record.hello is None:
            return None
        processors = record.hello.cpu_count
        if record.samples:
            wanted = _cpu_share(record.samples[-1]) >= _BUSY_SHARE * processors
        else:
            # From the cache nothing is waited for: such a load wants what there is.
            wanted = record.hello.job.cache == "warm"
        return processors if wanted else None

    def draw(self) -> None:
        """Show what has come in since the last frame."""
        window = self._window
        window.workspace.refresh_texts(of_both=True)
        window.workspace.refresh_plots()
        window.status.refresh()
        paint_at_once(window)

    def _draw_next(self) -> None:
        """Draw a frame of a series; nobody reads figures that change eight times a second."""
        began_ns = time.thread_time_ns()
        self._window.run_controller.show_begun()
        self._texts_due = not self._texts_due or self._timer.interval() >= 2 * _FRAME_MS
        if self._texts_due:
            self._window.workspace.refresh_texts()
            self._window.status.refresh()
        self._window.workspace.refresh_plots()
        paint_at_once(self._window)
        # It is painted when this has returned, and what was asked for later comes after that.
        QTimer.singleShot(0, self, lambda: self._note_frame(began_ns))

    def _note_frame(self, began_ns: int) -> None:
        self._took_ns.append(time.thread_time_ns() - began_ns)
        # What is over meanwhile was drawn already.
        if self._window.session.busy:
            self._pace()

    def _on_load(self) -> None:
        """Between two loads nothing is timed: that is when all that the last one led to is drawn.

        A load that is about to begin has its first moments for itself: it may be a short one.
        """
        session = self._window.session
        record = session.loading_record
        if session.busy and record is not None and record.state in ("new", "ready"):
            self._timer.start(self.interval_ms)
        if record is not None and record.state == "new":
            QTimer.singleShot(0, self, self._draw_between)

    def _draw_between(self) -> None:
        began_ns = time.thread_time_ns()
        self.draw()
        QTimer.singleShot(0, self, lambda: self._note_frame(began_ns))

    def _pace(self) -> None:
        session = self._window.session
        if not session.busy:
            self._timer.stop()
            self.draw()
            return
        interval_ms = self.interval_ms
        if not self._timer.isActive() or self._timer.interval() != interval_ms:
            self._timer.start(interval_ms)


def _cpu_share(sample: Sample) -> float:
    """Processors that the load took on average, as far as it is known."""
    used_ns = (sample.cpu_user_ns or 0) + (sample.cpu_system_ns or 0)
    return used_ns / sample.t_ns if sample.t_ns else 0.0
