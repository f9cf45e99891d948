"""What is known of a load before it is measured, in one line for the verdict slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.first_arms import ground_of
from modelmon.core.experiment.preflight.fit import fit_answer
from modelmon.core.experiment.preflight.rule_of_thumb import rule_of_thumb
from modelmon.core.experiment.probe.best_times import best_times
from modelmon.core.experiment.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text, size_text
from modelmon.gui.language import mark, tr
from modelmon.gui.machine.facts import disk_kind
from modelmon.gui.machine.machine_facts import hurts

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.probe.probe import Probe

_FITS = {
    "fits": mark("Fits: {model} of {memory} free."),
    "tight": mark("Fits tightly: {model} of {memory} free."),
    "does-not-fit": mark("Does not fit: {model}, {memory} free."),
}


def outlook_text(preflight: Preflight, diagnosis: Diagnosis | None, probe: Probe | None) -> str:
    """Does it fit, how fast can it be, on what does it lie, and what will probably hurt."""
    model, memory = preflight.model, preflight.memory
    fit = tr(
        _FITS[fit_answer(model.nbytes, memory.usable_bytes)],
        model=size_text(model.nbytes),
        memory=size_text(memory.usable_bytes),
    )
    parts = [fit, _best(preflight, diagnosis, probe)]
    # That it does not fit was the first thing said.
    bad = [one for one in hurts(diagnosis) if one.kind != "does-not-fit"] if diagnosis else []
    if bad:
        parts.append(tr("Probably hurts: {what}", what=bad[0].text))
    return " ".join(parts)


def _best(preflight: Preflight, diagnosis: Diagnosis | None, probe: Probe | None) -> str:
    nbytes = preflight.model.nbytes
    if probe is not None:
        cold_ns = best_times(nbytes, probe.storage, probe.memory).cold_ns
        kind = class_text(probe.storage_class)
        if cold_ns is not None:
            return tr(
                "At best {time} cold, as probed: {kind}.", time=duration_text(cold_ns), kind=kind
            )
    storage = preflight.storage
    name = f"{storage.device or storage.filesystem}, {disk_kind(storage)}"
    thumb = rule_of_thumb(storage, ground_of(preflight, diagnosis))
    if thumb is None:
        return tr("On {storage}: measure the disk for the best possible time.", storage=name)
    return tr(
        "On {storage}: at best about {time} cold, by rule of thumb ({rate} for {kind}).",
        storage=name,
        time=duration_text(nbytes / thumb.bytes_per_s * 1e9),
        rate=rate_text(thumb.bytes_per_s),
        kind=thumb.of,
    )
