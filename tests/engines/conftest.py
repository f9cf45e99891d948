"""Tests with programs of others: collected by `make test-engines` alone."""

import subprocess

import pytest
from tests.engines.real_programs import PYTHON, modelmon

from modelmon.core.units import MIB


@pytest.fixture(scope="session")
def gguf(tmp_path_factory):
    """What the sample writer makes: llama.cpp loads it, and these tests keep it so."""
    path = tmp_path_factory.mktemp("a folder") / "sample.gguf"
    modelmon("sample", path, "--format", "gguf", "--size", str(96 * MIB), "--layers", "4")
    return path


@pytest.fixture(scope="session")
def safetensors(tmp_path_factory):
    path = tmp_path_factory.mktemp("a folder") / "sample.safetensors"
    modelmon("sample", path, "--size", str(96 * MIB), "--layers", "4")
    return path


@pytest.fixture(scope="session")
def transformers(tmp_path_factory):
    """A folder that transformers wrote."""
    folder = tmp_path_factory.mktemp("a snapshot")
    script = (
        "import sys; from transformers import LlamaConfig as C, LlamaForCausalLM as M\n"
        "M(C(hidden_size=512, intermediate_size=2048, num_hidden_layers=4, num_attention_heads=8,"
        " num_key_value_heads=8, vocab_size=8000)).save_pretrained(sys.argv[1])"
    )
    return written_by(script, folder)


@pytest.fixture(scope="session")
def diffusers(tmp_path_factory):
    """A component's folder that diffusers wrote."""
    folder = tmp_path_factory.mktemp("a component")
    script = (
        "import sys; from diffusers import AutoencoderKL as M\n"
        "M(block_out_channels=(128, 256), down_block_types=('DownEncoderBlock2D',) * 2,"
        " up_block_types=('UpDecoderBlock2D',) * 2, layers_per_block=2)"
        ".save_pretrained(sys.argv[1])"
    )
    return written_by(script, folder)


def written_by(script, folder):
    assert PYTHON is not None
    subprocess.run([PYTHON, "-c", script, str(folder)], check=True, stdin=subprocess.DEVNULL)
    return folder
