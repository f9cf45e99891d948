"""Keeps what a watched program prints: its last output for error messages, its lines with times.

Bounded: of a flood only lines that name a phase are kept. It doesn't read the program's pipe, nor
decide that the program is ready (program.py does).
"""

from __future__ import annotations

import re
import time
from collections import deque
from typing import TYPE_CHECKING

from modelmon.core.messages import NOTHING, Message
from modelmon.core.redaction import without_secrets
from modelmon.core.terminal_safe import plain
from modelmon.core.worker.events import MOST_LINE
from modelmon.core.worker.program_phases import MOST_LINES, is_a_mark

if TYPE_CHECKING:
    from collections.abc import Iterator

KEPT_BYTES = 1 << 17
_QUOTED_LINES, _MOST_QUOTED = 5, 300
_LINE_END = re.compile(rb"[\r\n]+")
_MOST_LINE_BYTES = 4096
_FREELY_KEPT = MOST_LINES - 500
_LOOKS_PER_S = 100
"""After that so many lines a second are looked at: each takes some 50 µs."""


class Output:
    """Takes in what is printed, from one thread; another takes the lines."""

    def __init__(self) -> None:
        self.end = b""
        self._open = b""
        self._lines: deque[tuple[int, str]] = deque()
        self._begun_ns = self._kept = self._looked = self._second = 0

    def feed(self, data: bytes, now_ns: int) -> list[bytes]:
        """Take in what came; returns the lines in it, the last one maybe not yet ended. A line has
        the time at which it was begun: a bar ends its line when it is drawn again.
        """
        self.end = (self.end + data)[-KEPT_BYTES:]
        if not self._open:
            self._begun_ns = now_ns
        lines = _LINE_END.split(self._open + data)
        for line in lines[:-1][: self._may_look(now_ns)]:
            self._keep(line, self._begun_ns)
            self._begun_ns = now_ns
        self._begun_ns = now_ns if len(lines) > 1 else self._begun_ns
        self._open = lines[-1][-_MOST_LINE_BYTES:]
        return lines

    def note(self, text: str) -> None:
        """Enter a line of our own."""
        self._lines.append((time.monotonic_ns(), text))

    def close(self) -> None:
        """Nothing more comes: what was begun is a line."""
        self._keep(self._open, self._begun_ns)

    def take(self) -> Iterator[tuple[int, str]]:
        """Lines since the last call, with their times (monotonic)."""
        while self._lines:
            yield self._lines.popleft()

    def _keep(self, line: bytes, begun_ns: int) -> None:
        if not line.strip() or self._kept >= MOST_LINES:
            return
        self._looked += 1
        text = plain(line[:_MOST_LINE_BYTES].decode(errors="replace")).strip()
        if self._kept >= _FREELY_KEPT and not is_a_mark(text):
            return
        self._kept += 1
        self._lines.append((begun_ns, without_secrets(text)[:MOST_LINE]))

    def _may_look(self, now_ns: int) -> int:
        """At how many lines; at all of them until there were many."""
        if now_ns // 10**9 != self._second:
            self._second, self._looked = now_ns // 10**9, 0
        freely = _FREELY_KEPT - self._kept
        return max(freely, _LOOKS_PER_S - self._looked, 0)


def last_output(output: bytes) -> Message:
    """The last lines of what a program printed, quoted; empty where it printed none."""
    # Marks below the lines of a traceback say nothing alone.
    last = [line for line in _LINE_END.split(output) if line.strip(b" \t^~")][-_QUOTED_LINES:]
    texts = (without_secrets(plain(line.decode(errors="replace")).strip()) for line in last)
    lines = " ⏎ ".join(
        text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 1]}…" for text in texts
    )
    return Message("Its last output: {lines}", lines=lines) if lines else NOTHING
