"""What to change outside of the load: fill the cache, or move the model to a faster disk.

Each gives both times, and both were measured; what else speaks against the machine is the doctor's
to say, and how to load has been raced.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.find_best.result import Advice
from modelmon.core.load.config import PROGRAM
from modelmon.core.messages import Message
from modelmon.core.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.result import Objective, Standing
    from modelmon.core.model.tensors import Model

_WAITS_FOR_DISK = 0.5
_NOTEWORTHY = 1.5


def advice_outside(
    inspection: Inspection, diagnosis: Diagnosis | None, best: Standing, objective: Objective
) -> tuple[Advice, ...]:
    """Advice by what was measured of the `best`, and of other disks by a diagnosis."""
    # Of a program's time only a part is reading.
    if best.expected_ns is None or best.config.library == PROGRAM or objective == "warm":
        return ()
    found = [*_fill_cache(inspection, best, best.expected_ns)]
    if diagnosis is not None and (best.io_wait_share or 0.0) >= _WAITS_FOR_DISK:
        found += _faster_disk(inspection.model, diagnosis, best.expected_ns)
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
