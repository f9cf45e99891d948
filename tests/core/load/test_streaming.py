"""stream_model and load_model: parts of a model, slices, decoded values, and errors."""

import gc
import threading
import weakref

import gguf
import numpy as np
import pytest

from modelmon.core import LoadConfig, load_model
from modelmon.core.errors import ConfigError, DoesNotFitError, LoadFailedError
from modelmon.core.load import api, decode
from modelmon.core.load import readers as decoding
from modelmon.core.load import rules as fits
from modelmon.core.load.api import stream_model
from modelmon.core.load.config import PRESETS
from modelmon.core.load.planner import plan_load
from modelmon.core.load.readers import decoders_each, usable_processors
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.units import GIB, KIB, MIB


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
