"""What a model that is opened again was measured to be, from what the history has of it."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from msgspec import structs
from tests.core.comparison.comparing import next_run, record
from tests.core.elsewhere import elsewhere
from tests.core.find_best.racing import Racetrack, conditions

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.runner import resume
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.find_best import latest as latest_module
from modelmon.core.find_best.latest import LOOKED_AT, latest_of, outcome_called
from modelmon.core.find_best.result import SearchResult
from modelmon.core.history.file import HistoryError
from modelmon.core.history.groups import typical_runs
from modelmon.core.history.origin import origin_of
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.worker.run_warnings import warned

MS = 10**6
TIMES_MS = {"mmap": 900, "parallel": 400}
PROCESSES = PRESETS["processes"].config


@pytest.fixture
def here(own_copy):
    return inspect_model(own_copy)


@pytest.fixture
def compared(history, here):
    """A comparison with so many runs in the history."""

    def run(runs, state, origin=None, *, lost_its_model=False):
        arms = [
            Entrant("A", "mmap", PRESETS["mmap"].config),
            Entrant("B", "direct", PRESETS["direct"].config),
        ]
        comparing = CompareSession(*arms, Conditions(here.model.path, "cold", max_pairs=5, seed=3))
        recorder = recorder_of(history, comparing, origin or origin_of(here))
        for left in reversed(range(runs)):
            step = next_run(comparing)
            wall_ns = (900 if step[0] == "A" else 400) * MS
            result = comparing.add(record(step[1], wall_ns))
            if lost_its_model and not left:
                gone = warned("file-changed", "The model was changed or removed.")
                result = structs.replace(result, counts=False, warnings=(gone,))
            recorder.add(step[0], result)
        recorder.end(state)
        return recorder

    return run


def recorder_of(history, session, origin):
    return Recorder(history, session.kind, origin, session.arms.values(), session.conditions)


def raced(history, here, runs, state):
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TIMES_MS)
    # As a race begins: variants join it later.
    recorder = recorder_of(history, track.session, origin_of(here))
    track.go(runs)
    for run in track.session.runs:
        recorder.add(run.label, run.result)
    recorder.end(state)
    return recorder


def test_that_a_verdict_comes_back_as_it_was_with_its_date(history, here, compared):
    assert latest_of(history, here) == (None, None, "", None)
    compared(10, "done")
    found = latest_of(history, here).found
    assert isinstance(found, Comparison)
    assert found.verdict.winner == "B"
    assert found.created_unix_s == history.experiments()[0].created_unix_s


def test_that_what_was_stopped_is_told_beside_the_verdict_before_it(history, here, compared):
    compared(10, "done")
    second = compared(5, "stopped")
    latest = latest_of(history, here)
    assert isinstance(latest.found, Comparison)
    assert latest.stopped.reference == f"x{second.experiment_id}"
    assert latest.stopped.session.stopped
    # What was given up is not told again.
    assert second.experiment_id is not None
    history.end(second.experiment_id, "done")
    assert latest_of(history, here).stopped is None


def test_that_evidence_of_another_file_is_named_and_one_of_another_content_told_apart(
    tmp_path, history, here, compared
):
    compared(10, "done")
    copy, tuned = tmp_path / "del.safetensors", tmp_path / "tuned.safetensors"
    copy.write_bytes(Path(here.model.path).read_bytes())
    changed = bytearray(copy.read_bytes())
    last = here.model.tensors[-1]
    changed[last.offset_bytes : last.offset_bytes + last.nbytes] = bytes(last.nbytes)
    tuned.write_bytes(changed)
    for path, told in (
        (here.model.path, ""),
        (str(copy), "Measured with copy, same layout."),
        (str(tuned), "Measured with copy, same layout but other content."),
    ):
        found = latest_of(history, inspect_model(path)).found
        assert str(found.measured_with) == told
        assert found.path == path
        exported = str(outcome_of(found).why) + modelmon_toml(outcome_of(found, "B"))
        assert (told or str(here.model.path)) in exported
    # What is stopped of one file is nothing to go on with for another; an own verdict comes first.
    compared(5, "stopped")
    assert latest_of(history, inspect_model(copy)).stopped is None
    own = compared(10, "done", origin_of(inspect_model(tuned)))
    compared(10, "done")
    assert latest_of(history, inspect_model(tuned)).found_id == own.experiment_id
    # The same place holds another content now.
    Path(here.model.path).write_bytes(changed)
    replaced = inspect_model(here.model.path)
    found = latest_of(history, replaced).found
    assert str(found.measured_with) == "Measured with tuned, same layout."
    with pytest.raises(HistoryError, match="with another model in this place"):
        resume(CompareSession, history, "x2", replaced)


def test_that_of_a_history_from_before_contents_a_verdict_is_that_of_its_file(
    history, here, compared
):
    origin = origin_of(here)
    then = structs.replace(origin.model, content="")
    compared(10, "done", structs.replace(origin, model=then))
    found = latest_of(history, here).found
    assert str(found.measured_with) == ""


def test_that_what_ended_early_hides_nothing_that_came_to_its_end(history, here, compared):
    compared(5, "done", lost_its_model=True)
    found = latest_of(history, here).found
    assert isinstance(found, Comparison)
    assert found.lost_its_model
    whole = compared(10, "done")
    compared(5, "done", lost_its_model=True)
    assert latest_of(history, here).found_id == whole.experiment_id


def test_that_a_ranking_comes_back_and_one_that_was_killed_can_go_on(history, here, compared):
    compared(10, "done")
    recorder = raced(history, here, 4, "running")
    latest = latest_of(history, here)
    assert isinstance(latest.found, SearchResult)
    assert latest.found.ending == "stopped"
    assert len(latest.found.runs) == 4
    assert latest.reference == latest.stopped.reference == f"x{recorder.experiment_id}"


def test_that_a_ranking_that_was_decided_comes_back_decided(history, here):
    raced(history, here, 10**6, "done")
    latest = latest_of(history, here)
    assert isinstance(latest.found, SearchResult)
    assert (latest.found.ending, latest.reference, latest.stopped) == ("decided", "", None)


def test_that_an_experiment_that_is_asked_for_comes_back_or_it_is_said_why_not(
    history, here, compared, monkeypatch
):
    first = compared(10, "done").experiment_id
    stopped = compared(4, "stopped").experiment_id
    far = compared(10, "done", elsewhere(origin_of(here), "disk")).experiment_id
    race = raced(history, here, 4, "stopped").experiment_id
    assert first
    assert stopped
    assert far
    assert race
    found = outcome_called(history, first, here)
    assert isinstance(found.found, Comparison)
    assert (found.found_id, found.reference) == (first, "")
    assert outcome_called(history, race, here).reference == f"x{race}"
    with pytest.raises(HistoryError, match=f"x{stopped} came to no verdict"):
        outcome_called(history, stopped, here)
    with pytest.raises(HistoryError, match=f"x{far} was measured on another"):
        outcome_called(history, far, here)
    monkeypatch.setattr(latest_module, "is_at_work", lambda _: True)
    with pytest.raises(HistoryError, match=f"x{race} is still running"):
        outcome_called(history, race, here)


def test_that_what_was_measured_elsewhere_does_not_come_back(history, here, compared):
    compared(10, "done", elsewhere(origin_of(here), "disk"))
    assert latest_of(history, here).found is None


def test_that_a_damaged_experiment_is_passed_over(history, here, compared):
    compared(10, "done")
    with contextlib.closing(sqlite3.connect(history.folder / "history.sqlite")) as connection:
        connection.execute("UPDATE experiments SET arms = '[]'")
        connection.commit()
    assert latest_of(history, here).found is None


def test_that_a_verdict_comes_back_from_behind_many_that_were_given_up(history, here, compared):
    compared(10, "done")
    for given_up, is_found in ((LOOKED_AT - 1, True), (1, False)):
        for _ in range(given_up):
            compared(3, "done")
        latest = latest_of(history, here)
        assert (latest.found is not None) is is_found
        assert latest.stopped is None


def test_that_the_run_in_the_middle_of_processes_is_none_of_their_threads(history, here):
    """Compare once measured both under one label, and histories have such runs."""
    arms = [Entrant("A", "mmap", PRESETS["mmap"].config), Entrant("B", "processes", PROCESSES)]
    comparing = CompareSession(*arms, Conditions(here.model.path, "cold", max_pairs=5, seed=3))
    recorder = recorder_of(history, comparing, origin_of(here))
    walls_ms = {"A": iter(range(900, 905)), "B": iter(range(400, 405))}
    while (step := comparing.next_job()) is not None:
        run = comparing.add(record(step[1], next(walls_ms[step[0]]) * MS))
        recorder.add(step[0], run, b"{}\n")
    for wall_ms in range(100, 140):
        threads = structs.replace(run, config=PROCESSES.in_process, wall_ns=wall_ms * MS)
        recorder.add("B", threads, b"{}\n")
    assert recorder.experiment_id is not None
    found = typical_runs(history, recorder.experiment_id)
    assert {label: row.wall_ns // MS for label, row in found.items()} == {"A": 902, "B": 402}
