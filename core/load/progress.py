"""Progress that loaders write and the supervisor reads, in one shared mapping.

Words are 64-bit and aligned, and each has a single writer at a time, so no store tears and no
lock is needed here: threads that share a reader's requests record them in turn. The layout is: a
header line, one line of words per reader, then the RequestTimes of every request of every reader.
What a request asks for follows from the plan, so only its times are recorded; `done` is stored
after the times, so that what lies below it is complete.
"""

from __future__ import annotations

import mmap
import os
import sys
import uuid
from array import array
from typing import TYPE_CHECKING

from modelmon.core.load.threads import RequestTimes
from modelmon.core.machine.anonymous_memory import memory_file

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD_BYTES = 8
_LINE_WORDS = 8  # one cache line, so that readers do not share one
_WARMUP_BYTES, _WARMUP_DONE = 0, 1
_DELIVERED, _DONE, _FINISHED = 0, 1, 2
TIMES = len(RequestTimes._fields)


class Progress:
    """The shared mapping; `requests` is the number of requests of each reader."""

    def __init__(self, mapping: mmap.mmap, requests: Sequence[int]) -> None:
        self._words = memoryview(mapping).cast("Q")
        self._times: list[int] = []
        place = self._first = _LINE_WORDS * (1 + len(requests))
        for count in requests:
            self._times.append(place)
            place += TIMES * count

    @staticmethod
    def size_bytes(requests: Sequence[int]) -> int:
        """Bytes that the mapping needs."""
        return _WORD_BYTES * (_LINE_WORDS * (1 + len(requests)) + TIMES * sum(requests))

    def record(
        self, reader: int, request: int, times: RequestTimes, nbytes: int, count: int = 1
    ) -> None:
        """Note that a reader's next request is finished, or the next ones, which took one call:
        each has an even share of its time.
        """
        words = self._words
        place = self._times[reader] + TIMES * request
        if count == 1:
            words[place], words[place + 1], words[place + 2], words[place + 3] = times
        else:
            call_ns = times.end_ns - times.start_ns
            ends = [times.start_ns + call_ns * at // count for at in range(count + 1)]
            behind = place + TIMES * count
            words[place:behind:TIMES] = memoryview(array("Q", ends[:-1]))
            words[place + 1 : behind : TIMES] = memoryview(array("Q", ends[1:]))
        line = _LINE_WORDS * (1 + reader)
        words[line + _DELIVERED] += nbytes
        words[line + _DONE] = request + count

    def finish(self, reader: int) -> None:
        """Note that a reader has no more to do."""
        self._words[_LINE_WORDS * (1 + reader) + _FINISHED] = 1

    def times(self, reader: int, first: int) -> list[int]:
        """The times of the reader's finished requests from number `first` on, flat."""
        done = self._words[_LINE_WORDS * (1 + reader) + _DONE]
        place = self._times[reader]
        return self._words[place + TIMES * first : place + TIMES * done].tolist()

    def _sum(self, word: int) -> int:
        """Of one word of all readers."""
        return sum(self._words[_LINE_WORDS + word : self._first : _LINE_WORDS].tolist())

    @property
    def delivered_bytes(self) -> int:
        """Bytes that all readers have delivered so far."""
        return self._sum(_DELIVERED)

    @property
    def finished_readers(self) -> int:
        """How many readers have nothing more to do."""
        return self._sum(_FINISHED)

    @property
    def warmup_bytes(self) -> int:
        """Bytes that the warm-up has read so far."""
        return int(self._words[_WARMUP_BYTES])

    @warmup_bytes.setter
    def warmup_bytes(self, value: int) -> None:
        self._words[_WARMUP_BYTES] = value

    @property
    def warmup_done_ns(self) -> int:
        """Monotonic time at which the warm-up ended, or 0."""
        return int(self._words[_WARMUP_DONE])

    @warmup_done_ns.setter
    def warmup_done_ns(self, value: int) -> None:
        self._words[_WARMUP_DONE] = value


def reserve() -> int | None:
    """The descriptor of memory that has no size yet, to hand down; None where none is needed."""
    return None if sys.platform == "win32" else memory_file()


def create(requests: Sequence[int], descriptor: int | None) -> tuple[Progress, str]:
    """A new mapping of what was reserved, and the name by which a loader attaches."""
    size = Progress.size_bytes(requests)
    if sys.platform == "win32":
        tag = f"modelmon-{uuid.uuid4()}"
        return Progress(mmap.mmap(-1, size, tagname=tag), requests), f"tag:{tag}"
    assert descriptor is not None
    os.ftruncate(descriptor, size)
    return Progress(mmap.mmap(descriptor, size), requests), f"fd:{descriptor}"


def attach(name: str, requests: Sequence[int]) -> Progress:
    """The mapping that another process made, by its name."""
    kind, _, rest = name.partition(":")
    size = Progress.size_bytes(requests)
    if sys.platform == "win32" and kind == "tag":
        return Progress(mmap.mmap(-1, size, tagname=rest), requests)
    descriptor = int(rest)
    try:
        return Progress(mmap.mmap(descriptor, size), requests)
    finally:
        os.close(descriptor)
