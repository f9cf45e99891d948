"""What A and B are when a model is opened: as they were last, or a guess for its storage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.experiment.first_arms import first_arms
from modelmon.core.load.presets import preset
from modelmon.gui.session import LABELS

if TYPE_CHECKING:
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.load.config import LoadConfig
    from modelmon.gui.machine.machine import Machine
    from modelmon.gui.session import Session
    from modelmon.gui.settings.settings import Settings


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
        return self._reason if self._configs == self._chosen else ""

    @property
    def _configs(self) -> tuple[LoadConfig, ...]:
        return tuple(self._session.config(label) for label in LABELS)

    def _on_model(self) -> None:
        inspection = self._session.inspection
        if inspection is None or inspection is self._seen:
            return
        self._seen = inspection
        remembered = self._settings.arms(inspection.model.path)
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
        self._settings.set_arms(inspection.model.path, a, b)

    def _choose(self, inspection: Inspection) -> None:
        found = first_arms(inspection, self._machine.diagnosis)
        self._reason = found.reason
        self._set((preset(found.a).config, preset(found.b).config))

    def _set(self, configs: tuple[LoadConfig, LoadConfig]) -> None:
        if configs != self._configs:
            self._choosing = True
            for label, config in zip(LABELS, configs, strict=True):
                self._session.set_config(label, config)
            self._choosing = False
        self._chosen = self._configs
