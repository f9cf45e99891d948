"""modelmon.core.torch beside safetensors.torch, tensor by tensor, where torch is."""

import json
import os
import random
import re
import struct
import subprocess
import tempfile
import textwrap
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.real_programs import PYTHON, needs_package

from modelmon.core.model.safetensors import DTYPE_BITS

PACKAGES = ("torch", "safetensors", "msgspec", "ml-dtypes")
ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", "PYTHONWARNINGS": "ignore"}


class Beside:
    """The process that compares, which imports torch once."""

    def __init__(self):
        assert PYTHON is not None
        script = Path(__file__).with_name("beside_safetensors.py")
        self.process = subprocess.Popen(
            [PYTHON, str(script)], env=ENV, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def differences(self, path, parts=()):
        self.process.stdin.write(json.dumps([str(path), parts]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def beside():
    for package in PACKAGES:
        needs_package(package)
    started = Beside()
    yield started
    started.process.communicate()


@pytest.fixture(autouse=True)
def _needs_torch():
    for package in PACKAGES:
        needs_package(package)


Entry = tuple[str, str, tuple[int, ...]]


def stored(entries, metadata, padding=0):
    """A safetensors file of these names, types and shapes, with values of any bits."""
    draw = random.Random(len(entries))
    header = {} if metadata is None else {"__metadata__": metadata}
    place = 0
    for name, dtype, shape in entries:
        nbytes = prod(shape) * DTYPE_BITS[dtype] // 8
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [place, place + nbytes]}
        place += nbytes
    values = bytearray(draw.randbytes(place))
    for name, dtype, _ in entries:
        if dtype == "BOOL":  # any other value of a byte is none of a bool
            first, last = header[name]["data_offsets"]
            values[first:last] = bytes(value & 1 for value in values[first:last])
    text = json.dumps(header).encode() + b" " * padding
    return struct.pack("<Q", len(text)) + text + values


shapes = st.lists(st.integers(0, 5), max_size=4).map(tuple)
names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
).filter(lambda name: name != "__metadata__")
types = st.sampled_from([name for name, bits in DTYPE_BITS.items() if bits >= 8])


numbers = st.integers(-5, 5)
ends = st.just("") | numbers.map(str)
indices = st.lists(
    st.sampled_from(["...", "None", ":", "True", "[True, False]", "1.0"])
    | numbers.map(str)
    | st.builds("{}:{}".format, ends, ends)
    | st.builds("{}:{}:{}".format, ends, ends, ends)
    | st.lists(numbers, max_size=3).map(str),
    min_size=1,
    max_size=5,
).map(", ".join)


@st.composite
def files(draw):
    chosen = draw(st.lists(names, unique=True, max_size=5))
    entries = [(name, draw(types), draw(shapes)) for name in chosen]
    metadata = draw(st.none() | st.dictionaries(names, st.text(max_size=5), max_size=2))
    return stored(entries, metadata, draw(st.integers(0, 9)))


@settings(max_examples=60, deadline=None)
@given(content=files(), parts=st.lists(indices, max_size=8))
def test_that_whatever_a_file_holds_comes_as_from_safetensors(beside, content, parts):
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        file.write(content)
        file.flush()
        assert beside.differences(Path(file.name), parts) == []


def test_that_every_type_comes_as_from_safetensors(beside, tmp_path):
    entries = [(f"of {dtype}", dtype, (3, 4)) for dtype, bits in DTYPE_BITS.items() if bits >= 8]
    path = tmp_path / "types.safetensors"
    path.write_bytes(stored(entries, {"a": "b"}))
    assert beside.differences(path) == []
    for dtype in ("F4", "F6_E2M3", "F6_E3M2"):
        path.write_bytes(stored([("packed", dtype, (3, 4))], None))
        assert beside.differences(path) == []


def test_that_many_and_large_tensors_come_as_from_safetensors(beside, tmp_path, safetensors):
    path = tmp_path / "many.safetensors"
    path.write_bytes(stored([(f"t.{number}", "BF16", (7,)) for number in range(300)], None))
    assert beside.differences(path) == []
    assert beside.differences(safetensors) == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"abc",
        struct.pack("<Q", 2) + b"{}",
        struct.pack("<Q", 2) + b"{]",
        struct.pack("<Q", 1 << 60) + b"{}",
        stored([("a", "F32", (4,))], None)[:-1],
        stored([("a", "F32", (4,))], None) + b"x",
        stored([("a", "F32", (4,))], None).replace(b"F32", b"F99"),
        stored([("a", "F32", (4,))], None).replace(b"[4]", b"[5]"),
        stored([("a", "F32", (4,))], None).replace(b"[0, 16]", b"[1, 17]"),
        b"GGUF" + bytes(100),
    ],
)
def test_that_what_safetensors_refuses_is_refused_alike(beside, tmp_path, content):
    path = tmp_path / "broken.safetensors"
    path.write_bytes(content)
    assert beside.differences(path) == []


