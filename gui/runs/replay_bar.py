"""The bar of a replay: play and pause, where it is, how fast, and back to the whole runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QPushButton, QSlider, QWidget

from modelmon.core.units import duration_text
from modelmon.gui.language import tr
from modelmon.gui.runs.playback import SPEEDS
from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import icon_button, label, styled

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from modelmon.gui.runs.playback import Playback

_HEIGHT_PX = 36
_GAP_PX = 8
_TICKS = 2000
_TIME_PX = 150


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
        self.time = label("", "value")
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
