"""How long the rest of an experiment will take, from what its runs took so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.gui.window.notices import ArmLabel


class Pace:
    """Whole durations of runs, preparation included, per arm; all times in nanoseconds.

    `expected_ns` is what one run should take before any run of its arm is over.
    """

    def __init__(self, expected_ns: float | None = None) -> None:
        self._expected_ns = expected_ns
        self._took_ns: dict[ArmLabel, list[int]] = {"A": [], "B": []}
        self._now: ArmLabel | None = None
        self._began_ns = 0

    def begin(self, label: ArmLabel, now_ns: int) -> None:
        """A run of this arm starts."""
        self._now = label
        self._began_ns = now_ns

    def end(self, now_ns: int) -> None:
        """The run that was begun last is over."""
        if self._now is not None:
            self._took_ns[self._now].append(now_ns - self._began_ns)
            self._now = None

    def left_ns(self, to_come: Iterable[ArmLabel], now_ns: int) -> float | None:
        """Time for the rest of the current run and all `to_come`; None if not known."""
        left = 0.0
        if self._now is not None:
            mean = self._mean_ns(self._now)
            if mean is None:
                return None
            left += max(0.0, mean - (now_ns - self._began_ns))
        for label in to_come:
            mean = self._mean_ns(label)
            if mean is None:
                return None
            left += mean
        return left

    def _mean_ns(self, label: ArmLabel) -> float | None:
        took = self._took_ns[label]
        return sum(took) / len(took) if took else self._expected_ns
