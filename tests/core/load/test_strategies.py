"""What a load is called."""

from dataclasses import replace

import pytest

from modelmon.core.load.config import CUSTOM, LoadConfig, preset
from modelmon.core.load.strategies import strategy_text

AUTO, PARALLEL = preset("auto").config, preset("parallel").config


@pytest.mark.parametrize(
    ("name", "config", "text"),
    [
        ("auto", AUTO, "auto"),
        ("auto", replace(AUTO, deliver="decoded"), "auto (decoded)"),
        ("parallel", replace(PARALLEL, readers=8), "parallel (readers 8)"),
        (CUSTOM, replace(PARALLEL, readers=8), "parallel (readers 8)"),
        (CUSTOM, replace(PARALLEL, chunk_bytes=2**23), "parallel (chunk 8 MiB)"),
        ("mine", replace(PARALLEL, readers=8), "mine"),
        ("mine", replace(PARALLEL, deliver="owned"), "mine (owned)"),
        ("gguf.GGUFReader", LoadConfig(library="gguf.GGUFReader"), "gguf.GGUFReader"),
        (CUSTOM, LoadConfig(library="x", order="random"), "x (order random)"),
        ("cat", LoadConfig(library="program"), "cat"),
    ],
)
def test_that_a_name_says_what_is_not_the_default(name, config, text):
    assert strategy_text(name, config) == text
