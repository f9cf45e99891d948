"""What is cached is mapped where its bytes belong: every byte is right, whatever is cached, and
whatever becomes of it meanwhile.
"""

import errno
import mmap
import os
import resource
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.page_cache import drop, kept

from modelmon.core.errors import LoadFailedError
from modelmon.core.load import sources as auto
from modelmon.core.load.api import engine_for, load_model, run, work_for
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.files import OwnedDestination
from modelmon.core.load.sources import AutoSource, PlacedMaps
from modelmon.core.load.subset import Subset
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import GIB, KIB, MIB

pytestmark = [
    pytest.mark.usefixtures("needs_direct"),
    pytest.mark.skipif(sys.platform != "linux", reason="files are mapped over memory on Linux"),
]
AUTO = LoadConfig(access="auto", readers=4, chunk_bytes=64 * KIB)


@pytest.fixture
def small_maps(monkeypatch):
    """Maps for runs of any size, as a large model has them."""
    monkeypatch.setattr(auto, "_LEAST_BYTES", 4 * KIB)


def fill(path, parts):
    """Have some of a file cached, and no page besides."""
    drop(path)
    size = path.stat().st_size
    with path.open("rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
        for start, share in parts:
            os.pread(file.fileno(), int(share * size), int(start * size))


parts = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.6)), max_size=4)


@pytest.mark.usefixtures("small_maps")
@settings(max_examples=25)
@given(
    sizes=st.lists(st.sampled_from([0, 1, 4095, 4096, 70_001, 300_000]), min_size=1, max_size=8),
    header_bytes=st.integers(1200, 6000),
    cached=parts,
    readers=st.integers(1, 5),
    order=st.sampled_from(["file", "model", "random"]),
    chosen=st.booleans(),
)
def test_that_every_byte_is_right_whatever_is_cached(
    tensor_file, load_here, sizes, header_bytes, cached, readers, order, chosen
):
    path = tensor_file([*sizes, 5000], header_bytes)
    subset = Subset(tensors=("t*[02468]", f"t{len(sizes)}")) if chosen else Subset()
    for deliver in ("usable", "owned", "streamed", "decoded"):
        fill(path, cached)
        config = LoadConfig(
            access="auto", readers=readers, chunk_bytes=16 * KIB, deliver=deliver, order=order
        )
        loaded = load_here(path, config, subset)
        assert loaded.matches is True
        assert deliver == "usable" or not loaded.mapped_bytes


@pytest.mark.usefixtures("small_maps")
@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
def test_that_a_cached_model_is_mapped_and_a_cold_one_is_not(samples, load_here, form):
    path = samples[form]
    files = sorted(path.glob("*.safetensors")) if path.is_dir() else [path]
    for each in files:
        drop(each)
    cold = load_here(path, AUTO)
    for each in files:
        each.read_bytes()
    warm = load_here(path, AUTO)
    assert (cold.matches, warm.matches) == (True, True)
    # What a machine's other work does to the cache leaves room on either side.
    assert cold.mapped_bytes < cold.delivered_bytes / 2 < warm.mapped_bytes
    assert warm.mapped_bytes <= warm.delivered_bytes


def test_that_a_private_copy_is_one(own_copy):
    with kept(own_copy):
        config = LoadConfig(access="auto", deliver="owned")
        loaded = load_model(own_copy, config)
        before = {name: array.copy() for name, array in loaded.items()}
        with own_copy.open("r+b") as file:
            file.seek(-MIB, os.SEEK_END)
            file.write(bytes(MIB))
        assert all(np.array_equal(loaded[name], before[name]) for name in before)


@pytest.mark.usefixtures("small_maps")
def test_that_what_is_written_to_an_array_stays_in_this_process(own_copy):
    stored = own_copy.read_bytes()
    loaded = load_model(own_copy, AUTO)
    for array in loaded.values():
        array.view(np.uint8).reshape(-1)[:] = 1
    again = load_model(own_copy, AUTO)
    assert all((array.view(np.uint8) == 1).all() for array in loaded.values())
    assert not all((array.view(np.uint8) == 1).all() for array in again.values())
    assert own_copy.read_bytes() == stored


def between(monkeypatch, step):
    """Have `step` done after a run was found cached and mapped, and before it is brought in."""
    bring_in = PlacedMaps.bring_in

    def after(self, request, *, alone=False):
        step()
        return bring_in(self, request, alone=alone)

    monkeypatch.setattr(PlacedMaps, "bring_in", after)


@pytest.mark.usefixtures("small_maps")
def test_that_pages_that_are_taken_meanwhile_are_fetched_again(own_copy, load_here, monkeypatch):
    own_copy.read_bytes()
    dropped = []
    between(monkeypatch, lambda: dropped.append(drop(own_copy)))
    assert load_here(own_copy, AUTO).matches is True
    assert dropped


def major_faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt


