"""Each installed baseline on real files: the right bytes, in order, in the memory it states.

`make test-engines` has those that `make test` lacks.
"""

import contextlib
import hashlib
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.core.load.libraries.conftest import request_for

from modelmon.core.load.libraries.registry import baseline, names
from modelmon.core.model.open import open_model

MAPS = Path("/proc/self/maps")
# Of numpy's own types two stand for all.
DTYPES = ["F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"]
DELIVERIES = ["untouched", "usable", "owned"]
LOADED = [
    (name, dtype)
    for name in names()
    for dtype in DTYPES
    if not baseline(name).obstacle(frozenset({dtype}), "safetensors")
]


def mapped_file(address):
    """Path of the file whose pages lie at an address; empty for private memory."""
    for line in MAPS.read_text().splitlines():
        first, last = (int(end, 16) for end in line.split()[0].split("-"))
        if first <= address < last:
            path = line.split(maxsplit=5)[5:]
            return path[0] if path and path[0].startswith("/") else ""
    raise AssertionError(f"nothing is mapped at {address:#x}")


def sha256_of_tensors(path):
    model = open_model(path)
    shards = [Path(shard.path).read_bytes() for shard in model.shards]
    digest = hashlib.sha256()
    for tensor in model.tensors:
        data = shards[tensor.shard]
        digest.update(data[tensor.offset_bytes : tensor.offset_bytes + tensor.nbytes])
    return digest.hexdigest()


@pytest.mark.parametrize("deliver", DELIVERIES)
@pytest.mark.parametrize(("name", "dtype"), LOADED)
def test_that_every_tensor_of_every_shard_comes_whole_and_in_order(
    stored, run_library, name, deliver, dtype
):
    request, sha256 = stored(dtype)
    load, records = run_library(name, request, deliver)
    assert load.checksum() == sha256
    assert [record[1] for record in records] == list(range(len(request.tensors)))
    assert [record[3] for record in records] == [tensor.nbytes for tensor in request.tensors]


@pytest.mark.parametrize("deliver", DELIVERIES)
def test_that_quantised_tensors_come_as_they_are_stored(samples, run_library, deliver):
    load, _ = run_library("gguf.GGUFReader", request_for(samples["gguf"]), deliver)
    assert load.checksum() == sha256_of_tensors(samples["gguf"])


@pytest.mark.skipif(not MAPS.exists(), reason="needs /proc")
@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("name", [*dict(LOADED), "gguf.GGUFReader"])
def test_that_memory_is_of_the_kind_that_the_baseline_states(stored, samples, name, *, owned):
    is_gguf = name == "gguf.GGUFReader"
    request = request_for(samples["gguf"]) if is_gguf else stored("F32")[0]
    library = baseline(name)
    library.prepare()
    kind = "owned" if owned else library.memory_kind
    kept = []
    for delivered in library.load(replace(request, owned=owned)):
        kept.append(delivered)
        if delivered.nbytes:
            assert (mapped_file(delivered.address) in request.paths) == (kind == "mapped")
    assert len(kept) == len(request.tensors)


@pytest.mark.parametrize("name", ["safetensors.prefetch", "instanttensor"])
def test_that_what_comes_to_a_gpu_in_its_own_order_is_delivered_in_ours(stored, monkeypatch, name):
    """With stand-ins that are called as both libraries document it: here is no GPU."""
    request, _ = stored("BF16")
    sizes = {tensor.name: tensor.nbytes for tensor in request.tensors}
    opened = []

    class File(contextlib.AbstractContextManager["File"]):
        def __init__(self, paths, *, framework, device):
            opened.append((paths, framework, device))

        def prefetch(self, plan):
            self.plan = plan
            return self

        def take(self, wanted):
            assert self.plan.pop(wanted) is None
            return SimpleNamespace(is_cuda=True, nbytes=sizes[wanted])

        def tensors(self):
            for each in sorted(sizes):
                yield each, SimpleNamespace(is_cuda=True, nbytes=sizes[each])

        def __exit__(self, *_): ...

    cuda = SimpleNamespace(init=lambda: None, synchronize=lambda: opened.append("waited"))
    for module in ("torch", "safetensors", "instanttensor"):
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(safe_open=File, cuda=cuda))
    library = baseline(name)
    library.prepare()
    delivered = list(library.load(request))
    assert [(each.name, each.nbytes) for each in delivered] == [
        (tensor.name, tensor.nbytes) for tensor in request.tensors
    ]
    assert not any(each.address for each in delivered)
    if name == "instanttensor":
        assert opened == [([*request.paths], "pt", 0), "waited"]
    else:
        assert sorted(opened, key=str) == [(path, "pt", "cuda") for path in sorted(request.paths)]
