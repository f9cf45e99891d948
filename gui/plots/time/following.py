"""Which part of the time axis is seen while the end of a load is followed."""

from __future__ import annotations

_USUAL_WIDTH_S = 10.0
_SAME_SHARE = 1e-6

Range = tuple[float, float]


class Following:
    """Keeps a stretch of constant width before the end in view, once it is switched on.

    Zooming changes the width; moving to another moment ends it.
    """

    def __init__(self) -> None:
        self.on = False
        self._width_s = _USUAL_WIDTH_S

    def start(self, zoomed: Range | None) -> None:
        """Follow, as wide as the user had zoomed, or ten seconds."""
        self.on = True
        self._width_s = zoomed[1] - zoomed[0] if zoomed is not None else _USUAL_WIDTH_S

    def stop(self) -> None:
        """Leave the view where it is."""
        self.on = False

    def on_user_view(self, first_s: float, last_s: float) -> None:
        """The user has zoomed or moved the time axis."""
        width_s = last_s - first_s
        if abs(width_s - self._width_s) <= _SAME_SHARE * self._width_s:
            self.on = False
        self._width_s = width_s

    def view(self, end_s: float) -> Range | None:
        """What to show now; None is the whole axis, while the load is shorter than that."""
        return (end_s - self._width_s, end_s) if end_s > self._width_s else None
