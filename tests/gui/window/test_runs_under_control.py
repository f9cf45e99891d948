"""One run and whole comparisons, with scripts in the place of workers and subcommands."""

from dataclasses import replace

import msgspec
import pytest
from window_fakes import LOAD_A, LOAD_B, make_inspection, make_model

from modelmon.core.comparison.estimate import Estimate
from modelmon.core.probe.probe import Limits
from modelmon.core.worker import events as ev
from modelmon.gui.background.commands import Command
from modelmon.gui.background.worker_process import WorkerProcess
from modelmon.gui.compare.compare_controller import CompareController
from modelmon.gui.session.run_controller import RunController
from modelmon.gui.session.session import Activity

BUSY = ev.Failed("busy", "python (4711) has llama mapped.", "Close it, or run anyway.")
SHORT = Estimate(4, 8_000_000_000, 6_000_000_000, 2e9)


class Stage:
    """A session with everything that drives it; `loads` says what each worker plays."""

    def __init__(self, session, playing, script):
        self.session = session
        self.jobs = []
        self.loads = self.by_strategy
        self.then = ""
        self.estimate = SHORT
        self._playing = playing
        self._script = script
        self.runs = RunController(session, self._worker)
        self.compare_controller = CompareController(session, self.runs, self._command)

    @staticmethod
    def by_strategy(job):
        known = LOAD_A if job.config.access == "mmap" else LOAD_B
        return replace(known, config=job.config, strategy=job.strategy, cache=job.cache)

    def _worker(self, job):
        self.jobs.append(job)
        return WorkerProcess(job, self._playing(self.loads(job), then=self.then))

    def _command(self, arguments):
        text = msgspec.json.encode(self.estimate).decode()
        return Command(arguments, self._script(f"print({text!r})"))


@pytest.fixture
def stage(session, playing, script):
    session.set_repeats(2)
    return Stage(session, playing, script)


def until_idle(qtbot, session):
    qtbot.waitUntil(lambda: not session.busy)


def test_that_one_run_fills_the_card_and_says_what_it_took(stage, qtbot):
    session = stage.session
    session.set_cache("warm")
    stage.compare_controller.run("A")
    assert session.activity is Activity.RUNNING
    until_idle(qtbot, session)
    assert stage.jobs[0].config == session.config("A")
    assert stage.jobs[0].cache == "warm"
    assert [result.wall_ns for result in session.results("A")] == [2_000_000_000]
    assert session.record("A") is session.runs[0].record
    assert session.notice.headline == "A took 2.00 s, 1 GB/s."


def test_that_a_run_that_a_cache_below_served_does_not_count(stage, qtbot, monkeypatch):
    slow = Limits(device_bytes_per_s=1e8)
    monkeypatch.setattr("modelmon.gui.compare.compare_controller.known_limits", lambda _: slow)
    stage.compare_controller.run("A")
    until_idle(qtbot, stage.session)
    (result,) = stage.session.results("A")
    assert not result.counts
    assert "served-from-cache" in {warning.kind for warning in result.warnings}
    assert stage.session.limits is slow


def test_that_a_comparison_runs_both_arms_and_names_the_faster(stage, qtbot):
    session = stage.session
    session.set_repeats(5)
    stage.compare_controller.start()
    assert session.activity is Activity.ESTIMATING
    until_idle(qtbot, session)
    assert sorted(run.label for run in session.runs) == ["A"] * 5 + ["B"] * 5
    assert session.comparison.verdict.winner == "B"
    assert session.comparison.arm_a.runs == session.comparison.arm_b.runs == 5
    assert session.record("A") is not None
    assert session.notice is None


def test_that_the_plots_show_no_run_of_other_settings_once_a_comparison_begins(stage, qtbot):
    session = stage.session
    stage.compare_controller.start()
    until_idle(qtbot, session)
    a, b = session.record("A"), session.record("B")
    assert a is not None
    assert b is not None
    session.set_preset("B", "direct")
    assert session.record("B") is b
    stage.then = "sys.stdin.read(); sys.exit(130)"
    stage.compare_controller.start()
    qtbot.waitUntil(lambda: session.activity is Activity.COMPARING)
    assert session.record("A") is a
    assert session.record("B") is None
    stage.runs.stop()
    until_idle(qtbot, session)


def test_that_progress_tells_run_arm_and_cost(stage, qtbot):
    session = stage.session
    stage.loads = lambda job: replace(Stage.by_strategy(job), until_s=0.5)
    stage.then = "sys.stdin.read(); sys.exit(130)"
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


def test_that_a_comparison_stops_although_its_run_ends_all_the_same(stage, qtbot, monkeypatch):
    monkeypatch.setattr(WorkerProcess, "cancel", lambda *_: None)
    session = stage.session
    stage.compare_controller.start()
    qtbot.waitUntil(lambda: bool(stage.jobs))
    stage.runs.stop()
    until_idle(qtbot, session)
    assert len(stage.jobs) == len(session.runs) == 1
    assert session.notice.headline.startswith("Comparison stopped")


def test_that_a_long_comparison_asks_first_and_offers_a_part(stage, qtbot):
    session = stage.session
    stage.estimate = Estimate(4, 8 * 10**12, 400 * 10**9, 2e7, portion_bytes=500_000_000)
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert stage.jobs == []
    texts = [choice.text for choice in session.notice.choices]
    assert texts == ["Compare a part (500 MB)", "Compare the whole model"]
    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert {job.portion_bytes for job in stage.jobs} == {500_000_000}


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


def test_that_a_busy_file_is_asked_about_and_can_be_measured_anyway(stage, qtbot):
    session = stage.session
    stage.loads = lambda job: (
        Stage.by_strategy(job)
        if job.allow_busy
        else replace(Stage.by_strategy(job), until_s=0.1, failure=BUSY)
    )
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert session.notice.headline == BUSY.message
    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert session.comparison is not None
    assert sum(run.result is not None for run in session.runs) == 4


def test_that_a_run_that_did_not_start_cold_is_repeated_and_marked(stage, qtbot):
    session = stage.session
    spoilt = iter([True])
    warm = {"cached_share": 0.7, "counts": False}
    stage.loads = lambda job: (
        replace(Stage.by_strategy(job), **warm) if next(spoilt, False) else Stage.by_strategy(job)
    )
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert len(session.runs) == 5
    assert session.comparison.arm_a.discarded + session.comparison.arm_b.discarded == 1


def test_that_an_estimate_that_fails_starts_nothing(session, script, qtbot):
    runs = RunController(session)
    gone = '{"error": {"message": "llama is gone."}}'
    program = script(f"import sys; print({gone!r}); sys.exit(2)")
    comparing = CompareController(session, runs, lambda arguments: Command(arguments, program))
    comparing.start()
    until_idle(qtbot, session)
    assert session.notice.headline == "llama is gone."
    assert session.runs == []


def test_that_an_estimate_can_be_stopped(session, script):
    program = script("import time; time.sleep(60)")
    comparing = CompareController(
        session, RunController(session), lambda arguments: Command(arguments, program)
    )
    comparing.start()
    comparing.stop()
    assert not session.busy
    comparing.shut_down()


def test_that_a_model_that_does_not_fit_is_not_loaded_whole_without_asking(stage, qtbot):
    session = stage.session
    session.set_inspection(make_inspection(make_model(layers=4), available_bytes=10**9))
    stage.compare_controller.start()
    until_idle(qtbot, session)
    assert stage.jobs == []
    assert session.notice.choices
