"""Runs and experiments come back as they were kept; those set aside come back whole, or go."""

import json
import os
import sqlite3
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.comparison.comparing import record

from modelmon.core.cli.main import main
from modelmon.core.comparison.result import Verdict
from modelmon.core.data_folder import data_folder
from modelmon.core.export.atomic import open_to_record
from modelmon.core.history.events import EventLines, PackedLines, pack_lines
from modelmon.core.history.file import MIGRATIONS, HistoryError, HistoryFile, schema_of
from modelmon.core.history.history import History
from modelmon.core.history.rows import Entrant, RunFilter
from modelmon.core.load.config import PRESETS
from modelmon.core.terminal_safe import one_line
from modelmon.core.worker import events as ev
from modelmon.core.worker.events import LoadFigures, decode
from modelmon.core.worker.result import RunFigures, summarise

MS = 10**6
JOB = ev.Job("/models/tiny.safetensors", PRESETS["mmap"].config)
LINES = b"".join(
    ev.encode(event)
    for event in (
        ev.Hello(ev.PROTOCOL, JOB, "0", 1.0, "Linux", 2),
        ev.Failed("io", "The disk answered an error."),
    )
)
VERDICT = Verdict("B", "B loads faster.", "A waits.", "", "high", "far apart", 5, ratio=2.0)


def test_that_tests_never_see_the_users_own_history():
    assert os.environ["MODELMON_DATA_DIR"] == str(data_folder())
    assert History().folder == data_folder()


def test_that_nothing_is_made_before_something_is_kept(history):
    assert history.runs() == []
    assert history.experiments() == []
    assert not history.folder.exists()


@settings(max_examples=25)
@given(
    wall_ns=st.integers(1, 2**53 - 1),
    load_bytes=st.integers(1, 2**53 - 1),
    why_not=st.text(st.characters(exclude_categories=["Cs"])).map(one_line),
    share=st.none() | st.floats(0, 1),
    device_bytes=st.none() | st.integers(0, 2**53 - 1),
    strategy=st.sampled_from(sorted(PRESETS)),
)
def test_that_every_result_comes_back_as_it_was(
    tmp_path_factory, origin, loaded, wall_ns, load_bytes, why_not, share, device_bytes, strategy
):
    history = History(tmp_path_factory.mktemp("history"))
    result = loaded(
        strategy,
        wall_ns=wall_ns,
        load_bytes=load_bytes,
        counts=not why_not,
        why_not=why_not,
        io_wait_share=share,
        device_bytes=device_bytes,
    )
    number = history.begin("single", origin, [Entrant("A", strategy, result.config)], None)
    run_id = history.add_run(number, origin, "A", result)
    assert history.result(run_id) == result
    assert history.results_of(number) == [result]
    (row,) = history.runs()
    assert (row.wall_ns, row.config, row.counts) == (wall_ns, result.config, not why_not)
    assert (row.io_wait_share, row.device_bytes) == (share, device_bytes)


def test_that_an_experiment_keeps_what_was_asked_and_what_it_said(history, origin, loaded):
    arms = [
        Entrant("A", "mmap", PRESETS["mmap"].config),
        Entrant("B", "x", PRESETS["parallel"].config),
    ]
    number = history.begin("compare", origin, arms, {"cache": "cold"})
    history.add_run(number, origin, "A", loaded())
    assert history.experiment(number).state == "running"
    history.end(number, "done", VERDICT)
    row = history.experiment(number)
    assert (row.state, row.runs, row.model_name) == ("done", 1, "tiny")
    assert row.arms == tuple(arms)
    assert msgspec.json.decode(row.conditions_json) == {"cache": "cold"}
    history.end(number, "done")
    assert history.verdict(number, Verdict) == VERDICT
    history.add_run(number, origin, "B", loaded())
    assert history.verdict(number, Verdict) is None


def test_that_runs_are_filtered_and_sorted(history, keep, loaded):
    slow, fast, warm = keep(
        [
            loaded(wall_ns=900 * MS, started_unix_s=100.0),
            loaded("parallel", wall_ns=100 * MS, started_unix_s=200.0),
            loaded(cache_state="warm", wall_ns=500 * MS, started_unix_s=300.0),
        ]
    )

    def found(**wanted):
        return [row.id for row in history.runs(RunFilter(**wanted))]

    assert found() == [warm, fast, slow]
    assert found(sort="time") == [fast, warm, slow]
    assert found(sort="rate", limit=1) == [fast]
    assert found(strategy="para") == [fast]
    assert found(cache="warm") == [warm]
    assert found(since_unix_s=200.0) == [warm, fast]
    assert found(model="TIN") == [warm, fast, slow]
    assert found(model="d" * 8) == [warm, fast, slow]
    assert found(model="d" * 7) == []
    assert found(ids=(slow, 999)) == [slow]
    history.star([fast])
    assert found(starred=True) == [fast]
    history.star([fast], starred=False)
    assert found(starred=True) == []


