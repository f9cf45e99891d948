"""Baselines: what is listed and why not, what they deliver, and what is noted of it."""

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import mmap
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.core.load.libraries.conftest import request_for

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load.libraries import baseline as module_of_baselines
from modelmon.core.load.libraries.baseline import (
    Baseline,
    Delivered,
    LibraryLoad,
    LibraryRequest,
    WantedTensor,
)
from modelmon.core.load.libraries.registry import available, baseline, names
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.procfs import parse_pid_status_rss
from modelmon.core.model.open import open_model
from modelmon.core.units import MIB

F32 = frozenset({"F32"})
NUMPY_TOO = ("get_tensor", "get_slice", "pread", "numpy.load_file")


@pytest.fixture
def pretend(monkeypatch):
    """Let modules look as if they were missing or a package as if it had a version, which also has
    all others look as if they were there; and a GPU.
    """
    version, find = importlib.metadata.version, importlib.util.find_spec
    spec = find("json")

    def set_up(missing="", distribution="", has="", *, gpu=True):
        monkeypatch.setattr(
            importlib.metadata,
            "version",
            lambda name: has if name == distribution else version(name),
        )
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name: None if name == missing else (spec if has else find(name)),
        )
        monkeypatch.setattr(module_of_baselines, "has_gpu", lambda: gpu)

    return set_up


def test_that_listing_imports_none_of_the_libraries(sample):
    script = (
        "import sys\n"
        "from modelmon.core.load.libraries import registry\n"
        "heavy = {'numpy', 'torch', 'safetensors', 'gguf', 'msgspec', 'llama_cpp'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "from modelmon.core.model.open import open_model\n"
        f"listed = registry.available(open_model({str(sample)!r}))\n"
        "assert len(listed) == len(registry.names())\n"
        "heavy -= {'msgspec'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_that_every_baseline_says_when_it_wins_in_a_card_line():
    for name in names():
        found = baseline(name)
        assert found.name == name
        assert 0 < len(found.when_it_wins) <= 52


def test_that_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"'nosuch'.*safetensors\.get_tensor.*llama-cpp"):
        baseline("nosuch")


PIP = "not installed: pip install"
TOO_OLD = "{} needs a newer {} than {}: pip install '"
GPU = "{} loads to a GPU only: none was found."


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("safetensors.torch.load_file", {"missing": "torch"}, f"torch is {PIP} torch"),
        ("fastsafetensors", {"missing": "fastsafetensors"}, "fastsafetensors"),
        ("runai-model-streamer", {"missing": "runai_model_streamer"}, "runai-model-streamer"),
        ("safetensors.prefetch", {"missing": "torch"}, f"torch is {PIP} torch"),
        ("instanttensor", {"missing": "instanttensor"}, "instanttensor"),
        ("llama-cpp.read", {"missing": "llama_cpp"}, f"llama-cpp-python is {PIP} llama-cpp-python"),
        (
            "safetensors.prefetch",
            {"has": "0.9.0", "gpu": False},
            GPU.format("safetensors.prefetch"),
        ),
        ("instanttensor", {"has": "0.9.0", "gpu": False}, GPU.format("instanttensor")),
        ("instanttensor", {"has": "0.9.0"}, ""),
        (
            "safetensors.pread",
            {"has": "0.7.0"},
            TOO_OLD.format("safetensors.pread", "safetensors", "0.7.0"),
        ),
        ("safetensors.pread", {"has": "0.8.0"}, ""),
        (
            "safetensors.prefetch",
            {"has": "0.8.0"},
            TOO_OLD.format("safetensors.prefetch", "safetensors", "0.8.0"),
        ),
        ("safetensors.prefetch", {"has": "0.9.0rc1"}, ""),
        (
            "runai-model-streamer",
            {"has": "0.15.1"},
            TOO_OLD.format("runai-model-streamer", "runai-model-streamer", "0.15.1"),
        ),
        ("runai-model-streamer", {"has": "1.0"}, ""),
    ],
)
def test_that_what_is_lacking_is_named_with_the_command_that_brings_it(
    pretend, name, given, sentence
):
    found = baseline(name)
    pretend(distribution=found.distribution, **given)
    said = found.obstacle(F32, found.formats[0])
    assert sentence in said if sentence else said == ""


