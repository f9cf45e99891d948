"""What the window measures is entered into the history as it ends, and nothing waits on that."""

import os
import threading
from dataclasses import replace

import msgspec
import pytest
from window_fakes import LOAD_A, LOAD_B

from modelmon.core.comparison.estimate import Estimate
from modelmon.core.comparison.result import Verdict
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.history import History
from modelmon.core.worker.events import Failed
from modelmon.gui.background.commands import Command
from modelmon.gui.background.history_access import HistoryAccess
from modelmon.gui.background.worker_process import WorkerProcess
from modelmon.gui.compare.compare_controller import CompareController
from modelmon.gui.runs.run_library import ImportController, RunLibrary
from modelmon.gui.session.run_controller import ResumeController, RunController
from modelmon.gui.session.session import LABELS

IN_USE = Failed("busy", "tiny is in use: python (process 4711) maps it.", "")
SHORT = Estimate(4, 8_000_000_000, 6_000_000_000, 2e9)


class Desk:
    """A session with a real model open, made-up workers and a real history."""

    def __init__(self, session, history, playing, script, model):
        self.session = session
        self.history = history
        self.jobs = []
        self.logged = []
        self.until = lambda _: None
        self.others_use_it = False
        self._playing = playing
        session.logged.connect(lambda level, text: self.logged.append((level, text)))
        session.set_inspection(inspect_model(model))
        self.access = HistoryAccess(history)
        self.runs = RunController(session, self._worker, self.access)
        estimate = msgspec.json.encode(SHORT).decode()
        self.compare_controller = CompareController(
            session, self.runs, lambda asked: Command(asked, script(f"print({estimate!r})"))
        )
        self.resume_controller = ResumeController(session, self.access)
        self.resume_controller.comparison_found.connect(self.compare_controller.go_on)
        self.compare_controller.resume_wanted.connect(self.resume_controller.resume)

    def _worker(self, job):
        self.jobs.append(job)
        load = LOAD_A if job.config.access == "mmap" else LOAD_B
        load = replace(load, config=job.config, strategy=job.strategy, cache=job.cache)
        if self.others_use_it and not job.allow_busy:
            load = replace(load, failure=IN_USE)
        until_s = self.until(len(self.jobs))
        waits = "sys.stdin.read(); sys.exit(130)" if until_s is not None else ""
        return WorkerProcess(job, self._playing(replace(load, until_s=until_s), then=waits))

    def settle(self, qtbot):
        """Wait until the history has done what it was asked."""
        answered = []
        self.access.ask(lambda _: None, answered.append, lambda _: None)
        qtbot.waitUntil(lambda: bool(answered))

    def warnings(self):
        return [text for level, text in self.logged if level == "warning"]


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / "data")


@pytest.fixture
def desk(session, history, playing, script, sample):
    session.set_repeats(5)
    made = Desk(session, history, playing, script, sample)
    yield made
    made.runs.shut_down()
    made.access.shut_down()


def until_idle(qtbot, session):
    qtbot.waitUntil(lambda: not session.busy)


def stopped_in_pair_two(desk, qtbot):
    """Begin a comparison and stop its fourth run while that loads."""
    desk.until = lambda number: 0.5 if number == 4 else None
    desk.compare_controller.start()
    qtbot.waitUntil(lambda: len(desk.session.runs) == 3 and desk.runs.progress().share is not None)
    desk.runs.stop()
    until_idle(qtbot, desk.session)
    desk.until = lambda _: None
    desk.settle(qtbot)


def test_that_a_single_run_is_kept_with_its_events(desk, qtbot):
    desk.compare_controller.run("A")
    until_idle(qtbot, desk.session)
    desk.access.shut_down()
    (row,) = desk.history.runs()
    assert (row.kind, row.state, row.label, row.strategy) == ("single", "done", "A", "mmap")
    assert row.wall_ns == 2_000_000_000
    assert desk.session.kept[row.id] is desk.session.runs[0]
    assert desk.history.record(row.id).finished == desk.session.runs[0].record.finished