def test_that_deleting_runs_takes_their_events_and_the_empty_experiment_along(
    history, keep, loaded
):
    first, second = keep([loaded(), loaded()], lines=LINES)
    (other,) = keep([loaded()], lines=LINES)
    history.delete([first])
    assert len(history.experiments()) == 2
    history.delete([second])
    assert [row.id for row in history.runs()] == [other]
    assert len(history.experiments()) == 1
    assert len(list((history.folder / "runs").iterdir())) == 1
    with pytest.raises(HistoryError, match="no run"):
        history.result(first)


def test_that_numbers_of_deleted_runs_are_not_given_again(history, keep, loaded):
    (first,) = keep([loaded()])
    history.delete([first])
    assert keep([loaded()]) != [first]


def test_that_events_come_back_as_they_were_written(history, keep, loaded):
    (run_id,) = keep([loaded()], lines=LINES)
    assert history.event_lines(run_id) == LINES
    record = history.record(run_id)
    assert record.source == str(run_id)
    assert record.failed.message == "The disk answered an error."


def test_that_events_of_the_oldest_runs_go_first_and_of_starred_ones_last(
    history, origin, keep, loaded
):
    starred, old = keep([loaded(), loaded()], lines=LINES)
    history.star([starred])
    (file,) = {path.stat().st_size for path in (history.folder / "runs").iterdir()}
    small = History(history.folder, kept_bytes=2 * file)
    number = history.experiments()[0].id
    new = small.add_run(number, origin, "A", loaded(), LINES)
    kept = {row.id: row.events_file is not None for row in small.runs()}
    assert kept == {starred: True, old: False, new: True}
    assert len(list((history.folder / "runs").iterdir())) == 2
    small.record(starred)
    small.record(new)
    with pytest.raises(HistoryError, match="deleted to save space"):
        small.record(old)


def test_that_lines_that_are_packed_are_kept_as_they_are(history, keep, loaded):
    packed = PackedLines(pack_lines(LINES) + pack_lines(LINES))
    (run_id,) = keep([loaded()], lines=packed)
    (path,) = (history.folder / "runs").iterdir()
    assert path.read_bytes() == packed
    assert history.event_lines(run_id) == LINES + LINES


def test_that_a_damaged_file_of_events_costs_nothing_else(history, keep, loaded):
    (run_id,) = keep([loaded()], lines=LINES)
    (path,) = (history.folder / "runs").iterdir()
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(HistoryError, match="Couldn't read"):
        history.record(run_id)
    assert history.result(run_id) == loaded()


def test_that_what_killed_writers_left_is_swept_when_it_is_old(history, keep, loaded):
    keep([loaded()], lines=LINES)
    folder = history.folder / "runs"
    old, young, foreign = folder / ".a.jsonl.gz", folder / "b.jsonl.gz", folder / "notes.txt"
    for path in (old, young, foreign):
        path.write_bytes(b"x")
    for path in (old, foreign):
        os.utime(path, (time.time() - 86400,) * 2)
    keep([loaded()], lines=LINES)
    assert not old.exists()
    assert young.exists()
    assert foreign.exists()
    assert len(list(folder.iterdir())) == 4


def test_that_of_too_many_lines_all_but_the_requests_are_kept(monkeypatch):
    monkeypatch.setattr("modelmon.core.history.events.MOST_LINES_BYTES", 400)
    passed_on = []
    requests = b'{"event":"chunks","reader":0}\n'

    class Recording:
        def write(self, line):
            passed_on.append(line)

    lines = EventLines(Recording())
    written = [b"1\n", *[requests] * 20, b"2\n", requests, b"3\n"]
    for line in written:
        lines.write(line)
    first, warning, *others = lines.data.splitlines(keepends=True)
    assert (first, others) == (b"1\n", [b"2\n", b"3\n"])
    assert decode(warning).kind == "dropped-requests"
    assert passed_on == written
    lines.write(b"4" * 400)
    lines.write(b"5\n")
    assert lines.data == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_that_a_full_disk_ends_the_recording_and_not_the_load():
    with open_to_record(Path("/dev/full")) as full:
        lines = EventLines(full)
        for _ in range(2):
            lines.write(b"1\n")
    assert lines.data == b"1\n1\n"
    assert lines.problem == "The recording is cut: No space left on device."


def test_that_every_figure_of_a_load_is_in_its_result_and_in_its_row(history, origin):
    """By the name that the worker gave it, and without a column of its own."""
    load = record(JOB, 500 * MS)
    assert load.finished is not None
    told = msgspec.structs.replace(
        load.finished, minor_faults=11, major_faults=12, decode_ns=13, residency_after_share=0.5
    )
    load.finished = told
    result = summarise(load)
    number = history.begin("single", origin, [Entrant("A", "mmap", JOB.config)], JOB)
    run_id = history.add_run(number, origin, "A", result)
    (row,) = history.runs()
    for figure in LoadFigures.__struct_fields__:
        for holder in (result, history.result(run_id), row):
            assert getattr(holder, figure) == getattr(told, figure)
    for figure in RunFigures.__struct_fields__:
        if figure != "cpu_count":  # that of the machine
            assert getattr(row, figure) == getattr(result, figure)


