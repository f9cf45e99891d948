"""What to change outside of the load: the disk, the mount, the memory, the file.

How to load is no part of it: where a race was run, its measurements say that, and rules of
thumb about it are left out.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from modelmon.core.experiment.race_result import Advice
from modelmon.core.units import duration_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.experiment.diagnosis import Diagnosis, Finding, FindingKind
    from modelmon.core.experiment.preflight import Preflight
    from modelmon.core.experiment.race_result import Objective, Standing

# What each finding's remedy brings; the findings of how to load are not among them.
_EXPECTED: dict[FindingKind, str] = {
    "does-not-fit": "The model is read once instead of again and again.",
    "tight-memory": "Room for a copy, and the file stays in the page cache for the next start.",
    "swapping": "The load no longer waits for pages that are swapped out and in.",
    "cgroup-limit": "The file stays in the page cache for the next start.",
    "small-readahead": "Larger requests: fewer waits for each of them.",
    "small-requests": "Larger requests: fewer round trips.",
    "nothing-cached": "Starts after the first from the page cache.",
    "cached-twice": "Half the page cache for the same file, and one copy less.",
    "slow-link": "Up to the possible rate of the link.",
    "slow-slot": "Up to the rate of the drive.",
    "slow-usb": "Up to 500 MB/s instead of 60 MB/s.",
    "busy-device": "The device's whole rate for the load.",
    "windows-drive": "The rate of the virtual disk instead of one request at a time.",
    "slow-governor": "Quicker page faults and copies; nothing where the disk is the limit.",
    "throttled": "The processor's whole speed.",
    "cpu-quota": "Readers that are not stopped in between.",
}
_AS_ROOT = "As root: "
_WAITS_FOR_DISK = 0.5
_NOTEWORTHY = 1.5
_WORTH_A_DISK = 2
_NVME_BYTES_PER_S = 3e9
_NVME_SOURCE = "3 GB/s: drives on PCIe 3.0 × 4, whose link carries 3.9 GB/s"
_WIDE_TYPES = {"F32": 4.0, "F16": 2.0, "BF16": 2.0}
# A block of 32 weights takes 32 bytes and a scale of 2.
_Q8_BYTES_A_WEIGHT = 34 / 32


def advice_outside(
    preflight: Preflight,
    diagnosis: Diagnosis | None = None,
    best: Standing | None = None,
    objective: Objective = "cold",
) -> tuple[Advice, ...]:
    """Advice by a diagnosis and by what was measured of the `best`; either may be missing.

    What rests on a measurement comes first.
    """
    found: list[Advice] = []
    if best is not None and best.median_ns is not None and objective != "warm":
        found += _of_measurement(preflight, best, best.median_ns)
    cached = best is None or best.config.access != "direct"
    for finding in diagnosis.findings if diagnosis is not None else ():
        if finding.kind in _EXPECTED and (cached or finding.kind != "small-readahead"):
            found.append(_of_finding(finding))
    return tuple(found)


def _of_finding(finding: Finding) -> Advice:
    command = finding.remedy.removeprefix(_AS_ROOT) if _AS_ROOT in finding.remedy else ""
    return Advice(
        kind=finding.kind,
        text=finding.text if command else f"{finding.text} {finding.remedy}",
        expected=_EXPECTED[finding.kind],
        basis="rule of thumb",
        source=finding.rule_of_thumb or finding.evidence,
        command=command,
    )


def _of_measurement(preflight: Preflight, best: Standing, cold_ns: float) -> Iterator[Advice]:
    waits = best.io_wait_share is not None and best.io_wait_share >= _WAITS_FOR_DISK
    warm_ns = best.other_median_ns
    if warm_ns is not None and preflight.fits and cold_ns > warm_ns * _NOTEWORTHY:
        files = " ".join(shlex.quote(str(path)) for path in preflight.model.files)
        yield Advice(
            kind="fill-cache",
            text="Fill the page cache ahead of the start, where the time for it is free.",
            expected=f"{duration_text(warm_ns)} instead of {duration_text(cold_ns)}.",
            basis="measured",
            source=f"{best.other_runs} warm starts with {best.label}",
            command=f"cat {files} > /dev/null",
        )
    if waits:
        yield from _faster_disk(preflight, cold_ns)
        yield from _smaller_file(preflight, cold_ns)


def _faster_disk(preflight: Preflight, cold_ns: float) -> Iterator[Advice]:
    rate = preflight.model.nbytes * 1e9 / cold_ns
    if rate * _WORTH_A_DISK > _NVME_BYTES_PER_S:
        return
    expected_ns = preflight.model.nbytes / _NVME_BYTES_PER_S * 1e9
    path = shlex.quote(preflight.model.path)
    yield Advice(
        kind="faster-disk",
        text=f"Move the model to an NVMe drive: this storage gave {rate_text(rate)}.",
        expected=f"About {duration_text(expected_ns)} instead of {duration_text(cold_ns)}.",
        basis="rule of thumb",
        source=_NVME_SOURCE,
        command=f"cp -rL {path} FOLDER_ON_NVME",
    )


def _smaller_file(preflight: Preflight, cold_ns: float) -> Iterator[Advice]:
    model = preflight.model
    wide = [tensor for tensor in model.tensors if tensor.dtype in _WIDE_TYPES]
    weights = sum(tensor.nbytes / _WIDE_TYPES[tensor.dtype] for tensor in wide)
    small = model.nbytes - sum(tensor.nbytes for tensor in wide) + weights * _Q8_BYTES_A_WEIGHT
    if small * _NOTEWORTHY > model.nbytes:
        return
    path = shlex.quote(model.path)
    gguf = model.format == "gguf"
    yield Advice(
        kind="quantisation",
        text="Quantise the weights to 8 bits (Q8_0), if the loss of accuracy is acceptable.",
        expected=f"About {duration_text(cold_ns * small / model.nbytes)} instead of"
        f" {duration_text(cold_ns)}.",
        basis="rule of thumb",
        source="34 bytes for 32 weights; where the disk is the limit, time goes with bytes",
        command=f"llama-quantize {path} OUT.gguf Q8_0"
        if gguf
        else "convert_hf_to_gguf.py FOLDER --outtype q8_0",
    )
