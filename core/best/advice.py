"""What to change outside of the load: the cache, the disk, the mount, the memory.

How to load is no part of it: the race has measured that. What a change brings is told only where
both times were measured.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.best.result import Advice
from modelmon.core.load.config import PROGRAM
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.best.result import Objective, Standing
    from modelmon.core.diagnose.diagnosis import Diagnosis, Finding, FindingKind
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.model.tensors import Model

# What changes nothing for a start from the page cache.
_OF_THE_DISK: frozenset[FindingKind] = frozenset(
    {
        "small-readahead",
        "small-requests",
        "slow-link",
        "slow-slot",
        "slow-usb",
        "busy-device",
        "windows-drive",
        "io-limit",
    }
)
_OUTSIDE: frozenset[FindingKind] = _OF_THE_DISK | {
    "does-not-fit",
    "tight-memory",
    "swapping",
    "cgroup-limit",
    "nothing-cached",
    "cached-twice",
    "slow-governor",
    "throttled",
    "cpu-quota",
}
_WAITS_FOR_DISK = 0.5
_NOTEWORTHY = 1.5


def advice_outside(
    inspection: Inspection,
    diagnosis: Diagnosis | None = None,
    best: Standing | None = None,
    objective: Objective = "cold",
) -> tuple[Advice, ...]:
    """Advice by what was measured of the `best`, then by a diagnosis; either may be missing."""
    found: list[Advice] = []
    # Of a program's time only a part is reading.
    is_ours = best is not None and best.config.library != PROGRAM
    if best is not None and best.expected_ns is not None and is_ours and objective != "warm":
        found += _fill_cache(inspection, best, best.expected_ns)
        if diagnosis is not None and (best.io_wait_share or 0.0) >= _WAITS_FOR_DISK:
            found += _faster_disk(inspection.model, diagnosis, best.expected_ns)
    cached = best is None or best.config.access != "direct"
    of_no_use = _OF_THE_DISK if objective == "warm" else () if cached else ("small-readahead",)
    findings = diagnosis.findings if diagnosis is not None else ()
    found += [
        _of_finding(finding)
        for finding in findings
        if finding.kind in _OUTSIDE and finding.kind not in of_no_use
    ]
    return tuple(found)


def _fill_cache(inspection: Inspection, best: Standing, cold_ns: float) -> Iterator[Advice]:
    warm_ns = best.other_median_ns
    if warm_ns is None or not inspection.fits or cold_ns <= warm_ns * _NOTEWORTHY:
        return
    yield Advice(
        kind="fill-cache",
        text=Message("Fill the page cache before the start, when the time for it is free."),
        expected=Message(
            "{warm} instead of {cold}.", warm=duration_text(warm_ns), cold=duration_text(cold_ns)
        ),
        basis="measured",
        source=Message(
            "{other_runs} warm starts with {label}", other_runs=best.other_runs, label=best.label
        )
        if best.other_runs > 1
        else Message("1 warm start with {label}", label=best.label),
        command=f"modelmon warm {shlex.quote(inspection.model.path)}",
    )


def _faster_disk(model: Model, diagnosis: Diagnosis, cold_ns: float) -> Iterator[Advice]:
    place = next(iter(diagnosis.faster_places), None)
    if place is None or place.best_cold_ns * _NOTEWORTHY >= cold_ns:
        return
    yield Advice(
        kind="faster-disk",
        text=Message(
            "Move the model to {folder}, which is on a faster disk ({storage_class}).",
            folder=place.folder,
            storage_class=class_text(place.storage_class),
        ),
        expected=Message(
            "About {best_cold} instead of {cold}.",
            best_cold=duration_text(place.best_cold_ns),
            cold=duration_text(cold_ns),
        ),
        basis="measured",
        source=Message(
            "measured there: up to {bytes_rate}", bytes_rate=rate_text(place.bytes_per_s)
        ),
        command=_copy(model, shlex.quote(place.folder)),
    )


def _copy(model: Model, folder: str) -> str:
    """The command that copies a model with all of its files, links followed."""
    path = Path(model.path)
    files = dict.fromkeys((path, *model.files))
    top = path if model.is_folder else path.parent
    if model.is_folder or any(file.parent != top for file in files):
        return f"cp -rL {shlex.quote(str(top))} {folder}"
    return f"cp -L {' '.join(shlex.quote(str(file)) for file in files)} {folder}"


def _of_finding(finding: Finding) -> Advice:
    """What the doctor saw here; what its remedy brings was not measured."""
    command = finding.command
    return Advice(
        kind=finding.kind,
        text=finding.text if command else joined((finding.text, finding.remedy)),
        expected=NOTHING,
        basis="rule of thumb" if finding.rule_of_thumb else "observed",
        source=finding.rule_of_thumb or finding.evidence,
        command=command,
    )
