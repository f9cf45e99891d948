"""How far bytes have come, how fast, and how long the rest will take."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.core.units import rate_text, rough_text
from modelmon.gui.language import tr
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.run_words import part_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


class StoppedError(ModelmonError):
    """The user has stopped the reading."""


class Reading:
    """The window asks for `view` and may `stop`; the rest is for the thread that reads."""

    def __init__(self) -> None:
        self.stopped = False
        self._transfer: Transfer | None = None
        self._sizes_bytes: list[int] = []
        self._earlier_bytes = 0
        self._has_begun = False
        self._answers = 0

    def expect(self, paths: tuple[Path, ...]) -> None:
        """Look how much there is to read, where that can be seen."""
        # A file that cannot be looked at is refused when it is read, in a sentence.
        with suppress(OSError):
            self._sizes_bytes = [path.stat().st_size for path in paths]
        total_bytes = sum(self._sizes_bytes)
        self._transfer = Transfer(total_bytes) if total_bytes else None

    def seen(self, file_bytes: int) -> None:
        """So much of the file at hand is read. Raises StoppedError where that is wanted."""
        self._has_begun = True
        self._answers += 1
        if self._transfer is not None:
            self._transfer.reached(self._earlier_bytes + file_bytes)
        if self.stopped:
            raise StoppedError(Message("The reading was stopped."))

    def next_file(self) -> None:
        """The file at hand is done with, read to its end or not."""
        if self._sizes_bytes:
            self._earlier_bytes += self._sizes_bytes.pop(0)

    def stop(self) -> None:
        """Let the thread end with the next line that it reads."""
        self.stopped = True

    def view(self, headline: str, fact: str) -> Callable[[], ProgressView]:
        """How far it is, asked again and again."""

        def look() -> ProgressView:
            transfer = self._transfer
            if transfer is None or not self._has_begun:
                return ProgressView(headline, detail=fact, answered=self._answers)
            return ProgressView(
                headline,
                transfer.share,
                time_left=transfer.time_left,
                detail=transfer.detail,
                fact=fact,
                answered=self._answers,
            )

        return look