@pytest.mark.usefixtures("small_maps")
@pytest.mark.parametrize("deliver", ["usable", "streamed", "owned"])
def test_that_pages_that_are_taken_meanwhile_do_not_come_one_at_a_time(
    own_copy, monkeypatch, deliver
):
    # Part of it is missing, so that nothing may be read ahead of what is cached.
    config = LoadConfig(access="auto", chunk_bytes=MIB, deliver=deliver)
    work = work_for(open_model(own_copy), config)
    fill(own_copy, [(0.0, 0.8)])
    look = AutoSource._is_cached

    def then_drop(self, shard, start):
        found = look(self, shard, start)
        drop(own_copy)
        return found

    monkeypatch.setattr(AutoSource, "_is_cached", then_drop)
    before = major_faults()
    with engine_for(work) as engine:
        run(engine, work)
    assert major_faults() - before < own_copy.stat().st_size / mmap.PAGESIZE / 4


@pytest.mark.usefixtures("small_maps")
def test_that_a_file_that_is_cut_meanwhile_is_an_error_that_names_it(own_copy, monkeypatch):
    with own_copy.open("r+b") as file:
        file.read()
        between(monkeypatch, lambda: file.truncate(5 * MIB))
        with pytest.raises(LoadFailedError, match=r"copy\.safetensors changed: it now has"):
            load_model(own_copy, AUTO)


@pytest.mark.usefixtures("small_maps")
@pytest.mark.parametrize("maps", [0, 3])
def test_that_what_cannot_be_mapped_is_copied(own_copy, load_here, monkeypatch, maps):
    map_file, made = OwnedDestination.map_file, []

    def full(self, pages, descriptor):
        if len(made) == maps:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        made.append(pages)
        map_file(self, pages, descriptor)

    monkeypatch.setattr(OwnedDestination, "map_file", full)
    own_copy.read_bytes()
    loaded = load_here(own_copy, AUTO)
    assert loaded.matches is True
    assert loaded.mapped_bytes == sum(pages.nbytes for pages in made)


@pytest.mark.usefixtures("small_maps")
def test_that_a_kernel_without_the_call_has_pages_touched(own_copy, load_here, monkeypatch):
    monkeypatch.setattr("modelmon.core.load.files.populate_by_kernel", lambda *_: False)
    own_copy.read_bytes()
    loaded = load_here(own_copy, AUTO)
    assert loaded.matches is True
    assert loaded.mapped_bytes


@pytest.mark.usefixtures("small_maps")
def test_that_files_of_a_mount_that_may_go_away_are_copied(own_copy, load_here, monkeypatch):
    monkeypatch.setattr(auto, "ON_THIS_MACHINE", ())
    own_copy.read_bytes()
    loaded = load_here(own_copy, AUTO)
    assert (loaded.matches, loaded.mapped_bytes) == (True, 0)


@pytest.mark.usefixtures("small_maps")
def test_that_where_nobody_knows_what_is_cached_all_is_mapped(own_copy, load_here, monkeypatch):
    monkeypatch.setattr("modelmon.core.load.sources.page_counter", lambda _: (None, "unknown"))
    for order in ("file", "model", "random"):
        drop(own_copy)
        config = LoadConfig(access="auto", readers=4, chunk_bytes=64 * KIB, order=order)
        loaded = load_here(own_copy, config)
        assert loaded.matches is True
        assert loaded.mapped_bytes > loaded.delivered_bytes / 2 or order != "file"
        assert "all was memory-mapped" in loaded.notes[0]


WITHOUT_ROOM = """
import resource, sys
from modelmon.core.load.api import stream_model
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
passed = []
stream_model(sys.argv[1], lambda tensor, position, data: passed.append(len(data)))
print(sum(passed))
"""


def test_that_what_cannot_be_mapped_as_a_whole_is_streamed(tensor_file):
    path = tensor_file([2 * GIB], sparse={0})
    with path.open("rb") as file:
        os.pread(file.fileno(), 8 * MIB, 0)
    command = [sys.executable, "-c", WITHOUT_ROOM, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) == 2 * GIB


IN_A_PROCESS = """
import hashlib, os, sys
from modelmon.core.load import sources as auto
from modelmon.core.load.api import load_model
auto._LEAST_BYTES = 4096

def digest(loaded):
    return hashlib.sha256(b"".join(loaded[name].tobytes() for name in sorted(loaded)))

def held():
    with open("/proc/self/maps") as maps, open("/proc/self/statm") as pages:
        return len(list(maps)), len(os.listdir("/proc/self/fd")), int(pages.read().split()[1])

path, loads = sys.argv[1], int(sys.argv[2])
loaded = load_model(path)
child = os.fork()
if not child:
    os._exit(digest(loaded).digest() != digest(load_model(path)).digest())
assert os.waitpid(child, 0)[1] == 0, "another process sees other bytes"
del loaded
for _ in range(20):
    load_model(path)
before = held()
for _ in range(loads):
    load_model(path)
after = held()
assert after[0] <= before[0] + 2 and after[1] == before[1], (before, after)
assert after[2] <= before[2] + 1024, (before, after)
"""


def in_a_process(path, loads):
    path.read_bytes()
    subprocess.run([sys.executable, "-c", IN_A_PROCESS, str(path), str(loads)], check=True)


def test_that_loads_leave_nothing_behind_and_forks_see_them(tmp_path):
    in_a_process(
        write_sample(tmp_path / "m.safetensors", "safetensors", 3 * MIB, layers=2, seed=1), 50
    )


@pytest.mark.soak
def test_that_a_thousand_loads_leave_nothing_behind(sample):
    in_a_process(sample, 1000)
