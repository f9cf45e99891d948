"""What to change outside of the load: the disk, the mount, the memory, the file.

How to load is no part of it: where a race was run, its measurements say that, and rules of
thumb about it are left out.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from modelmon.core.best.advice_storage import storage_advice
from modelmon.core.best.result import Advice
from modelmon.core.load.config import PROGRAM
from modelmon.core.messages import Message, joined
from modelmon.core.units import duration_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.best.result import Objective, Standing
    from modelmon.core.diagnose.diagnosis import Diagnosis, Finding, FindingKind
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.probe.probe import Probe

# What each finding's remedy brings; the findings of how to load are not among them.
_EXPECTED: dict[FindingKind, Message] = {
    "does-not-fit": Message("The model is read once instead of again and again."),
    "tight-memory": Message(
        "Room for a copy, and the file stays in the page cache for the next start."
    ),
    "swapping": Message("The load no longer waits for pages that are swapped out and in."),
    "cgroup-limit": Message("The file stays in the page cache for the next start."),
    "small-readahead": Message("Larger requests: fewer waits for each of them."),
    "small-requests": Message("Larger requests: fewer round trips."),
    "nothing-cached": Message("Starts after the first from the page cache."),
    "cached-twice": Message("Half the page cache for the same file, and one copy less."),
    "slow-link": Message("Up to the possible rate of the link."),
    "slow-slot": Message("Up to the rate of the drive."),
    "slow-usb": Message("Up to 500 MB/s instead of 60 MB/s."),
    "busy-device": Message("The full disk speed for the load."),
    "windows-drive": Message("The rate of the virtual disk instead of one request at a time."),
    "slow-governor": Message(
        "Quicker page faults and copies; nothing where the disk is the limit."
    ),
    "throttled": Message("Full processor speed."),
    "cpu-quota": Message("Readers that aren't throttled."),
    "io-limit": Message("The disk's own rate; nothing where the disk is slower than the limit."),
}
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
_WAITS_FOR_DISK = 0.5
_NOTEWORTHY = 1.5


def advice_outside(
    inspection: Inspection,
    diagnosis: Diagnosis | None = None,
    best: Standing | None = None,
    objective: Objective = "cold",
) -> tuple[Advice, ...]:
    """Advice by a diagnosis and by what was measured of the `best`; either may be missing.

    What rests on a measurement comes first.
    """
    found: list[Advice] = []
    # Of a program's time only a part is reading: no rate follows from it.
    is_ours = best is not None and best.config.library != PROGRAM
    if best is not None and best.expected_ns is not None and is_ours and objective != "warm":
        found += _of_measurement(inspection, diagnosis, best, best.expected_ns)
    cached = best is None or best.config.access != "direct"
    of_no_use = _OF_THE_DISK if objective == "warm" else () if cached else ("small-readahead",)
    if diagnosis is not None:
        for finding in diagnosis.findings:
            if finding.kind in _EXPECTED and finding.kind not in of_no_use:
                found.append(_of_finding(finding, diagnosis.probe))
    return tuple(found)


def _of_finding(finding: Finding, probe: Probe | None) -> Advice:
    command = finding.command
    return Advice(
        kind=finding.kind,
        text=finding.text if command else joined((finding.text, finding.remedy)),
        expected=_expected(finding.kind, probe),
        basis="rule of thumb" if finding.rule_of_thumb else "observed",
        source=finding.rule_of_thumb or finding.evidence,
        command=command,
    )


def _expected(kind: FindingKind, probe: Probe | None) -> Message:
    """What a remedy should bring, with the probe's rates where they tell."""
    storage = probe.storage if probe is not None and not probe.storage.met_others else None
    if kind == "small-readahead" and storage and storage.buffered and storage.sequential:
        most, now = storage.sequential.bytes_per_s, storage.buffered.bytes_per_s
        return Message(
            "Up to {most} for one reader instead of {now}, as measured.",
            most=rate_text(most),
            now=rate_text(now),
        )
    return _EXPECTED[kind]


def _of_measurement(
    inspection: Inspection, diagnosis: Diagnosis | None, best: Standing, cold_ns: float
) -> Iterator[Advice]:
    waits = best.io_wait_share is not None and best.io_wait_share >= _WAITS_FOR_DISK
    warm_ns = best.other_expected_ns
    if warm_ns is not None and inspection.fits and cold_ns > warm_ns * _NOTEWORTHY:
        yield Advice(
            kind="fill-cache",
            text=Message("Fill the page cache ahead of the start, where the time for it is free."),
            expected=Message(
                "{warm} instead of {cold}.",
                warm=duration_text(warm_ns),
                cold=duration_text(cold_ns),
            ),
            basis="measured",
            source=Message(
                "{other_runs} warm starts with {label}",
                other_runs=best.other_runs,
                label=best.label,
            )
            if best.other_runs > 1
            else Message("1 warm start with {label}", label=best.label),
            command=f"modelmon warm {shlex.quote(inspection.model.path)}",
        )
    if waits:
        yield from storage_advice(inspection.model, diagnosis, cold_ns)
