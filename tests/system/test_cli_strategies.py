"""`modelmon strategies`, and `modelmon run` with a part of a model, ranks and libraries."""

import json
from importlib.util import find_spec

import pytest
from tests.system.commands import typed

from modelmon.core.history.history import History
from modelmon.core.load.strategies import strategy_names
from modelmon.core.units import three_figures
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise

pytestmark = pytest.mark.system


def listed(*arguments):
    done = typed("strategies", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return {each["name"]: each for each in json.loads(done.stdout)["strategies"]}


def test_that_every_strategy_is_listed_with_when_it_wins_and_its_version_or_why_not(sample):
    found = listed()
    assert tuple(found) == strategy_names()
    assert all(each["when_it_wins"].endswith(".") for each in found.values())
    assert found["gguf.GGUFReader"]["version"]
    assert found["gguf.GGUFReader"]["obstacle"] == ""
    for_model = listed(sample)
    assert "not safetensors" in for_model["gguf.GGUFReader"]["obstacle"]
    text = typed("strategies").stdout
    assert all(name in text for name in strategy_names())


def test_that_a_run_of_ranks_tells_what_each_loads_and_what_storage_gave(on_a_device, tmp_path):
    recording = tmp_path / "run.jsonl"
    done = typed(
        *("run", on_a_device, "--set", "ranks=2", "--cache", "warm"),
        *("--no-history", "--yes", "--record", recording),
    )
    assert done.returncode == 0, done.stderr
    given = summarise(read_record(recording)).amplification
    assert given is not None
    factor = three_figures(given)
    said = f"2 processes, each loads the whole model; each byte was read {factor}× from storage"
    assert said in done.stdout
    assert "Setup (not timed)" in done.stdout


def test_that_a_run_of_blocks_says_which_part_it_was(sample):
    arguments = ("--blocks", "layers.0", "--rank", "0/2", "--verify", "--no-history", "--yes")
    done = typed("run", sample, *arguments)
    assert done.returncode == 0, done.stderr
    assert "blocks layers.0; rank 0/2" in done.stdout
    assert "matches the file" in done.stdout
    assert not History().folder.exists()


def test_that_a_run_of_a_library_names_its_version_and_whether_it_was_touched(samples):
    run = ("run", samples["gguf"], "--strategy", "gguf.GGUFReader", "--no-history", "--yes")
    touched = typed(*run)
    untouched = typed(*run, "--deliver", "untouched")
    assert "every page read in" in touched.stdout
    assert ", untouched" in untouched.stdout
    assert "before its bytes were in memory" in untouched.stdout


@pytest.mark.skipif(find_spec("llama_cpp") is None, reason="llama-cpp-python is not installed")
def test_that_a_library_that_hides_its_memory_is_neither_called_touched_nor_wrong(samples):
    done = typed(
        *("run", samples["gguf"], "--strategy", "llama-cpp.read"),
        *("--verify", "--no-history", "--yes"),
    )
    assert done.returncode == 0, done.stderr
    assert "all in memory when its call returned" in done.stdout
    assert "show what it loaded" in " ".join(done.stdout.split())
    assert "DIFFERS" not in done.stdout
    assert "read in" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rank", "1/2", "--portion", "8MiB"), "stands for the whole model"),
        (("--rank", "two"), "isn't a rank"),
        (("--tensors", "nothing.here"), "has no tensor"),
        (("--set", "access=direct", "--set", "warmup=read"), "no effect"),
    ],
)
def test_that_a_meaningless_run_is_refused_with_the_reason(sample, arguments, sentence):
    done = typed("run", sample, *arguments, "--no-history", "--yes")
    assert done.returncode == 2
    assert sentence in done.stderr