def test_that_a_path_without_a_file_is_refused_alike(beside, tmp_path):
    assert beside.differences(tmp_path / "gone.safetensors") == []
    assert beside.differences(tmp_path) == []


def test_that_one_shard_is_loaded_by_itself(beside, tmp_path):
    for number in (1, 2):
        path = tmp_path / f"model-0000{number}-of-00002.safetensors"
        path.write_bytes(stored([(f"t.{number}", "F32", (4,))], None))
    assert beside.differences(path) == []


def run(code, *arguments):
    assert PYTHON is not None
    command = [PYTHON, "-c", textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


EXAMPLES = """
import os, sys, torch
os.chdir(sys.argv[1])
from {place} import load_file, safe_open, save_file

# The example of safetensors' README and the one of its documentation, as they are.
tensors = {{"weight1": torch.zeros((1024, 1024)), "weight2": torch.zeros((1024, 1024))}}
save_file(tensors, "model.safetensors")

tensors = {{}}
with safe_open("model.safetensors", framework="pt", device="cpu") as f:
    for key in f.keys():
        tensors[key] = f.get_tensor(key)
print(sorted(tensors), float(tensors["weight1"].sum()))

with safe_open("model.safetensors", framework="pt", device="cpu") as f:
    tensor_slice = f.get_slice("weight1")
    vocab_size, hidden_dim = tensor_slice.get_shape()
    tensor = tensor_slice[:, :hidden_dim]
print(tensor.shape)

loaded = load_file("model.safetensors")
module = torch.nn.ModuleDict({{"a": torch.nn.Linear(3, 3)}})
save_file(module.state_dict(), "module.safetensors")
print(module.load_state_dict(load_file("module.safetensors")))
save_file(load_file("module.safetensors"), "again.safetensors")
print(open("again.safetensors", "rb").read() == open("module.safetensors", "rb").read())
"""


def test_that_examples_of_safetensors_work_with_another_import(tmp_path):
    theirs = EXAMPLES.format(place="safetensors.torch")  # which imports safe_open as well
    assert run(EXAMPLES.format(place="modelmon.core.torch"), tmp_path) == run(theirs, tmp_path)


MODULES = """
import sys, torch
from {place} import load_model, save_file, save_model

class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.norm = torch.nn.Embedding(5, 3), torch.nn.LayerNorm(3)
        self.head = torch.nn.Linear(3, 5, bias=False)
        self.head.weight = self.embed.weight

path = sys.argv[1] + "/tied.safetensors"
torch.manual_seed(0)
module = Tied()
save_model(module, path)
print(load_model(Tied(), path))
values = {{name: value.clone() for name, value in module.state_dict().items()}}
embed, head, norm = "embed.weight", "head.weight", "norm.bias"
for left_out in ((), (embed,), (head,), (norm, head), (embed, head), (norm,)):
    for strange in ((), ("strange",)):
        kept = {{name: value for name, value in values.items() if name not in left_out}}
        save_file(kept | dict.fromkeys(strange, torch.ones(1)), path)
        for strict in (True, False):
            other = Tied()
            try:
                missing, unexpected = load_model(other, path, strict, backend="pread")
                print(sorted(missing), sorted(unexpected))
            except RuntimeError as error:
                print(error)
            print([torch.equal(other.state_dict()[name], values[name]) for name in values])
"""


def test_that_modules_are_loaded_as_by_safetensors(tmp_path):
    ours = run(MODULES.format(place="modelmon.core.torch"), tmp_path)
    assert ours == run(MODULES.format(place="safetensors.torch"), tmp_path)


def test_that_copies_are_ones_own_where_safetensors_copies(tmp_path):
    path = tmp_path / "m.safetensors"
    path.write_bytes(stored([("a", "I32", (4,)), ("b", "I32", ())], None))
    code = """
        import sys
        from {place} import safe_open
        with safe_open(sys.argv[1], "np") as file:
            for name in ("a", "b"):
                first = file.get_tensor(name)
                before = first.copy()
                first += 1
                print((file.get_tensor(name) == before).all(), type(first))
            piece = file.get_slice("a")[1:3]
            piece += 1
            print((file.get_tensor("a")[1:3] == piece - 1).all())
        with safe_open(sys.argv[1], "pt", backend="pread") as file:
            one, other = file.get_tensor("a"), file.get_tensor("a")
            one.fill_(7)
            print(bool((other == 7).all()))
    """
    ours, theirs = (
        run(code.replace("{place}", place), path)
        for place in ("modelmon.core.torch", "safetensors")
    )
    assert ours == theirs
    assert "True" in ours


def test_that_a_pointer_and_odd_paths_are_refused_as_elsewhere(tmp_path, safetensors):
    code = """
        import sys
        from modelmon.core.torch import SafetensorError, load_file
        path, other = sys.argv[1], sys.argv[2] + "/other.safetensors"
        def refused(error, call):
            try:
                call()
            except error as told:
                return str(told)
            raise AssertionError(call)
        with open(other, "w") as file:
            file.write("version https://git-lfs.github.com/spec/v1\\noid sha256:0\\nsize 9\\n")
        assert "git lfs pull" in refused(SafetensorError, lambda: load_file(other))
        for name in ("", path + "\\0"):
            refused(FileNotFoundError, lambda: load_file(name))
    """
    run(code, safetensors, tmp_path)


def test_that_memory_goes_with_the_last_tensor(tmp_path, safetensors):
    code = """
        import gc, mmap, sys
        from pathlib import Path
        from modelmon.core.torch import load_file, safe_open
        def held():
            gc.collect()
            lines = Path("/proc/self/maps").read_text().splitlines()
            return len(list(Path("/proc/self/fd").iterdir())), sum(sys.argv[1] in x for x in lines)
        def resident():
            return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
        load_file(sys.argv[1], backend="pread")
        start, before = held(), resident()
        size = Path(sys.argv[1]).stat().st_size
        for _ in range(50):
            load_file(sys.argv[1])
            tensors = load_file(sys.argv[1], backend="pread")
            with safe_open(sys.argv[1], "pt") as file:
                one = file.get_tensor(file.keys()[0])
        assert held() == (start[0] + 1, 1), held()
        kept = tensors.popitem()
        tensors.clear()
        assert resident() - before > 0.9 * size
        del kept, one, file
        assert held() == start, (held(), start)
        assert resident() - before < 0.5 * size
    """
    run(code, safetensors)


def test_that_a_thousand_loads_leave_nothing(tmp_path):
    path = tmp_path / "small.safetensors"
    path.write_bytes(stored([(f"w{number}", "F32", (64, 64)) for number in range(3)], None))
    code = """
        import gc, mmap, sys
        from pathlib import Path
        from modelmon.core.torch import load_file
        def held():
            gc.collect()
            lines = Path("/proc/self/maps").read_text().splitlines()
            return len(list(Path("/proc/self/fd").iterdir())), sum(sys.argv[1] in x for x in lines)
        def load(times):
            for number in range(times):
                load_file(sys.argv[1], backend=("mmap", "pread")[number % 2])
        def resident():
            return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
        load(50)
        before, bytes_before = held(), resident()
        load(1000)
        assert held() == before, (held(), before)
        assert resident() - bytes_before < 8 << 20
    """
    run(code, path)


@pytest.mark.parametrize(
    ("backend", "device"), [("mmap", "cpu"), ("pread", "cpu"), ("mmap", "cuda")]
)
def test_that_a_file_is_read_while_torch_is_imported(safetensors, backend, device):
    code = """
        import sys, threading
        from modelmon.core import torch as ours
        from modelmon.core.load import readers
        from modelmon.core.torch import tensors

        began = threading.Event()

        class Torch:
            # Asked before torch is looked for: has nobody read by then, nobody will.
            def find_spec(self, name, *_):
                if name == "torch" and not began.wait(60):
                    print("torch was imported first")

        def noting(call):
            def noted(*arguments):
                began.set()
                return call(*arguments)
            return noted

        assert "torch" not in sys.modules
        sys.meta_path.insert(0, Torch())
        tensors.populate = noting(tensors.populate)
        tensors.populate_by_kernel = noting(tensors.populate_by_kernel)
        readers.Reader.run = noting(readers.Reader.run)
        readers.Reader.copy = noting(readers.Reader.copy)
        if sys.argv[3] == "cuda":
            # Whether the file is cached isn't known, and the processor stands in for a GPU.
            tensors.page_counter = lambda _: (None, "")
            tensors.other_device = lambda _: tensors.torch.device("cpu:0")
        there = ours.load_file(sys.argv[1], sys.argv[3], backend=sys.argv[2])
        print(began.is_set(), len(there) > 1)
        """
    assert run(code, safetensors, Path(backend), Path(device)) == "True True\n"


def test_that_a_default_device_changes_nothing(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(stored([("a", "F32", (3, 4)), ("empty", "F32", (0, 2))], None))
    code = """
        import sys, torch
        from modelmon.core.torch import load_file, safe_open
        with torch.device("meta"):
            for backend in ("mmap", "pread"):
                for tensor in load_file(sys.argv[1], backend=backend).values():
                    assert tensor.device.type == "cpu", tensor
            with safe_open(sys.argv[1], "pt") as file:
                assert all(file.get_tensor(name).device.type == "cpu" for name in file.keys())
    """
    run(code, path)


def test_that_what_replaces_torchs_functions_for_a_while_is_not_kept(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(stored([("a", "F32", (3, 4)), ("empty", "F32", (0, 2))], None))
    code = """
        import sys, torch
        from unittest import mock
        from modelmon.core.torch import load_file, tensors
        tensors.other_device = torch.device
        made = torch.empty

        # As accelerate has models made without memory.
        def on_meta(*args, **named):
            return made(*args, **{**named, "device": "meta"})

        with mock.patch("torch.empty", on_meta):
            load_file(sys.argv[1], device="cpu:0")
        for tensor in (*load_file(sys.argv[1]).values(),
                       *load_file(sys.argv[1], device="cpu:0").values()):
            assert tensor.device.type == "cpu", tensor.device
    """
    run(code, path)


def test_that_a_gpu_gets_the_same_tensors(beside, tmp_path):
    del beside
    if run("import torch; print(torch.cuda.is_available())").strip() != "True":
        pytest.skip("torch finds no GPU here")
    path = tmp_path / "all.safetensors"
    entries = [(f"of {dtype}", dtype, (300, 4000)) for dtype in DTYPE_BITS if "F6" not in dtype]
    small = [(f"small {number}", "BF16", (number % 40, 3)) for number in range(3000)]
    large = [("large", "F32", (3000, 4000))]
    path.write_bytes(stored(entries + small + large, None))
    code = """
        import sys, torch
        from modelmon.core.torch import load_file, safe_open
        # Before torch is used for anything else, and once it was.
        for _ in range(2):
            there, here = load_file(sys.argv[1], device="cuda"), load_file(sys.argv[1])
            with safe_open(sys.argv[1], "pt", device=0) as file:
                opened, part = file.get_tensors(), file.get_slice("large")[7:9]
                one = file.get_tensor("large")
            for placed in (there, opened):
                assert list(placed) == list(here)
                for name, tensor in here.items():
                    assert placed[name].device == torch.device("cuda", 0), name
                    assert placed[name].dtype == tensor.dtype, name
                    assert placed[name].stride() == tensor.stride(), name
                    found = placed[name].cpu().reshape(-1).view(torch.uint8)
                    assert torch.equal(found, tensor.reshape(-1).view(torch.uint8)), name
            large = here["large"].view(torch.uint8)
            assert torch.equal(one.cpu().view(torch.uint8), large)
            assert torch.equal(part.cpu().view(torch.uint8), large[7:9])
        version = there["small 8"]._version
        there["small 7"].zero_()
        kept = [each["small 8"].cpu().view(torch.uint8) for each in (there, here)]
        assert torch.equal(*kept) and there["small 8"].untyped_storage().nbytes() == 8 * 3 * 2
        assert there["small 8"]._version == version
        del there, opened, placed, part, one
        print(torch.cuda.memory_allocated())
    """
    assert run(code, path).strip() == "0"


def test_that_every_type_reaches_a_device_piece_by_piece(beside, tmp_path):
    del beside
    path = tmp_path / "all.safetensors"
    entries = [(f"of {dtype}", dtype, (300, 4000)) for dtype in DTYPE_BITS if "F6" not in dtype]
    small = [(f"small {number}", "F32", (number % 9, 3)) for number in range(300)]
    path.write_bytes(stored(entries + small, None))
    code = """
        import sys, torch
        import modelmon.core.torch as drop_in
        from modelmon.core.torch import tensors
        here = drop_in.load_file(sys.argv[1])
        # The processor stands in for a device that isn't here.
        tensors.other_device = torch.device
        with torch.inference_mode():
            there = drop_in.load_file(sys.argv[1], device="cpu:0")
            assert all(tensor.is_inference() for tensor in there.values())
        assert list(there) == list(here)
        for name, tensor in here.items():
            assert there[name].dtype == tensor.dtype and there[name].shape == tensor.shape, name
            found = there[name].reshape(-1).view(torch.uint8)
            assert torch.equal(found, tensor.reshape(-1).view(torch.uint8)), name
    """
    run(code, path)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_that_an_interrupted_load_keeps_its_map_for_readers_that_go_on(safetensors, device):
    code = """
        import gc, os, signal, sys, threading, time
        import torch
        import modelmon.core.torch as drop_in
        from modelmon.core.load import files as touch
        from modelmon.core.torch import tensors
        if sys.argv[2] == "cuda":
            tensors.page_counter = lambda _: (None, "")
            tensors.other_device = lambda _: torch.device("cpu:0")
        left, interrupted = threading.Event(), threading.Lock()
        main = threading.main_thread()

        def waits():
            frame = sys._current_frames()[main.ident]
            while frame is not None and frame.f_code.co_name not in ("shutdown", "result"):
                frame = frame.f_back
            return frame is not None

        def slow(address, nbytes):
            if interrupted.acquire(blocking=False):
                while not waits():
                    time.sleep(0.001)
                # Once while it waits for a piece, and while it waits for the readers' end.
                while not left.is_set():
                    signal.pthread_kill(main.ident, signal.SIGINT)
                    left.wait(0.2)
            left.wait()
            touch.populate(address, nbytes)

        tensors.populate = tensors.populate_by_kernel = slow
        try:
            drop_in.load_file(sys.argv[1], sys.argv[2])
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            left.set()
        gc.collect()
        for thread in threading.enumerate():
            if thread is not main:
                thread.join()
        print("alive")
    """
    assert run(code, safetensors, Path(device)) == "alive\n"


def test_that_a_file_that_cant_be_mapped_reaches_a_device(safetensors):
    code = """
        import os, sys
        import modelmon.core.torch as drop_in
        from modelmon.core.errors import LoadFailedError
        from modelmon.core.torch import tensors

        def refuse(files):
            raise LoadFailedError("as FUSE does with direct I/O", "")

        tensors.map_files = refuse
        tensors.other_device = lambda _: tensors.torch.device("cpu:0")
        before = len(os.listdir("/proc/self/fd"))
        assert "torch" not in sys.modules
        there = drop_in.load_file(sys.argv[1], device="cuda")
        assert len(there) > 1 and list(there) == list(drop_in.load_file(sys.argv[1]))
        del there
        assert len(os.listdir("/proc/self/fd")) <= before
    """
    run(code, safetensors)


def test_that_the_examples_of_the_documentation_run(tmp_path, safetensors):
    (tmp_path / "model.safetensors").symlink_to(safetensors)
    for page in ("docs/python.md",):
        text = (ROOT / page).read_text(encoding="utf-8")
        fences = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (code,) = [each for each in fences if "modelmon.core.torch" in each]
        run(f"import os, sys\nos.chdir(sys.argv[1])\n{code}", tmp_path)
