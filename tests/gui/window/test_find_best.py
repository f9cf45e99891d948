"""Find best in the window, with scripts in the place of workers and subcommands."""

import time
from dataclasses import replace

import msgspec
import pytest
from best_fakes import PLAN, BestStage, planned, searched
from tests.core.conftest import HERE
from tests.core.find_best.racing import Racetrack
from window_fakes import LOAD_A, LOAD_B, Load, make_comparison, slot_of

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.runner import ExperimentRun
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import Entrant
from modelmon.core.worker import events as ev
from modelmon.gui.background.history_access import RunRecorder
from modelmon.gui.best.best_tab import BestTab
from modelmon.gui.best.best_words import plan_lines
from modelmon.gui.best.ranking import rank
from modelmon.gui.compare.arm_runs import RunQueue
from modelmon.gui.session.actions import reasons_against
from modelmon.gui.session.session import Activity

TWO = {"mmap": 900, "direct": 400}
BUSY = ev.Failed("busy", "python (4711) has llama mapped.", "Close it, or run anyway.")


@pytest.fixture
def stage(session, playing, script):
    return BestStage(session, playing, script)


def test_that_a_stopped_race_recommends_the_best_so_far(stage, qtbot):
    session = stage.session
    slot, tab = slot_of(session), BestTab(session, stage.find_best_controller)
    for widget in (slot, tab):
        qtbot.addWidget(widget)
    stage.find_best_controller.start(PLAN)
    assert session.activity is Activity.RACING
    assert "best" in reasons_against(session)
    race = searched(qtbot, stage, 12)
    assert race.ending == "stopped"
    assert race.recommendation.strategy == "direct"
    assert slot.page.texts.headline.whole == race.recommendation.sentence
    cold = tab.table.ranking.rows[0].figures["cold"]
    assert cold.value == pytest.approx(0.5e9, rel=0.02)
    assert slot.page.figures.boxes["cold"].value.text() == cold.text("cold")
    assert slot.page.figures.boxes["cold"].of_a.text().endswith(" s")
    assert "500 ms instead of 2.00 s (likely " in slot.page.texts.reason.whole
    assert "A's mmap" not in slot.page.texts.reason.whole
    session.set_config("A", race.recommendation.config)
    assert slot.page.texts.reason.whole.startswith("A already uses this.")
    assert tab.table.ranking.rows[0].label == race.recommendation.label
    assert tab.table.ranking.rows[0].compared in {"For now: too few runs", "Recommended"}
    assert tab.table.ranking.rows[0].is_used_by_a
    assert slot.page.figures.boxes["cold"].of_a.text() == ""
    assert "export" not in reasons_against(session)
    assert session.runs == []
    # What is measured later takes the slot.
    session.conclude(None)
    assert session.verdict is None
    assert session.races.standings() == race.standings


def test_that_what_cannot_stay_in_memory_is_streamed_by_all(stage, qtbot):
    why = "the model doesn't fit in 2 GB of memory"
    arms = tuple(
        msgspec.structs.replace(arm, config=replace(arm.config, deliver="streamed"))
        for arm in PLAN.arms
    )
    plan = msgspec.structs.replace(planned(why_streamed=why), arms=arms)
    assert plan_lines(plan)[2] == f"Every strategy streams the model: {why}."
    stage.find_best_controller.start(plan)
    race = searched(qtbot, stage, 4)
    assert {job.config.deliver for job in stage.jobs} == {"streamed"}
    assert "streamed" in race.recommendation.sentence


def test_that_progress_tells_the_round_the_way_and_the_budget(stage, qtbot):
    stage.loads = lambda job: replace(BestStage.by_strategy(job), until_s=0.25)
    stage.then = "sys.stdin.read(); sys.exit(130)"
    stage.find_best_controller.start(PLAN)
    session = stage.session
    qtbot.waitUntil(lambda: "B/s" in session.progress().detail)
    view = session.progress()
    label = session.races.running
    assert view.headline.startswith("Find best, round 1, run 1 of ")
    assert view.detail.startswith(f"Now {label}: ")
    assert " left" in view.time_left
    assert view.share is not None
    assert 0 < view.share < 1
    stage.runs.stop()
    assert session.activity is Activity.STOPPING
    qtbot.waitUntil(lambda: not session.busy)
    assert session.notice.headline == "Find best stopped before any run finished."
    assert session.verdict is None


def test_that_closing_in_a_race_leaves_no_worker(stage, qtbot):
    stage.loads = lambda job: replace(BestStage.by_strategy(job), until_s=0.25)
    stage.then = "sys.stdin.read(); sys.exit(130)"
    stage.find_best_controller.start(PLAN)
    worker = stage.workers[0]
    qtbot.waitUntil(lambda: worker.record.state == "loading")
    assert worker.process_id
    stage.runs.shut_down()
    assert not worker.process_id
    assert len(stage.jobs) == 1


def test_that_a_run_that_overdraws_the_budget_ends_the_race(stage, qtbot):
    short = planned(budget_ns=3 * 10**9)
    first = []

    def loads(job):
        first.append(job)
        load = BestStage.by_strategy(job)
        if len(first) == 1:
            return load
        stage.then = "sys.stdin.read(); sys.exit(130)"
        return replace(load, until_s=0.25)

    stage.loads = loads
    stage.find_best_controller.start(short)
    qtbot.waitUntil(lambda: not stage.session.busy)
    race = stage.session.races.race
    assert race.ending == "budget"
    assert len(race.runs) == 1


