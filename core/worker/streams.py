"""The worker's own ends of its standard streams: commands in, events out.

Writing never waits for a reader that is slow: samples are dropped, and counted, other events kept.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import CancelledError
from modelmon.core.load.threads import start
from modelmon.core.messages import Message
from modelmon.core.worker.events import encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from modelmon.core.worker.events import AnyEvent, Progress

# A reader that stalls longer than this much output costs samples, never the load's speed.
_MOST_PENDING_BYTES = 1024 * 1024
_DRAIN_S = 1.0
_TOGETHER_NS = 150_000_000
"""Whoever reads wakes up for each line that comes alone. Twenty a second took two hundredths of a
processor, which a load may want for itself."""


class Incoming(NamedTuple):
    """A line that came in, and from where: `command`, or a loader's number; None is the end."""

    sender: int | str
    line: bytes | None


class Inbox:
    """Lines from several pipes in one queue, each pipe read by a thread of its own.

    Threads rather than select(), which on Windows knows no pipes.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[Incoming] = SimpleQueue()
        self._cancelled = False

    def listen(self, sender: int | str, stream: IO[bytes]) -> None:
        """Queue each of the stream's lines, and None at its end; closes the stream then."""

        def pump() -> None:
            try:
                with stream:
                    for line in stream:
                        self._queue.put(Incoming(sender, line))
            finally:
                if sender == "command":
                    self.cancel()
                else:
                    self._queue.put(Incoming(sender, None))

        start(threading.Thread(target=pump, daemon=True))

    def cancel(self) -> None:
        """Act as if the command stream had ended (safe in a signal handler)."""
        self._cancelled = True
        self._queue.put(Incoming("command", None))

    def is_cancelled(self) -> bool:
        """Whether the command stream has ended; nothing more will be asked for."""
        return self._cancelled

    def get(self, timeout_s: float | None) -> Incoming:
        """The next message; raises queue.Empty after the timeout, CancelledError at the
        end of the command stream.
        """
        message = self._queue.get(timeout=timeout_s)
        if message.sender == "command" and message.line is None:
            raise CancelledError(Message("The load was stopped."))
        return message

    def next(self, timeout_s: float) -> Incoming | None:
        """The same, but None when the time is over."""
        try:
            return self.get(max(0.0, timeout_s))
        except Empty:
            return None


class EventWriter:
    """Writes events to a pipe that may be slow, without ever waiting for it during a load."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pending = bytearray()
        self._sent_ns = 0
        self._told_phase, self._told_ns = "", 0
        self.dropped = 0
        if sys.platform != "win32":
            os.set_blocking(descriptor, False)

    def write(self, event: AnyEvent, *, may_wait: bool = False, may_drop: bool = False) -> None:
        """Send an event, with those that waited before it. One that may wait does until others go
        with it; one that may be dropped may wait too, and where too much does it is dropped and
        counted.

        Raises CancelledError when nobody reads any more.
        """
        if may_drop and len(self._pending) > _MOST_PENDING_BYTES:
            self._send()
            if len(self._pending) > _MOST_PENDING_BYTES:
                self.dropped += 1
                return
        self._pending += encode(event)
        at_once = not (may_wait or may_drop)
        if at_once or time.monotonic_ns() - self._sent_ns >= _TOGETHER_NS:
            self._send()

    def tell(self, progress: Progress) -> None:
        """Send how far a phase is, unless that was said of it a moment ago.

        Raises CancelledError when nobody reads any more.
        """
        now_ns = time.monotonic_ns()
        if progress.phase == self._told_phase and now_ns - self._told_ns < _TOGETHER_NS:
            return
        self._told_phase, self._told_ns = progress.phase, now_ns
        self.write(progress)

    def drain(self, is_cancelled: Callable[[], bool]) -> None:
        """Wait until everything is written; once cancelled, only as long as somebody reads."""
        self._send()
        while self._pending:
            if sys.platform != "win32":
                _, writable, _ = select.select([], [self._descriptor], [], _DRAIN_S)
                if not writable and is_cancelled():
                    return
            self._send()

    def _send(self) -> None:
        self._sent_ns = time.monotonic_ns()
        try:
            while self._pending:
                del self._pending[: os.write(self._descriptor, self._pending)]
        except BlockingIOError:
            return
        except OSError as error:
            self._pending.clear()
            raise CancelledError(
                Message("The program that started this worker has gone.")
            ) from error
