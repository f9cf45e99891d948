"""The history as a person meets it: typed commands."""

import csv
import json
import signal
import subprocess
import sys
import tomllib

import pytest
from tests.system.commands import MODELMON, typed
from tests.system.runs import until

from modelmon.core.history.history import History
from modelmon.core.history.origin import Origin
from modelmon.core.history.rows import Entrant, RunFilter
from modelmon.core.machine.origin import MachineOrigin, StorageOrigin
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.worker.record import read_record

pytestmark = pytest.mark.system

AS_IS = ("--cache", "as-is")


@pytest.fixture
def history():
    return History()


def modelmon(*words, code=0):
    """Run a command; it must succeed unless another code is expected."""
    done = typed(*words)
    assert done.returncode == code, done.stderr
    return done


def test_that_a_run_is_kept_with_its_events_and_can_be_replayed(history, sample, tmp_path):
    result = json.loads(modelmon("run", sample, *AS_IS, "--json").stdout)["result"]
    (row,) = history.runs()
    assert (row.wall_ns, row.path, row.kind) == (result["wall_ns"], str(sample), "single")
    assert f" {row.id} " in modelmon("history").stdout
    assert "Saved as run 2" in modelmon("run", sample, *AS_IS).stdout
    modelmon("history", "events", "1", tmp_path / "run.jsonl")
    record = read_record(tmp_path / "run.jsonl")
    assert record.finished is not None
    assert record.finished.wall_ns == row.wall_ns
    assert result["strategy"] in modelmon("history", "show", "1").stdout


def test_that_a_run_that_verifies_its_bytes_is_marked_as_no_measurement_wherever_it_is_listed(
    history, sample, tmp_path, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "250")
    recording = tmp_path / "run.jsonl"
    told = modelmon("run", sample, *AS_IS, "--verify", "--record", recording).stdout
    assert "Run again without --verify" in told
    record = read_record(recording)
    assert record.finished is not None
    assert record.finished.checksum_matches
    assert not record.finished.counts
    assert not history.result(1).counts
    assert history.runs(RunFilter(counts=True)) == []
    for command in (("history",), ("history", "show", "1"), ("history", "show", "x1")):
        assert "not counted (--verify)" in modelmon(*command).stdout


def test_that_a_recording_from_elsewhere_is_taken_in_once_and_counted_with_no_other(
    history, sample, tmp_path
):
    recording = tmp_path / "elsewhere.jsonl"
    modelmon("run", sample, *AS_IS, "--no-history", "--record", recording)
    modelmon("run", sample, *AS_IS)
    assert "as run 2" in modelmon("history", "import", recording).stderr
    own, taken = sorted(history.runs(), key=lambda row: row.id)
    assert taken.machine_id != own.machine_id
    assert taken.storage_id != own.storage_id
    here = json.loads(modelmon("history", "--here", "--json").stdout)["runs"]
    assert [row["id"] for row in here] == [own.id]
    groups = json.loads(modelmon("history", "compare", "1", "2", "--json").stdout)["groups"]
    # What was cached when either began is the machine's affair, and may differ as well.
    assert "machine, disk and model of an import are uncertain" in groups[1]["differs"]
    assert "is uncertain" in modelmon("export", "2", "--out", "-", code=2).stderr
    assert "vllm serve" in modelmon("export", "2", "--for", "vllm").stdout
    again = modelmon("history", "import", recording, code=2)
    assert "already, as run 2" in again.stderr


