"""How much of something is done, as a bar that moves only when the window is drawn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QProgressBar, QSizePolicy

from modelmon.gui.look.language import tr
from modelmon.gui.look.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.window.notices import ArmLabel

HEIGHT_PX = 8
_STEPS = 1000
_SWING_S = 2.4
_PIECE_SHARE = 0.25


class ShareBar(QProgressBar):
    """Filled up to the share; a piece that wanders to and fro while nobody knows the share.

    The piece stands where the clock says and is painted with the frame. Qt's own moves by a
    timer, thirty times a second, which takes processor time from the load.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(tr("Progress"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT_PX)
        self._arm: ArmLabel | None = None
        manager().changed.connect(self.update)

    def show_share(self, share: float | None, arm: ArmLabel | None) -> None:
        """Show another share, 0 to 1, None while it is not known, in the colour of the arm."""
        self._arm = arm
        # Or Qt paints the whole window at once, before the rest of the frame is there.
        self.setUpdatesEnabled(False)
        self.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.setValue(round(share * _STEPS))
        self.setUpdatesEnabled(True)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the ground and what is done."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        radius = self.height() / 2
        painter.setBrush(theme.hover)
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.setBrush(theme.arm(self._arm) if self._arm else theme.focus)
        start, share = self._filled()
        if share > 0:
            width = max(share * self.width(), 2 * radius)
            painter.drawRoundedRect(
                QRectF(start * (self.width() - width), 0, width, self.height()), radius, radius
            )
        painter.end()

    def _filled(self) -> tuple[float, float]:
        """Where the filled part stands between the ends, and its share of the bar."""
        if self.maximum():
            return 0.0, self.value() / self.maximum()
        phase = time.monotonic() / _SWING_S % 1
        return 1 - abs(2 * phase - 1), _PIECE_SHARE
