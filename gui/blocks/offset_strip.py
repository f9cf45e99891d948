"""A drawing along the files, of which a part can be shown: by wheel, by dragging and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from modelmon.gui.blocks.offset_view import OffsetView

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

_NOTCH = 120
"""What Qt calls one notch of a wheel, in eighths of a degree."""
_NOTCH_FACTOR = 0.75
_NOTCH_SHARE = 0.1


class OffsetStrip(QWidget):
    """`clicked` carries an offset over all files; `stepped` follows the arrow keys.

    Zoom as in the plots: the wheel, + and − zoom, dragging and the Page keys move, 0 shows all.
    """

    left = Signal()
    clicked = Signal(float)
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.view = OffsetView.whole(0)
        self._pointed: QPointF | None = None
        self._grabbed: tuple[float, OffsetView] | None = None
        self._dragged = False
        self.left.connect(self._forget_pointer)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def track(self) -> QRectF:
        """Where the files are drawn."""
        return QRectF(self.rect())

    def point_at(self, at: QPointF) -> None:
        """Tell of what is under the pointer."""

    def point_again(self) -> None:
        """Tell of what is under the pointer once more: something else may lie there by now."""
        if self._pointed is not None:
            self.point_at(self._pointed)

    def show_view(self, view: OffsetView) -> None:
        """Show this part."""
        if view != self.view:
            self.view = view
            self.update()

    def reset_view(self) -> None:
        """Show everything again."""
        self.left.emit()
        self.show_view(OffsetView.whole(self.view.total_bytes))

    def x_of(self, offset_bytes: float) -> float:
        """Where an offset over all files lies, also beside what is shown."""
        track = self.track
        return track.left() + self.view.share_at(offset_bytes) * track.width()

    def offset_at(self, x: float) -> float | None:
        """The offset at `x`; None beside the drawing, and of files without a byte."""
        track = self.track
        if not self.view.total_bytes or not track.left() <= x < track.right():
            return None
        return self.view.offset_at((x - track.left()) / track.width())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about what is under the pointer; sideways, or with Shift, move."""
        turned, about = event.angleDelta(), self.offset_at(event.position().x())
        sideways = turned.x() or (
            turned.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        )
        if sideways:
            step = -sideways / _NOTCH * _NOTCH_SHARE
            self.show_view(self.view.moved(step * self.view.span_bytes))
        elif about is not None:
            self.show_view(self.view.zoomed(about, _NOTCH_FACTOR ** (turned.y() / _NOTCH)))
        self._pointed = event.position()
        self.point_at(self._pointed)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of what is under the pointer."""
        x = event.position().x()
        if event.button() == Qt.MouseButton.LeftButton and self.offset_at(x) is not None:
            self._grabbed, self._dragged = (x, self.view), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move along with the pointer, or tell what is under it."""
        at = event.position()
        if self._grabbed is None:
            self._pointed = at
            self.point_at(at)
            return
        from_x, view = self._grabbed
        if self._dragged or abs(at.x() - from_x) >= QApplication.startDragDistance():
            self._dragged = True
            self.left.emit()
            if not view.is_whole:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.show_view(view.moved((from_x - at.x()) / self.track.width() * view.span_bytes))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer, if that was not dragged."""
        if event.button() != Qt.MouseButton.LeftButton or self._grabbed is None:
            return
        self._grabbed = None
        self.unsetCursor()
        offset = self.offset_at(event.position().x())
        if not self._dragged and offset is not None:
            self.clicked.emit(offset)

    def leaveEvent(self, event: object) -> None:
        """The pointer has gone."""
        del event
        self.left.emit()

    def resizeEvent(self, event: object) -> None:
        """What lies under the pointer is another part now."""
        del event
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, move and reset; left and right go on from the selected block."""
        view = self.view
        middle = view.offset_at(0.5)
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                self.stepped.emit(-1 if key == Qt.Key.Key_Left else 1)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self._show_without_pointer(view.zoomed(middle, 0.5))
            case Qt.Key.Key_Minus:
                self._show_without_pointer(view.zoomed(middle, 2.0))
            case Qt.Key.Key_PageUp:
                self._show_without_pointer(view.moved(-view.span_bytes / 2))
            case Qt.Key.Key_PageDown:
                self._show_without_pointer(view.moved(view.span_bytes / 2))
            case Qt.Key.Key_0:
                self.reset_view()
            case _:
                super().keyPressEvent(event)

    def _forget_pointer(self) -> None:
        self._pointed = None

    def _show_without_pointer(self, view: OffsetView) -> None:
        # What lies under the pointer is another part now, which nobody pointed at.
        self.left.emit()
        self.show_view(view)
