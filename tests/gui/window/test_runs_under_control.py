"""One run and whole comparisons, with scripts in the place of workers and subcommands, and a real
history that nothing waits on.
"""

import os
import threading
from dataclasses import replace

import msgspec
import pytest
from window_fakes import LOAD_A, LOAD_B, make_inspection, make_model

from modelmon.core.comparison.estimate import Estimate
from modelmon.core.comparison.result import Verdict
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.history import History
from modelmon.core.probe.probe import Limits
from modelmon.core.worker import events as ev
from modelmon.gui.background.commands import Command
from modelmon.gui.background.history_access import HistoryAccess
from modelmon.gui.background.worker_process import WorkerProcess
from modelmon.gui.compare.compare_controller import CompareController
from modelmon.gui.runs.run_library import RunLibrary
from modelmon.gui.session.run_controller import RunController
from modelmon.gui.session.session import LABELS, Activity

BUSY = ev.Failed("busy", "python (4711) has llama mapped.", "Close it, or run anyway.")
SHORT = Estimate(4, 8_000_000_000, 6_000_000_000, 2e9)
WAITS = "sys.stdin.read(); sys.exit(130)"


class Stage:
    """A session with a real model open and everything that drives it; `loads` says what each worker
    plays, `then` what it does after that.
    """

    def __init__(self, session, playing, script, history, model):
        self.session, self.history = session, history
        self.jobs = []
        self.logged = []
        self.loads, self.then = self.by_strategy, ""
        self.until = lambda _: None
        """How far the run of a number loads, where it does not end."""
        self.others_use_it = False
        self.estimate = SHORT
        self._playing, self._script = playing, script
        session.logged.connect(lambda level, text: self.logged.append((level, text)))
        session.set_inspection(inspect_model(model))
        self.access = HistoryAccess(history)
        self.runs = RunController(session, self._worker, self.access)
        self.compare_controller = CompareController(session, self.runs, self._command)

    @staticmethod
    def by_strategy(job):
        known = LOAD_A if job.config.access == "mmap" else LOAD_B
        return replace(known, config=job.config, strategy=job.strategy, cache=job.cache)

    def _worker(self, job):
        self.jobs.append(job)
        load, then, until_s = self.loads(job), self.then, self.until(len(self.jobs))
        if self.others_use_it and not job.allow_busy:
            load = replace(load, until_s=0.1, failure=BUSY)
        if until_s is not None:
            load, then = replace(load, until_s=until_s), WAITS
        return WorkerProcess(job, self._playing(load, then=then))

    def _command(self, arguments):
        text = msgspec.json.encode(self.estimate).decode()
        return Command(arguments, self._script(f"print({text!r})"))

    def settle(self, qtbot):
        """Wait until the history has done what it was asked."""
        answered = []
        self.access.ask(lambda _: None, answered.append, lambda _: None)
        qtbot.waitUntil(lambda: bool(answered))

    def stop_run(self, qtbot, number):
        """Begin a comparison and stop the run of this number while that loads."""
        self.until = lambda at: 0.5 if at == number else None
        self.compare_controller.start()
        qtbot.waitUntil(lambda: len(self.jobs) == number and self.runs.progress().share is not None)
        self.runs.stop()
        until_idle(qtbot, self.session)
        self.until = lambda _: None
        self.settle(qtbot)


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / "data")


@pytest.fixture
def stage(session, history, playing, script, sample):
    session.set_repeats(5)
    made = Stage(session, playing, script, history, sample)
    yield made
    made.runs.shut_down()
    made.access.shut_down()


def until_idle(qtbot, session):
    qtbot.waitUntil(lambda: not session.busy)


