"""The run that is under way stays it until the next one starts: its number, its square."""

import time
from dataclasses import replace

from best_fakes import PLAN, BestStage
from window_fakes import LOAD_A, LOAD_B

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.history.rows import Entrant
from modelmon.gui.background.history_access import RunRecorder
from modelmon.gui.compare.arm_runs import RunQueue


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