def test_that_an_empty_history_says_so():
    assert "No runs found" in modelmon("history").stdout


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("run",), "I/O wait"),
        pytest.param(("compare", "--repeats", "1"), "Confidence", marks=pytest.mark.long),
    ],
)
def test_that_a_history_that_cannot_be_written_costs_a_note_and_not_the_result(
    history, sample, words, part
):
    history.folder.write_text("in the way")
    done = modelmon(*words, sample, *AS_IS)
    assert done.stderr.count("Not saved in the history") == 1
    assert part in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.soak)]
)
def test_that_a_stopped_comparison_loses_no_finished_run_and_goes_on(
    history, sample, tmp_path, how
):
    words = ["compare", str(sample), *AS_IS, "--repeats", "2", "--seed", "5"]
    with subprocess.Popen(
        [*MODELMON, *words],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as comparing:
        until(history.runs)
        comparing.send_signal(how)
        _, said = comparing.communicate()
    kept = sorted(row.wall_ns for row in history.runs())
    assert 1 <= len(kept) < 4
    if how == signal.SIGINT:
        assert comparing.returncode == 130
        assert f"Saved {len(kept)} run" in said
        assert "modelmon compare --resume x1" in said
    assert history.experiment(1).state == ("stopped" if how == signal.SIGINT else "running")
    out = tmp_path / "result.json"
    modelmon("compare", "--resume", "last", "--out", out)
    compared = json.loads(out.read_text())
    walls = [run["wall_ns"] for arm in ("runs_a", "runs_b") for run in compared[arm]]
    # A run from which the host took memory isn't counted and is made again.
    assert len(walls) >= 4
    assert len(kept) - len(set(kept) & set(walls)) <= 1
    assert history.experiment(1).state == "done"
    assert "waiting to be resumed" in modelmon("compare", "--resume", "last", code=2).stderr
    for experiment in ("compare", "best"):
        refused = modelmon(experiment, sample, "--resume", "x1", code=2)
        assert "leave out PATH" in refused.stderr


def test_that_runs_of_another_machine_are_marked_and_never_set_against_these(history, sample):
    modelmon("run", sample, *AS_IS)
    (here,) = history.runs()
    there = Origin(
        machine=MachineOrigin("elsewhere", "Other CPU", 64, 2**40),
        storage=StorageOrigin("s9", "/dev/sda1", "sda1", "", "xfs", "local-disk"),
        model=ModelFingerprint(here.model_name, "safetensors", 1, 1, here.model_digest),
        path=here.path,
    )
    number = history.begin("single", there, [Entrant("A", "mmap", here.config)], None)
    history.add_run(number, there, "A", history.result(here.id))
    listed = modelmon("history").stdout
    assert listed.count("another machine") == 1
    assert "Other CPU, 64 CPUs" in listed
    assert "another machine" not in modelmon("history", "--here").stdout
    compared = modelmon("history", "compare", "1", "2").stdout
    assert "2 can't be compared with 1: another machine, another disk" in compared
    assert "not comparable" in compared


def test_that_runs_are_starred_named_exported_and_deleted(history, sample, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    for _ in range(2):
        modelmon("run", sample, *AS_IS)
    modelmon("history", "star", "2")
    modelmon("history", "name", "2", "before [the] move")
    starred = modelmon("history", "--starred").stdout
    assert "before [the] move" in starred
    modelmon("history", "--csv", tmp_path / "runs.csv")
    with (tmp_path / "runs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["id"]: row["name"] for row in rows} == {"1": "", "2": "before [the] move"}
    assert list(csv.DictReader(modelmon("history", "--csv", "-").stdout.splitlines())) == rows
    assert "one of them" in modelmon("history", "--csv", "-", "--json", code=2).stderr
    assert len(json.loads(modelmon("history", "--json", "--limit", "1").stdout)["runs"]) == 1
    assert "add --yes" in modelmon("history", "delete", "x1", code=2).stderr
    modelmon("history", "delete", "x1", "--yes")
    assert [row.id for row in history.runs()] == [2]
    for words in (("show", "1"), ("delete", "1", "--yes"), ("star", "x1"), ("show", "one")):
        assert "Usage" not in modelmon("history", *words, code=2).stderr


def test_that_what_the_history_has_becomes_modelmon_toml(own_copy, tmp_path):
    out, kept = tmp_path / "modelmon.toml", tmp_path / "result.json"

    def exported(reference):
        modelmon("export", reference, "--out", out)
        return tomllib.loads(out.read_text())

    modelmon("run", own_copy, *AS_IS, "--strategy", "parallel")
    of_run = exported("1")
    assert (of_run["load"]["strategy"], of_run["evidence"]["runs"]) == ("parallel", 1)
    assert exported("x1") == of_run
    modelmon("compare", own_copy, *AS_IS, "--fixed", "--repeats", "1", "--out", kept)
    modelmon("export", kept, "--arm", "B", "--out", tmp_path / "saved.toml")
    modelmon("export", "x2", "--arm", "B", "--out", out)
    saved, again = (tomllib.loads((tmp_path / n).read_text()) for n in ("saved.toml", out.name))
    assert again == saved | {"created": again["created"]}
    assert exported("x2B") == exported("x02B") == again
    one_of = exported("3")["evidence"]["sentence"]
    assert one_of == "One run of x2."
    assert "x2B has no run of A" in modelmon("export", "x2B", "--arm", "A", code=2).stderr
    for reference, arm in (("1", ()), ("x2", ("--arm", "A"))):
        told = modelmon("export", reference, *arm, "--for", "modelmon", "--format", "toml").stdout
        modelmon("export", reference, *arm, "--out", out)
        assert tomllib.loads(told)["load"] == tomllib.loads(out.read_text())["load"]
    before = tomllib.loads(out.read_text())

    own_copy.unlink()
    modelmon("sample", own_copy, "--size", "24MiB", "--layers", "3")
    refused = modelmon("export", "1", "--out", out, code=2).stderr
    elsewhere = "1 was measured with another model in this place."
    assert f"{elsewhere} Measure it again" in " ".join(refused.split())
    assert tomllib.loads(out.read_text()) == before
    others = modelmon("export", "1", "--for", "modelmon,vllm").stdout
    assert f"{elsewhere}\n" in others
    assert "vLLM" in others


@pytest.mark.parametrize(
    "words",
    [
        ("run", "MODEL", "--record"),
        ("compare", "MODEL", "--out"),
        ("compare", "MODEL", "--export"),
        ("best", "MODEL", "--export"),
        ("history", "events", "1"),
        ("sample",),
    ],
    ids=" ".join,
)
def test_that_no_file_is_called_like_standard_output(words):
    assert "Give a file's name" in modelmon(*words, "-", code=2).stderr


def test_that_a_long_name_of_a_model_widens_no_row(own_copy, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    long = own_copy.rename(own_copy.with_name(f"{'begin' * 20}{'end' * 20}.safetensors"))
    modelmon("run", long, "--strategy", "mmap", "--cache", "as-is")
    (row,) = (line for line in modelmon("history").stdout.splitlines() if "mmap" in line)
    assert "beginbegin" in row
    assert "endend" in row
    assert "…" in row
    assert long.name in modelmon("history", "--json").stdout


def test_that_changes_are_told_or_that_there_are_too_few(history, sample):
    modelmon("run", sample, "--cache", "warm")
    assert (
        "Nothing was measured since"
        in modelmon("history", "changes", "--since", "2126-01-01").stdout
    )
    with history._file.writing() as connection:
        connection.execute(
            "UPDATE runs SET started_unix_s = started_unix_s - 5000000, result = json_set("
            "result, '$.started_unix_s', started_unix_s - 5000000)"
        )
    modelmon("run", sample, "--cache", "warm")
    started = {(row.counts, row.cache_state, row.conditioned) for row in history.runs()}
    if started in ({(True, "warm", True)}, {(True, "warm", False)}):
        assert "Too early to tell: 1 load" in modelmon("history", "changes").stdout


def test_that_a_run_of_a_part_stands_apart_from_wholes(sample, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    modelmon("run", sample, *AS_IS)
    assert "Part" not in modelmon("history").stdout
    modelmon("run", sample, *AS_IS, "--portion", "1MiB")
    heading, part, whole = modelmon("history", "--sort", "when").stdout.splitlines()
    assert "Part" in heading
    assert " of the model  " in part
    assert " of the model" not in whole
    assert " of the model" in modelmon("history", "show", "2").stdout
    heading, whole, part = modelmon("history", "compare", "1", "2").stdout.splitlines()[:3]
    assert heading.split()[5:7] == ["Range", "Part"]
    assert " of the model" not in whole
    assert " of the model  " in part
