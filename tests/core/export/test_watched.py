"""What is said of one run, and of a program that was watched, without a comparison."""

from __future__ import annotations

import shlex
import tomllib
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.core.experiment.bottleneck.loads import COLD, S, changed

from modelmon.core.diagnose.inspection import Inspection
from modelmon.core.errors import ConfigError
from modelmon.core.export.config_file import render_run
from modelmon.core.export.document import document
from modelmon.core.export.registry import advice
from modelmon.core.export.situation import of_result, of_watched
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import Storage
from modelmon.core.messages import Message
from modelmon.core.model.tensors import Block, Model, Shard, Tensor

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.worker.result import RunResult

PATH = "/models/a model.gguf"
TENSOR = Tensor("a.weight", "F32", (256,), 0, 0, 1024)
MODEL = Model("a", PATH, "gguf", (Shard(PATH, 1024, 0),), (TENSOR,), (Block("a", (0,), 1024),), {})
OPEN = Inspection(
    MODEL,
    Storage(PATH, "/models", "ext4", "/dev/nvme0n1p2", "local-disk", device="nvme0n1"),
    Memory(total_bytes=64 * 10**9, available_bytes=60 * 10**9),
    0.0,
    Message("cachestat"),
)
COMMAND = "llama-server -m '/models/a model.gguf' {more} -c 8192 --temp -1 --port 8080"


def watched(more: str = "") -> RunResult:
    return changed(
        COLD,
        strategy="llama-server -m MODEL",
        command=COMMAND.format(more=more),
        ready="exit",
        config=LoadConfig(library=PROGRAM),
        first_byte_ns=S,
        last_byte_ns=3 * S,
    )


@pytest.mark.parametrize(
    "more", ["", "--no-mmap", "--load-mode mmap", "--load-mode=mmap", "-lm none --mlock"]
)
def test_that_a_watched_command_gets_the_setting_in_place_of_its_own(more: str) -> None:
    found = of_watched(watched(more), OPEN, "llama.cpp", "direct", Message("It waits."))
    (said,) = advice(found, ["llama.cpp"])
    form = said.forms[0]
    assert form.text == (
        "llama-server \\\n  -m '/models/a model.gguf' \\\n  -c 8192 \\\n  --temp -1 \\\n"
        "  --port 8080 \\\n  --load-mode dio\n"
    )
    assert form.added == (5,)
    assert said.standing == "mapped"
    assert "This setting wasn't tested" in said.effect
    assert "llama-server it took" in said.effect


def test_that_another_programs_command_is_not_taken_for_it() -> None:
    found = of_watched(watched(), OPEN, "llama.cpp", "parallel", Message("It waits."))
    (said,) = advice(found, ["ollama"])
    assert "Ollama itself wasn't measured" in said.effect
    found = of_watched(watched(), OPEN, "", "direct", Message("It waits."))
    (said,) = advice(found, ["llama.cpp"])
    assert said.forms[0].text.startswith("llama-server \\\n  --model ")


def test_that_the_command_is_exported_as_it_was_an_option_a_line() -> None:
    (said,) = advice(of_result(watched(), OPEN), ["program"])
    assert said.standing == "measured"
    text = said.forms[0].text
    assert shlex.split(text.replace("\\\n", "")) == shlex.split(COMMAND.format(more=""))
    assert text.splitlines()[:2] == ["llama-server \\", "  -m '/models/a model.gguf' \\"]


def test_that_an_export_of_a_run_of_a_part_says_so() -> None:
    part = msgspec.structs.replace(
        COLD, subset="blocks layers.1", load_bytes=COLD.model_bytes // 10
    )
    evidence = tomllib.loads(render_run(part, OPEN))["evidence"]
    assert "10% of the model: blocks layers.1." in evidence["sentence"]
    (said,) = advice(of_result(part, OPEN), ["llama.cpp"])
    assert "10% of the model" in document(of_result(part, OPEN), [said], "text")


def test_that_settings_of_one_run_are_stored_and_others_are_not(
    tmp_path: Path,
) -> None:
    path = tmp_path / "modelmon.toml"
    path.write_text(render_run(COLD, OPEN))
    assert read_config(path).config == COLD.config
    with pytest.raises(ConfigError, match="nothing to store"):
        render_run(watched(), OPEN)
    processes = msgspec.structs.replace(COLD, config=LoadConfig(reader_kind="process", readers=2))
    with pytest.raises(ConfigError, match="nothing to store"):
        render_run(processes, OPEN)
