"""Samples of runs as columns: what a live plot draws from."""

from __future__ import annotations

from bisect import bisect_right
from math import nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from modelmon.core.worker.events import STEPS_OF_ELAPSED, DeviceActivity
from modelmon.gui.session.session import LABELS as ARMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.worker.events import Sample
    from modelmon.core.worker.record import RunRecord

__all__ = ["ARMS", "Floats", "Timeline", "read_ahead", "timeline_of", "value_of"]

Floats = NDArray[np.float64]
_LEAST_GAP_NS = 2_000_000
_LEAST_OF_A_STEP = 0.4
_MOST_STRETCHES = 180
_GAP_IN_STEPS = 4.0
_FEWEST_STEPS = 4
_OF_SAMPLE = (
    *("delivered_bytes", "device_bytes", "cpu_user_ns", "cpu_system_ns", "decode_ns"),
    *("minor_faults", "major_faults", "iowait_share", "psi_io_share", "waiting_share"),
    *("rss_anon_bytes", "rss_file_bytes", "rss_shared_bytes"),
)
_OF_DEVICE = (
    *("reads_per_s", "read_bytes_per_s", "mean_request_bytes", "read_await_ns"),
    *("queue_depth", "busy_share"),
)
_NAMES = (*_OF_SAMPLE, *(f"device.{name}" for name in _OF_DEVICE))
_COLUMNS = {name: column for column, name in enumerate(_NAMES, start=1)}
_UNKNOWN = DeviceActivity(*[nan] * len(DeviceActivity.__struct_fields__))


class Stretches(NamedTuple):
    """A row for each stretch, a column for each figure; a figure that is not known is nan.

    `last` is what was seen last in a stretch, `total` the sum of what was known, `known` of how
    many rows that was, `most` the highest value.
    """

    last: Floats
    total: Floats
    known: Floats
    most: Floats

    @classmethod
    def of(cls, rows: Floats) -> Stretches:
        """Each row as a stretch of its own."""
        known = np.isfinite(rows)
        return cls(rows, np.where(known, rows, 0.0), known.astype(float), rows)

    def followed_by(self, later: Stretches) -> Stretches:
        """These and then those."""
        return Stretches(*map(np.concatenate, zip(self, later, strict=True)))

    def joined(self, firsts: NDArray[np.intp]) -> Stretches:
        """Fewer and longer stretches, which begin at `firsts`."""
        lasts = np.append(firsts[1:], len(self.last)) - 1
        return Stretches(
            self.last[lasts],
            np.add.reduceat(self.total, firsts),
            np.add.reduceat(self.known, firsts),
            np.fmax.reduceat(self.most, firsts),
        )


_NONE: NDArray[np.intp] = np.empty(0, dtype=np.intp)
_time_ns = attrgetter("t_ns")
_of_sample, _of_device = attrgetter(*_OF_SAMPLE), attrgetter(*_OF_DEVICE)


