"""What `auto` takes from the device: what was not cached, whoever cached the rest and how."""

import gc
import os
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from tests.page_cache import left_alone

from modelmon.core.load import engine as engines
from modelmon.core.load.api import load_model, stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import ProcessPlan
from modelmon.core.load.sources import AutoSource
from modelmon.core.machine.cached_pages import page_counter
from modelmon.core.model.sample import write_sample
from modelmon.core.units import KIB, MIB

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="what is cached is known on Linux"),
]
SIZE = 48 * MIB
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def device_bytes():
    """What this process had fetched from storage so far (proc(5), /proc/PID/io)."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["read_bytes"])


def fill_nothing(_descriptor):
    """Cold."""


def fill_all(descriptor):
    """Warm, by small sequential reads with the kernel's readahead."""
    for offset in range(0, SIZE, 128 * KIB):
        os.pread(descriptor, 128 * KIB, offset)


def fill_half(descriptor):
    """The first half, with the marks of the kernel's readahead at its end."""
    for offset in range(0, SIZE // 2, MIB):
        os.pread(descriptor, MIB, offset)


def fill_islands(descriptor):
    """Several runs, each with the readahead and the marks that a reader left there."""
    for start in range(0, SIZE, 16 * MIB):
        for offset in range(start, start + 5 * MIB, 128 * KIB):
            os.pread(descriptor, 128 * KIB, offset)


def fill_without_readahead(descriptor):
    """Runs that begin and end within chunks."""
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    for offset in range(100 * KIB, SIZE, 5 * MIB):
        os.pread(descriptor, 1700 * KIB, offset)


def fill_pages(descriptor):
    """Single pages all over the file."""
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    for offset in range(0, SIZE, 192 * KIB):
        os.pread(descriptor, 4 * KIB, offset)


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
@pytest.mark.parametrize(
    "fill",
    [fill_nothing, fill_all, fill_half, fill_islands, fill_without_readahead, fill_pages],
)
def test_that_the_device_gives_what_was_missing_and_no_more(
    blob, on_a_device, needs_direct, fill, deliver, readers
):
    del on_a_device, needs_direct
    config = LoadConfig(access="auto", readers=readers, chunk_bytes=MIB, deliver=deliver)
    each = SIZE // readers
    share = ProcessPlan(
        config,
        paths=[str(blob)],
        sizes_bytes=[SIZE],
        readers={number: [Extent(0, number * each, each)] for number in range(readers)},
        chunk_bytes=MIB,
        request_bytes=MIB,
    )

    def load():
        with blob.open("rb", buffering=0) as file:
            fill(file.fileno())
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


def test_that_what_a_mount_could_take_away_is_copied_and_that_is_said(
    sample, needs_direct, load_here, monkeypatch
):
    del needs_direct
    usable = LoadConfig(access="auto", readers=2)
    sample.read_bytes()
    assert load_here(sample, usable).notes == []
    monkeypatch.setattr(engines, "keeps_files", lambda _: False)
    copied = load_here(sample, usable)
    assert copied.matches is True
    assert copied.notes == [
        "What is cached was copied: a map would end the program if the mount goes away."
    ]
    assert load_here(sample, replace(usable, deliver="owned")).notes == []


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
