"""load_model and stream_model: each byte and value of a model and of parts of it, and errors."""

from __future__ import annotations

import gc
import json
import os
import threading
import weakref
from dataclasses import replace
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy

from modelmon.core import LoadConfig, lazy_model, load_model, stream_model
from modelmon.core.errors import ConfigError, DoesNotFitError, LoadFailedError, ModelFileError
from modelmon.core.load import api, decode
from modelmon.core.load import readers as decoding
from modelmon.core.load import rules as fits
from modelmon.core.load.config import PRESETS
from modelmon.core.load.planner import plan_load
from modelmon.core.load.readers import decoders_each, usable_processors
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.units import GIB, KIB, MIB


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


class Collected:
    """Puts streamed pieces together; each byte may come once."""

    def __init__(self):
        self.bytes = {}
        self._seen = {}
        self._lock = threading.Lock()

    def __call__(self, tensor, position, data):
        with self._lock:
            whole = self.bytes.setdefault(tensor.name, bytearray(tensor.nbytes))
            whole[position : position + len(data)] = data
            self._seen[tensor.name] = self._seen.get(tensor.name, 0) + len(data)

    def complete(self):
        """Tensors by name; fails where bytes came twice or not at all."""
        assert self._seen == {name: len(data) for name, data in self.bytes.items()}
        return {name: bytes(data) for name, data in self.bytes.items()}


def stored(path):
    model = open_model(path)
    files = [file.read_bytes() for file in model.files]
    return {
        t.name: files[t.shard][t.offset_bytes : t.offset_bytes + t.nbytes] for t in model.tensors
    }


@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
@pytest.mark.parametrize("name", ["mmap", "parallel", "auto", "processes"])
def test_that_each_byte_of_each_tensor_comes_once(small, form, name):
    for chunk in (4 * KIB, MIB):
        collected = Collected()
        config = PRESETS[name].config
        config = LoadConfig(access=config.access, readers=4, chunk_bytes=chunk, order=config.order)
        stream_model(small[form], collected, config)
        assert collected.complete() == stored(small[form])


def test_that_a_subset_streams_its_tensors_alone(small):
    collected = Collected()
    stream_model(small["gguf"], collected, blocks="blk.1")
    expected = {name: data for name, data in stored(small["gguf"]).items() if "blk.1." in name}
    assert collected.complete() == expected


@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
@pytest.mark.parametrize("to", ["float32", "bfloat16"])
def test_that_each_value_comes_once_decoded(small, form, to):
    expected = load_model(small[form], decode=to)
    streamed = {name: np.zeros(array.size, array.dtype) for name, array in expected.items()}
    values_of = dict.fromkeys(expected, 0)
    lock = threading.Lock()

    def consume(tensor, position, values):
        with lock:
            values_of[tensor.name] += values.size
            streamed[tensor.name][position : position + values.size] = values

    config = LoadConfig(access="read", readers=3, chunk_bytes=4 * KIB)
    stream_model(small[form], consume, config, decode=to)
    for name, array in expected.items():
        assert values_of[name] == array.size
        assert streamed[name].tobytes() == array.tobytes()


@pytest.mark.parametrize("decode", [None, "float32"])
@pytest.mark.parametrize("readers", [1, 4])
def test_that_whatever_the_consumer_raises_stops_the_load_and_comes_out(small, readers, decode):
    calls = 0

    def refuse(_tensor, _position, _data):
        nonlocal calls
        calls += 1
        raise BrokenPipeError("nobody listens")

    config = LoadConfig(readers=readers, chunk_bytes=4 * KIB)
    with pytest.raises(BrokenPipeError, match="nobody listens"):
        stream_model(small["gguf"], refuse, config, decode=decode)
    each = 1 if decode is None else decoders_each(config, usable_processors())
    assert calls <= readers * each


class Consumer:
    """Refuses what it gets."""

    def __call__(self, _tensor, _position, _data):
        raise BrokenPipeError("nobody listens")


@pytest.mark.parametrize("readers", [1, 4])
def test_that_a_failed_load_lets_go_of_its_memory_at_once(small, readers):
    consumer = Consumer()
    held = weakref.ref(consumer)
    gc.disable()
    try:
        with pytest.raises(BrokenPipeError):
            stream_model(small["gguf"], consumer, LoadConfig(access="mmap", readers=readers))
        del consumer
        assert held() is None
    finally:
        gc.enable()


