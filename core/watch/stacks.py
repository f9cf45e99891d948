"""Which Python functions a watched program is in, asked of py-spy every quarter of a second.

py-spy (https://github.com/benfred/py-spy) reads another process's memory without stopping it. It
has to be installed, and may need the right to look into processes that it didn't start.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.machine.processes import descendants
from modelmon.core.messages import NOTHING, Message
from modelmon.core.terminal_safe import plain
from modelmon.core.units import percent_text
from modelmon.core.worker.events import Started

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

_EVERY_S = 0.25
_PATIENCE_S = 5.0
_MOST_NAME = 80
_LEAST_SHARE = 0.05
_SHOWN = 3
_MOST_REFUSED = 8
"""Who isn't Python after so many looks won't be."""


class _Frame(msgspec.Struct):
    name: str = ""
    filename: str = ""
    short_filename: str | None = None


class _Thread(msgspec.Struct):
    active: bool = False
    frames: list[_Frame] = []


_decoder = msgspec.json.Decoder(list[_Thread])


class Hot(NamedTuple):
    """A function, and in which share of the looks into a stretch of time it was seen at work."""

    function: str
    share: float

    @property
    def text(self) -> str:
        """`load_weights (loader.py) 80%`."""
        return f"{self.function} {percent_text(self.share)}"


def py_spy() -> str:
    """Where py-spy is; empty where it isn't installed."""
    beside = Path(sys.executable).with_name("py-spy")
    return str(beside) if beside.exists() else shutil.which("py-spy") or ""


class StackSampler:
    """Looks into a program from its start on. `problem` is why nothing was seen."""

    def __init__(self) -> None:
        """Raises ConfigError where there is no py-spy."""
        found = py_spy()
        if not found:
            raise ConfigError(
                Message("--sample needs py-spy, which is not installed."),
                Message("Install it: pip install py-spy"),
            )
        self._py_spy = found
        self._looks: list[tuple[int, tuple[str, ...]]] = []
        self._over = threading.Event()
        self._started_ns = 0
        self._problem = ""
        self._refused: Counter[int] = Counter()

    @property
    def problem(self) -> Message:
        """Why it saw nothing, in py-spy's words; empty where it saw something."""
        if any(at_work for _, at_work in self._looks):
            return NOTHING
        if not self._problem:
            return Message("No Python code was running.")
        return Message("py-spy saw nothing: {reason}", reason=self._problem)

    def follow(self, event: AnyEvent, record: RunRecord) -> None:
        """Begin when the program does, and end when its run is over."""
        if isinstance(event, Started):
            self.begin(event.pid)
        elif record.done:
            self.end()

    def begin(self, pid: int) -> None:
        """Look into a program that starts now, unless it is looked into already."""
        if not self._started_ns:
            self._started_ns = time.monotonic_ns()
            threading.Thread(target=self._look, args=(pid,), daemon=True).start()

    def end(self) -> None:
        """Look no more."""
        self._over.set()

    def hottest(self, begin_ns: int, end_ns: int) -> tuple[Hot, ...]:
        """The functions that were at work most in a stretch of the wait, the most first."""
        inside = [at_work for t_ns, at_work in [*self._looks] if begin_ns <= t_ns < end_ns]
        seen = Counter(function for at_work in inside for function in set(at_work))
        shares = (Hot(function, number / len(inside)) for function, number in seen.most_common())
        return tuple(each for each in shares if each.share >= _LEAST_SHARE)[:_SHOWN]

    def _look(self, pid: int) -> None:
        while not self._over.is_set():
            t_ns = time.monotonic_ns() - self._started_ns
            pids = (
                each for each in (pid, *descendants(pid)) if self._refused[each] < _MOST_REFUSED
            )
            seen = [each for each in map(self._of, pids) if each is not None]
            if seen:
                self._looks.append((t_ns, tuple(chain(*seen))))
            self._over.wait(_EVERY_S)

    def _of(self, pid: int) -> list[str] | None:
        """What the threads of one process that are at work are in; None where that isn't seen."""
        command = [self._py_spy, "dump", "--json", "--nonblocking", "--pid", str(pid)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_PATIENCE_S, check=False)
            threads = _decoder.decode(done.stdout) if done.returncode == 0 else []
        except (OSError, subprocess.TimeoutExpired, *UNDECODABLE) as error:
            self._problem = plain(str(error))
            return None
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            self._problem = plain(lines[-1] if lines else "")
            self._refused[pid] += 1
            return None
        return [_called(each.frames) for each in threads if each.active and each.frames]


def _called(frames: Sequence[_Frame]) -> str:
    """The innermost function that a person wrote: what imports it is Python's own."""
    written = (each for each in frames if not each.filename.startswith("<frozen"))
    frame = next(written, frames[0])
    place = Path(frame.short_filename or frame.filename).name
    return plain(f"{frame.name} ({place})")[:_MOST_NAME]
