"""run, compare and best as calls, and every example of Python that the documentation shows."""

import pydoc
import re
import subprocess
import sys
import tomllib
import types
from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.system.needs import on_linux

import modelmon.core
from modelmon.core import LoadConfig, best, compare, load_model, run
from modelmon.core.cli.main import main
from modelmon.core.errors import BusyError, ConfigError
from modelmon.core.export.outcomes import best_arm
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.history import History
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.measure import RaceReport
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

ROOT = Path(__file__).parents[2]
PAGES = ("docs/python.md",)


@pytest.fixture
def ends_soon(monkeypatch):
    """A race ends after three runs, however much of its budget is left."""
    usual = SearchSession.next_job

    def next_job(session):
        if len(session.runs) >= 3:
            session.stop()
        return usual(session)

    monkeypatch.setattr(SearchSession, "next_job", next_job)


def examples(page):
    """The Python of a page, each fence for itself."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.usefixtures("ends_soon")
@pytest.mark.parametrize("page", PAGES)
def test_that_the_examples_run(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = write_sample(tmp_path / "model.safetensors", "safetensors", 8 * MIB, layers=4, seed=1)
    with path.open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(obstacle)
    write_sample(tmp_path / "model.gguf", "gguf", 8 * MIB, layers=4, seed=1)
    (tmp_path / "modelmon.toml").write_text(
        'schema = 1\n[load]\nstrategy = "parallel"\nreaders = 4\n'
    )
    uploaded = []
    names = {"upload": lambda name, *_: uploaded.append(name)}
    found = [code for code in examples(page) if "modelmon.core.torch" not in code]
    assert found
    models = []
    for code in found:
        exec(compile(code, page, "exec"), names)
        models.append(type(names.get("model")))
        # Nobody holds on to a model that is mapped: the next example may measure cold starts.
        for name in [name for name, value in names.items() if not callable(value)]:
            del names[name]
    capsys.readouterr()
    assert LoadedModel in models


def test_that_a_run_tells_what_the_terminal_tells(sample, monkeypatch):
    said = []
    report = run(sample, "parallel", cache="warm", progress=said.append)
    assert report.result.strategy == "parallel"
    assert report.result.load_bytes > 0
    assert report.run_id is not None
    assert History().result(report.run_id).wall_ns == report.result.wall_ns
    assert "load" in {doing.phase for doing in said}
    assert str(report).startswith("parallel: ")
    (row,) = report.rows()
    assert row["wall_ns"] == report.result.wall_ns
    html = report._repr_html_()
    assert "strategy parallel</p>" in html
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        report.to_pandas()
    pandas = types.SimpleNamespace(DataFrame=lambda rows: rows)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert report.to_pandas() == [row]


def test_that_settings_and_a_part_of_the_model_can_be_run(sample):
    whole = run(sample, LoadConfig(readers=2), cache="warm", history=False)
    part = run(sample, cache="warm", blocks="layers.0", history=False)
    assert whole.result.config.readers == 2
    assert 0 < part.result.load_bytes < whole.result.load_bytes
    assert "of the model" not in str(whole)
    assert "% of the model at " in str(part)
    assert "% of the model</td>" in part._repr_html_()
    assert whole.run_id is None
    assert History().runs() == []


def test_that_what_progress_raises_ends_the_run(sample):
    def stop(_doing):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(sample, progress=stop)
    with pytest.raises(ZeroDivisionError):
        compare(sample, repeats=1, progress=stop)
    assert History().runs() == []


@pytest.mark.parametrize(
    "measure", [run, pytest.param(partial(compare, repeats=1), marks=pytest.mark.long)]
)
def test_that_a_history_that_cannot_be_written_is_told(sample, tmp_path, monkeypatch, measure):
    (tmp_path / "taken").touch()
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "taken"))
    with pytest.warns(UserWarning, match="taken") as said:
        assert measure(sample, cache="warm").runs
    assert said[0].filename == __file__


def test_that_a_comparison_is_judged_kept_and_exported(sample, tmp_path):
    places = set()
    report = compare(
        sample,
        "mmap",
        "sequential",
        cache="warm",
        repeats=1,
        progress=lambda doing: places.add((doing.label, doing.place)),
    )
    assert {label for label, _ in report.runs} == {"A", "B"}
    assert {label for label, _ in places} == {"A", "B"}
    assert str(report.result.verdict.sentence) in str(report)
    assert "sequential" in report._repr_html_()
    # A folder makes it a path: the name of a file needs no ending then.
    exported = tmp_path / "exported"
    report.export(exported)
    label = best_arm(report.result)
    assert load_model(sample, str(exported)).config == report.result.arm(label).config
    (experiment,) = History().experiments()
    assert (experiment.kind, experiment.state) == ("compare", "done")


@pytest.mark.usefixtures("ends_soon")
def test_that_the_best_is_recommended_kept_and_exported(sample, tmp_path):
    with pytest.warns(UserWarning, match=r"Not tested: gguf\.GGUFReader\. \w") as said:
        report = best(sample, objective="warm", include="gguf.GGUFReader")
    assert said[0].filename == __file__
    assert "gguf.GGUFReader" in report._repr_html_()
    for to_set in ("", "--disable-mmap"):
        found = msgspec.structs.replace(report.result.recommendation, to_set=to_set)
        changed = msgspec.structs.replace(report.result, recommendation=found)
        html = RaceReport(changed)._repr_html_()
        assert html.count("shared-fd") == 1
    assert repr(report) == f"<RaceReport: {report.sentences[0]}>"
    assert report.result.recommendation.sentence == report.sentences[0]
    assert len(report.runs) == len(report.rows()) == len(report.result.runs)
    assert report.result.recommendation.label in report._repr_html_()
    report.export(tmp_path / "modelmon.toml")
    exported = report.result.standing(report.result.recommendation.exported).config
    assert load_model(sample, tmp_path / "modelmon.toml").config == exported
    (experiment,) = History().experiments()
    assert experiment.kind == "best"
    again = tmp_path / "again.toml"
    assert main(["export", f"x{experiment.id}", "--out", str(again)]) == 0
    assert (
        tomllib.loads(again.read_text())["load"]
        == tomllib.loads((tmp_path / "modelmon.toml").read_text())["load"]
    )


def test_that_a_strategy_that_is_none_and_a_model_in_use_are_refused(sample):
    with pytest.raises(ConfigError, match="teleport"):
        compare(sample, "mmap", "teleport")
    with sample.open("rb") as file, subprocess.Popen(["sleep", "600"], stdin=file) as user:
        try:
            with pytest.raises(BusyError, match="sleep"):
                run(sample)
        finally:
            user.kill()


@on_linux
def test_that_what_this_process_maps_is_said_to_keep_it_from_being_cold(sample):
    held = load_model(sample, "mmap")
    for measure in (run, compare, best):
        with pytest.raises(BusyError, match="mapped by this process"):
            measure(sample)
    assert run(sample, cache="warm", history=False).result.counts
    held.close()
    del held
    assert run(sample, cache="cold", history=False).result.cache_asked == "cold"


def test_that_help_and_completion_know_every_public_name():
    assert {*modelmon.core.__all__} <= {*dir(modelmon.core)}
    told = pydoc.plain(pydoc.render_doc(modelmon.core))
    for name in modelmon.core.__all__:
        assert re.search(rf"^    (class )?{name}\(", told, re.MULTILINE), name


@pytest.mark.parametrize(
    "refused",
    [
        lambda path: run(path, cache="hot"),
        lambda path: run(path, tensors="nope"),
        lambda path: compare(path, repeats=0),
        lambda path: compare(path, seed="1"),  # type: ignore[arg-type]
        lambda path: compare(path, repeats=1.5),
        lambda path: compare(path, portion_bytes=4096),
        lambda path: compare(path, 3),  # type: ignore[arg-type]
        lambda path: run(path, None),  # type: ignore[arg-type]
        lambda path: run(path, tensors=3),  # type: ignore[arg-type]
        lambda path: run(path, LoadConfig(deliver="untouched")),
        lambda path: best(path, objective="fast"),
        lambda path: best(path, budget_s=float("nan")),
        lambda path: best(path, budget_s=1e300),
        lambda path: best(path, budget_s="5m"),  # type: ignore[arg-type]
    ],
)
def test_that_what_cannot_be_measured_is_refused_before_anything_runs(sample, refused, monkeypatch):
    def started(*_args, **_options):
        raise AssertionError("started a process")

    monkeypatch.setattr(subprocess, "Popen", started)
    with pytest.raises(ConfigError) as caught:
        refused(sample)
    assert caught.value.remedy


def test_that_no_path_at_all_is_no_file_of_that_name():
    with pytest.raises(TypeError):
        run(None)  # type: ignore[arg-type]
