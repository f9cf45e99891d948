"""Sections on top of each other that scroll only where there is no room for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import rule

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QResizeEvent

_LEAST_PX = 120


class SectionStack(QScrollArea):
    """Wants the height of its sections, with lines between them, and no more.

    `wants_changed` when that is another height than before.
    """

    wants_changed = Signal()

    def __init__(self, *sections: QWidget) -> None:
        super().__init__()
        self._inner = QWidget()
        column = self._column = in_column(on=self._inner, spacing=0)
        self._rules = {section: rule() for section in sections}
        for section, line in self._rules.items():
            column.addWidget(section)
            column.addWidget(line)
            section.installEventFilter(self)
        column.addStretch(1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setMinimumHeight(_LEAST_PX)
        self.setWidgetResizable(True)
        self.setWidget(self._inner)

    def sizeHint(self) -> QSize:
        """The height that the sections need at the present width."""
        hint = self._inner.sizeHint()
        height = self._inner.heightForWidth(self.width())
        return QSize(hint.width(), height if height > 0 else hint.height())

    def height_within(self, room_px: int) -> int:
        """The most of `room_px` that ends between two lines; less where less is wanted."""
        wanted = self.sizeHint().height()
        return wanted if wanted <= room_px else max(_last_gap(self._inner, room_px), _LEAST_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts that are wrapped need another height at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
            self.wants_changed.emit()
        self._end_between_lines()

    def _end_between_lines(self) -> None:
        """Leave blank what would be the upper part of a line at the lower edge."""
        height = self.height()
        margin_px = 0
        if self._inner.sizeHint().height() > height:
            margin_px = height - _last_gap(self._inner, height)
        if margin_px != self.viewportMargins().bottom():
            self.setViewportMargins(0, 0, 0, margin_px)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow sections that grow, shrink or go."""
        if isinstance(watched, QWidget) and watched in self._rules:
            if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
                self._rules[watched].setVisible(not watched.isHidden())
            return False
        handled = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest:
            # Where the lines are now, and not where they were before.
            self._column.activate()
            self.updateGeometry()
            self._end_between_lines()
            self.wants_changed.emit()
        return handled


def _last_gap(inner: QWidget, height_px: int) -> int:
    """The lowest place above `height_px` that goes through none of the parts of `inner`, and
    not between a heading and what comes under it.
    """
    spans, headings = [], []
    for part in inner.findChildren(QWidget):
        if part.isVisibleTo(inner) and not part.findChildren(QWidget):
            top = part.mapTo(inner, QPoint()).y()
            spans.append((top, top + part.height()))
            if part.property("role") == "heading":
                headings.append((top, top + part.height()))
    for top, bottom in headings:
        below = [span for span in spans if span[0] >= bottom]
        spans.append((top, min(below)[1] if below else bottom))
    place = height_px
    for top, bottom in sorted(spans, key=lambda span: -span[1]):
        if top < place < bottom:
            place = top
    return place
