"""`auto`: what is cached is mapped where its bytes belong, the rest comes from the device once.

Every byte is right, whatever is cached, whatever becomes of it meanwhile, and where direct reads
are refused.
"""

import errno
import gc
import mmap
import os
import resource
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.page_cache import drop, kept, left_alone

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load import sources as auto
from modelmon.core.load.api import engine_for, load_model, run, stream_model, work_for
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OwnedDestination
from modelmon.core.load.plan import ProcessPlan, ReaderPlan
from modelmon.core.load.sources import AutoSource, PlacedSource
from modelmon.core.load.subset import Subset
from modelmon.core.machine import direct_io
from modelmon.core.machine.cached_pages import page_counter
from modelmon.core.model import header
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import KIB, MIB

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
SIZE = 48 * MIB
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def device_bytes():
    """What this process had fetched from storage so far (proc(5), /proc/PID/io)."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["read_bytes"])


FILLS = {
    "nothing": (),
    "all, with the kernel's readahead": [(at, 128 * KIB) for at in range(0, SIZE, 128 * KIB)],
    "half, with the marks of readahead at its end": [(at, MIB) for at in range(0, SIZE // 2, MIB)],
    "islands, each with readahead and its marks": [
        (at, 128 * KIB)
        for start in range(0, SIZE, 16 * MIB)
        for at in range(start, start + 5 * MIB, 128 * KIB)
    ],
    "without readahead, within chunks": [
        (at, 1700 * KIB) for at in range(100 * KIB, SIZE, 5 * MIB)
    ],
    "without readahead, single pages": [(at, 4 * KIB) for at in range(0, SIZE, 192 * KIB)],
}


@pytest.fixture(scope="module")
def blob(tmp_path_factory):
    path = tmp_path_factory.mktemp("auto") / "blob"
    with path.open("wb") as file:
        for _ in range(SIZE // MIB):
            file.write(os.urandom(MIB))
        file.flush()
        os.fsync(file.fileno())
    return path


def missing_bytes(descriptor):
    count, source = page_counter(descriptor)
    assert count is not None, source
    return SIZE - count(descriptor, 0, SIZE) * PAGE


@pytest.mark.soak
@pytest.mark.parametrize("readers", [1, 4])
@pytest.mark.parametrize("deliver", ["owned", "usable", "streamed"])
@pytest.mark.parametrize("fill", FILLS)
def test_that_the_device_gives_what_was_missing_and_no_more(
    blob, on_a_device, needs_direct, fill, deliver, readers
):
    del on_a_device, needs_direct
    config = LoadConfig(access="auto", readers=readers, chunk_bytes=MIB, deliver=deliver)
    each = SIZE // readers
    share = ProcessPlan(
        config,
        files=[(str(blob), SIZE)],
        readers=[ReaderPlan([Extent(0, n * each, each)], number=n) for n in range(readers)],
        chunk_bytes=MIB,
    )

    def load():
        with blob.open("rb", buffering=0) as file:
            if fill.startswith("without"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            for offset, nbytes in FILLS[fill]:
                os.pread(file.fileno(), nbytes, offset)
            missing = missing_bytes(file.fileno())
        engine = Engine(share)
        before = device_bytes()
        engine.run(lambda *_: None)
        fetched = device_bytes() - before
        engine.close()
        assert engine.notes == []
        return missing, fetched

    missing, fetched = left_alone(load, blob)
    # Besides, this process may have had some page of its own code fetched.
    assert 0.99 * missing <= fetched <= 1.01 * missing + MIB


@pytest.mark.soak
def test_that_a_cold_model_is_fetched_once_its_header_included(tmp_path, on_a_device, needs_direct):
    """What looks at a header may have the kernel read ahead of it, which the load then finds."""
    del on_a_device, needs_direct
    path = write_sample(tmp_path / "model.safetensors", "safetensors", SIZE, layers=8, seed=1)

    def load():
        before = device_bytes()
        with load_model(path, LoadConfig(access="auto", readers=4, chunk_bytes=MIB)) as model:
            assert len(model) > 0
        return device_bytes() - before

    load_model(path).close()  # Whatever is imported meanwhile is read from storage, too.
    size_bytes = path.stat().st_size
    assert left_alone(load, path) <= 1.01 * size_bytes + MIB


@pytest.mark.parametrize("deliver", ["owned", "streamed", "decoded"])
def test_that_a_partly_cached_load_gives_all_back_without_the_garbage_collector(
    tmp_path, on_a_device, needs_direct, deliver
):
    del on_a_device, needs_direct
    sample = write_sample(tmp_path / "model.safetensors", "safetensors", 4 * MIB, layers=2, seed=1)
    config = LoadConfig(access="auto", readers=2, chunk_bytes=64 * KIB, deliver=deliver)

    def load():
        with sample.open("rb", buffering=0) as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            os.pread(file.fileno(), sample.stat().st_size // 2, 0)
        if deliver == "streamed":
            stream_model(sample, lambda *_: None, config)
        else:
            load_model(sample, config).close()

    load()
    gc.collect()
    before = psutil.Process().num_fds()
    gc.disable()
    try:
        load()
        assert psutil.Process().num_fds() <= before
        assert not any(isinstance(each, AutoSource) for each in gc.get_objects())
    finally:
        gc.enable()


PLACED = LoadConfig(access="auto", readers=4, chunk_bytes=64 * KIB)


@pytest.fixture
def small_maps(monkeypatch, needs_direct):
    """Maps for runs of any size, as a large model has them."""
    del needs_direct
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
@settings(max_examples=settings().max_examples // 3)
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
    cold = load_here(path, PLACED)
    for each in files:
        each.read_bytes()
    warm = load_here(path, PLACED)
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
    loaded = load_model(own_copy, PLACED)
    for array in loaded.values():
        array.view(np.uint8).reshape(-1)[:] = 1
    again = load_model(own_copy, PLACED)
    assert all((array.view(np.uint8) == 1).all() for array in loaded.values())
    assert not all((array.view(np.uint8) == 1).all() for array in again.values())
    assert own_copy.read_bytes() == stored


def between(monkeypatch, step):
    """Have `step` done after a run was found cached and mapped, and before it is brought in."""
    bring_in = PlacedSource.bring_in

    def after(self, request, *, alone=False):
        step()
        return bring_in(self, request, alone=alone)

    monkeypatch.setattr(PlacedSource, "bring_in", after)


@pytest.mark.usefixtures("small_maps")
def test_that_pages_that_are_taken_meanwhile_are_fetched_again(own_copy, load_here, monkeypatch):
    own_copy.read_bytes()
    dropped = []
    between(monkeypatch, lambda: dropped.append(drop(own_copy)))
    assert load_here(own_copy, PLACED).matches is True
    assert dropped


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
    before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
    with engine_for(work) as engine:
        run(engine, work)
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before
    assert faults < own_copy.stat().st_size / mmap.PAGESIZE / 4


@pytest.mark.usefixtures("small_maps")
def test_that_a_file_that_is_cut_meanwhile_is_an_error_that_names_it(own_copy, monkeypatch):
    with own_copy.open("r+b") as file:
        file.read()
        between(monkeypatch, lambda: file.truncate(5 * MIB))
        with pytest.raises(LoadFailedError, match=r"copy\.safetensors changed: it now has"):
            load_model(own_copy, PLACED)


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
    loaded = load_here(own_copy, PLACED)
    assert loaded.matches is True
    assert loaded.mapped_bytes == sum(pages.nbytes for pages in made)


@pytest.mark.usefixtures("small_maps")
def test_that_what_a_mount_could_take_away_is_copied_and_that_is_said(
    own_copy, load_here, monkeypatch
):
    own_copy.read_bytes()
    assert load_here(own_copy, PLACED).notes == []
    monkeypatch.setattr(auto, "ON_THIS_MACHINE", ())
    copied = load_here(own_copy, PLACED)
    assert (copied.matches, copied.mapped_bytes) == (True, 0)
    assert copied.notes == [
        "What is cached was copied: a map would end the program if the mount goes away."
    ]
    assert load_here(own_copy, replace(PLACED, deliver="owned")).notes == []


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


AUTO = LoadConfig(access="auto", readers=2)
DIRECT = LoadConfig(access="direct", readers=2)
IN_MEMORY = Path("/dev/shm")


@pytest.fixture
def in_memory(sample):
    """The small model on tmpfs."""
    if not IN_MEMORY.is_dir():
        pytest.skip("there is no /dev/shm here")
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        copy = Path(folder) / "copy.safetensors"
        copy.write_bytes(sample.read_bytes())
        yield copy


def test_that_on_tmpfs_auto_maps_and_says_so_and_direct_is_refused(in_memory, load_here):
    loaded = load_here(in_memory, AUTO)
    assert loaded.matches is True
    assert loaded.notes == ["The file is in memory (tmpfs): all was memory-mapped."]
    with pytest.raises(ConfigError, match=r"tmpfs.*can't be direct here.*read or auto"):
        load_here(in_memory, DIRECT)


def _is_direct(descriptor):
    flags = Path(f"/proc/self/fdinfo/{descriptor}").read_text(encoding="ascii").split()[3]
    return bool(int(flags, 8) & os.O_DIRECT)


def test_that_a_filesystem_that_opens_directly_and_then_refuses_to_read_is_noticed(
    sample, load_here, needs_direct, monkeypatch
):
    del needs_direct
    read, advised = os.preadv, []

    def refusing(descriptor, buffers, offset):
        if _is_direct(descriptor):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return read(descriptor, buffers, offset)

    monkeypatch.setattr(direct_io, "_tried", set())
    monkeypatch.setattr(os, "preadv", refusing)
    monkeypatch.setattr(os, "posix_fadvise", lambda *args: advised.append(args))
    # Headers are read without readahead on a descriptor of their own.
    monkeypatch.setattr(header, "stop_readahead", lambda _descriptor: None)
    loaded = load_here(sample, AUTO)
    assert loaded.matches is True
    assert loaded.notes == ["A direct read failed: Invalid argument: all was memory-mapped."]
    assert advised == [], "what reads instead must not be left without readahead"
    with pytest.raises(ConfigError, match="direct read failed: Invalid argument"):
        load_here(sample, DIRECT)


def test_that_a_kernel_that_tells_no_alignment_is_tried_with_a_page(
    sample, load_here, needs_direct, monkeypatch
):
    del needs_direct
    monkeypatch.setattr(direct_io, "_told_alignment_bytes", lambda _descriptor: None)
    monkeypatch.setattr(direct_io, "_tried", set())
    assert load_here(sample, DIRECT).matches is True


def test_that_a_file_is_tried_once_however_many_readers_open_it(
    sample, load_here, needs_direct, monkeypatch
):
    del needs_direct
    tried = []
    monkeypatch.setattr(direct_io, "_tried", set())
    monkeypatch.setattr(direct_io, "_try", lambda descriptor, _nbytes: tried.append(descriptor))
    assert load_here(sample, AUTO).matches is True
    assert load_here(sample, DIRECT).matches is True
    assert len(tried) == 1


@pytest.mark.parametrize("deliver", ["owned", "streamed"])
def test_that_an_alignment_wider_than_a_page_takes_a_detour(
    sample, load_here, needs_direct, deliver, monkeypatch
):
    del needs_direct
    monkeypatch.setattr(direct_io, "_told_alignment_bytes", lambda _descriptor: 64 * KIB)
    config = LoadConfig(access="direct", readers=2, chunk_bytes=32 * KIB, deliver=deliver)
    assert load_here(sample, config).matches is True


@pytest.mark.parametrize("warm", ["cold", "half", "warm"])
@pytest.mark.parametrize("access", ["direct", "auto", "read"])
def test_that_a_file_cut_while_it_is_loaded_is_an_error_and_not_a_crash(
    own_copy, needs_direct, access, warm
):
    del needs_direct
    with own_copy.open("rb", buffering=0) as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        size = {"cold": 0, "half": own_copy.stat().st_size // 2, "warm": -1}[warm]
        file.read(size)

    def cut(_tensor, _position, _data):
        os.truncate(own_copy, MIB)

    config = LoadConfig(access=access, chunk_bytes=256 * KIB)
    with pytest.raises(LoadFailedError, match=r"copy\.safetensors .*it now has 1,048,576 bytes"):
        stream_model(own_copy, cut, config)


def _shorten(most):
    read = os.preadv

    def short(descriptor, buffers, offset):
        return read(descriptor, [buffers[0][:most]], offset)

    return short


@pytest.mark.parametrize("access", ["direct", "auto", "read"])
def test_that_answers_in_parts_are_put_together(
    sample, load_here, needs_direct, access, monkeypatch
):
    del needs_direct
    monkeypatch.setattr(os, "preadv", _shorten(12 * KIB))
    config = LoadConfig(access=access, readers=2, chunk_bytes=64 * KIB)
    assert load_here(sample, config).matches is True
