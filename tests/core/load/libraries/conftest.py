import gc
import hashlib
import random
from dataclasses import replace
from importlib.util import find_spec
from math import prod

import pytest
from tests.core.load.stored_files import write_raw

from modelmon.core.load.libraries.baseline import LibraryLoad, LibraryRequest, WantedTensor
from modelmon.core.load.libraries.registry import baseline
from modelmon.core.model.open import open_model

# make test-engines has it.
collect_ignore = [] if find_spec("llama_cpp") else ["test_llama_cpp.py"]

VALUE_BYTES = {"F32": 4, "F16": 2, "BF16": 2}
"""Of other types 1."""
SHAPES = ((300, 700), (7,), (), (0, 4), (1000, 33))


def request_for(path):
    model = open_model(path)
    wanted = (WantedTensor(t.name, t.shard, t.nbytes) for t in model.tensors)
    return LibraryRequest(tuple(shard.path for shard in model.shards), tuple(wanted))


def write_shard(path, prefix, dtype, seed):
    source = random.Random(seed)
    tensors = {
        f"{prefix}.{number}": source.randbytes(VALUE_BYTES.get(dtype, 1) * prod(shape))
        for number, shape in enumerate(SHAPES)
    }
    shaped = zip(tensors.items(), SHAPES, strict=True)
    write_raw(path, {name: (dtype, shape, data) for (name, data), shape in shaped})
    return tensors


@pytest.fixture
def stored(tmp_path):
    """Two shards of one type, asked for in an order that is not the files', and the SHA-256
    of what must come.
    """

    def write(dtype):
        paths = [tmp_path / f"{name}.safetensors" for name in ("front", "back")]
        shards = [write_shard(path, path.stem, dtype, seed) for seed, path in enumerate(paths)]
        wanted = [
            WantedTensor(name, number, len(data))
            for number, tensors in enumerate(shards)
            for name, data in tensors.items()
        ]
        random.Random(2).shuffle(wanted)
        digest = hashlib.sha256()
        for tensor in wanted:
            digest.update(shards[tensor.shard][tensor.name])
        request = LibraryRequest(tuple(map(str, paths)), tuple(wanted))
        return request, digest.hexdigest()

    return write


@pytest.fixture(scope="module")
def run_library():
    """Load with a baseline. Gives the finished load and what it recorded: reader, request, times,
    bytes.
    """

    def run(name, request, deliver):
        request = replace(request, owned=deliver == "owned")
        load = LibraryLoad(baseline(name), request, touches=deliver != "untouched")
        load.prepare()
        records = []
        load.run(lambda *values: records.append(values))
        return load, records

    yield run
    # A load freezes all that is there, a library's own garbage that maps the file included.
    gc.unfreeze()
    gc.collect()
    gc.freeze()
