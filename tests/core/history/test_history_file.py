"""The history's file: shared, cut off, old, too new, damaged, not to be written."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import psutil
import pytest

from modelmon.core.history.file import MIGRATIONS, HistoryError, HistoryFile, schema_of
from modelmon.core.history.history import History, is_at_work
from modelmon.core.history.rows import ClusterRow
from modelmon.core.messages import Message

WRITER = """
import sys
from pathlib import Path
import msgspec
from modelmon.core.history.history import History, is_at_work
from modelmon.core.history.rows import Entrant
from modelmon.core.history.origin import Origin
from modelmon.core.worker.result import RunResult

folder, origin, result, runs = sys.argv[1:]
origin = msgspec.json.decode(origin, type=Origin)
result = msgspec.json.decode(result, type=RunResult)
history = History(Path(folder))
number = history.begin("single", origin, [Entrant("A", "mmap", result.config)], None)
for _ in range(int(runs)):
    run_id = history.add_run(number, origin, "A", result, b"x" * 20_000)
    # Whoever reads this line may rely on the run.
    sys.stdout.write(f"{run_id}\\n")
    sys.stdout.flush()
history.end(number, "done")
"""


@pytest.fixture
def start_writer(history, origin, loaded):
    """Start a process that enters so many runs and prints the number of each."""
    words = [msgspec.json.encode(value).decode() for value in (origin, loaded())]

    def start(runs):
        return subprocess.Popen(
            [sys.executable, "-P", "-c", WRITER, str(history.folder), *words, str(runs)],
            stdout=subprocess.PIPE,
            text=True,
        )

    return start


def checked(history):
    with contextlib.closing(sqlite3.connect(history.folder / "history.sqlite")) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone()[0]


def test_that_several_programs_write_at_once_from_the_first_moment(history, start_writer):
    writers = [start_writer(12) for _ in range(6)]
    printed = [int(line) for writer in writers for line in writer.communicate()[0].split()]
    assert [writer.returncode for writer in writers] == [0] * 6
    assert len(printed) == len(set(printed)) == 72
    assert {row.id for row in history.runs()} == set(printed)
    for experiment in history.experiments():
        assert (experiment.runs, experiment.state) == (12, "done")
        rows = [row for row in history.runs() if row.experiment_id == experiment.id]
        assert sorted(row.position for row in rows if row.position is not None) == [*range(12)]
    assert checked(history) == "ok"


@pytest.mark.skipif(sys.platform != "linux", reason="as /proc/stat has it")
def test_that_who_is_at_an_experiment_is_known_although_the_clock_was_set(
    history, start_writer, monkeypatch
):
    writer = start_writer(10_000)
    writer.stdout.readline()
    boot_s = psutil.boot_time()
    for step_s in (0, 3600, -86_400):
        monkeypatch.setattr("psutil._pslinux.boot_time", lambda step_s=step_s: boot_s + step_s)
        assert is_at_work(history.experiment(1))
        with pytest.raises(
            HistoryError, match=f"Process {writer.pid} is still running experiment x1"
        ):
            history.take_over(1, 0)
    monkeypatch.undo()
    noted_by_older_versions = psutil.Process(writer.pid).create_time()
    then = msgspec.structs.replace(
        history.experiment(1), owner_started_unix_s=noted_by_older_versions
    )
    assert is_at_work(then)
    writer.kill()
    writer.communicate()
    assert not is_at_work(then)
    assert not is_at_work(history.experiment(1))
    history.take_over(1, 0)


def test_that_a_kill_at_any_point_loses_nothing_that_was_entered(history, start_writer):
    promised = set()
    for runs_before_the_kill in (1, 1, 2, 2, 3, 5):
        with start_writer(10_000) as writer:
            assert writer.stdout is not None
            for _ in range(runs_before_the_kill):
                promised.add(int(writer.stdout.readline()))
            writer.kill()
            promised |= {int(line) for line in writer.stdout if line.endswith("\n")}
        assert checked(history) == "ok"
        rows = {row.id: row for row in history.runs()}
        assert promised <= rows.keys()
        for row in rows.values():
            assert len(history.event_lines(row.id)) == 20_000
    assert len(promised) >= 14


def test_that_what_a_killed_writer_left_half_done_is_undone_by_a_reader(
    history, keep, loaded, tmp_path
):
    keep([loaded()] * 20)
    path, copy = history.folder / "history.sqlite", tmp_path / "copy"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size = 1")
        other.execute("BEGIN")
        other.execute("UPDATE runs SET name = ?", ("x" * 5_000,))
        shutil.copytree(history.folder, copy)
    assert (copy / "history.sqlite-journal").stat().st_size
    assert [row.name for row in History(copy).runs()] == [""] * 20


LATER = (*MIGRATIONS, ("ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",))
BROKEN = (*LATER, ("CREATE TABLE half_done (id INTEGER)", "ALTER TABLE nowhere ADD COLUMN x"))


def test_that_a_step_that_fails_leaves_the_file_as_it_was(history, keep, loaded):
    keep([loaded()])
    path = history.folder / "history.sqlite"
    with pytest.raises(HistoryError, match="nowhere"), HistoryFile(path, BROKEN).writing():
        pass
    with HistoryFile(path).reading() as connection:
        assert schema_of(connection) == len(MIGRATIONS)
        names = [row["name"] for row in connection.execute("SELECT name FROM sqlite_master")]
    assert "half_done" not in names
    assert len(history.runs()) == 1


def test_that_a_newer_schema_is_refused_for_reading_and_writing(history, keep, loaded):
    keep([loaded()])
    with HistoryFile(history.folder / "history.sqlite", LATER).writing():
        pass
    with pytest.raises(HistoryError, match=rf"schema {len(LATER)}.*knows {len(MIGRATIONS)}"):
        history.runs()
    with pytest.raises(HistoryError, match="Use the newer version"):
        history.star([1])


@pytest.mark.parametrize("damage", [b"no database at all" * 99, None])
def test_that_a_damaged_file_says_what_to_do(history, keep, loaded, damage):
    keep([loaded()] * 20)
    path = history.folder / "history.sqlite"
    pages = bytearray(path.read_bytes())
    # The header stays whole, so that only the pages behind it betray the damage.
    pages[100:] = os.urandom(len(pages) - 100)
    path.write_bytes(damage or bytes(pages))
    for use in (history.runs, lambda: history.star([1])):
        with pytest.raises(HistoryError, match=r"damaged.*Move it away"):
            use()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW kept_runs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n"
        " LIMIT 9) SELECT runs.* FROM n, runs",
        "CREATE TRIGGER noted AFTER UPDATE ON runs BEGIN UPDATE runs SET name = label; END",
        "ALTER TABLE runs ADD COLUMN large AS (zeroblob(9))",
    ],
)
def test_that_a_history_from_elsewhere_brings_nothing_that_is_run(history, keep, loaded, statement):
    keep([loaded()])
    with contextlib.closing(sqlite3.connect(history.folder / "history.sqlite")) as connection:
        if "kept_runs" in statement:
            connection.execute("DROP VIEW kept_runs")
        connection.execute(statement)
    for use in (history.runs, lambda: history.star([1])):
        with pytest.raises(HistoryError, match=r"aren't modelmon's.*Move it away"):
            use()


def test_that_tables_beside_its_own_are_left_alone(history, keep, loaded):
    keep([loaded()])
    with contextlib.closing(sqlite3.connect(history.folder / "history.sqlite")) as connection:
        connection.execute("ANALYZE")
        connection.execute("CREATE TABLE notes (note TEXT)")
        connection.execute("CREATE INDEX mine ON runs (strategy)")
        connection.commit()
    assert len(history.runs()) == 1
    history.star([1])


@pytest.mark.parametrize("value", ["", "[]", "[" * 10_000, "{}", "0", b"\xff"])
def test_that_a_row_from_elsewhere_that_is_none_is_named(history, keep, loaded, value):
    keep([loaded()])
    row = ClusterRow(1.0, "/m", "m", "d", "c", 2, 2, ("mmap",), 1, 1.0, Message("One."))
    history.add_cluster(row, b"{}")
    with contextlib.closing(sqlite3.connect(history.folder / "history.sqlite")) as connection:
        connection.execute("UPDATE runs SET result = ?", (value,))
        connection.execute("UPDATE clusters SET sentence = ?", (value,))
        connection.commit()
    for use in (history.runs, history.clusters):
        with pytest.raises(HistoryError, match="Couldn't read row 1 of the history"):
            use()


@contextlib.contextmanager
def without_rights(folder, folder_mode=0o555):
    """Nothing below `folder` can be written, not even by root."""
    if sys.platform == "win32":
        pytest.skip("rights of folders are others on Windows")
    for path in (folder, *folder.rglob("*")):
        path.chmod(folder_mode if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture
def visible():
    """A folder that every user can get at, which those of pytest are not."""
    folder = Path(tempfile.mkdtemp(prefix="modelmon-"))
    yield folder
    shutil.rmtree(folder)


def test_that_a_read_only_folder_is_named_with_what_to_do(history, keep, loaded, visible):
    keep([loaded()])
    shutil.copytree(history.folder, visible / "data")
    for folder in ("data", "new"):
        with without_rights(visible), pytest.raises(HistoryError, match="MODELMON_DATA_DIR"):
            History(visible / folder).star([1])
    assert len(History(visible / "data").runs()) == 1


def test_that_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HistoryError, match="Couldn't create"):
        History(tmp_path / "file" / "data").star([1])


@pytest.mark.skipif(sys.platform == "win32", reason="what lies below a file is missing there")
def test_that_a_file_in_the_place_of_the_folder_is_not_a_history_without_runs(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HistoryError, match="MODELMON_DATA_DIR"):
        History(tmp_path / "file").runs()


@pytest.mark.skipif(sys.platform == "win32", reason="SQLite says otherwise there")
def test_that_a_folder_in_the_place_of_the_history_is_said_to_be_one(tmp_path):
    (tmp_path / "history.sqlite").mkdir()
    for use in (History.runs, lambda history: history.star([1])):
        with pytest.raises(HistoryError, match="is a folder") as caught:
            use(History(tmp_path))
        assert "Free space" not in str(caught.value)
