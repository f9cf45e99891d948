"""The worker's own ends of its standard streams: commands in, events out."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import CancelledError
from modelmon.core.messages import Message
from modelmon.core.worker.events import encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from modelmon.core.worker.events import Event

# A reader that stalls longer than this much output costs samples, never the load's speed.
_MOST_PENDING_BYTES = 1024 * 1024
_DRAIN_S = 1.0


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

        threading.Thread(target=pump, daemon=True).start()

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


class EventWriter:
    """Writes events to a pipe that may be slow, without ever waiting for it during a load."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pending: deque[bytes] = deque()
        self._pending_bytes = 0
        self.dropped = 0
        if sys.platform != "win32":
            os.set_blocking(descriptor, False)

    def write(self, event: Event, *, may_drop: bool = False) -> None:
        """Send an event, or keep it for later; one that may be dropped is, and counted,
        when too much waits already.

        Raises CancelledError when nobody reads any more.
        """
        self._send()
        if may_drop and self._pending_bytes > _MOST_PENDING_BYTES:
            self.dropped += 1
            return
        line = encode(event)
        self._pending.append(line)
        self._pending_bytes += len(line)
        self._send()

    def drain(self, is_cancelled: Callable[[], bool]) -> None:
        """Wait until everything is written; once cancelled, only as long as somebody reads."""
        while self._pending:
            if sys.platform != "win32":
                _, writable, _ = select.select([], [self._descriptor], [], _DRAIN_S)
                if not writable and is_cancelled():
                    return
            self._send()

    def _send(self) -> None:
        while self._pending:
            line = self._pending[0]
            try:
                sent = os.write(self._descriptor, line)
            except BlockingIOError:
                return
            except OSError as error:
                self._pending.clear()
                raise CancelledError(
                    Message("The program that started this worker has gone.")
                ) from error
            self._pending_bytes -= sent
            if sent == len(line):
                self._pending.popleft()
            else:
                self._pending[0] = line[sent:]