class Timeline:
    """Columns read from a run's samples, each sample once, in stretches of equally many.

    A stretch is one sample; in long runs 2, 4, 8… of them, so that no more are drawn than a
    screen can show (strokes of thousands of noisy points make frames slow) and a run of an hour
    takes no more memory than one of a minute. What the crosshair tells of a long run is
    therefore the mean of a stretch, or its highest value where peaks matter.

    Columns are named as the figures of a sample are, those of the device `device.queue_depth`.
    A sample closer to the one before than 2 ms or two fifths of the shortest step so far is left
    out, most often the last one of a run: totals in the next one hold what it counted, and rates
    and shares over so short a time are noise. Where no sample came for four
    times the usual step, all columns have a nan between.
    """

    def __init__(self) -> None:
        self._stretches = Stretches.of(np.empty((0, 1 + len(_NAMES))))
        self._length = 1
        self._taken = 0
        self.seen_ns = self._last_ns = -_LEAST_GAP_NS
        self._step_ns: int | None = None
        self._breaks = _NONE

    def __len__(self) -> int:
        return self._taken

    def take(self, samples: list[Sample]) -> None:
        """Add the samples that came after those of the last call, until `seen_ns`."""
        if not samples or samples[-1].t_ns <= self.seen_ns:
            return
        new = samples[bisect_right(samples, self.seen_ns, key=_time_ns) :]
        self.seen_ns = samples[-1].t_ns
        if kept := list(self._far_enough(new)):
            self._add(kept)

    @property
    def seconds(self) -> Floats:
        """Ends of the stretches that the other columns speak of, since the start."""
        ends = self._stretches.last[:, 0]
        if not len(self._breaks):
            return ends
        return np.insert(ends, self._breaks, (ends[self._breaks - 1] + ends[self._breaks]) / 2)

    def rate(self, name: str) -> Floats:
        """Growth per second over each stretch, of a column that counts from zero."""
        last = self._stretches.last
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._broken(_steps(last[:, _COLUMNS[name]]) / _steps(last[:, 0]))

    def mean(self, name: str) -> Floats:
        """Mean of a column over each stretch; nan where it was never known."""
        column, stretches = _COLUMNS[name], self._stretches
        with np.errstate(invalid="ignore"):
            return self._broken(stretches.total[:, column] / stretches.known[:, column])

    def most(self, name: str) -> Floats:
        """Highest value of a column in each stretch; nan where it was never known."""
        return self._broken(self._stretches.most[:, _COLUMNS[name]])

    def _far_enough(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Those that are far enough apart, as nearly all of them are."""
        for sample in samples:
            step_ns = sample.t_ns - self._last_ns
            if step_ns >= max(_LEAST_GAP_NS, _LEAST_OF_A_STEP * (self._step_ns or 0)):
                self._step_ns = min(step_ns, self._step_ns or step_ns)
                self._last_ns = sample.t_ns
                yield sample

    def _add(self, new: list[Sample]) -> None:
        """Join new samples to the stretches, and stretches to longer ones where they are too
        many.
        """
        begun = np.arange(len(self._stretches.last)) * self._length
        numbers = np.concatenate((begun, np.arange(self._taken, self._taken + len(new))))
        self._taken += len(new)
        while self._taken > _MOST_STRETCHES * self._length:
            self._length *= 2
        self._stretches = self._stretches.followed_by(Stretches.of(_rows(new)))
        if self._length > 1:
            firsts = np.flatnonzero(np.diff(numbers // self._length, prepend=-1))
            self._stretches = self._stretches.joined(firsts)
        self._find_breaks()

    def _find_breaks(self) -> None:
        """Between which stretches samples are missing."""
        steps = np.diff(self._stretches.last[:, 0])
        self._breaks = _NONE
        # A median of even steps would cost more than all else that is done here.
        if len(steps) >= _FEWEST_STEPS and steps.max() > _GAP_IN_STEPS * steps.min():
            # The first call of np.median imports numpy.ma, which takes longer than a frame.
            usual = np.sort(steps)[len(steps) // 2]
            # Samples become rarer the longer a run lasts.
            due = self._stretches.last[1:, 0] * self._length / STEPS_OF_ELAPSED
            self._breaks = np.flatnonzero(steps > _GAP_IN_STEPS * np.maximum(usual, due)) + 1

    def _broken(self, column: Floats) -> Floats:
        return np.insert(column, self._breaks, np.nan) if len(self._breaks) else column


def timeline_of(record: RunRecord | None) -> Timeline:
    """The columns of a run, read once for all plots that show it; of none, empty ones."""
    return Timeline() if record is None else _timelines.setdefault(record, Timeline())


def read_ahead(record: RunRecord) -> RunRecord:
    """The run, with its columns read: for the thread that has read it, so that no frame has to."""
    timeline_of(record).take(record.samples)
    return record


_timelines: WeakKeyDictionary[RunRecord, Timeline] = WeakKeyDictionary()


def value_of(sample: Sample, field: str) -> float | None:
    """A figure of a sample, such as `rss_anon_bytes` or `device.queue_depth`; None if absent."""
    found: Any = sample
    for name in field.split("."):
        found = getattr(found, name, None)
    value: float | None = found
    return value


def _rows(samples: list[Sample]) -> Floats:
    """A row for each sample; nan, which is drawn as a gap and never as zero, for what is absent."""
    rows = [
        (sample.t_ns, *_of_sample(sample), *_of_device(sample.device or _UNKNOWN))
        for sample in samples
    ]
    made = np.array(rows, dtype=float)
    made[:, 0] /= 1e9
    return made


def _steps(column: Floats) -> Floats:
    """From each value to the next, the first from zero; `np.diff` takes far longer for it."""
    steps = column.copy()
    steps[1:] -= column[:-1]
    return steps
