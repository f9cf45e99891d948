"""What the window does by itself before anything is measured: it finds models, chooses what to
compare first, and says what is known before a load.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from modelmon.core.doctor.diagnosis import fit_answer
from modelmon.core.explain.expected import fastest_ns, first_pair, rule_of_thumb, storage_type_of
from modelmon.core.load.config import preset, with_value
from modelmon.core.machine.memory import read_memory
from modelmon.core.probe.probe import class_text
from modelmon.core.units import duration_text, rate_text, size_text
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.open.found_models_controller import FoundModelsController
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.session.session import LABELS

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.probe.probe import Probe
    from modelmon.gui.session.machine import Machine
    from modelmon.gui.session.notices import Notice
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings
    from modelmon.gui.shell.main_window import MainWindow

_FIRST_PAINT_MS = 300
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


class FirstMinute(QObject):
    """Connects the parts of it with a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._usable_bytes = 0
        self.finding = FoundModelsController(window.session, window.settings, parent=self)
        window.parts_at_work = (*window.parts_at_work, self.finding)
        found = window.empty.found
        found.chosen.connect(window.open_controller.open_model)
        found.look_wanted.connect(self.finding.look)
        found.folders_wanted.connect(window.commands.settings)
        self.finding.changed.connect(self._show_found)
        self._choice = FirstChoice(window.session, window.machine, window.settings, parent=self)
        window.furnished.connect(self._amend_hints)
        if window.is_furnished:
            self._amend_hints()
        window.preferences.model_folders_changed.connect(self.finding.look)

    def begin(self) -> None:
        """Start to look for models, a moment after the window is shown: it is painted first."""
        QTimer.singleShot(_FIRST_PAINT_MS, self, self.finding.look)
        # Of a window that was killed.
        QTimer.singleShot(_FIRST_PAINT_MS, self, self._window.sample.remove_orphans)

    def _amend_hints(self) -> None:
        slot = self._window.workspace.slot
        slot.amend_hint = self._amended
        self._window.machine.changed.connect(slot.refresh)

    def _amended(self, hint: Notice) -> Notice:
        """The hint with why B is worth a try, and with what is known before the load."""
        machine, inspection = self._window.machine, self._window.session.inspection
        if inspection is None:
            return hint
        return replace(
            hint,
            reason=self._choice.reason or hint.reason,
            caveat=outlook_text(inspection, machine.diagnosis, machine.probe),
        )

    def _show_found(self) -> None:
        finding = self.finding
        if not finding.models:
            # Once for each look: a table that changes with every allocation cannot be read.
            self._usable_bytes = read_memory().usable_bytes
        self._window.empty.found.show_found(
            finding.models,
            finding.searched,
            usable_bytes=self._usable_bytes,
            looking=finding.looking,
            failure=finding.failure,
        )


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
        if inspection is None or self._choosing or self._configs == self._chosen:
            return
        a, b = self._configs
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
    parts = [*map(said, model.notes), fit, _best(inspection, diagnosis, probe)]
    # That it does not fit was the first thing said.
    findings = diagnosis.findings if diagnosis is not None else ()
    bad = [one for one in findings if one.severity != "ok" and one.kind != "does-not-fit"]
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
    thumb = rule_of_thumb(storage, storage_type_of(storage, diagnosis))
    if thumb is None:
        return tr("Measure {storage} to see the fastest possible load.", storage=name)
    return tr(
        "{storage}: fastest cold start about {time} ({rate} is typical of {kind}).",
        storage=name,
        time=duration_text(inspection.model.nbytes / thumb.bytes_per_s * 1e9),
        rate=rate_text(thumb.bytes_per_s),
        kind=thumb.of,
    )
