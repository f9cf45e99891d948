"""Comparisons that were stopped, and go on from what the history has of them."""

import subprocess
import sys

import msgspec
import pytest
from tests.core.comparison.comparing import next_run, record, run_all
from tests.core.find_best.racing import SECOND, Racetrack, conditions

from modelmon.core.comparison.commands import command_arm
from modelmon.core.comparison.compare import CompareSession, Conditions, interleaved
from modelmon.core.comparison.run_validity import files_changed, with_warning
from modelmon.core.comparison.runner import resume, unfinished
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import ConfigError
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import Entrant, RunFilter
from modelmon.core.load.config import PRESETS
from modelmon.core.probe.probe import Limits

MS = 10**6
NAMES = {"A": "mmap", "B": "parallel"}


def resumable(names=NAMES, **more):
    arms = (Entrant(label, name, PRESETS[name].config) for label, name in names.items())
    return CompareSession(
        *arms, Conditions("/m", "cold", max_pairs=more.pop("pairs", 5), seed=3), **more
    )


def taken_up(history, reference, prepare=""):
    """The comparison, with its model opened as the terminal does."""
    inspection = inspect_model(unfinished(history, reference, "compare").path)
    return resume(CompareSession, history, reference, inspection, prepare=prepare)


@pytest.fixture
def stopped(history, own_copy, loaded):
    """A comparison of a real model with so many (invented) runs in the history."""

    def begin(runs, *, allow_busy=False):
        inspection = inspect_model(own_copy)
        conditions = Conditions(str(own_copy), "cold", max_pairs=5, seed=3, allow_busy=allow_busy)
        arms = resumable().arms.values()
        recorder = Recorder(history, "compare", origin_of(inspection), arms, conditions)
        for at, label in enumerate(interleaved(5, 3)[:runs]):
            recorder.add(label, loaded(NAMES[label], wall_ns=(at + 1) * MS, pair=at // 2))
        recorder.end("stopped")
        assert not recorder.problem
        return recorder

    return begin


def test_that_whoever_gives_no_commands_cannot_go_on_with_programs(history, own_copy, loaded):
    """As the window, where nobody has seen them; a race as well as a comparison."""
    inspection = inspect_model(own_copy)
    origin = origin_of(inspection)
    program = command_arm("B", "load", ["load", "a b"])
    first = Entrant("A", "mmap", PRESETS["mmap"].config)
    shared = {"compare": Conditions(str(own_copy), "cold"), "best": conditions()}
    for kind in (CompareSession, SearchSession):
        recorder = Recorder(history, kind.kind, origin, [first, program], shared[kind.kind])
        recorder.add("A", loaded("mmap"))
        recorder.end("stopped")
        with pytest.raises(ConfigError, match="agreed to again: load 'a b'"):
            resume(kind, history, "last", inspection)
    (_, kept) = history.experiments()[0].arms
    assert kept == program


def test_that_a_comparison_goes_on_only_with_the_command_it_was_begun_with(history, stopped):
    stopped(2)
    with pytest.raises(ConfigError, match=r"without a command.*the same --prepare"):
        taken_up(history, "last", "sync")


def labels(count):
    return interleaved(5, 3)[:count]


def test_that_whole_pairs_are_taken_in_and_half_ones_run_again(loaded):
    results = [loaded(NAMES[label], wall_ns=at) for at, label in enumerate(labels(5), start=1)]
    comparing = resumable()
    assert comparing.resume(results) == 4
    assert comparing.done_runs == 4
    assert next_run(comparing)[0] == labels(5)[4]
    walls = {label: [run.wall_ns for run in comparing.results(label)] for label in NAMES}
    assert sorted(walls["A"] + walls["B"]) == [1, 2, 3, 4]


def test_that_runs_that_did_not_count_are_taken_in_with_their_repeats(loaded):
    first, second = labels(2)
    results = [
        loaded(NAMES[first]),
        loaded(NAMES[second], counts=False, why_not="not cold"),
        loaded(NAMES[second]),
    ]
    comparing = resumable()
    assert comparing.resume(results) == 3
    assert comparing.done_runs == 2
    assert [run.counts for run in comparing.results(second)] == [False, True]


def test_that_a_resumed_comparison_is_decided_as_if_it_had_not_been_stopped(loaded):
    times = {"A": 2000 * MS, "B": 1000 * MS}
    results = [
        loaded(NAMES[label], wall_ns=times[label] + at * MS)
        for at, label in enumerate(interleaved(11, 3)[:10])
    ]
    comparing = resumable(pairs=11)
    assert comparing.resume(results) == 10
    assert not comparing.stopped


def test_that_what_was_warned_of_a_run_is_not_warned_of_again_when_it_is_taken_in():
    probed = Limits(device_bytes_per_s=1e9)
    stopped = resumable(limits=probed)
    # 1 GB in half a second, of a device that was probed at 1 GB/s.
    results = run_all(stopped, {"A": 500, "B": 500}, most=4)
    assert [[told.kind for told in run.warnings] for run in results] == [["faster-than-probed"]] * 4

    resumed = resumable(limits=probed)
    assert resumed.resume(results) == 4
    for label in NAMES:
        assert resumed.results(label) == stopped.results(label)


def test_that_a_comparison_whose_model_was_changed_stays_over_when_it_is_taken_up(loaded):
    first, second = labels(2)
    changed = loaded(NAMES[second], files_mark="b")
    changed = with_warning(changed, files_changed(changed, "a"))
    resumed = resumable()
    resumed.resume([loaded(NAMES[first], files_mark="a"), changed])
    assert not resumed.stopped
    assert resumed.results(second)[0].warnings == changed.warnings


def test_that_one_that_goes_on_asks_again_before_it_disturbs_others(history, stopped):
    stopped(2, allow_busy=True)
    comparing = taken_up(history, "last").session
    _, job = next_run(comparing)
    assert not job.allow_busy
    comparing.add(record(job, 500 * MS))
    assert next_run(comparing)[1].allow_busy


@pytest.mark.parametrize(
    "changed", [{"strategy": "direct"}, {"strategy": "mmap", "cache_asked": "warm"}]
)
def test_that_runs_of_another_comparison_are_refused(loaded, changed):
    with pytest.raises(ConfigError, match="Start a new comparison"):
        resumable({"A": "mmap", "B": "mmap"}).resume([loaded(**changed)])


def test_that_a_stopped_comparison_goes_on_where_it_was(history, stopped, loaded):
    assert stopped(5).kept_runs == 5
    resumed = taken_up(history, "last")
    assert resumed.session.done_runs == 4
    assert resumed.recorder.kept_runs == 4
    (experiment,) = history.experiments()
    assert experiment.state == "running"
    resumed.recorder.add(labels(5)[4], loaded(NAMES[labels(5)[4]]))
    rows = history.runs(RunFilter(experiment_id=experiment.id))
    assert len(rows) == 6
    assert [run.wall_ns for run in history.results_of(experiment.id)] == [
        *(at * MS for at in (1, 2, 3, 4)),
        500 * MS,
    ]


def refused(history, match, reference="last"):
    with pytest.raises(HistoryError, match=match):
        taken_up(history, reference)


def test_that_a_finished_or_unknown_one_is_not_taken_up(history, stopped):
    refused(history, "No comparison is waiting")
    recorder = stopped(2)
    recorder.end("done")
    refused(history, "No comparison is waiting")
    refused(history, "isn't a comparison that can be resumed", f"x{recorder.experiment_id}")
    refused(history, "no experiment x99", "x99")
    refused(history, "x12", "first")


def test_that_a_gap_in_the_runs_is_noticed(history, stopped):
    stopped(4)
    history.delete([history.runs()[2].id])
    refused(history, "deleted")


def test_that_a_model_that_changed_meanwhile_is_noticed(history, stopped, own_copy, samples):
    stopped(4)
    own_copy.write_bytes(next(samples["sharded"].glob("*.safetensors")).read_bytes())
    refused(history, "another model")


@pytest.mark.parametrize(
    ("column", "table", "part"),
    [("machine_id", "storages", "another machine"), ("storage_id", "experiments", "another disk")],
)
def test_that_another_machine_or_disk_is_noticed(history, stopped, column, table, part):
    stopped(4)
    with history._file.writing() as connection:
        connection.execute("INSERT INTO machines SELECT 'm9', cpu_model, 1, 1 FROM machines")
        connection.execute(
            "INSERT INTO storages SELECT 's9', machine_id, 'x', 'x', 'x', 'x', 'x' FROM storages"
        )
        other = {"machine_id": "m9", "storage_id": "s9"}[column]
        connection.execute(f"UPDATE {table} SET {column} = ?", (other,))
    refused(history, part)


def test_that_two_programs_never_go_on_with_the_same_one(history, stopped):
    recorder = stopped(4)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from modelmon.core.history.history import History\n"
        "History(Path(sys.argv[1])).take_over(int(sys.argv[2]), 4)\n"
        "sys.stdout.write('mine\\n')\n"
        "sys.stdout.flush()\n"
        "sys.stdin.read()\n"
    )
    words = [str(history.folder), str(recorder.experiment_id)]
    with subprocess.Popen(
        [sys.executable, "-P", "-c", script, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout.readline() == "mine\n"
        refused(history, f"Process {other.pid} is still", f"x{recorder.experiment_id}")
        refused(history, "waiting to be resumed")
        other.kill()
        other.wait()
        assert taken_up(history, "last").session.done_runs == 4


def test_that_a_history_that_cannot_be_written_stops_no_run(tmp_path, origin, loaded):
    (tmp_path / "file").write_text("")
    blocked = History(tmp_path / "file" / "data")
    recorder = Recorder(blocked, "single", origin, [], None)
    assert recorder.add("A", loaded()) is None
    recorder.end("done")
    assert "Couldn't create" in recorder.problem
    assert recorder.kept_runs == 0


def test_that_a_race_whose_time_was_up_goes_on_only_with_more_of_it(history, own_copy):
    inspection = inspect_model(own_copy)
    shared = msgspec.structs.replace(conditions(25, seed=8), path=str(own_copy))
    race = Racetrack(shared, seed=8, spread=0.3).go()
    assert race.ending == "budget"
    origin = origin_of(inspection)
    recorder = Recorder(history, "best", origin, race.arms.values(), race.conditions)
    for run in race.runs:
        recorder.add(run.label, run.result)
    recorder.end("done")
    assert not recorder.problem
    with pytest.raises(HistoryError, match="isn't a Find best run that can be resumed"):
        resume(SearchSession, history, "x1", inspection)
    underway = resume(SearchSession, history, "x1", inspection, budget_ns=60 * SECOND)
    assert underway.recorder.kept_runs == len(race.runs)
    assert next_run(underway.session)[1].cache == "cold"
