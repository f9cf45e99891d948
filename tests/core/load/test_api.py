from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy

from modelmon.core import LoadConfig, lazy_model, load_model, stream_model
from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.load.config import PRESETS
from modelmon.core.units import KIB


@pytest.fixture
def official(tmp_path):
    """A file by the official writer, with odd shapes and sizes."""
    draw = np.random.default_rng(3)
    arrays = {
        f"model.layers.{layer}.{name}.weight": draw.standard_normal(shape).astype(dtype)
        for layer in range(3)
        for name, shape, dtype in (
            ("q", (33, 7), np.float32),
            ("k", (129,), np.float16),
            ("norm", (1,), np.float64),
        )
    }
    arrays["ids"] = draw.integers(0, 255, (3, 5), dtype=np.uint8)
    arrays["flags"] = np.array([True, False, True])
    arrays["empty"] = np.zeros((0, 4), np.float32)
    arrays["scalar"] = np.array(7, np.int64)
    path = tmp_path / "official.safetensors"
    safetensors.numpy.save_file(arrays, path)
    return path, arrays


@pytest.mark.parametrize("deliver", ["usable", "owned"])
@pytest.mark.parametrize("strategy", PRESETS)
def test_that_arrays_equal_those_of_safetensors(official, strategy, deliver, request):
    if strategy == "direct":
        request.getfixturevalue("needs_direct")
    path, arrays = official
    config = PRESETS[strategy].config
    config = replace(config, deliver="owned" if deliver == "owned" else "usable")
    loaded = load_model(path, config)
    assert set(loaded) == set(arrays)
    with safetensors.safe_open(path, "numpy") as theirs:
        for name in arrays:
            expected = theirs.get_tensor(name)
            assert loaded[name].dtype == expected.dtype
            assert loaded[name].shape == expected.shape
            np.testing.assert_array_equal(loaded[name], expected)


def test_that_bf16_and_fp8_keep_their_values(tmp_path):
    values = np.array([[1.5, -2.0, 0.25, 3.0]])
    stored = {
        "b": values.astype(ml_dtypes.bfloat16),
        "e4": values.astype(ml_dtypes.float8_e4m3fn),
        "e5": values.astype(ml_dtypes.float8_e5m2),
    }
    path = tmp_path / "low.safetensors"
    safetensors.numpy.save_file(stored, path)
    loaded = load_model(path)
    for name, array in stored.items():
        assert loaded[name].dtype == array.dtype
        np.testing.assert_array_equal(loaded[name].astype(np.float32), array.astype(np.float32))


def test_that_quantised_tensors_are_the_raw_rows_of_the_gguf_package(samples):
    loaded = load_model(samples["gguf"], "sequential")
    theirs = gguf.GGUFReader(samples["gguf"])
    kinds = set()
    for tensor in theirs.tensors:
        kinds.add(tensor.tensor_type.name)
        assert loaded.info(tensor.name).dtype == tensor.tensor_type.name
        np.testing.assert_array_equal(loaded[tensor.name], tensor.data)
    assert {"Q4_K", "Q6_K", "F32"} <= kinds


def test_that_shards_load_as_one_model(samples):
    loaded = load_model(samples["sharded"], LoadConfig(readers=3, chunk_bytes=64 * KIB))
    for shard in sorted(samples["sharded"].glob("*.safetensors")):
        with safetensors.safe_open(shard, "np") as theirs:
            for name in theirs.keys():  # noqa: SIM118  not a dictionary
                info = loaded.info(name)
                assert list(info.shape) == theirs.get_slice(name).get_shape()
                assert Path(loaded.model.shards[info.shard].path) == shard
                stored = shard.read_bytes()[info.offset_bytes : info.offset_bytes + info.nbytes]
                assert loaded[name].tobytes() == stored


def test_that_mapped_arrays_are_read_only_and_owned_ones_are_not(sample):
    mapped = load_model(sample, "mmap")
    owned = load_model(sample, "parallel")
    name = next(iter(mapped))
    assert not mapped[name].flags.writeable
    owned[name][...] = 0
    assert not owned[name].any()


def test_that_arrays_outlive_the_loaded_model(sample):
    for strategy in ("mmap", "parallel"):
        loaded = load_model(sample, strategy)
        name = next(iter(loaded))
        array, expected = loaded[name], loaded[name].copy()
        del loaded
        np.testing.assert_array_equal(array, expected)


def test_that_a_process_strategy_runs_as_threads(sample):
    loaded = load_model(sample, "processes")
    assert loaded.config.reader_kind == "thread"
    assert loaded.config.readers == 4


def test_that_a_path_may_be_of_any_kind(sample):
    names = [list(load_model(path)) for path in (sample, str(sample), os.fsencode(sample))]
    assert names[0] == names[1] == names[2]


def test_that_errors_are_sentences(sample, tmp_path):
    with pytest.raises(ModelFileError, match=r"gone\.safetensors"):
        load_model(tmp_path / "gone.safetensors")
    with pytest.raises(ConfigError, match="teleport"):
        load_model(sample, "teleport")
    with pytest.raises(ConfigError, match=r"none\.toml"):
        load_model(sample, tmp_path / "none.toml")


def test_that_axes_that_do_not_go_together_are_refused_as_elsewhere(sample):
    with pytest.raises(ConfigError, match="slice can't be decoded"):
        load_model(sample, LoadConfig(ranks=2, rank_share="slice", deliver="decoded"))


def test_that_none_is_what_is_not_given_and_other_types_are_sentences(sample):
    everything = None
    whole = load_model(sample)
    assert set(load_model(sample, tensors=everything, blocks=everything)) == set(whole)
    wrong: Any
    for wrong in (None, 3, {"access": "mmap"}):
        with pytest.raises(ConfigError, match="is no way to load a model"):
            load_model(sample, wrong)
    wrong = 3
    with pytest.raises(ConfigError, match="tensors can't be"):
        load_model(sample, tensors=wrong)
    wrong = ["float32"]
    with pytest.raises(ConfigError, match="decode can't be"):
        load_model(sample, decode=wrong)


def test_that_settings_that_decode_stream_what_is_decoded(samples):
    loaded = load_model(samples["gguf"], LoadConfig(deliver="decoded"))
    sums = dict.fromkeys(loaded, 0)

    def add(tensor, _first, values):
        assert values.dtype == np.float32
        sums[tensor.name] += values.size

    stream_model(samples["gguf"], add, LoadConfig(deliver="decoded"))
    assert sums == {name: loaded[name].size for name in loaded}


def test_that_only_what_is_asked_for_has_to_be_decodable(tmp_path):
    entries = {"freqs": ("C64", 8), "w": ("BF16", 2)}
    header, place = {}, 0
    for name, (dtype, nbytes) in entries.items():
        header[name] = {"dtype": dtype, "shape": [1], "data_offsets": [place, place + nbytes]}
        place += nbytes
    text = json.dumps(header).encode()
    path = tmp_path / "m.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(place))
    assert list(load_model(path, tensors="w", decode="float32")) == ["w"]
    assert list(lazy_model(path, tensors="w", decode="float32")) == ["w"]
    with pytest.raises(ConfigError, match="C64 can't be decoded") as caught:
        load_model(path, decode="float32")
    assert "without decoding" in caught.value.remedy