def test_that_a_run_that_was_stored_with_fewer_figures_is_listed(history, keep, loaded):
    keep([loaded()])
    oldest = {
        "strategy": "mmap", "config": {}, "wall_ns": 5, "warmup_ns": 0, "load_bytes": 10,
        "model_bytes": 10, "memory_kind": "mapped", "cache_asked": "cold", "cache_state": "cold",
        "cache_evidence": "verified", "counts": True, "started_unix_s": 1.0,
    }  # fmt: skip
    with history._file.writing() as connection:
        connection.execute("UPDATE runs SET result = ?", (json.dumps(oldest),))
    (row,) = history.runs()
    assert (row.wall_ns, row.strategy, row.requests) == (5, "mmap", 0)
    assert row.peak_rss_bytes is None


def ids(history):
    return sorted(row.id for row in history.runs())


def files(history):
    return len(list((history.folder / "runs").iterdir()))


def test_that_runs_set_aside_are_seen_by_none_and_come_back_whole(history, keep, loaded):
    first, second = keep([loaded(), loaded("parallel")], lines=LINES)
    (other,) = keep([loaded()], lines=LINES)
    history.star([first])
    history.rename(first, "before the update")
    before, experiments = history.runs(), history.experiments()
    history.soft_delete([first, second])
    for seen in (history, History(history.folder)):
        assert ids(seen) == [other]
        assert len(seen.experiments()) == 1
        for ask in (seen.result, seen.event_lines):
            with pytest.raises(HistoryError, match="no run"):
                ask(first)
        assert seen.results_of(before[-1].experiment_id) == []
    assert sorted(history.restore([first, second])) == [first, second]
    assert history.runs() == before
    assert history.experiments() == experiments
    assert history.event_lines(first) == LINES


def test_that_they_stay_for_a_day_and_are_swept_then(history, keep, loaded, monkeypatch):
    aside, kept = keep([loaded()] * 2, lines=LINES)
    history.soft_delete([aside])
    (experiment,) = history.experiments()
    history.end(experiment.id, "done")
    assert (ids(history), files(history)) == ([kept], 2)
    tomorrow_unix_s = time.time() + 90_000
    monkeypatch.setattr("modelmon.core.history.history.time.time", lambda: tomorrow_unix_s)
    history.end(experiment.id, "done")
    assert files(history) == 1
    assert history.restore([aside]) == []


def test_that_a_history_of_the_first_schema_keeps_its_runs(tmp_path, origin, loaded):
    history = History(tmp_path)
    run_id = history.add_run(history.begin("single", origin, [], None), origin, "A", loaded())
    with HistoryFile(tmp_path / "history.sqlite").writing() as connection:
        connection.execute("DROP VIEW kept_runs")
        connection.execute("DROP TABLE clusters")
        for later in ("aside_pid", "aside_started_unix_s", "mount_options"):
            connection.execute(f"ALTER TABLE runs DROP COLUMN {later}")
        connection.execute("ALTER TABLE experiments DROP COLUMN model_content")
        connection.execute("PRAGMA user_version = 1")
    assert ids(history) == [run_id]
    assert [row.model_content for row in history.runs()] == [""]
    with HistoryFile(tmp_path / "history.sqlite").reading() as connection:
        assert schema_of(connection) == len(MIGRATIONS)
    history.soft_delete([run_id])
    assert ids(history) == []


def test_that_lines_of_a_history_from_elsewhere_steer_nothing_and_are_saved_as_they_are(
    history, keep, loaded, monkeypatch, tmp_path
):
    hostile = LINES.replace(b"The disk", rb"\u001b[2J The disk") + b"\xff"
    assert hostile != LINES + b"\xff"
    (run_id,) = keep([loaded()], lines=hostile)
    assert "[2J The disk" in history.record(run_id).failed.message
    assert "\x1b" not in history.record(run_id).failed.message
    monkeypatch.setenv("MODELMON_DATA_DIR", str(history.folder))
    saved = tmp_path / "run.jsonl"
    assert main(["history", "events", str(run_id), str(saved)]) == 0
    assert saved.read_bytes() == hostile


@pytest.mark.parametrize("form", ["../../{}", "{folder}/{}", "..", "/", ""])
def test_that_a_history_from_elsewhere_removes_no_file_outside(history, keep, loaded, form):
    (kept,) = keep([loaded()], lines=LINES)
    outside = history.folder.parent / "thesis.jsonl.gz"
    outside.write_bytes(pack_lines(b"secret\n"))
    named = form.format(outside.name, folder=outside.parent)
    with sqlite3.connect(history.folder / "history.sqlite") as connection:
        connection.execute("UPDATE runs SET events_file = ?", (named,))
    connection.close()
    with pytest.raises(HistoryError):
        history.event_lines(kept)
    history.delete([kept])
    assert outside.exists()
    assert history.folder.is_dir()
