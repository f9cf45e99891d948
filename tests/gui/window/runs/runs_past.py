"""A history on disk to be shown by the Runs tab, and ways to look at what it shows."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of
from modelmon.core.history.rows import ArmOf
from modelmon.core.load.presets import PRESETS
from modelmon.core.worker.result import RunResult
from modelmon.gui.models.run_columns import TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.history.origin import Origin
    from modelmon.gui.main_window import MainWindow
    from modelmon.gui.panels.runs.runs_panel import RunsPanel

DAY_S = 86_400
change = msgspec.structs.replace


class Past:
    """A history on disk, and ways to put measurements of the open model into it."""

    def __init__(self, folder: Path, inspection: Inspection) -> None:
        self.history = History(folder)
        self.origin = origin_of(inspection)
        self.nbytes = inspection.model.nbytes

    def result(self, strategy: str, wall_ms: int, days_ago: float, **changes: Any) -> RunResult:
        made = RunResult(
            strategy=strategy,
            config=PRESETS[strategy].config,
            wall_ns=wall_ms * 10**6,
            warmup_ns=0,
            load_bytes=self.nbytes,
            model_bytes=self.nbytes,
            memory_kind="mapped",
            cache_asked="cold",
            cache_state="cold",
            cache_evidence="verified",
            counts=True,
            started_unix_s=time.time() - days_ago * DAY_S,
        )
        return change(made, **changes)

    def keep(
        self,
        result: RunResult,
        origin: Origin | None = None,
        lines: bytes = b"",
        conditions: object = None,
    ) -> int:
        origin = origin or self.origin
        arm = ArmOf("A", result.strategy, result.config)
        experiment_id = self.history.begin("single", origin, [arm], conditions or {})
        run_id = self.history.add_run(experiment_id, origin, "A", result, lines)
        self.history.end(experiment_id, "done")
        return run_id

    def elsewhere(self) -> Origin:
        machine = change(self.origin.machine, id="m2", cpu_model="Ryzen 9", cpu_count=32)
        return change(self.origin, machine=machine, storage=change(self.origin.storage, id="s2"))


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the history has answered all that it was asked, and asked again."""
    for other_files in (True, False) * 2:
        answered: list[None] = []
        window.history.ask(lambda _: None, answered.append, lambda _: None, other_files=other_files)
        qtbot.waitUntil(lambda answered=answered: bool(answered))


def seen(qtbot: QtBot, window: MainWindow, inspection: Inspection) -> RunsPanel:
    """The Runs tab with the model open and its history read."""
    window.session.set_inspection(inspection)
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    settle(qtbot, window)
    return window.workspace.runs


def column(panel: RunsPanel, title: str) -> list[str]:
    model, at = panel.table.runs, TITLES.index(title)
    return [model.index(row, at).data() for row in range(model.rowCount())]
