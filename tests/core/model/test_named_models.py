"""Which model a program is about, by its command and its files."""

from __future__ import annotations

import mmap
import os
import sys
from typing import TYPE_CHECKING

import pytest

from modelmon.core.errors import ConfigError
from modelmon.core.model.named_models import model_named_by, model_used_by
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def models(tmp_path: Path) -> list[Path]:
    """Two of them, each in a folder."""
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "model.safetensors"
        made.append(write_sample(path, "safetensors", 4 * MIB, 1, 0))
    return made


@pytest.mark.parametrize("word", ["first/model.safetensors", "--model=first", "first"])
def test_that_a_command_names_its_model(models: list[Path], tmp_path: Path, word: str) -> None:
    found = model_named_by(["llama-server", "-c", "4096", word, "-v", "", "a=b"], tmp_path)
    assert found in (models[0], models[0].parent)


def test_that_none_and_several_are_sentences(models: list[Path], tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    with pytest.raises(ConfigError, match="can't be seen"):
        model_named_by(["serve", "broken.gguf", "absent.gguf", "\0"], tmp_path)
    with pytest.raises(ConfigError, match=r"has 2 models: .*first.*second"):
        model_named_by(["serve", *map(str, models)], tmp_path)
    twice = [str(models[0]), str(models[0].parent)]
    assert model_named_by(["serve", *twice], tmp_path) == models[0]


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_that_a_running_program_names_it_by_its_files(models: list[Path]) -> None:
    with pytest.raises(ConfigError, match="can't be seen"):
        model_used_by(os.getpid())
    with models[0].open("rb") as file:
        assert model_used_by(os.getpid()) == models[0]
        pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    assert model_used_by(os.getpid()) == models[0]
    with models[1].open("rb"), pytest.raises(ConfigError, match="2 models"):
        model_used_by(os.getpid())
    pages.close()


def test_that_a_process_that_is_not_there_is_said_to_be_that() -> None:
    with pytest.raises(ConfigError, match="There's no process"):
        model_used_by(2**22 + 1)