def test_that_one_run_fills_the_card_says_what_it_took_and_is_kept_with_its_events(stage, qtbot):
    session = stage.session
    session.set_cache("warm")
    stage.compare_controller.run("A")
    assert session.activity is Activity.RUNNING
    until_idle(qtbot, session)
    assert stage.jobs[0].config == session.config("A")
    assert stage.jobs[0].cache == "warm"
    assert [result.wall_ns for result in session.results("A")] == [2_000_000_000]
    (run,) = session.runs
    assert session.record("A") is run.record
    assert session.notice.headline == "A took 2.00 s, 1 GB/s."
    stage.access.shut_down()
    (row,) = stage.history.runs()
    assert (row.kind, row.state, row.label, row.strategy) == ("single", "done", "A", "mmap")
    assert row.wall_ns == 2_000_000_000
    assert session.kept[row.id] is run
    assert stage.history.record(row.id).finished == run.record.finished


def test_that_a_run_that_a_cache_below_served_does_not_count(stage, qtbot, monkeypatch):
    slow = Limits(device_bytes_per_s=1e8)
    monkeypatch.setattr("modelmon.gui.compare.compare_controller.known_limits", lambda _: slow)
    stage.compare_controller.run("A")
    until_idle(qtbot, stage.session)
    (result,) = stage.session.results("A")
    assert not result.counts
    assert "served-from-cache" in {warning.kind for warning in result.warnings}
    assert stage.session.limits is slow


def test_that_a_comparison_runs_both_arms_names_the_faster_and_is_kept_with_its_verdict(
    stage, qtbot
):
    session = stage.session
    stage.compare_controller.start()
    assert session.activity is Activity.ESTIMATING
    until_idle(qtbot, session)
    assert sorted(run.label for run in session.runs) == ["A"] * 5 + ["B"] * 5
    assert session.comparison.verdict.winner == "B"
    assert session.comparison.arm_a.runs == session.comparison.arm_b.runs == 5
    assert session.notice is None
    a, b = session.record("A"), session.record("B")
    assert a is not None
    assert b is not None
    # Once the next one begins, the plots show no run of other settings.
    session.set_preset("B", "direct")
    assert session.record("B") is b
    stage.then = WAITS
    stage.compare_controller.start()
    qtbot.waitUntil(lambda: session.activity is Activity.COMPARING)
    assert session.record("A") is a
    assert session.record("B") is None
    verdict = session.comparison
    stage.runs.stop()
    until_idle(qtbot, session)
    stage.access.shut_down()
    (experiment,) = stage.history.experiments()
    assert (experiment.kind, experiment.state, experiment.runs) == ("compare", "done", 10)
    assert verdict is None
    assert stage.history.verdict(experiment.id, Verdict) == session.comparison.verdict


def test_that_progress_tells_run_arm_and_cost(stage, qtbot):
    session = stage.session
    session.set_repeats(2)
    stage.until = lambda _: 0.5
    stage.compare_controller.start()
    qtbot.waitUntil(lambda: session.loading_record is not None)
    record = session.loading_record
    qtbot.waitUntil(lambda: record is not None and len(record.samples) == 4)
    assert session.record(session.loading or "A") is None
    # With the next frame of the window.
    stage.runs.show_begun()
    assert session.record(session.loading or "A") is record
    view = stage.runs.progress()
    assert view.headline == f"Compare, pair 1 of 2: {session.loading} is loading"
    assert view.share == pytest.approx(0.25 if session.loading == "A" else 0.5)
    assert view.fact == "Cold start: 0% of the file was cached"
    assert [square.state for square in view.squares] == ["now", "to-do", "to-do", "to-do"]
    assert view.time_left.startswith("About ")
    stage.runs.stop()
    assert session.activity is Activity.STOPPING
    until_idle(qtbot, session)
    assert session.notice.headline == "Comparison stopped in pair 1 of 2."
    assert session.comparison is None


