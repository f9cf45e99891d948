"""Whether the readers of a load read all at once, or one after another: tried while it runs.

On a disk that seeks, eight readers at once get a half to a twentieth of what one gets; elsewhere
several get more. Nothing that a system tells of its storage says which it is, so `auto` tries it:
once, where a load still takes so long that the trial hardly costs it time; and again where one
reader was faster and no longer is, as behind what some cache had of its part, or beside others.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.readers import Worker

LONG_NS = 10 * 10**9
"""A load that takes less has no trial."""

ALONE_GAIN = 1.25
"""One reader has to be so many times as fast: a short look at a rate scatters."""

_TRIAL_NS = LONG_NS // 40
_LEAST_REQUESTS = 3
_PATIENCE_S = 0.05


class Turns:
    """Lets all readers read, or one alone, until it has nothing left; then the next one."""

    def __init__(self, readers: Sequence[Worker]) -> None:
        """`readers` that may take turns; others never wait."""
        self._running = [reader.number for reader in readers]
        self._left_bytes = sum(reader.left_bytes for reader in readers)
        self._moved = threading.Condition()
        self.alone: int | None = None
        """The reader that reads while the others wait; None while all read."""
        self._is_over = len(self._running) < 2
        self._has_gained = False
        self._next_trial_ns = 0
        self._under_way = 0
        self._begin()

    def wait(self, reader: int, stop: threading.Event) -> int:
        """Return when this reader may make a request, or all `stop`; how long that took, in ns."""
        if self._is_over:
            return 0
        begun_ns = time.monotonic_ns()
        with self._moved:
            while self.alone not in (None, reader) and not stop.is_set():
                self._moved.wait(_PATIENCE_S)
            self._under_way += 1
        return time.monotonic_ns() - begun_ns

    def has_read(self, nbytes: int) -> None:
        """A request has ended."""
        with self._moved:
            if self._is_over:
                return
            self._under_way -= 1
            self._left_bytes -= nbytes
            self._bytes += nbytes
            self._requests += 1
            # What others had begun comes first, and what this one had begun beside them.
            is_mixed = self.alone is not None and self._under_way
            if is_mixed or self._rounds:
                self._rounds -= not is_mixed
                self._look_again()
            else:
                self._judge()

    def leave(self, reader: int) -> None:
        """This reader has nothing left."""
        with self._moved:
            if reader in self._running:
                self._running.remove(reader)
            if self.alone == reader:
                self.alone = self._running[0] if self._running else None
                self._moved.notify_all()

    def _begin(self) -> None:
        """All read, and the first round is begun by all at once and ends so."""
        self.alone = None
        self._rounds = len(self._running)
        self._look_again()

    def _look_again(self) -> None:
        self._since_ns = time.monotonic_ns()
        self._bytes = self._requests = 0

    def _judge(self) -> None:
        now_ns = time.monotonic_ns()
        ns = now_ns - self._since_ns
        least_requests = len(self._running) if self.alone is None else _LEAST_REQUESTS
        if ns < _TRIAL_NS or self._requests < least_requests:
            return
        rate = self._bytes / ns
        if self.alone is None:
            self._rate_of_all, self._least_gain = rate, ALONE_GAIN
            self._is_over = self._left_bytes < rate * LONG_NS
            if not self._is_over and now_ns >= self._next_trial_ns:
                self.alone, self._rounds = self._running[0], 1
            self._look_again()
        elif rate >= self._least_gain * self._rate_of_all:
            self._has_gained, self._least_gain = True, 1 / ALONE_GAIN
            self._look_again()
        else:
            # A trial that fails is the last one, but where one was faster: others may use the disk.
            self._is_over = not self._has_gained
            self._next_trial_ns = now_ns + LONG_NS if self._least_gain > 1 else 0
            self._begin()
            self._moved.notify_all()
