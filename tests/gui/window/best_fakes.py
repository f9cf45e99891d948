"""A race in the window with scripts in the place of workers and subcommands."""

import json

import msgspec
from window_fakes import Load

from modelmon.core.find_best.plan import BestPlan, SearchConditions
from modelmon.core.find_best.result import Excluded
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import to_wire
from modelmon.gui.background.commands import Command
from modelmon.gui.background.worker_process import WorkerProcess
from modelmon.gui.best.find_best_controller import FindBestController
from modelmon.gui.session.machine import ProgramFinder
from modelmon.gui.session.run_controller import RunController

BUDGET_NS = 60 * 10**9
PLAN = BestPlan(
    arms=tuple(Entrant(name, name, PRESETS[name].config) for name in ("mmap", "direct")),
    excluded=(Excluded("shared-fd", "It is the known bad case."),),
    conditions=SearchConditions("/m", "cold", BUDGET_NS, first_cost_ns=10**8),
    read_bytes=4 * 10**9,
    rate_bytes_per_s=2e9,
)


def planned(**changes):
    """That plan under other conditions."""
    conditions = msgspec.structs.replace(PLAN.conditions, **changes)
    return msgspec.structs.replace(PLAN, conditions=conditions)


class BestStage:
    """A session and its race; `wall_s` says how long each strategy takes."""

    def __init__(self, session, playing, script):
        self.session = session
        self.jobs = []
        self.workers = []
        self.asked = []
        self.engines = []
        self.tune_plan = ""
        self.answer = f"print({msgspec.json.encode(PLAN, enc_hook=to_wire).decode()!r})"
        self.loads = self.by_strategy
        self.then = ""
        self._playing, self._script = playing, script
        self.runs = RunController(session, self._worker)
        self.programs = ProgramFinder(session, self._command, session)
        self.find_best_controller = FindBestController(
            session, self.runs, self.programs, self._command
        )

    @staticmethod
    def by_strategy(job):
        wall_s = 0.5 if job.config.access == "direct" else 2.0
        cached = 1.0 if job.cache == "warm" else 0.0
        return Load(job.config, job.strategy, job.cache, wall_s, cached_share=cached)

    def _worker(self, job):
        self.jobs.append(job)
        worker = WorkerProcess(job, self._playing(self.loads(job), then=self.then))
        self.workers.append(worker)
        return worker

    def _command(self, arguments):
        self.asked.append(arguments)
        answers = {
            "programs": f"print({json.dumps({'programs': self.engines})!r})",
            "--program": f"print({self.tune_plan!r})",
        }
        answer = next((answers[word] for word in arguments if word in answers), self.answer)
        return Command(arguments, self._script(answer))


def searched(qtbot, stage, runs):
    """The race under way after so many runs, when it is stopped."""
    session = stage.session
    live = session.races.live
    qtbot.waitUntil(lambda: len(live.runs) >= runs or not session.busy)
    stage.runs.stop()
    qtbot.waitUntil(lambda: not session.busy)
    assert session.races.race is not None
    return session.races.race
