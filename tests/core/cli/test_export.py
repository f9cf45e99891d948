from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.core.export.situations import comparison_of

from modelmon.core.cli.main import main
from modelmon.core.load.config_file import read_config
from modelmon.core.load.presets import PRESETS
from modelmon.core.messages import to_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A comparison in which direct beat mmap, as `compare --out` saves it."""
    path = tmp_path / "result.json"
    comparison = comparison_of("direct", "/models/my model.gguf")
    path.write_bytes(msgspec.json.encode(comparison, enc_hook=to_text))
    return path


def test_that_several_programs_are_told_at_once_in_the_terminal(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(saved), "--for", "llama.cpp,ollama,vllm"]) == 0
    told = capsys.readouterr().out
    assert "--load-mode dio" in told
    assert "PARAMETER use_mmap false" in told
    assert "vLLM: Can't express, Its settings are for safetensors only." in told


def test_that_without_a_consumer_modelmon_toml_is_written_as_ever(
    saved: Path, tmp_path: Path
) -> None:
    target = tmp_path / "fast.toml"
    assert main(["export", str(saved), "--out", str(target)]) == 0
    assert read_config(target).config == PRESETS["direct"].config
    assert "consumers" not in tomllib.loads(target.read_text())
    assert main(["export", str(saved), "--arm", "B", "--out", str(target)]) == 0
    assert read_config(target).config == PRESETS["mmap"].config


@pytest.mark.parametrize("suffix", ["toml", "sh", "env", "yaml", "json"])
def test_that_the_name_of_the_file_says_the_format(
    saved: Path, tmp_path: Path, suffix: str
) -> None:
    target = tmp_path / f"settings.{suffix}"
    assert main(["export", str(saved), "--for", "llama.cpp", "--out", str(target)]) == 0
    text = target.read_text()
    assert {
        "toml": "[consumers.",
        "sh": "llama-server",
        "env": "LLAMA_ARG_LOAD_MODE=dio\n",
        "yaml": '- "consumer": "llama.cpp"',
        "json": '"consumer": "llama.cpp"',
    }[suffix] in text
    if suffix == "json":
        assert json.loads(text)["kind"] == "export"


def test_that_an_unknown_consumer_is_refused_with_the_known_ones(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(saved), "--for", "llamacpp"]) != 0
    assert "llama.cpp, llama-cpp-python" in capsys.readouterr().err
