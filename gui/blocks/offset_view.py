"""The part of the files that the page cache strip shows. Pure; no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from modelmon.core.units import data_scale

_SMALLEST_SHARE = 1e-3
_FIGURES = 2
"""Significant figures of the distance between the two."""


@dataclass(frozen=True, slots=True)
class OffsetView:
    """From and to, as offsets over all files laid end to end, of `total_bytes` altogether."""

    total_bytes: int
    low_bytes: float
    high_bytes: float

    @classmethod
    def whole(cls, total_bytes: int) -> OffsetView:
        """Everything; of files without any byte a byte that is nowhere."""
        return cls(total_bytes, 0.0, float(max(total_bytes, 1)))

    @property
    def is_whole(self) -> bool:
        """Whether everything is shown."""
        return self == OffsetView.whole(self.total_bytes)

    @property
    def span_bytes(self) -> float:
        """How much is shown."""
        return self.high_bytes - self.low_bytes

    def share_at(self, offset_bytes: float) -> float:
        """Where an offset lies: 0 at the left end of what is shown, 1 at the right."""
        return (offset_bytes - self.low_bytes) / self.span_bytes

    def offset_at(self, share: float) -> float:
        """The offset at a share of what is shown."""
        return self.low_bytes + share * self.span_bytes

    def zoomed(self, about_bytes: float, factor: float) -> OffsetView:
        """`factor` times as much, with the offset `about_bytes` where it is."""
        whole_bytes = float(max(self.total_bytes, 1))
        least = whole_bytes * _SMALLEST_SHARE
        span = min(max(self.span_bytes * factor, least), whole_bytes)
        return self._placed(about_bytes - self.share_at(about_bytes) * span, span)

    def moved(self, by_bytes: float) -> OffsetView:
        """As much, further right; both ends of the files stop it."""
        return self._placed(self.low_bytes + by_bytes, self.span_bytes)

    def sees(self, start_bytes: float, end_bytes: float) -> bool:
        """Whether half of a part is seen, or half of what is seen belongs to it."""
        both = min(end_bytes, self.high_bytes) - max(start_bytes, self.low_bytes)
        return both > 0 and 2 * both >= min(end_bytes - start_bytes, self.span_bytes)

    def showing(self, start_bytes: float, end_bytes: float) -> OffsetView:
        """As much, moved as little as is needed to see a part, or its start where it is larger."""
        if start_bytes < self.low_bytes or end_bytes - start_bytes > self.span_bytes:
            return self._placed(start_bytes, self.span_bytes)
        return self._placed(end_bytes - self.span_bytes, self.span_bytes)

    def _placed(self, low_bytes: float, span_bytes: float) -> OffsetView:
        whole_bytes = float(max(self.total_bytes, 1))
        if span_bytes >= whole_bytes:
            return OffsetView.whole(self.total_bytes)
        low = min(max(low_bytes, 0.0), whole_bytes - span_bytes)
        return OffsetView(self.total_bytes, low, low + span_bytes)


def span_texts(low_bytes: float, high_bytes: float) -> tuple[str, str]:
    """From and to in the same unit, with as many decimals as their distance needs."""
    base, names = data_scale()
    step = 0
    while step < len(names) - 1 and high_bytes >= base ** (step + 1):
        step += 1
    unit = base**step
    distance = (high_bytes - low_bytes) / unit
    decimals = _FIGURES - 1 - floor(log10(distance)) if distance > 0 else 0
    digits = min(max(decimals, 0), 3 * step)
    low, high = (f"{value / unit:,.{digits}f} {names[step]}" for value in (low_bytes, high_bytes))
    return low, high
