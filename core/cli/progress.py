"""Live progress on a terminal; quiet when standard error is piped."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from modelmon.core.cli.interrupts import INTERRUPTS
from modelmon.core.cli.output import console
from modelmon.core.messages import NOTHING
from modelmon.core.units import rate_text, size_text
from modelmon.core.worker import events as ev

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from modelmon.core.worker.record import RunRecord


_PHASES: dict[ev.PhaseName, str] = {
    "prepare": "preparing free memory",
    "cache": "setting the cache",
    "warmup": "warming up",
    "load": "loading",
    "verify": "verifying",
}


# Updates come in bursts, and what came within less time has no rate that could be trusted.
_LEAST_S = 0.25
# What is under way, how much and how long; a bar beside them would break the line.
_WIDE = 100


class _Amount(ProgressColumn):
    """Done, total and rate in our units."""

    def render(self, task: Task) -> Text:
        """`9.96 GB of 16.1 GB at 3.07 GB/s`."""
        total = f" of {size_text(task.total)}" if task.total else ""
        rate = f" at {rate_text(rate)}" if (rate := task.fields["bytes_per_s"]) else ""
        return Text(f"{size_text(task.completed)}{total}{rate}")


class _Bar(Progress):
    """The bar, and what is shown above it."""

    above: RenderableType = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        """Both, if there is something above."""
        if self.above:
            yield self.above
        yield from super().get_renderables()


class ProgressBar:
    """One bar that says what is under way; use as a context manager."""

    def __init__(self, *, quiet: bool = False) -> None:
        shown = console(stderr=True)
        bar = [BarColumn(bar_width=24)] if shown.width >= _WIDE else []
        self._bar = _Bar(
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
            *bar,
            _Amount(table_column=Column(no_wrap=True)),
            TimeRemainingColumn(compact=True),
            console=shown,
            transient=True,
            # Drawing takes a processor that a load may need.
            refresh_per_second=4,
            disable=quiet or not shown.is_terminal,
        )
        self._task: TaskID | None = None
        self._what = self._prefix = ""
        self._begun_s, self._begun_bytes = 0.0, 0
        self.waiting = NOTHING
        """What was told last of a program that has read nothing so far."""

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, what: str, done_bytes: int, total_bytes: int) -> None:
        """Set the bar; a new `what` starts it anew."""
        INTERRUPTS.check()
        if self._task is None or what != self._what:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(what, total=total_bytes, bytes_per_s=0.0)
            self._what, self._begun_bytes = what, done_bytes
        now_s = time.monotonic()
        if done_bytes <= self._begun_bytes:
            # Nothing has come so far: a program takes its time before it reads.
            self._begun_s = now_s
        taken_s = now_s - self._begun_s
        rate = (done_bytes - self._begun_bytes) / taken_s if taken_s >= _LEAST_S else 0.0
        self._bar.update(self._task, completed=done_bytes, total=total_bytes, bytes_per_s=rate)

    def print(self, text: Text) -> None:
        """Above the bar where both are in one terminal, else on standard output."""
        if sys.stdout.isatty() and self._bar.console.is_terminal:
            self._bar.console.print(text)
        else:
            console().print(text)

    def show_above(self, shown: RenderableType) -> None:
        """Above the bar, until something else is."""
        self._bar.above = shown

    def begin(self, label: str, place: str) -> None:
        """A run of this arm starts, at this place of its experiment."""
        INTERRUPTS.check()
        self._prefix = f"{place.capitalize()}: {label} "

    def follow(self, event: ev.AnyEvent, record: RunRecord) -> None:
        """Show what an event of a run says."""
        INTERRUPTS.check()
        prefix = self._prefix
        planned = record.planned.planned_bytes if record.planned else 0
        if isinstance(event, ev.Waiting):
            self.waiting = event.what
            if event.what:
                self._bar.console.print(Text(event.what))
        elif isinstance(event, ev.Progress):
            self.show(f"{prefix}{_PHASES[event.phase]}", event.done_bytes, event.total_bytes)
        elif isinstance(event, (ev.Started, ev.Sample)):
            self.show(
                f"{prefix}{_PHASES['warmup' if record.is_warming else 'load']}",
                record.delivered_bytes,
                planned,
            )
