"""How far bytes have come, how fast, and how long the rest will take."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.units import rate_text, rough_text
from modelmon.gui.look.language import tr
from modelmon.gui.measuring.narration import part_text

if TYPE_CHECKING:
    from collections.abc import Callable

_STEADY_S = 0.5
"""Before, a rate says more about the start than about the rest."""


class Transfer:
    """Bytes of `total_bytes` that are done, by a clock that starts with the first look."""

    def __init__(self, total_bytes: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._total_bytes = total_bytes
        self._now_s = now_s
        self._began_s = now_s()
        self._done_bytes = 0

    @property
    def share(self) -> float:
        """0 to 1."""
        return self._done_bytes / self._total_bytes

    def reached(self, done_bytes: int) -> None:
        """So many bytes are done by now."""
        self._done_bytes = min(done_bytes, self._total_bytes)

    @property
    def detail(self) -> str:
        """`210 of 537 MB at 1.20 GB/s`."""
        part, rate = part_text(self._done_bytes, self._total_bytes), self._bytes_per_s()
        return tr("{part} at {rate}", part=part, rate=rate_text(rate)) if rate else part

    @property
    def time_left(self) -> str:
        """`About 3 s left`, once that can be said."""
        rate = self._bytes_per_s()
        if rate is None:
            return ""
        left_s = max(1, round((self._total_bytes - self._done_bytes) / rate))
        return tr("About {time} left", time=rough_text(left_s * 1e9))

    def _bytes_per_s(self) -> float | None:
        seconds = self._now_s() - self._began_s
        return self._done_bytes / seconds if self._done_bytes and seconds >= _STEADY_S else None