def test_that_a_way_that_cannot_run_drops_out_with_its_reason(stage, qtbot):
    refused = ev.Failed("config", "This filesystem refuses direct reads.", "")

    def loads(job):
        load = BestStage.by_strategy(job)
        return replace(load, failure=refused) if job.config.access == "direct" else load

    stage.loads = loads
    stage.find_best_controller.start(PLAN)
    race = searched(qtbot, stage, 12)
    rows = {row.label: row for row in rank(race.standings).rows}
    assert rows["direct"].compared == "can't run: This filesystem refuses direct reads"
    assert race.recommendation.strategy != "direct"


def test_that_a_model_lost_meanwhile_leaves_the_best_so_far_and_says_why(stage, qtbot):
    stage.jobs.clear()

    def loads(job):
        load = BestStage.by_strategy(job)
        gone = ev.Failed("model", "/m is not there.", "")
        return replace(load, failure=gone) if len(stage.jobs) > 2 else load

    stage.loads = loads
    stage.find_best_controller.start(PLAN)
    qtbot.waitUntil(lambda: not stage.session.busy)
    race = stage.session.verdict
    assert race.why_stopped == "/m is not there."
    assert not stage.session.races.reference


def test_that_a_file_in_use_can_be_raced_anyway(stage, qtbot):
    session, verdict = stage.session, make_comparison()
    session.conclude(verdict)
    stage.loads = lambda job: Load(job.config, failure=None if job.allow_busy else BUSY)
    stage.find_best_controller.start(PLAN)
    qtbot.waitUntil(lambda: not session.busy)
    assert session.notice.headline == BUSY.message
    # Until it is, the verdict before it stands.
    assert session.verdict is verdict
    session.notice.choices[0].chosen()
    assert session.busy
    assert session.verdict is None
    race = searched(qtbot, stage, 1)
    assert race.runs[0].result.counts


def test_that_a_race_that_goes_on_asks_before_it_disturbs_others(stage, qtbot):
    session = stage.session
    assert session.inspection is not None
    stopped = Racetrack(times_ms=TWO)
    stopped.go(3)
    race = Racetrack(times_ms=TWO).session
    race.resume([run.result for run in stopped.session.runs])
    recorder = Recorder(None, "best", HERE, (), race.conditions)
    underway = ExperimentRun(race, session.inspection, recorder)
    agreed = []
    stage.loads = lambda job: Load(job.config, failure=None if job.allow_busy else BUSY)
    stage.find_best_controller.go_on(underway, lambda: agreed.append(True))
    qtbot.waitUntil(lambda: not session.busy)
    assert session.notice.headline == BUSY.message
    session.notice.choices[0].chosen()
    assert agreed


def test_that_a_run_that_is_kept_has_the_number_it_had(session):
    arms = [Entrant(x, y.strategy, y.config) for x, y in (("A", LOAD_A), ("B", LOAD_B))]
    comparing = CompareSession(arms[0], arms[1], Conditions("/data/llama", "cold", max_pairs=5))
    progress = RunQueue(comparing)
    for place in ("pair 1 of 5", "pair 1 of 5", "pair 2 of 5"):
        step = comparing.next_job()
        assert step is not None
        label, job = step
        record = replace(LOAD_A if label == "A" else LOAD_B, config=job.config).record()
        progress.begin(label)
        loading = progress.view(session, label, record)
        progress.end()
        comparing.add(record)
        kept = progress.view(session, label, None)
        assert loading.headline == f"Compare, {place}: {label} is loading"
        assert kept.headline == f"Compare, {place}: {label} has loaded"
        assert kept.detail == f"Saving run: {label}"
        assert kept.squares == loading.squares


def test_that_the_rest_of_a_comparison_is_estimated_from_its_own_runs(session, monkeypatch):
    clock = [0]
    monkeypatch.setattr(time, "monotonic_ns", lambda: clock[0] * 10**9)
    arms = [Entrant(x, y.strategy, y.config) for x, y in (("A", LOAD_A), ("B", LOAD_B))]
    comparing = CompareSession(arms[0], arms[1], Conditions("/data/llama", "cold", max_pairs=1))
    queue, unknown = RunQueue(comparing, 10e9), RunQueue(comparing)

    def left(one):
        return one.view(session, "A", None).time_left

    assert left(queue) == "About 10 s left in total"
    assert left(unknown) == ""
    label, job = comparing.next_job() or ("", None)
    record = replace(LOAD_A if label == "A" else LOAD_B, config=job.config).record()
    queue.begin(label)
    clock[0] = 4
    assert left(queue) == "About 16 s left in total"
    queue.end()
    comparing.add(record)
    queue.begin("AB".replace(label, ""))
    clock[0] = 7
    assert left(queue) == "About 7 s left in total"


def test_that_a_race_counts_on_when_the_next_run_starts(
    session, playing, script, qtbot, monkeypatch
):
    stage = BestStage(session, playing, script)
    held = []
    monkeypatch.setattr(RunRecorder, "add", lambda *arguments: held.append(arguments[-1]))
    stage.find_best_controller.start(PLAN)
    assert session.progress is not None
    qtbot.waitUntil(lambda: bool(held))
    assert session.progress().headline.startswith("Find best, round 1, run 1 of ")
    assert session.progress().detail.startswith("Saving run: ")
    held.pop()(None)
    assert session.progress().headline.startswith("Find best, round 1, run 2 of ")
    stage.runs.stop()
    qtbot.waitUntil(lambda: not session.busy)