def test_that_a_long_comparison_asks_first_and_offers_a_part(stage, qtbot):
    session = stage.session
    session.set_repeats(2)
    stage.estimate = Estimate(4, 8 * 10**12, 400 * 10**9, 2e7, portion_bytes=500_000_000)
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert stage.jobs == []
    texts = [choice.text for choice in session.notice.choices]
    assert texts == ["Compare a part (500 MB)", "Compare the whole model"]
    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert {job.portion_bytes for job in stage.jobs} == {500_000_000}
    # One that doesn't fit is asked about, too, however short it is.
    stage.estimate, begun = SHORT, len(stage.jobs)
    session.set_inspection(make_inspection(make_model(layers=4), available_bytes=10**9))
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert len(stage.jobs) == begun
    assert session.notice.choices


def test_that_a_failed_run_ends_the_comparison_with_its_sentence(stage, qtbot):
    session = stage.session
    failed = ev.Failed("io", "Couldn't read model.safetensors: I/O error.", "Check the disk.")
    stage.loads = lambda job: replace(Stage.by_strategy(job), until_s=0.5, failure=failed)
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert len(stage.jobs) == 1
    assert (session.notice.headline, session.notice.reason) == (failed.message, failed.remedy)
    assert session.notice.tone == "bad"
    assert session.runs[0].result is None


@pytest.mark.parametrize("stops", [False, True])
def test_that_an_estimate_that_fails_or_is_stopped_starts_nothing(session, script, qtbot, *, stops):
    gone = '{"error": {"message": "llama is gone."}}'
    program = script(f"import sys, time; time.sleep({60 * stops}); print({gone!r}); sys.exit(2)")
    comparing = CompareController(
        session, RunController(session), lambda arguments: Command(arguments, program)
    )
    comparing.start()
    if stops:
        comparing.stop()
    until_idle(qtbot, session)
    assert session.notice.headline == ("Estimate stopped." if stops else "llama is gone.")
    assert session.runs == []
    comparing.shut_down()


