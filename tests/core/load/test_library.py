"""What a program that loads models from Python may rely on, beside the arrays themselves."""

from __future__ import annotations

import errno
import gc
import json
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import pytest
from safetensors.numpy import load_file, save_file

from modelmon.core import LoadConfig, LoadedModel, lazy_model, load_model, stream_model
from modelmon.core.errors import ConfigError, LoadFailedError, ModelFileError
from modelmon.core.load import api as in_process
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import Message
from modelmon.core.model.open import open_model
from modelmon.core.units import KIB, size_text

WAYS = ("mmap", "auto", "parallel", "prefetch", "populate", "warm-then-map")


def same(ours, theirs):
    assert list(ours) == list(theirs)
    for name, array in theirs.items():
        assert (ours[name].dtype, ours[name].shape) == (array.dtype, array.shape)
        assert ours[name].tobytes() == array.tobytes()


@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
@pytest.mark.parametrize("chosen", [{}, {"rank": (np.int64(1), 3)}, {"tensors": "*norm*"}])
def test_that_a_lazy_model_gives_the_same_arrays(small, form, chosen):
    with lazy_model(small[form], **chosen) as lazy:
        same(lazy, load_model(small[form], **chosen))


@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
@pytest.mark.parametrize("to", ["float32", "bfloat16"])
def test_that_a_lazy_model_decodes_what_it_is_asked_for(small, form, to):
    path = small[form]
    same(lazy_model(path, decode=to), load_model(path, decode=to))
    chosen = lazy_model(path, tensors="*norm*", decode=to)
    same(chosen, load_model(path, tensors="*norm*", decode=to))
    with pytest.raises(ConfigError, match="slice can't be decoded"):
        lazy_model(path, rank=(0, 2), decode=to)
    with pytest.raises(ConfigError, match="decode can't be 'float64'"):
        lazy_model(path, decode="float64")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "loader",
    [
        load_model,
        partial(load_model, config="mmap"),
        partial(load_model, decode="float32"),
        lazy_model,
    ],
)
def test_that_no_array_is_made_before_it_is_asked_for(tmp_path, monkeypatch, loader):
    made = []
    make = LoadedModel._array

    def noted(model, index):
        made.append(index)
        return make(model, index)

    monkeypatch.setattr(LoadedModel, "_array", noted)
    path = tmp_path / "many.safetensors"
    stored = {f"w{number:04}": np.full(3, number, np.float32) for number in range(2000)}
    save_file(stored, path)
    model = loader(path)
    assert list(model) == list(model.keys()) == list(stored)
    assert len(model) == len(stored)
    assert "w0007" in model
    assert "no such tensor" not in model
    assert model.get("no such tensor") is None
    with pytest.raises(KeyError, match="no such tensor"):
        model["no such tensor"]
    assert repr(model).startswith(f"<LoadedModel {path}: 2,000 tensors, ")
    assert made == []
    assert model["w0007"].tolist() == [7, 7, 7]
    assert len(made) == 1
    same(dict(model), stored)


def test_that_a_loaded_model_keeps_its_arrays_and_a_lazy_one_does_not(small):
    path = small["safetensors"]
    rows = load_model(path, "mmap", rank=(0, 2))
    for model, keeps in ((load_model(path), True), (lazy_model(path), False), (rows, False)):
        made = [weakref.ref(array) for array in model.values()]
        assert [each() is not None for each in made] == [keeps] * len(model)


@pytest.mark.parametrize("loader", [load_model, lazy_model])
def test_that_threads_that_ask_at_once_get_the_same_array(small, loader):
    have_made = threading.Barrier(2)

    class Together(LoadedModel):
        def _array(self, index):
            array = super()._array(index)
            have_made.wait()
            return array

    model = loader(small["safetensors"])
    model.__class__ = Together
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(model.__getitem__, [next(iter(model))] * 2)
    assert first is second


def test_that_a_lazy_model_notices_that_the_file_changed(own_copy):
    lazy = lazy_model(own_copy)
    os.truncate(own_copy, lazy.model.shards[0].data_start_bytes)
    with pytest.raises(LoadFailedError, match="EFAULT"):
        lazy[max(lazy, key=lambda name: lazy.info(name).offset_bytes)]


@pytest.mark.parametrize("loader", [load_model, lazy_model])
def test_that_a_closed_model_gives_nothing_and_its_arrays_stay(small, loader):
    with loader(small["safetensors"]) as model:
        name = next(iter(model))
        array, expected = model[name], model[name].tobytes()
    with pytest.raises(ValueError, match="closed"):
        model[name]
    model.close()
    assert array.tobytes() == expected


