"""Samples of long runs, joined to fewer: a record does not grow with the time that it covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import structs

from modelmon.core.worker.samples import DeviceActivity, Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Rule = Callable[[list[Any]], Any]

MOST_SAMPLES = 6_000
"""Five minutes at 20 Hz, which take some 6 MB. Of longer runs older samples are joined."""
RECENT_SAMPLES = 64
"""The latest stay as they came: who follows a run has seen them before they are joined."""


class Thinning:
    """Fills a list with samples and keeps it short: one for every 2, 4, 8… that came."""

    def __init__(self, samples: list[Sample]) -> None:
        self._samples = samples
        self._step = 1
        self._joined = 0

    def add(self, sample: Sample) -> None:
        """Append a sample, and join old ones where there are many.

        A load may be over before the sampler knows, and what it looked at meanwhile is part of the
        closing sample, which has the time of the end.
        """
        samples, first = self._samples, self._joined
        while samples and samples[-1].t_ns > sample.t_ns:
            sample = joined([samples.pop(), sample])
        samples.append(sample)
        if len(samples) - first < self._step + RECENT_SAMPLES:
            return
        if self._step > 1:
            samples[first : first + self._step] = [joined(samples[first : first + self._step])]
        self._joined += 1
        if self._joined == MOST_SAMPLES:
            old = samples[:MOST_SAMPLES]
            samples[:MOST_SAMPLES] = map(joined, zip(old[::2], old[1::2], strict=True))
            self._joined //= 2
            self._step *= 2


def joined(samples: Sequence[Sample]) -> Sample:
    """What a sampler that looks less often would have seen, with the peaks that it would miss.

    Time and totals are the last ones, shares and figures of the device are means over the
    samples that have them, memory in use and lateness are the highest, available memory the
    lowest. What no sample knows stays None.
    """
    looks = [sample.device for sample in samples if sample.device is not None]
    known = _reduced(Sample, samples, _RULES, _last)
    if looks:
        known["device"] = DeviceActivity(**_reduced(DeviceActivity, looks, {}, _mean))
    return Sample(**known)


def _reduced(
    kind: type[Sample | DeviceActivity],
    structures: Sequence[Sample | DeviceActivity],
    rules: Mapping[str, Rule],
    usual: Rule,
) -> dict[str, Any]:
    """One value for each field that any of them knows."""
    made = {}
    rows = zip(*map(structs.astuple, structures), strict=True)
    for name, column in zip(kind.__struct_fields__, rows, strict=True):
        known = [value for value in column if value is not None]
        if known:
            made[name] = rules.get(name, usual)(known)
    return made


def _last(known: list[Any]) -> Any:
    return known[-1]


def _mean(known: list[float]) -> float:
    return sum(known) / len(known)


_RULES: dict[str, Rule] = {
    "late_ns": max,
    "iowait_share": _mean,
    "psi_io_share": _mean,
    "waiting_share": _mean,
    "rss_anon_bytes": max,
    "rss_file_bytes": max,
    "rss_shared_bytes": max,
    "available_bytes": min,
}
