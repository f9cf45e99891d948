"""The slot's progress: what is under way, how far, how long still, and Stop."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import ElidedLabel, label, push_button, restyle
from modelmon.gui.look.theme import manager
from modelmon.gui.panels.order_strip import OrderStrip

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.window.notices import ArmLabel, ProgressView

_ONE_ROW = 10
_ROOM_FOR_ORDER_PX = 800
_BAR_PX = 8
_STEPS = 1000
_SWING_S = 2.4
_PIECE_SHARE = 0.25


class ProgressPage(QWidget):
    """Says what is under way, how far it is and how long it will take."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(24)
        self.headline = ElidedLabel("headline", smaller="title", lines=2)
        self.time_left = label("", "label")
        self.bar = ShareBar()
        self.detail = ElidedLabel("value", lines=2)
        self.fact = ElidedLabel("label")
        told = QVBoxLayout()
        told.setSpacing(4)
        told.addStretch(1)
        # What is under way matters most: it has all the room that the time left does not take.
        first = QHBoxLayout()
        first.setSpacing(16)
        first.addWidget(self.headline, 1)
        first.addWidget(self.time_left)
        told.addLayout(first)
        for line in (self.bar, self.detail, self.fact):
            told.addWidget(line)
        told.addStretch(1)
        self._slim = False
        self.order = OrderStrip()
        self._order_title = label(tr("Run order"), "label")
        order = QVBoxLayout()
        order.setSpacing(2)
        order.addStretch(1)
        order.addWidget(self._order_title)
        order.addWidget(self.order)
        order.addStretch(1)
        self.stop = push_button(tr("Stop"), "stop", "danger", "on_fill")
        row.addLayout(told, 1)
        row.addLayout(order)
        row.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_view(self, view: ProgressView) -> None:
        """Show where things stand."""
        # In one row there is no room for more than what matters most.
        silent = self._slim and view.is_silent
        self.headline.set_whole(view.detail if silent else view.headline)
        self.time_left.setText(view.time_left)
        self.detail.set_whole(view.detail)
        for line in (self.headline, self.detail):
            warns = view.is_silent and (line is self.detail or silent)
            restyle(line, tone="warn" if warns else "")
        self.fact.set_whole(view.fact)
        self.bar.show_share(view.share, view.arm)
        self.order.set_squares(view.squares)
        roomy = not self._slim and self.width() >= _ROOM_FOR_ORDER_PX
        self._order_title.setVisible(roomy and 1 <= len(view.squares) <= _ONE_ROW)
        self.order.setVisible(roomy and bool(view.squares))
        more = (view.headline if silent else view.detail, view.fact)
        self.headline.set_more("\n".join(filter(None, more)) if self._slim else "")

    def set_slim(self, *, slim: bool) -> None:
        """Take one row: what is under way, and the bar."""
        self._slim = slim
        for line in (self.detail, self.fact):
            line.setHidden(slim)
        self.headline.set_lines(1 if slim else 2)


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
        self.setFixedHeight(_BAR_PX)
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

    def paintEvent(self, event: QPaintEvent) -> None:
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
