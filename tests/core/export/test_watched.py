"""What is said of one run, and of a program that was watched, without a comparison."""

import shlex
import tomllib

import msgspec
import pytest
from tests.core.explain.loads import COLD, S, changed

from modelmon.core.doctor.inspection import Inspection
from modelmon.core.errors import ConfigError
from modelmon.core.export.document import document
from modelmon.core.export.outcomes import OneRun, outcome_of
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import Storage
from modelmon.core.messages import Message
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.programs.registry import advice, all_advice

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
COMMAND = "llama-server -m '/models/a model.gguf' --no-mmap -c 8192 --temp -1 --port 8080"


def watched():
    return changed(
        COLD,
        strategy="llama-server -m MODEL",
        command=COMMAND,
        ready="exit",
        config=LoadConfig(library=PROGRAM),
        first_byte_ns=S,
        last_byte_ns=3 * S,
    )


def test_that_the_command_is_exported_as_it_was_and_no_other_setting_is_advised():
    """Nothing of it was compared."""
    (said,) = all_advice(outcome_of(OneRun(watched(), OPEN)))
    assert said.standing == "measured"
    text = said.forms[0].text
    assert shlex.split(text.replace("\\\n", "")) == shlex.split(COMMAND)
    assert text.splitlines()[:2] == ["llama-server \\", "  -m '/models/a model.gguf' \\"]


def test_that_an_export_of_a_run_of_a_part_says_so():
    part = msgspec.structs.replace(
        COLD, subset="blocks layers.1", load_bytes=COLD.model_bytes // 10
    )
    evidence = tomllib.loads(modelmon_toml(outcome_of(OneRun(part, OPEN))))["evidence"]
    assert "10% of the model: blocks layers.1." in evidence["sentence"]
    (said,) = advice(outcome_of(OneRun(part, OPEN)), ["llama.cpp"])
    assert "10% of the model" in document(outcome_of(OneRun(part, OPEN)), [said], "text")


def test_that_settings_of_one_run_are_stored_and_others_are_not(tmp_path):
    path = tmp_path / "modelmon.toml"
    path.write_text(modelmon_toml(outcome_of(OneRun(COLD, OPEN))))
    assert read_config(path).config == COLD.config
    with pytest.raises(ConfigError, match="nothing to store"):
        modelmon_toml(outcome_of(OneRun(watched(), OPEN)))