@pytest.mark.parametrize("way", [*WAYS, "decoded"])
def test_that_progress_grows_to_the_whole(small, way):
    config = LoadConfig(deliver="decoded") if way == "decoded" else PRESETS[way].config
    path = small["gguf"]
    said = []
    load_model(path, config, progress=lambda *done: said.append(done))
    assert all(before < after for (before, _), (after, _) in pairwise(said))
    done, whole = said[-1]
    assert done == whole >= open_model(path).nbytes


@pytest.mark.parametrize("way", [*WAYS, "decoded", "streamed"])
def test_that_what_progress_raises_ends_the_load(small, way):
    class StoppedError(Exception):
        pass

    def stop(_done, _whole):
        raise StoppedError

    load = partial(load_model, small["gguf"], way)
    if way == "decoded":
        load = partial(load_model, small["gguf"], LoadConfig(deliver="decoded"))
    elif way == "streamed":
        load = partial(stream_model, small["gguf"], lambda *_: None)
    before = {*threading.enumerate()}
    with pytest.raises(StoppedError):
        load(progress=stop)
    assert {*threading.enumerate()} <= before


@pytest.mark.parametrize("deliver", ["usable", "decoded"])
def test_that_progress_that_has_raised_is_not_called_again(small, deliver):
    calls = 0

    def stop(_done, _whole):
        nonlocal calls
        calls += 1
        # Until all others wait for their turn to tell what they have read.
        time.sleep(0.05)
        raise KeyboardInterrupt

    config = LoadConfig(access="read", readers=8, chunk_bytes=4 * KIB, deliver=deliver)
    with pytest.raises(KeyboardInterrupt):
        load_model(small["safetensors"], config, progress=stop)
    assert calls == 1


@pytest.mark.parametrize("way", ["parallel", "decoded"])
def test_that_a_load_that_gets_no_threads_says_so(small, monkeypatch, way):
    config = LoadConfig(deliver="decoded") if way == "decoded" else PRESETS[way].config
    start, left = threading.Thread.start, iter(range(2 if way == "parallel" else 0))

    def start_some(thread):
        if next(left, None) is None:
            raise RuntimeError("can't start new thread")
        start(thread)

    before = {*threading.enumerate()}
    monkeypatch.setattr(threading.Thread, "start", start_some)
    with pytest.raises(LoadFailedError, match="no more threads"):
        load_model(small["gguf"], config)
    assert {*threading.enumerate()} <= before


def test_that_threads_may_load_at_the_same_time(small):
    expected = load_model(small["safetensors"], "sequential")
    ways = [*WAYS] * 2
    with ThreadPoolExecutor(len(ways)) as pool:
        for loaded in pool.map(lambda way: load_model(small["safetensors"], way), ways):
            same(loaded, expected)


def test_that_every_array_of_a_lazy_model_can_be_written_to(small):
    before = small["safetensors"].read_bytes()
    lazy = lazy_model(small["safetensors"], rank=(0, 2))
    for array in lazy.values():
        array[...] = 0
        assert not array.any()
    assert small["safetensors"].read_bytes() == before


def test_that_a_model_equals_itself_alone(small):
    model, other = lazy_model(small["gguf"]), lazy_model(small["gguf"])
    assert model != other
    assert model in [other, model]
    assert len({model, other}) == 2


@pytest.mark.parametrize("rank", [(1,), (0, 1, 2), 3, "12", None])
def test_that_a_rank_that_is_no_pair_is_refused(small, rank):
    with pytest.raises(ConfigError, match="rank can't be"):
        load_model(small["safetensors"], rank=rank)


LOADS = 300


def held():
    """Descriptors, threads, mappings and objects of this process."""
    gc.collect()
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    mappings = Path("/proc/self/maps").read_text().count("\n")
    return descriptors, threading.active_count(), mappings, len(gc.get_objects())


@pytest.mark.parametrize("to", ["float32", "float16", "bfloat16"])
def test_that_scalars_and_tensors_without_values_are_decoded_like_all_others(tmp_path, to):
    path = tmp_path / "odd.safetensors"
    stored = {"scalar": np.float64(7), "none": np.zeros((0, 5)), "some": np.arange(3.0)}
    save_file({name: np.asarray(values) for name, values in stored.items()}, path)
    decoded = load_model(path, decode=to)
    for name, values in stored.items():
        assert decoded[name].dtype.name == to
        assert np.array_equal(decoded[name].astype(np.float64), values)


