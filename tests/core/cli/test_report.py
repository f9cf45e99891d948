"""What a report says to type makes the same load again."""

import json
import shlex
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import pytest

from modelmon.core.cli.main import main
from modelmon.core.cli.measuring import chosen_config
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.units import MIB

RECORDING = Path(__file__).parents[2] / "data" / "earlier" / "mmap_cold.jsonl"
MMAP, PARALLEL = PRESETS["mmap"].config, PRESETS["parallel"].config


@pytest.fixture
def repeated(tmp_path, capsys):
    """The words that a report of a run gives, whose job is like that."""

    def report(*options, **job):
        first, *others = RECORDING.read_text().splitlines()
        hello = json.loads(first)
        hello["job"] |= {"path": "/models/m.gguf", **job}
        recording = tmp_path / "run.jsonl"
        recording.write_text("\n".join((json.dumps(hello), *others, "")))
        assert main(["report", str(recording), "--out", "-", *(options or ["--private"])]) == 0
        said = capsys.readouterr().out.partition("Repeat it")[2]
        return shlex.split(next(line for line in said.splitlines() if line.startswith("modelmon ")))

    return report


def options(words, name):
    """What this option is given, each time."""
    return [value for option, value in pairwise(words) if option == name]


@pytest.mark.parametrize(
    ("strategy", "config"),
    [
        ("mmap", MMAP),
        ("mmap, changed", replace(MMAP, readers=4, deliver="owned")),
        ("parallel, chunk 16 MiB", replace(PARALLEL, chunk_bytes=16 * MIB)),
        ("custom", LoadConfig(access="direct", readers=3, prefetch_bytes=8 * MIB)),
        ("mine", replace(PARALLEL, readers=2)),
        ("safetensors.get_tensor", LoadConfig(library="safetensors.get_tensor")),
    ],
)
def test_that_a_run_is_repeated_with_all_its_settings(repeated, strategy, config):
    subset = {"tensors": ["a.*"], "blocks": ["blk.0"], "rank": 1, "ranks": 2}
    words = repeated(strategy=strategy, config=asdict(config), cache="cold", subset=subset)
    assert words[:3] == ["modelmon", "run", "/models/m.gguf"]
    (name,) = options(words, "--strategy")
    assert chosen_config(name, None, options(words, "--set"), None)[1] == config
    assert options(words, "--cache") == ["cold"]
    asked = [options(words, each) for each in ("--tensors", "--blocks", "--rank", "--portion")]
    assert asked == [["a.*"], ["blk.0"], ["1/2"], []]


def test_that_a_run_is_repeated_under_its_conditions(repeated):
    asked = {"prepared_with": "umount /m; mount /m", "verify": True, "condition_memory": False}
    words = repeated(strategy="mmap", config=asdict(MMAP), **asked)
    assert options(words, "--prepare") == ["umount /m; mount /m"]
    assert {"--verify", "--no-memory-prep"} <= {*words}


def test_that_a_folder_of_a_prepared_command_is_hidden_as_one_of_a_watched(repeated):
    words = repeated("--out", "-", strategy="mmap", prepared_with="sh 'jobs of bob/drop.sh' now")
    assert options(words, "--prepare") == ["sh '…/drop.sh' now"]


@pytest.mark.parametrize("ready", ["", "http:8080/health"])
def test_that_a_program_is_watched_again_by_the_same_sign(repeated, ready):
    program = {"command": "serve m.gguf", "ready": ready, "pid": None, "see_by": "auto"}
    config = asdict(LoadConfig(library="program"))
    words = repeated(strategy="serve", config=config, program=program, portion_bytes=None)
    assert options(words, "--ready") == [ready] * bool(ready)
    assert words[-3:] == ["--", "serve", "m.gguf"]
