"""What the window chooses to compare first, and what it knows before a load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.doctor.diagnosis import fit_answer
from modelmon.core.explain.expected import fastest_ns, first_pair, typical_fastest_ns
from modelmon.core.load.config import preset, with_value
from modelmon.core.probe.probe import class_text
from modelmon.core.units import duration_text, size_text
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.session.session import LABELS

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.probe.probe import Probe
    from modelmon.gui.session.machine import Machine
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings

_FITS = {
    "fits": mark("Fits in memory: {model} of {memory} free."),
    "tight": mark("Barely fits in memory: {model} of {memory} free."),
    "does-not-fit": mark("Doesn't fit in memory: {model}, {memory} free."),
}
_FITS_LIMIT = {
    "fits": mark("Fits in memory: {model} of {memory} left below the cgroup limit."),
    "tight": mark("Barely fits in memory: {model} of {memory} left below the cgroup limit."),
    "does-not-fit": mark("Doesn't fit below the cgroup limit: {model}, {memory} left."),
}
"""Where that is less than is free."""


class FirstChoice(QObject):
    """Sets both arms for a model that was never measured here, and leaves them alone as soon as
    the user has set them. What was set last is remembered with each recent model.
    """

    def __init__(
        self,
        session: Session,
        machine: Machine,
        settings: Settings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._machine, self._settings = session, machine, settings
        self._seen: Inspection | None = None
        self._reason = ""
        self._choosing = False
        self._chosen = self._configs
        session.model_changed.connect(self._on_model)
        session.settings_changed.connect(self._on_settings)
        machine.changed.connect(self._on_machine)

    @property
    def reason(self) -> str:
        """Why B is what it is; "" where it was not chosen here."""
        chosen_here = self._configs == self._chosen and not self._session.arms.programs
        return self._reason if chosen_here else ""

    @property
    def _configs(self) -> tuple[LoadConfig, ...]:
        return tuple(self._session.config(label) for label in LABELS)

    def _on_model(self) -> None:
        inspection = self._session.inspection
        if inspection is None or inspection is self._seen:
            return
        self._seen = inspection
        self._propose(inspection)
        remembered = self._settings.arms(inspection.reference)
        if remembered is not None:
            self._reason = ""
            self._set(remembered)
        elif self._configs == self._chosen:
            self._choose(inspection)

    def _on_machine(self) -> None:
        """The doctor sees more of the storage than the opening did."""
        session = self._session
        if session.inspection is None or self._machine.diagnosis is None or not self.reason:
            return
        if not session.runs and session.comparison is None and not session.busy:
            self._choose(session.inspection)

    def _on_settings(self) -> None:
        inspection = self._session.inspection
        if inspection is None:
            # Recordings that are shown set the arms: nobody has chosen these for a model.
            self._chosen = self._configs
        if inspection is None or self._choosing:
            return
        a, b = configs = self._configs
        kept = self._settings.arms(inspection.reference)
        if kept != configs and (kept is not None or configs != self._chosen):
            self._settings.set_arms(inspection.reference, a, b)

    def _propose(self, inspection: Inspection) -> str:
        """Say what would be compared first, and why; Reset goes back to it."""
        found = first_pair(inspection, self._machine.diagnosis, self._session.cache)
        a, b = (with_value(preset(at).config, "deliver", found.deliver) for at in found[:2])
        self._session.proposed = {"A": a, "B": b}
        return found.reason

    def _choose(self, inspection: Inspection) -> None:
        self._reason = self._propose(inspection)
        self._set((self._session.proposed["A"], self._session.proposed["B"]))

    def _set(self, configs: tuple[LoadConfig, LoadConfig]) -> None:
        if configs != self._configs:
            self._choosing = True
            for label, config in zip(LABELS, configs, strict=True):
                self._session.set_config(label, config)
            self._choosing = False
        self._chosen = self._configs


def outlook_text(inspection: Inspection, diagnosis: Diagnosis | None, probe: Probe | None) -> str:
    """Which files it is, does it fit, how fast can it be, and what will probably hurt."""
    model, memory = inspection.model, inspection.memory
    fits = _FITS_LIMIT if memory.usable_bytes < memory.available_bytes else _FITS
    fit = tr(
        fits[fit_answer(model.nbytes, memory.usable_bytes)],
        model=size_text(model.nbytes),
        memory=size_text(memory.usable_bytes),
    )
    if inspection.storage.kind == "memory":
        # All of it is in memory, whatever is free besides.
        fit = ""
    parts = [*map(said, model.notes), fit, _best(inspection, diagnosis, probe)]
    # That it does not fit was the first thing said.
    findings = diagnosis.findings if diagnosis is not None else ()
    bad = [one for one in findings if one.kind != "does-not-fit"]
    if bad:
        parts.append(tr("Likely bottleneck: {what}", what=bad[0].text))
    return sentences(*parts)


def _best(inspection: Inspection, diagnosis: Diagnosis | None, probe: Probe | None) -> str:
    if probe is not None:
        cold_ns = fastest_ns(inspection.model, probe, "cold")
        kind = class_text(probe.storage_class)
        if cold_ns is not None:
            return tr(
                "Fastest cold start, from the disk measurement: about {time} ({kind}).",
                time=duration_text(cold_ns),
                kind=kind,
            )
    storage = inspection.storage
    name = f"{storage.device or storage.filesystem}, {disk_kind(storage)}"
    cold_ns = typical_fastest_ns(inspection.model, storage, diagnosis)
    if cold_ns is None:
        return tr("Measure {storage} to see the fastest possible load.", storage=name)
    return tr(
        "{storage}: fastest cold start about {time}, typical of such storage.",
        storage=name,
        time=duration_text(cold_ns),
    )
