"""A history on disk to be shown by the Runs tab, and ways to look at what it shows."""

import time

import msgspec

from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.worker.result import RunResult
from modelmon.gui.runs.run_lines import TITLES

DAY_S = 86_400
change = msgspec.structs.replace


class Past:
    """A history on disk, and ways to put measurements of the open model into it."""

    def __init__(self, folder, inspection):
        self.history = History(folder)
        self.origin = origin_of(inspection)
        self.nbytes = inspection.model.nbytes

    def result(self, strategy, wall_ms, days_ago, **changes):
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

    def keep(self, result, origin=None, lines=b"", conditions=None):
        origin = origin or self.origin
        arm = Entrant("A", result.strategy, result.config)
        experiment_id = self.history.begin("single", origin, [arm], conditions or {})
        run_id = self.history.add_run(experiment_id, origin, "A", result, lines)
        self.history.end(experiment_id, "done")
        return run_id

    def elsewhere(self):
        machine = change(self.origin.machine, id="m2", cpu_model="Ryzen 9", cpu_count=32)
        return change(self.origin, machine=machine, storage=change(self.origin.storage, id="s2"))


def settle(qtbot, window):
    """Wait until the history has answered all that it was asked, and asked again."""
    for _ in range(2):
        window.history.ask(lambda _: None, lambda _: None, lambda _: None)
        qtbot.waitUntil(lambda: not window.history._answers.looking)


def seen(qtbot, window, inspection):
    """The Runs tab with the model open and its history read."""
    window.session.set_inspection(inspection)
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    settle(qtbot, window)
    return window.workspace.runs


def column(panel, title):
    """What a column says of each row; of those of comparisons, too."""
    at = TITLES.index(title)
    return [index.siblingAtColumn(at).data() for index in panel.table.runs.every_index()]