def test_that_a_failed_decoding_lets_go_of_its_values_at_once(small, monkeypatch):
    held = []

    def refuse(data, _dtype, _out):
        if len(data):  # not what prepares it
            held.append(weakref.ref(data))
            raise MemoryError

    monkeypatch.setattr(decode, "decode_into", refuse)
    gc.disable()
    try:
        with pytest.raises(LoadFailedError, match="out of memory"):
            load_model(small["gguf"], LoadConfig(deliver="decoded"))
        assert held
        assert [view() for view in held] == [None] * len(held)
    finally:
        gc.enable()


def slice_of(whole, piece, rank, ranks):
    """What numpy cuts for this rank along the dimension in which the shapes differ."""
    for axis, (all_of_it, part) in enumerate(zip(whole.shape, piece.shape, strict=True)):
        if all_of_it != part:
            return np.array_split(whole, ranks, axis=axis)[rank]
    return whole


@pytest.mark.parametrize("name", ["mmap", "parallel", "direct", "auto", "populate"])
def test_that_slices_equal_those_that_numpy_cuts(small, needs_direct, name):
    del needs_direct
    whole = load_model(small["safetensors"], "mmap")
    cut_axes = set()
    for rank in range(3):
        part = load_model(small["safetensors"], name, rank=(rank, 3))
        assert set(part) == set(whole)
        for tensor, piece in part.items():
            expected = slice_of(whole[tensor], piece, rank, 3)
            np.testing.assert_array_equal(
                piece.view(np.uint16) if piece.dtype.itemsize == 2 else piece,
                expected.view(np.uint16) if piece.dtype.itemsize == 2 else expected,
            )
            differs = [a != b for a, b in zip(piece.shape, whole[tensor].shape, strict=True)]
            cut_axes |= {axis for axis, cut in enumerate(differs) if cut}
    assert cut_axes == {0, 1}, "both rows and columns are cut somewhere"


def dequantised(path):
    return {
        tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        for tensor in gguf.GGUFReader(path).tensors
    }


@pytest.mark.parametrize("chunk", [4 * KIB, 4 * MIB])
@pytest.mark.parametrize("access", ["mmap", "read", "auto"])
def test_that_decoded_values_are_those_of_the_gguf_package(small, access, chunk):
    config = LoadConfig(access=access, readers=2, deliver="decoded", chunk_bytes=chunk)
    loaded = load_model(small["gguf"], config)
    expected = dequantised(small["gguf"])
    assert set(loaded) == set(expected)
    for name, values in expected.items():
        assert loaded[name].dtype == np.float32
        np.testing.assert_array_equal(loaded[name], values)


def test_that_decoded_values_that_do_not_fit_are_refused(small, monkeypatch):
    memory = Memory(total_bytes=GIB, available_bytes=56 * MIB)
    monkeypatch.setattr(fits, "read_memory", lambda: memory)
    monkeypatch.setattr(decoding, "usable_processors", lambda: 1)
    config = LoadConfig(deliver="decoded", chunk_bytes=MIB)
    fits.check_fits(config, plan_load(open_model(small["gguf"]), config))
    with pytest.raises(DoesNotFitError):
        load_model(small["gguf"], config)


def test_that_values_that_go_to_their_place_need_no_room_besides(small):
    config = LoadConfig(deliver="decoded", chunk_bytes=MIB)
    plan = plan_load(open_model(small["gguf"]), config)
    dropped = fits.needed_bytes(config, plan)
    decoders = decoders_each(config, usable_processors()) * sum(map(bool, plan.readers))
    kept = fits.needed_bytes(config, plan, drops_values=False)
    most = max(part.elements for hand in plan.parts for unit in hand for part in unit)
    assert dropped - kept == decoders * 4 * most


def test_that_streamed_has_nothing_to_return_and_baselines_are_not_for_loading(small):
    with pytest.raises(ConfigError, match="stream_model"):
        load_model(small["gguf"], LoadConfig(deliver="streamed"))
    with pytest.raises(ConfigError, match="baseline"):
        load_model(small["gguf"], LoadConfig(library="gguf.GGUFReader"))


def test_that_an_interrupted_load_leaves_no_thread_behind(small, monkeypatch):
    join = threading.Thread.join
    joined = []

    def interrupted(thread, timeout=None):
        joined.append(thread)
        if len(joined) == 1:
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        api.load_model(small["gguf"], LoadConfig(readers=4, chunk_bytes=4 * KIB))
    assert threading.active_count() == before
