"""load_model and stream_model: each byte and value of a model and of parts of it, and errors."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from dataclasses import replace

import gguf
import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy
from tests.core.load.stored_files import write_raw

from modelmon.core import LoadConfig, lazy_model, load_model, stream_model
from modelmon.core.errors import ConfigError, DoesNotFitError, LoadFailedError, ModelFileError
from modelmon.core.load import api, decode, files
from modelmon.core.load import readers as decoding
from modelmon.core.load import rules as fits
from modelmon.core.load.config import PRESETS
from modelmon.core.load.planner import plan_load
from modelmon.core.load.readers import decoders_each, usable_processors
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.units import GIB, KIB, MIB

DTYPES = (
    *(np.float32, np.float16, np.float64, np.uint8, np.int64, np.bool_),
    *(ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2),
)


@pytest.mark.parametrize("deliver", ["usable", "owned"])
@pytest.mark.parametrize("strategy", PRESETS)
def test_that_arrays_equal_those_that_safetensors_wrote(tmp_path, strategy, deliver, request):
    if strategy == "direct":
        request.getfixturevalue("needs_direct")
    draw = np.random.default_rng(3)
    arrays = {
        f"{np.dtype(dtype).name} {len(shape)}": (draw.standard_normal(shape) * 9).astype(dtype)
        for dtype in DTYPES
        for shape in ((33, 7), (129,), (0, 4, 2))
    }
    arrays["scalar"] = np.array(7, np.int64)
    path = tmp_path / "official.safetensors"
    safetensors.numpy.save_file(arrays, path)
    loaded = load_model(path, replace(PRESETS[strategy].config, deliver=deliver))
    assert set(loaded) == set(arrays)
    for name, expected in arrays.items():
        assert (loaded[name].dtype, loaded[name].shape) == (expected.dtype, expected.shape)
        assert loaded[name].tobytes() == expected.tobytes()


@pytest.mark.parametrize("strategy", ["direct", "sequential", "auto"])
def test_that_what_comes_in_parts_is_read_on_from_there(
    sample, strategy, monkeypatch, needs_direct
):
    """As mounts answer that give less than was asked for."""
    del needs_direct
    expected, read_at = load_model(sample, "mmap"), files.read_at

    def some(descriptor, view, offset_bytes):
        return read_at(
            descriptor, view[: max(8 * KIB, len(view) // 3 // KIB // 8 * 8 * KIB)], offset_bytes
        )

    monkeypatch.setattr(files, "read_at", some)
    loaded = load_model(sample, strategy)
    for name in expected:
        np.testing.assert_array_equal(loaded[name], expected[name])


def test_that_quantised_tensors_are_the_raw_rows_of_the_gguf_package(samples):
    loaded = load_model(samples["gguf"], "sequential")
    theirs = gguf.GGUFReader(samples["gguf"])
    kinds = set()
    for tensor in theirs.tensors:
        kinds.add(tensor.tensor_type.name)
        assert loaded.info(tensor.name).dtype == tensor.tensor_type.name
        np.testing.assert_array_equal(loaded[tensor.name], tensor.data)
    assert {"Q4_K", "Q6_K", "F32"} <= kinds


@pytest.mark.parametrize("strategy", ["mmap", "parallel"])
def test_that_arrays_outlive_their_model_and_owned_ones_can_be_written(sample, strategy):
    loaded = load_model(sample, strategy)
    name = next(iter(loaded))
    array, expected = loaded[name], loaded[name].copy()
    del loaded
    np.testing.assert_array_equal(array, expected)
    assert array.flags.writeable == (strategy == "parallel")


def test_that_a_path_may_be_of_any_kind_and_none_is_not_given(sample):
    whole = list(load_model(sample))
    for path in (str(sample), os.fsencode(sample)):
        assert list(load_model(path, tensors=None, blocks=None)) == whole


@pytest.mark.parametrize(
    ("path", "given", "words"),
    [
        ("gone.safetensors", {}, r"gone\.safetensors"),
        ("", {"config": "teleport"}, "teleport"),
        ("", {"config": "none.toml"}, r"none\.toml"),
        ("", {"config": None}, "Invalid config"),
        ("", {"config": {"access": "mmap"}}, "Invalid config"),
        ("", {"config": LoadConfig(deliver="streamed")}, "stream_model"),
        ("", {"config": LoadConfig(library="gguf.GGUFReader")}, "baseline"),
        (
            "",
            {"config": LoadConfig(ranks=2, rank_share="slice", deliver="decoded")},
            "slice can't be decoded",
        ),
        ("", {"tensors": 3}, "tensors can't be"),
        ("", {"decode": ["float32"]}, "decode can't be"),
    ],
)
def test_that_what_cannot_be_loaded_is_told(sample, path, given, words):
    with pytest.raises((ConfigError, ModelFileError), match=words):
        load_model(sample.parent / path if path else sample, **given)


def test_that_only_what_is_asked_for_has_to_be_decodable(tmp_path):
    tensors = {"freqs": ("C64", [1], bytes(8)), "w": ("BF16", [1], bytes(2))}
    path = write_raw(tmp_path / "m.safetensors", tensors)
    assert list(load_model(path, tensors="w", decode="float32")) == ["w"]
    assert list(lazy_model(path, tensors="w", decode="float32")) == ["w"]
    with pytest.raises(ConfigError, match="C64 can't be decoded") as caught:
        load_model(path, decode="float32")
    assert "without decoding" in caught.value.remedy


def stored(path):
    model = open_model(path)
    files = [file.read_bytes() for file in model.files]
    return {
        t.name: files[t.shard][t.offset_bytes : t.offset_bytes + t.nbytes] for t in model.tensors
    }


def streamed(path, config="auto", **given):
    """Streamed tensors put together; fails where bytes came twice or not at all."""
    found, seen, lock = {}, {}, threading.Lock()

    def take(tensor, position, data):
        with lock:
            whole = found.setdefault(tensor.name, bytearray(tensor.nbytes))
            whole[position : position + len(data)] = data
            seen[tensor.name] = seen.get(tensor.name, 0) + len(data)

    stream_model(path, take, config, **given)
    assert seen == {name: len(data) for name, data in found.items()}
    return found


@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
@pytest.mark.parametrize("name", ["mmap", "parallel", "auto"])
def test_that_each_byte_of_each_tensor_comes_once(small, form, name):
    expected = stored(small[form])
    for chunk in (4 * KIB, MIB):
        config = replace(PRESETS[name].config, readers=4, chunk_bytes=chunk)
        assert streamed(small[form], config) == expected
    first = next(iter(expected))
    assert streamed(small[form], tensors=first) == {first: expected[first]}


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
        with pytest.raises(LoadFailedError, match="out of memory"):
            dict(lazy_model(small["gguf"], decode="float32"))
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


@pytest.mark.parametrize(
    ("access", "chunk"), [("mmap", 4 * KIB), ("read", 4 * KIB), ("auto", 4 * MIB)]
)
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
    decoders = decoders_each(config, usable_processors()) * len(plan.readers)
    kept = fits.needed_bytes(config, plan, drops_values=False)
    most = max(part.elements for each in plan.readers for unit in each.parts for part in unit)
    assert dropped - kept == decoders * 4 * most


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
