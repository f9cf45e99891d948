"""What is told of the place under the pointer, also while that stands still."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.readout import Readout


class UnderPointer:
    """Tells of a place in axis units as the pointer comes there, and `again` once other figures
    lie there; when the pointer leaves, nothing.
    """

    def __init__(
        self, canvas: Canvas, readout: Readout, tell: Callable[[float, float], None]
    ) -> None:
        """`tell` fills the `readout`."""
        self._place: tuple[float, float] | None = None
        self._readout, self._tell = readout, tell
        canvas.hovered.connect(self._come)
        canvas.left.connect(self.leave)

    def again(self) -> None:
        """Tell what lies there now."""
        if self._place is not None:
            self._tell(*self._place)

    def leave(self) -> None:
        """Tell nothing, until the pointer moves."""
        self._place = None
        self._readout.hide()

    def _come(self, x: float, y: float) -> None:
        self._place = x, y
        self._tell(x, y)