@pytest.mark.parametrize("to", [None, "float16"])
@pytest.mark.parametrize("others", [{}, {"some": np.ones(3, np.float32)}])
def test_that_tensors_without_bytes_load_where_there_is_nothing_else(tmp_path, to, others):
    path = tmp_path / "empty.safetensors"
    save_file({"a": np.zeros((0, 4), np.float32), "b": np.zeros(0, np.int64), **others}, path)
    theirs = {name: array for name, array in load_file(path).items() if name not in others}
    if to is not None:
        theirs["a"] = theirs["a"].astype(to)
    chosen = sorted(theirs) if others else ()
    for way in ("auto", "mmap", "parallel"):
        ours = load_model(path, way, tensors=chosen, decode=to)
        same(dict(sorted(ours.items())), dict(sorted(theirs.items())))
    streamed = []
    stream_model(path, lambda *piece: streamed.append(piece), tensors=chosen, decode=to)
    assert not streamed


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux's /proc/self/maps")
def test_that_hundreds_of_loads_leave_nothing_behind(small):
    path = small["safetensors"]
    name = max(open_model(path).tensors, key=lambda tensor: tensor.nbytes).name
    expected = load_model(path)[name].tobytes()

    def load(number):
        way = (*WAYS, "lazy", "failing")[number % (len(WAYS) + 2)]
        if way == "failing":
            with pytest.raises(ZeroDivisionError):
                load_model(path, LoadConfig(chunk_bytes=4 * KIB), progress=lambda *_: 1 // 0)
            return
        model = lazy_model(path) if way == "lazy" else load_model(path, way)
        assert model[name].tobytes() == expected

    # Whatever is made once, as caches and the allocator's own memory, is there afterwards.
    for number in range(2 * (len(WAYS) + 2)):
        load(number)
    before = held()
    for number in range(LOADS):
        load(number)
    after = held()
    # Threads of an earlier test may end meanwhile.
    assert after[:2] <= before[:2]
    # The interpreter maps arenas and makes objects of its own; a leak of one way would be more.
    assert after[2] - before[2] < 20
    assert after[3] - before[3] < 100


@pytest.mark.skipif(sys.platform != "linux", reason="others reserve memory for a private map")
def test_that_a_file_that_is_larger_than_memory_can_be_read_lazily(tmp_path):
    if Path("/proc/sys/vm/overcommit_memory").read_text() == "2\n":
        pytest.skip("this machine reserves all memory")
    nbytes = 2 * (psutil.virtual_memory().total + psutil.swap_memory().total)
    header = {"large": {"dtype": "U8", "shape": [nbytes], "data_offsets": [0, nbytes]}}
    text = json.dumps(header).encode()
    path = tmp_path / "large.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text)
    try:
        os.truncate(path, 8 + len(text) + nbytes)
    except OSError as error:
        pytest.skip(f"no file can be so large here: {error}")
    with lazy_model(path) as lazy:
        assert list(lazy) == ["large"]


def test_that_a_file_that_cannot_be_mapped_is_told(small, monkeypatch):
    def refuse(*_args, **_options):
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    monkeypatch.setattr("modelmon.core.load.sources._mapped", refuse)
    with pytest.raises(LoadFailedError, match=r"Couldn't map .*No such device"):
        lazy_model(small["gguf"])


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux's /proc")
def test_that_a_load_that_cannot_map_its_files_closes_them(small, monkeypatch):
    def refuse(*_):
        raise LoadFailedError(Message("Too many maps."))

    monkeypatch.setattr(in_process, "map_files", refuse)
    before = held()[0]
    with pytest.raises(LoadFailedError, match="Too many maps") as caught:
        load_model(small["sharded"], LoadConfig(access="mmap", readers=4, chunk_bytes=4 * KIB))
    del caught
    assert held()[0] == before


SHORT_OF_MEMORY = """
import resource, sys
from modelmon.core import load_model
from modelmon.core.errors import LoadFailedError

path, decode = sys.argv[1], sys.argv[2] or None
if decode:
    load_model(path, tensors="few", decode=decode)
status = open("/proc/self/status").read().split("VmSize:")[1]
limit = 1024 * int(status.split()[0]) + (20 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    load_model(path, "auto", decode=decode)
except LoadFailedError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.parametrize("decode", ["", "float32"])
def test_that_memory_that_runs_out_is_told(tmp_path, decode):
    path = tmp_path / "large.safetensors"
    save_file({"few": np.ones(4, np.float16), "many": np.ones(1 << 24, np.float16)}, path)
    command = [sys.executable, "-P", "-c", SHORT_OF_MEMORY, str(path), decode]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "no address space is left. Raise the limit" in done.stdout, done.stderr


def test_that_an_empty_path_is_not_the_current_folder(small, monkeypatch):
    monkeypatch.chdir(small["sharded"])
    with pytest.raises(ModelFileError, match="path of the model is empty"):
        load_model("")
    assert len(load_model("."))


@pytest.mark.parametrize("loader", [load_model, lazy_model])
def test_that_a_decoded_model_tells_the_size_of_its_arrays(small, loader):
    model = loader(small["gguf"], decode="float32")
    assert size_text(sum(array.nbytes for array in model.values())) in repr(model)


def test_that_a_loaded_model_says_why_it_cannot_go_to_another_process(small):
    with pytest.raises(TypeError, match="load it where it's needed"):
        pickle.dumps(load_model(small["gguf"]))
