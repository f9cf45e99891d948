"""Frames of the window while something is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from modelmon.gui.plots.painting import paint_at_once
from modelmon.gui.session import Activity

if TYPE_CHECKING:
    from modelmon.core.worker.events import Sample
    from modelmon.gui.main_window import MainWindow

_FRAME_MS = 125
_CALM_FRAME_MS = 1000
"""While Compare or Find best measures, drawing must not take the load's processor time."""
_SPARING_MS = 3000
"""Time between frames times processors, where the load wants them all: a frame of 15 ms then
takes half a hundredth of what the load could have, and its events take as much."""
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
        window.session.activity_changed.connect(self._pace)
        # Cards tell at once that a run is over: plots must not show it half way beside them.
        window.session.runs_changed.connect(self._draw_end)

    @property
    def interval_ms(self) -> int:
        """Time between frames of what is under way now."""
        session = self._window.session
        measuring = session.activity in (Activity.COMPARING, Activity.RACING)
        usual_ms = _CALM_FRAME_MS if measuring else _FRAME_MS
        record = session.loading_record
        if record is None or record.state not in _TIMED or record.hello is None:
            return usual_ms
        processors = record.hello.cpu_count
        if record.samples:
            wanted = _cpu_share(record.samples[-1]) >= _BUSY_SHARE * processors
        else:
            # From the cache nothing is waited for: such a load wants what there is.
            wanted = record.hello.job.cache == "warm"
        return max(usual_ms, _SPARING_MS // processors) if wanted else usual_ms

    def draw(self) -> None:
        """Show what has come in since the last frame."""
        window = self._window
        window.workspace.refresh_texts()
        window.workspace.refresh_plots()
        window.status.refresh()
        paint_at_once(window)

    def _draw_next(self) -> None:
        """Draw a frame of a series; nobody reads figures that change eight times a second."""
        self._window.run_controller.take_in()
        self._texts_due = not self._texts_due or self._timer.interval() > _FRAME_MS
        if self._texts_due:
            self.draw()
        else:
            self._window.workspace.refresh_plots()
            paint_at_once(self._window)
        self._pace()

    def _draw_end(self) -> None:
        if self._window.session.busy:
            self._window.workspace.refresh_plots()

    def _pace(self) -> None:
        session = self._window.session
        if not session.busy:
            self._timer.stop()
            self.draw()
            return
        interval_ms = self.interval_ms
        record = session.loading_record
        begins = record is not None and record.state == "ready"
        # A load that is about to begin has its first moments for itself: it may be a short one.
        if begins or not self._timer.isActive() or self._timer.interval() != interval_ms:
            self._timer.start(interval_ms)


def _cpu_share(sample: Sample) -> float:
    """Processors that the load took on average, as far as it is known."""
    used_ns = (sample.cpu_user_ns or 0) + (sample.cpu_system_ns or 0)
    return used_ns / sample.t_ns if sample.t_ns else 0.0
