"""Replays what the arms show: both runs on one clock that can be stopped, set and turned back; and
the bar that steers it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QSlider, QWidget

from modelmon.core.units import duration_text
from modelmon.core.worker.record import Rewind
from modelmon.gui.language import tr
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import icon_button, styled
from modelmon.gui.widgets.styling import label as text_label
from modelmon.gui.widgets.theme import set_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

SPEEDS = (0.01, 0.05, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 32.0)
"""How many seconds of the load pass in one; many loads take less than one second."""

_LEAST_S = 3.0
"""What is over sooner cannot be followed."""

_FRAME_MS = 80
_HEIGHT_PX = 36
_GAP_PX = 8
_TICKS = 2000
_TIME_PX = 150


class Playback(QObject):
    """Has the session show the runs as they were at `position_s`.

    `toggled` follows the beginning and the end of a replay, `changed` every step and setting.
    What the session shows otherwise, and every start of work, ends it.
    """

    toggled = Signal(bool)
    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rewinds: dict[ArmLabel, Rewind] = {}
        self._position_ns = 0.0
        self._putting = False
        self.speed = 1.0
        self._speed_chosen = False
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._advance)
        session.record_changed.connect(self._on_record)
        session.activity_changed.connect(self._on_activity)

    @property
    def active(self) -> bool:
        """Whether something is being replayed."""
        return bool(self._rewinds)

    @property
    def playing(self) -> bool:
        """Whether the clock runs."""
        return self._timer.isActive()

    @property
    def end_s(self) -> float:
        """How long the longest of the runs took."""
        return max((each.end_ns for each in self._rewinds.values()), default=0) / 1e9

    @property
    def position_s(self) -> float:
        """Where the replay is, in seconds since the start of the loads."""
        return self._position_ns / 1e9

    def open(self) -> None:
        """Begin at the start with the runs that the arms show; nothing without any.

        Short runs pass slowly, until somebody chooses a speed.
        """
        if self._session.busy:
            return
        self.close()
        for label in LABELS:
            record = self._session.record(label)
            if record is not None and record.done and record.t_ns:
                self._rewinds[label] = Rewind(record)
        if self._rewinds:
            if not self._speed_chosen:
                self.speed = usual_speed(self.end_s)
            self.toggled.emit(True)
            self.seek(0.0)
            self.play()

    def close(self) -> None:
        """Show the whole runs again."""
        if not self.active:
            return
        self._timer.stop()
        self._position_ns = 0.0
        replayed, self._rewinds = self._rewinds, {}
        self.toggled.emit(False)
        for label in replayed:
            self._session.show_moment(label, None)

    def play(self) -> None:
        """Let the clock run, from the start where it is at the end."""
        if self.position_s >= self.end_s:
            self.seek(0.0)
        self.resume()

    def resume(self) -> None:
        """Let the clock run on, unless it is at the end."""
        if self.position_s < self.end_s:
            self._clock.start()
            self._timer.start()
        self.changed.emit()

    def pause(self) -> None:
        """Stop the clock where it is."""
        self._timer.stop()
        self.changed.emit()

    def toggle(self) -> None:
        """Play, or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """Let this many seconds of the load pass in one."""
        self.speed, self._speed_chosen = speed, True
        self.changed.emit()

    def seek(self, seconds: float) -> None:
        """Show the runs as they were then."""
        self._position_ns = min(max(0.0, seconds), self.end_s) * 1e9
        self._putting = True
        for label, rewind in self._rewinds.items():
            self._session.show_moment(label, rewind.until(round(self._position_ns)))
        self._putting = False
        self.changed.emit()

    def _advance(self) -> None:
        passed_s = self._clock.restart() / 1e3 * self.speed
        self.seek(self.position_s + passed_s)
        if self.position_s >= self.end_s:
            self.pause()

    def _on_record(self) -> None:
        if not self._putting:
            self.close()

    def _on_activity(self) -> None:
        if self._session.busy:
            self.close()


def usual_speed(seconds: float) -> float:
    """The highest speed up to the real one at which so short a replay can be followed."""
    slow = [speed for speed in SPEEDS if speed <= 1.0]
    return max((speed for speed in slow if seconds / speed >= _LEAST_S), default=slow[0])


class ReplayBar(QWidget):
    """Shows and steers a Playback; hidden while nothing is replayed."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Replay"))
        self.setFixedHeight(_HEIGHT_PX)
        self._playback: Playback | None = None
        self._goes_on = False
        self.play = icon_button("run", tr("Play"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Playback position"))
        self.slider.setRange(0, _TICKS)
        self.slider.setSingleStep(_TICKS // 200)
        self.slider.setPageStep(_TICKS // 20)
        self.time = text_label("", "value")
        self.time.setMinimumWidth(_TIME_PX)
        self.speed = styled(QComboBox(), "", compact=True)
        self.speed.setAccessibleName(tr("Playback speed"))
        self.speed.setToolTip(tr("Seconds of the load per second of playback"))
        self.speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self.finish = QPushButton(tr("Close replay"))
        self.finish.setProperty("compact", True)
        row = in_row(self.play, on=self, margins=(_GAP_PX, 2, _GAP_PX, 2), spacing=_GAP_PX)
        row.addWidget(self.slider, 1)
        for widget in (self.time, self.speed, self.finish):
            row.addWidget(widget)
        self.hide()

    def follow(self, playback: Playback) -> None:
        """Show and steer this one."""
        self._playback = playback
        self.play.clicked.connect(playback.toggle)
        self.finish.clicked.connect(playback.close)
        self.slider.sliderPressed.connect(self._hold)
        self.slider.sliderReleased.connect(self._let_go)
        self.slider.valueChanged.connect(lambda at: playback.seek(at / _TICKS * playback.end_s))
        self.speed.currentIndexChanged.connect(lambda at: playback.set_speed(SPEEDS[at]))
        playback.changed.connect(self._refresh)
        playback.toggled.connect(self._on_toggled)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays and pauses, Escape ends the replay."""
        if self._playback is not None and event.key() == Qt.Key.Key_Space:
            self._playback.toggle()
        elif self._playback is not None and event.key() == Qt.Key.Key_Escape:
            self._playback.close()
        else:
            super().keyPressEvent(event)

    def _hold(self) -> None:
        """The clock stands while somebody holds the slider."""
        if self._playback is not None:
            self._goes_on = self._playback.playing
            self._playback.pause()

    def _let_go(self) -> None:
        if self._playback is not None and self._goes_on:
            self._playback.resume()

    def _on_toggled(self, active: bool) -> None:
        self.setVisible(active)
        if active:
            self.slider.setFocus()
            self._refresh()

    def _refresh(self) -> None:
        playback = self._playback
        if playback is None or not playback.active:
            return
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(playback.position_s / playback.end_s * _TICKS))
        with QSignalBlocker(self.speed):
            self.speed.setCurrentIndex(SPEEDS.index(playback.speed))
        self.time.setText(
            tr(
                "{position} of {end}",
                position=duration_text(playback.position_s * 1e9),
                end=duration_text(playback.end_s * 1e9),
            )
        )
        self._show_play(playing=playback.playing)

    def _show_play(self, *, playing: bool) -> None:
        text = tr("Pause") if playing else tr("Play")
        if self.play.toolTip() != text:
            set_icon(self.play, "pause" if playing else "run")
            self.play.setToolTip(text)
            self.play.setAccessibleName(text)
