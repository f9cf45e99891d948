"""What is known of a load before it is measured, in one line for the verdict slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.fit import fit_answer
from modelmon.core.diagnose.storage_type import rule_of_thumb, storage_type_of
from modelmon.core.probe.limits import best_times
from modelmon.core.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text, size_text
from modelmon.gui.look.language import mark, tr
from modelmon.gui.machine.facts import disk_kind
from modelmon.gui.machine.machine_facts import hurts

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.probe.probe import Probe

_FITS = {
    "fits": mark("Fits in memory: {model} of {memory} free."),
    "tight": mark("Barely fits in memory: {model} of {memory} free."),
    "does-not-fit": mark("Doesn't fit in memory: {model}, {memory} free."),
}


def outlook_text(inspection: Inspection, diagnosis: Diagnosis | None, probe: Probe | None) -> str:
    """Does it fit, how fast can it be, on what does it lie, and what will probably hurt."""
    model, memory = inspection.model, inspection.memory
    fit = tr(
        _FITS[fit_answer(model.nbytes, memory.usable_bytes)],
        model=size_text(model.nbytes),
        memory=size_text(memory.usable_bytes),
    )
    parts = [fit, _best(inspection, diagnosis, probe)]
    # That it does not fit was the first thing said.
    bad = [one for one in hurts(diagnosis) if one.kind != "does-not-fit"] if diagnosis else []
    if bad:
        parts.append(tr("Likely bottleneck: {what}", what=bad[0].text))
    return " ".join(parts)


def _best(inspection: Inspection, diagnosis: Diagnosis | None, probe: Probe | None) -> str:
    nbytes = inspection.model.nbytes
    if probe is not None:
        cold_ns = best_times(nbytes, probe.storage, probe.memory).cold_ns
        kind = class_text(probe.storage_class)
        if cold_ns is not None:
            return tr(
                "Fastest cold start, from the disk measurement: {time} ({kind}).",
                time=duration_text(cold_ns),
                kind=kind,
            )
    storage = inspection.storage
    name = f"{storage.device or storage.filesystem}, {disk_kind(storage)}"
    thumb = rule_of_thumb(storage, storage_type_of(inspection, diagnosis))
    if thumb is None:
        return tr("Measure {storage} to see the fastest possible load.", storage=name)
    return tr(
        "{storage}: fastest cold start about {time} ({rate} is typical of {kind}).",
        storage=name,
        time=duration_text(nbytes / thumb.bytes_per_s * 1e9),
        rate=rate_text(thumb.bytes_per_s),
        kind=thumb.of,
    )
