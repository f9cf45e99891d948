"""`modelmon best --program`: the load settings of a program, raced as real processes."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from tests.core.programs.test_programs import NEWEST, OLDEST, program
from tests.system.commands import (
    LINGERS_S,
    SCRIPT,
    assert_that_all_have_ended,
    modelmon,
    starts,
    typed,
)
from tests.system.needs import on_linux

from modelmon.core.comparison.commands import settings_of
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.programs.registry import known_program
from modelmon.core.units import MIB

pytestmark = on_linux


@pytest.fixture
def model(tmp_path):
    return write_sample(tmp_path / "small model.gguf", "gguf", 8 * MIB, 2, 0)


def server(folder, notes, says=NEWEST):
    """A `llama-server` that is slow unless it reads directly."""
    (folder / "help").write_text(says)
    serve = shlex.join([sys.executable, "-S", str(SCRIPT), "serves"])
    return program(
        folder,
        f"""case "$1" in
--version) echo "version: 4567 (abc)" >&2; exit;;
--help) cat {shlex.quote(str(folder / "help"))}; exit;;
esac
model=$2 port=$6
case "$*" in *"--load-mode dio"*) ;; *) sleep {LINGERS_S};; esac
exec {serve} "$model" {shlex.quote(str(notes))} "$port"
""",
    )


@pytest.fixture(autouse=True)
def _on_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


@pytest.mark.soak
def test_that_the_setting_that_is_faster_is_found_and_told_as_it_is_typed(model, notes, tmp_path):
    server(tmp_path, notes)
    saved = tmp_path / "race.json"
    done = typed(
        *("best", model, "--program", "llama.cpp", "--objective", "warm"),
        *("--load-setting", "dio", "--load-setting", "none", "--time-limit", "10m", "--out", saved),
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Use llama.cpp dio")
    assert " as fast as llama.cpp default: " in done.stdout
    assert "simplest" not in done.stdout
    assert "this storage gave" not in done.stdout
    assert any(
        line.startswith("Set: --load-mode dio (known to llama.cpp since: ") for line in lines
    )
    told = next(line for line in lines if line.startswith("Command: "))
    words = shlex.split(told.removeprefix("Command: "))
    assert words[0] == str(tmp_path / "llama-server")
    assert str(model) in words
    assert words[-2:] == ["--load-mode", "dio"]
    race = json.loads(saved.read_text())
    assert {arm["label"] for arm in race["standings"]} == {
        "llama.cpp default",
        "llama.cpp dio",
        "llama.cpp none",
    }
    exported = typed("export", saved, "--for", "program", "--format", "json")
    told = json.loads(exported.stdout)["consumers"][0]
    assert told["standing"] == "measured"
    assert shlex.split(told["forms"][0]["text"])[-2:] == ["--load-mode", "dio"]
    assert "llama.cpp default" in typed("export", saved, "--for", "program").stdout
    assert "dio was tested" in typed("export", saved, "--for", "vllm").stdout
    own = typed("export", saved)
    assert "--for program" in own.stderr
    assert not Path("modelmon.toml").exists()
    assert_that_all_have_ended(notes)


def test_that_what_maps_is_also_launched_or_warmed_and_nothing_is_tested_twice(
    model, notes, tmp_path
):
    path = server(tmp_path, notes, OLDEST)
    llama = known_program("llama.cpp")
    found = settings_of(
        llama, llama.find(path), open_model(model), 1234, ["-c", "1"], launched=True
    )
    assert [each.label for each in found] == [
        "llama.cpp default",
        "llama.cpp default, launched",
        "llama.cpp default, warmed",
        "llama.cpp none",
        "llama.cpp none, launched",
        "llama.cpp mlock",
    ]
    quoted = shlex.quote(str(model))
    assert found[1].text == f"modelmon launch {quoted} -- {found[0].text}"
    assert found[2].text == f"modelmon launch --warm-first {quoted} -- {found[0].text}"
    assert all(each.started[-2:] == ("-c", "1") for each in found)


@pytest.mark.parametrize(
    ("given", "tested"),
    [
        ([], {"none", "dio", "no-warmup", "context-4096"}),
        (["-c", "32768"], {"none", "dio", "no-warmup"}),
        (["LLAMA_ARG_CTX_SIZE=32768"], {"none", "dio", "no-warmup"}),
        (["--warmup", "-lm=mmap"], {"context-4096"}),
        (["OMP_WAIT_POLICY=active"], {"none", "dio", "no-warmup", "context-4096"}),
    ],
)
def test_that_what_a_person_has_set_is_not_tested_otherwise(model, notes, tmp_path, given, tested):
    path, llama = server(tmp_path, notes, NEWEST), known_program("llama.cpp")
    found = settings_of(llama, llama.find(path), open_model(model), 1, given, launched=False)
    names = {each.variant.name for each in found}
    assert names & {"none", "dio", "no-warmup", "context-4096"} == tested
    is_set = "OMP_WAIT_POLICY=active" in given
    assert is_set == ("passive-threads" not in names)
    assert all(each.started[:2] == ("env", "OMP_WAIT_POLICY=active") for each in found) == is_set


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--program NAME"),
        (("--program", "ollama"), "Ollama"),
        (("--program", "llama.cpp", "--load-setting", "warp"), "no load setting called warp"),
        (("--program", "transformers"), "transformers"),
    ],
)
def test_that_what_cannot_be_tuned_is_a_sentence(model, notes, tmp_path, arguments, said):
    server(tmp_path, notes)
    done = typed("tune", model, *arguments)
    assert done.returncode != 0
    assert said in done.stderr
    assert not starts(notes)


def test_that_a_dry_run_tells_each_command_and_starts_none(model, notes, tmp_path):
    server(tmp_path, notes)
    done = modelmon("best", model, "--program", "llama.cpp", "--dry-run", "--", "-c", "512")
    assert done.returncode == 0, done.stderr
    assert "--load-mode dio -c 512" in done.stderr
    assert f"modelmon launch {shlex.quote(str(model))} -- " in done.stderr
    assert not starts(notes)
