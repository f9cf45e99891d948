"""Runs that were set aside: seen by none, brought back whole, and never left for good."""

import subprocess
import sys
from unittest.mock import Mock

import pytest

from modelmon.core.history.file import MIGRATIONS, HistoryError, HistoryFile, schema_of
from modelmon.core.history.history import History
from modelmon.core.messages import Message

LINES = b'{"event":"smell"}\n'

SETS_ASIDE = """
import sys
from pathlib import Path
from modelmon.core.history.history import History

History(Path(sys.argv[1])).soft_delete([int(word) for word in sys.argv[2:]])
sys.stdout.write("done\\n")
sys.stdout.flush()
sys.stdin.read()
"""


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


def test_that_the_next_runs_set_aside_take_the_place_of_those_before(history, keep, loaded):
    first, second, third = keep([loaded()] * 3, lines=LINES)
    history.soft_delete([first])
    history.soft_delete([second], instead_of=[first])
    assert files(history) == 2
    assert history.restore([first, second]) == [second]
    assert ids(history) == [second, third]


def test_that_they_stay_as_long_as_their_process_and_are_swept_after_it(history, keep, loaded):
    mine, theirs, kept = keep([loaded()] * 3, lines=LINES)
    history.soft_delete([mine])
    command = [sys.executable, "-P", "-c", SETS_ASIDE, str(history.folder), str(theirs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert ids(history) == [kept]
        history.end(history.runs()[0].experiment_id, "done")
        assert files(history) == 3
        other.kill()
        other.wait()
    assert ids(history) == [kept]
    history.end(history.runs()[0].experiment_id, "done")
    assert files(history) == 2
    assert history.restore([mine, theirs]) == [mine]


def test_that_a_history_of_the_first_schema_keeps_its_runs(tmp_path, origin, loaded, monkeypatch):
    history = History(tmp_path)
    run_id = history.add_run(history.begin("single", origin, [], None), origin, "A", loaded())
    with HistoryFile(tmp_path / "history.sqlite").writing() as connection:
        connection.execute("DROP VIEW kept_runs")
        connection.execute("DROP TABLE clusters")
        for later in ("aside_pid", "aside_started_unix_s", "mount_options"):
            connection.execute(f"ALTER TABLE runs DROP COLUMN {later}")
        connection.execute("ALTER TABLE experiments DROP COLUMN model_content")
        connection.execute("PRAGMA user_version = 1")
    with monkeypatch.context() as read_only:
        refused = HistoryError(Message("Read-only file system."))
        read_only.setattr(HistoryFile, "writing", Mock(side_effect=refused))
        assert ids(history) == [run_id]
    assert ids(history) == [run_id]
    assert [row.model_content for row in history.runs()] == [""]
    with HistoryFile(tmp_path / "history.sqlite").reading() as connection:
        assert schema_of(connection) == len(MIGRATIONS)
    history.soft_delete([run_id])
    assert ids(history) == []
