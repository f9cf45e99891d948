"""The slot's progress: what is under way, how far, how long still, and Stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import ElidedLabel, label, push_button
from modelmon.gui.panels.order_strip import OrderStrip
from modelmon.gui.panels.share_bar import ShareBar
from modelmon.gui.session import Activity

if TYPE_CHECKING:
    from modelmon.gui.window.notices import ProgressView

_ONE_ROW = 10
_ROOM_FOR_ORDER_PX = 800


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
        self.detail = ElidedLabel("value")
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

    def show_view(self, view: ProgressView, activity: Activity) -> None:
        """Show where things stand."""
        self.headline.set_whole(view.headline)
        self.time_left.setText(view.time_left)
        self.detail.set_whole(view.detail)
        self.fact.set_whole(view.fact)
        self.bar.show_share(view.share, view.arm)
        self.order.set_squares(view.squares)
        roomy = self.width() >= _ROOM_FOR_ORDER_PX
        self._order_title.setVisible(roomy and 1 <= len(view.squares) <= _ONE_ROW)
        self.order.setVisible(roomy and bool(view.squares))
        self.stop.setEnabled(activity is not Activity.STOPPING)