def test_that_a_comparison_is_kept_with_its_verdict(desk, qtbot):
    desk.compare_controller.start()
    until_idle(qtbot, desk.session)
    desk.access.shut_down()
    (experiment,) = desk.history.experiments()
    assert (experiment.kind, experiment.state, experiment.runs) == ("compare", "done", 10)
    assert desk.history.verdict(experiment.id, Verdict) == desk.session.comparison.verdict


def test_that_a_history_that_cannot_be_written_costs_one_line_and_no_run(desk, qtbot, tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    desk.compare_controller.start()
    until_idle(qtbot, desk.session)
    assert desk.session.comparison is not None
    assert len(desk.session.runs) == 10
    assert len([text for text in desk.warnings() if "Not saved in the history" in text]) == 1
    # It stays in sight until runs are kept again.
    assert desk.session.unsaved["history"].startswith("Not saved in the history")
    (tmp_path / "data").unlink()
    desk.compare_controller.run("A")
    until_idle(qtbot, desk.session)
    assert not any(desk.session.unsaved.values())


def test_that_a_comparison_that_came_to_nothing_leaves_the_verdict_before_it(desk, qtbot):
    session = desk.session
    desk.compare_controller.start()
    until_idle(qtbot, session)
    verdict = session.comparison
    shown = [(session.record(label), session.results(label)) for label in LABELS]
    assert verdict is not None
    told = []
    session.resumable.connect(lambda: told.append(None))
    first = len(desk.jobs) + 1
    desk.until = lambda number: 0.5 if number == first else None
    desk.compare_controller.start()
    qtbot.waitUntil(lambda: len(desk.jobs) == first and desk.runs.progress().share is not None)
    desk.runs.stop()
    until_idle(qtbot, session)
    # Stopped in its first pair, it can't be gone on with, and nobody says so.
    assert (session.comparison, session.notice, told) == (verdict, None, [])
    assert [(session.record(label), session.results(label)) for label in LABELS] == shown
    desk.until, desk.others_use_it = lambda _: None, True
    desk.compare_controller.start()
    until_idle(qtbot, session)
    assert session.comparison is verdict
    assert [(session.record(label), session.results(label)) for label in LABELS] == shown
    run_anyway = session.notice.choices[0]
    assert run_anyway.text == "Run anyway"
    run_anyway.chosen()
    assert session.comparison is None
    until_idle(qtbot, session)
    assert session.comparison not in (None, verdict)


def test_that_resume_stands_where_the_verdict_would_be_and_that_is_below(desk, qtbot):
    session = desk.session
    desk.compare_controller.start()
    until_idle(qtbot, session)
    verdict, done = session.comparison, len(desk.jobs)
    desk.until = lambda number: 0.5 if number == done + 4 else None
    desk.compare_controller.start()
    qtbot.waitUntil(
        lambda: len(session.runs) == done + 3 and desk.runs.progress().share is not None
    )
    desk.runs.stop()
    until_idle(qtbot, session)
    assert session.comparison is verdict
    assert [choice.text for choice in session.notice.choices] == ["Resume"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_that_files_that_hang_keep_no_run_from_the_history(desk, qtbot, tmp_path):
    """A pipe at whose other end is nobody is read, and written, for ever."""
    desk.compare_controller.run("A")
    until_idle(qtbot, desk.session)
    (run_id,) = desk.session.kept
    read, written = tmp_path / "read.jsonl", tmp_path / "written.jsonl"
    for pipe in (read, written):
        os.mkfifo(pipe)
    importing = ImportController(desk.session, desk.access)
    RunLibrary(desk.session, desk.access).save_recording(run_id, written)
    importing.start([read])
    importing.stop()
    desk.compare_controller.run("B")
    until_idle(qtbot, desk.session)
    assert len(desk.session.kept) == 2
    with written.open("rb") as saved:
        assert saved.read()
    read.open("wb").close()


def test_that_a_stopped_comparison_is_offered_and_finished(desk, qtbot):
    session = desk.session
    stopped_in_pair_two(desk, qtbot)
    assert session.notice.headline == "Comparison stopped after 1 of 5 pairs."
    assert [choice.text for choice in session.notice.choices] == ["Resume"]
    assert [row.state for row in desk.history.experiments()] == ["stopped"]

    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert session.comparison.arm_a.runs == session.comparison.arm_b.runs == 5
    desk.access.shut_down()
    (experiment,) = desk.history.experiments()
    assert experiment.state == "done"
    # The lone run of the pair that was broken off stays, and is not used.
    rows = desk.history.runs()
    assert (len(rows), sum(row.position is None for row in rows)) == (11, 1)


def stopped_while_the_history_writes(desk, qtbot):
    """Stop a comparison while the history is kept from its second run; the event lets it go on."""
    may_go_on = threading.Event()

    def hold(number):
        if number == 2:
            desk.access.ask(lambda _: may_go_on.wait(), lambda _: None, lambda _: None)

    desk.until = hold
    desk.compare_controller.start()
    qtbot.waitUntil(lambda: len(desk.session.runs) == 2)
    desk.runs.stop()
    return may_go_on


def test_that_stop_waits_for_the_history_so_that_it_can_offer_to_resume(desk, qtbot):
    may_go_on = stopped_while_the_history_writes(desk, qtbot)
    may_go_on.set()
    until_idle(qtbot, desk.session)
    assert [choice.text for choice in desk.session.notice.choices] == ["Resume"]
    assert len(desk.session.kept) == 2


def test_that_a_history_that_hangs_does_not_keep_stop_waiting(desk, qtbot):
    may_go_on = stopped_while_the_history_writes(desk, qtbot)
    try:
        until_idle(qtbot, desk.session)
        assert desk.session.notice.headline == "Comparison stopped after 1 of 5 pairs."
    finally:
        may_go_on.set()
    desk.settle(qtbot)
    assert len(desk.session.kept) == 2
    assert not desk.session.busy


def test_that_going_on_asks_before_it_disturbs_others_as_a_fresh_comparison_does(desk, qtbot):
    session = desk.session
    stopped_in_pair_two(desk, qtbot)
    (experiment,) = desk.history.experiments()
    desk.others_use_it = True
    begun = len(desk.jobs)
    desk.resume_controller.resume(f"x{experiment.id}")
    until_idle(qtbot, session)
    assert session.notice.headline == IN_USE.message
    assert [choice.text for choice in session.notice.choices] == ["Run anyway"]
    assert len(desk.jobs) == begun + 1
    desk.settle(qtbot)
    assert desk.history.experiment(experiment.id).state == "stopped"

    session.notice.choices[0].chosen()
    until_idle(qtbot, session)
    assert session.comparison is not None
    desk.access.shut_down()
    assert [row.state for row in desk.history.experiments()] == ["done"]


def test_that_what_cannot_be_resumed_says_why(desk, qtbot):
    desk.resume_controller.resume("x7")
    until_idle(qtbot, desk.session)
    assert desk.session.notice.headline == "There's no experiment x7."


def test_that_going_on_can_be_stopped_before_it_began(desk, qtbot):
    stopped_in_pair_two(desk, qtbot)
    begun = len(desk.jobs)
    (experiment,) = desk.history.experiments()
    desk.resume_controller.resume(f"x{experiment.id}")
    desk.resume_controller.stop()
    assert not desk.session.busy
    # The answer comes too late and is put back.
    for _ in range(2):
        desk.settle(qtbot)
    assert len(desk.jobs) == begun
    assert desk.history.experiment(experiment.id).state == "stopped"


def test_that_closing_while_comparing_leaves_a_comparison_that_waits(desk, qtbot):
    desk.until = lambda number: 0.5 if number == 3 else None
    desk.compare_controller.start()
    qtbot.waitUntil(lambda: len(desk.session.runs) == 2)
    desk.runs.shut_down()
    desk.access.shut_down()
    (experiment,) = desk.history.experiments()
    assert (experiment.state, experiment.runs) == ("stopped", 2)
