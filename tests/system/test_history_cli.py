"""The history as a person meets it: typed commands."""

import json
import signal
import subprocess
import sys
import tomllib

import pytest
from tests.system.commands import MODELMON, typed
from tests.system.runs import until

from modelmon.core.history.history import History
from modelmon.core.worker.record import read_record

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
    assert record.finished.wall_ns == row.wall_ns
    assert result["strategy"] in modelmon("history", "show", "1").stdout


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


def test_that_a_long_name_of_a_model_widens_no_row(own_copy, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    long = own_copy.rename(own_copy.with_name(f"{'begin' * 20}{'end' * 20}.safetensors"))
    modelmon("run", long, "--strategy", "mmap", "--cache", "as-is")
    (row,) = (line for line in modelmon("history").stdout.splitlines() if "mmap" in line)
    assert "beginbegin" in row
    assert "endend" in row
    assert "…" in row
    assert long.name in modelmon("history", "--json").stdout
