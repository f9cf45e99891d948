"""What an earlier version wrote opens, and has the figures that it had: tests/data/earlier."""

import json
import sqlite3
import tomllib

import pytest
from tests.frozen.harness import EARLIER
from tests.system.commands import typed

from modelmon.core import load_model, stream_model
from modelmon.core.load.config_file import read_config

TOMLS = sorted(path.name for path in EARLIER.glob("*.toml"))
RECORDINGS = sorted(path.name for path in EARLIER.glob("*.jsonl"))
RESULTS = ("compare", "compare_early", "compare_processes", "best", "cluster")


def asked(*words):
    done = typed(*words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows_of(query):
    """What the file itself holds, as the earlier version left it."""
    with sqlite3.connect(EARLIER / "history.sqlite") as kept:
        kept.row_factory = sqlite3.Row
        rows = [dict(row) for row in kept.execute(query)]
    kept.close()
    return rows


def agree(now, then):
    """Every figure of then that has the same name now is the same."""
    shared = now.keys() & then.keys()
    assert shared
    for name in shared:
        if isinstance(then[name], (int, float)) and not isinstance(then[name], bool):
            assert now[name] == pytest.approx(then[name], rel=1e-9), name


def test_that_every_run_of_the_history_has_its_figures(folder):
    then = {row["id"]: row for row in rows_of("SELECT * FROM runs")}
    now = {run["id"]: run for run in asked("history", "--json")["runs"]}
    assert now.keys() == then.keys()
    for number, run in now.items():
        agree(run, then[number])
        assert run["wall_ns"] == then[number]["wall_ns"]
        assert run["strategy"] == then[number]["strategy"]
        assert json.loads(run["config_json"]).items() >= json.loads(then[number]["config"]).items()


def test_that_every_experiment_has_its_answer(folder):
    for row in rows_of("SELECT * FROM experiments WHERE verdict IS NOT NULL"):
        now = asked("history", "show", f"x{row['id']}", "--json")
        then = json.loads(row["verdict"])
        agree(now["verdict"], then)
        assert now["verdict"].get("winner") == then.get("winner")
        assert now["verdict"].get("label") == then.get("label")


@pytest.mark.parametrize("name", RESULTS)
def test_that_results_export_what_they_recommended(folder, name):
    done = typed("export", f"{name}.json", "--out", "again.toml")
    assert done.returncode == 0, done.stderr
    stored = tomllib.loads((folder / "here" / "again.toml").read_text())
    then = json.loads((EARLIER / f"{name}.json").read_text())
    digest = then["model"]["digest"]
    assert stored["model"]["digest"] == digest
    if f"{name}.toml" in TOMLS:
        assert stored["load"] == tomllib.loads((EARLIER / f"{name}.toml").read_text())["load"]


@pytest.mark.parametrize("name", TOMLS)
def test_that_modelmon_toml_loads_as_it_says(folder, name):
    then = tomllib.loads((EARLIER / name).read_text())["load"]
    config = read_config(name).config
    assert {key: getattr(config, key) for key in then if key != "strategy"} == {
        key: value for key, value in then.items() if key != "strategy"
    }
    model = folder / "store" / "model.safetensors"
    if config.deliver == "streamed":
        stream_model(model, lambda *_: None, config=name)
    else:
        assert load_model(model, name).config == config


@pytest.mark.parametrize("name", RECORDINGS)
def test_that_recordings_have_their_figures(folder, name):
    events = [json.loads(line) for line in (EARLIER / name).read_text().splitlines()]
    (then,) = (event for event in events if event["event"] == "finished")
    assert typed("history", "import", name).returncode == 0
    imported = max(asked("history", "--json")["runs"], key=lambda run: run["id"])
    agree(imported, then)
    assert imported["wall_ns"] == then["wall_ns"]


def test_that_recordings_beside_the_history_come_out_as_they_were(folder):
    for number in (1, 2, 8):
        assert typed("history", "events", number, f"{number}.jsonl").returncode == 0
        assert '"finished"' in (folder / "here" / f"{number}.jsonl").read_text()