@pytest.mark.parametrize("name", [f"safetensors.{name}" for name in NUMPY_TOO])
def test_that_without_torch_safetensors_gives_arrays_of_all_types_but_f4(pretend, name):
    pretend(missing="torch")
    found = baseline(name)
    assert found.obstacle(F32 | {"BF16", "F8_E4M3", "F8_E8M0"}, "safetensors") == ""
    assert found.memory_kind == "owned"
    assert "with numpy" in found.version()
    assert found.obstacle(F32 | {"F4"}, "safetensors") == (
        "numpy cannot represent F4; torch can: use safetensors.torch.load_file"
    )
    both = found.obstacle(frozenset({"F4", "F6_E2M3"}), "safetensors")
    assert "cannot represent F4, F6_E2M3" in both


def test_that_a_baseline_refuses_the_other_format(samples):
    for form, other in (("gguf", "safetensors"), ("safetensors", "gguf")):
        listed = {entry.name: entry.obstacle for entry in available(open_model(samples[form]))}
        refused = [name for name in listed if form not in baseline(name).formats]
        assert refused
        for name in refused:
            assert listed[name] == f"{name} loads {other} files, not {form}."


REQUEST = LibraryRequest(("a", "b"), tuple(WantedTensor(name, 0, 4) for name in "xyz"))


def fake(deliver, **facts):
    """Hands out what a test gives it."""
    facts = {"name": "fake", "distribution": "fake", "memory_kind": "mapped", **facts}
    return Baseline("Never.", lambda _, request: deliver(request), None, **facts)


def hidden(request):
    """Tensors whose memory the library does not tell, read by one call at 17."""
    for tensor in request.tensors:
        yield Delivered(tensor.name, 0, tensor.nbytes, None, asked_ns=17)


def load_with(library, deliver="usable", request=REQUEST):
    load = LibraryLoad(library, request, touches=deliver != "untouched")
    load.prepare()
    return load


def ignore(*_values):
    pass


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_that_pages_count_as_loaded_only_when_they_were_touched(tmp_path):
    size = 32 * MIB
    path = tmp_path / "data"
    path.write_bytes(b"x" * size)

    def mapped_bytes():
        rss = parse_pid_status_rss(Path("/proc/self/status").read_text())
        return rss.file_bytes + rss.shmem_bytes

    def map_it(request):
        with path.open("rb") as file:
            mapping = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        yield Delivered(request.tensors[0].name, address_of(mapping), size, mapping)

    grown = {}
    for deliver in ("untouched", "usable", "owned"):
        # It maps, although it's asked for private memory.
        owned = deliver == "owned"
        request = LibraryRequest((str(path),), (WantedTensor("x", 0, size),), owned)
        load = load_with(fake(map_it), deliver, request)
        before = mapped_bytes()
        load.run(ignore)
        grown[deliver] = mapped_bytes() - before
    assert grown["untouched"] < size / 2
    assert min(grown["usable"], grown["owned"]) > 0.9 * size


def test_that_tensors_of_one_call_count_from_that_call():
    records = []
    load = load_with(fake(hidden))
    load.run(lambda *values: records.append(values))
    started = [(number, times.start_ns) for _, number, times, _ in records]
    assert started == [(0, 17), (1, 17), (2, 17)]
    assert load.checksum() is None


def test_that_waiting_is_unknown_where_the_library_has_threads():
    (account,) = load_with(fake(hidden, reads_in_threads=True)).run(ignore)
    assert account.run_queue_ns is None


def raises(error):
    def deliver(_request):
        raise error

    return deliver


def converts(request):
    for tensor in request.tensors:
        yield Delivered(tensor.name, 0, 2 * tensor.nbytes, None)


@pytest.mark.parametrize(
    ("deliver", "sentence"),
    [
        (raises(KeyError("x")), "fake couldn't load the model: 'x'"),
        (raises(ValueError()), "fake couldn't load the model: ValueError"),
        (raises(LoadFailedError("Its own words.")), "^Its own words"),
        (lambda _request: iter(()), "fake ended before it returned tensor x"),
        (lambda request: reversed(list(hidden(request))), "bytes of x"),
        (converts, "fake delivered 8 bytes as tensor x; wanted were the 4 bytes"),
    ],
)
def test_that_what_goes_wrong_in_a_library_is_a_sentence(deliver, sentence):
    with pytest.raises(LoadFailedError, match=sentence):
        load_with(fake(deliver)).run(ignore)


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


@pytest.mark.parametrize(
    ("name", "dtype", "deliver"),
    [
        # Each library and each type, and each delivery of some; all of them take half a minute.
        pytest.param(
            *loaded, deliver, marks=[pytest.mark.long] if (at + by) % len(DELIVERIES) else []
        )
        for at, loaded in enumerate(LOADED)
        for by, deliver in enumerate(DELIVERIES)
    ],
)
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