def test_that_a_history_that_cannot_be_written_costs_one_line_and_no_run(stage, qtbot, tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    stage.compare_controller.start()
    until_idle(qtbot, stage.session)
    assert stage.session.comparison is not None
    assert len(stage.session.runs) == 10
    (warning,) = (text for level, text in stage.logged if "Not saved in the history" in text)
    # It stays in sight until runs are kept again.
    assert stage.session.unsaved["history"] == warning
    (tmp_path / "data").unlink()
    stage.compare_controller.run("A")
    until_idle(qtbot, stage.session)
    assert not any(stage.session.unsaved.values())


def test_that_a_comparison_that_came_to_nothing_leaves_the_verdict_before_it(stage, qtbot):
    session = stage.session
    stage.compare_controller.start()
    until_idle(qtbot, session)
    verdict = session.comparison
    shown = [(session.record(label), session.results(label)) for label in LABELS]
    assert verdict is not None
    told = []
    session.resumable.connect(lambda: told.append(None))
    stage.stop_run(qtbot, len(stage.jobs) + 1)
    # Stopped in its first pair, it can't be gone on with, and nobody says so.
    assert (session.comparison, session.notice, told) == (verdict, None, [])
    assert [(session.record(label), session.results(label)) for label in LABELS] == shown
    # Later, how to go on stands where the verdict would be, and that is below.
    stage.stop_run(qtbot, len(stage.jobs) + 4)
    assert session.comparison is verdict
    assert [choice.text for choice in session.notice.choices] == ["Resume"]
    stage.others_use_it = True
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert session.comparison is verdict
    assert [(session.record(label), session.results(label)) for label in LABELS] == shown
    (run_anyway,) = session.notice.choices
    assert run_anyway.text == "Run anyway"
    run_anyway.chosen()
    assert session.comparison is None
    until_idle(qtbot, session)
    assert session.comparison not in (None, verdict)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_that_files_that_hang_keep_no_run_from_the_history_or_a_file(stage, qtbot, tmp_path):
    """A pipe at whose other end is nobody is read, and written, for ever."""
    stage.compare_controller.run("A")
    until_idle(qtbot, stage.session)
    (run_id,) = stage.session.kept
    read, written = tmp_path / "read.jsonl", tmp_path / "written.jsonl"
    for pipe in (read, written):
        os.mkfifo(pipe)
    library = RunLibrary(stage.session, stage.access)
    library.save_recording(run_id, written)
    library.take_in([read])
    library.save_recording(run_id, tmp_path / "whole.jsonl")
    stage.compare_controller.run("B")
    until_idle(qtbot, stage.session)
    assert len(stage.session.kept) == 2
    qtbot.waitUntil((tmp_path / "whole.jsonl").exists)
    with written.open("rb") as saved:
        assert saved.read()
    read.open("wb").close()


def test_that_a_stopped_comparison_is_offered_and_asks_before_it_disturbs_others(stage, qtbot):
    session = stage.session
    stage.stop_run(qtbot, 4)
    assert session.notice.headline == "Comparison stopped after 1 of 5 pairs."
    assert [choice.text for choice in session.notice.choices] == ["Resume"]
    (experiment,) = stage.history.experiments()
    assert experiment.state == "stopped"

    stage.others_use_it, begun = True, len(stage.jobs)
    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert session.notice.headline == BUSY.message
    assert [choice.text for choice in session.notice.choices] == ["Run anyway"]
    assert len(stage.jobs) == begun + 1
    stage.settle(qtbot)
    assert stage.history.experiment(experiment.id).state == "stopped"

    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert session.comparison.arm_a.runs == session.comparison.arm_b.runs == 5
    stage.access.shut_down()
    assert [row.state for row in stage.history.experiments()] == ["done"]
    # The lone run of the pair that was broken off stays, and is not used.
    rows = stage.history.runs()
    assert (len(rows), sum(row.position is None for row in rows)) == (11, 1)


@pytest.mark.parametrize("hangs", [False, True])
def test_that_stop_waits_for_the_history_a_moment_so_that_it_can_offer_to_resume(
    stage, qtbot, *, hangs
):
    may_go_on = threading.Event()

    def hold(number):
        if number == 2:
            stage.access.ask(lambda _: may_go_on.wait(), lambda _: None, lambda _: None)

    stage.until = hold
    stage.compare_controller.start()
    qtbot.waitUntil(lambda: len(stage.session.runs) == 2)
    stage.runs.stop()
    try:
        if not hangs:
            may_go_on.set()
        until_idle(qtbot, stage.session)
        assert stage.session.notice.headline == "Comparison stopped after 1 of 5 pairs."
        if not hangs:
            assert [choice.text for choice in stage.session.notice.choices] == ["Resume"]
    finally:
        may_go_on.set()
    stage.settle(qtbot)
    assert len(stage.session.kept) == 2
    assert not stage.session.busy


def test_that_going_on_can_be_refused_and_be_stopped_before_it_began(stage, qtbot):
    stage.stop_run(qtbot, 4)
    stage.compare_controller.resume("x7")
    until_idle(qtbot, stage.session)
    assert stage.session.notice.headline == "There's no experiment x7."
    begun = len(stage.jobs)
    (experiment,) = stage.history.experiments()
    stage.compare_controller.resume(f"x{experiment.id}")
    stage.runs.stop()
    assert not stage.session.busy
    # The answer comes too late and is put back.
    for _ in range(2):
        stage.settle(qtbot)
    assert len(stage.jobs) == begun
    # Closing while comparing leaves a comparison that waits.
    stage.until = lambda number: 0.5 if number == begun + 3 else None
    stage.compare_controller.start()
    qtbot.waitUntil(lambda: len(stage.jobs) == begun + 3)
    stage.runs.shut_down()
    stage.access.shut_down()
    states = [(row.state, row.runs) for row in stage.history.experiments()]
    assert sorted(states) == [("stopped", 2), ("stopped", 3)]
