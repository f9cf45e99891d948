"""Warm-ups: after each kind the whole file is in the page cache, and the clock says how long."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine, Share
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.presets import PRESETS
from modelmon.core.load.warmup import warm_up
from modelmon.core.machine.residency import residency
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.load.config import Warmup

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="the cache can be looked at on Linux"),
]


def evicted(path: Path) -> tuple[OpenFiles, Extent]:
    size = path.stat().st_size
    files = OpenFiles([str(path)], [size], [0])
    os.fsync(files.descriptors[0])
    os.posix_fadvise(files.descriptors[0], 0, 0, os.POSIX_FADV_DONTNEED)
    assert (residency(files.descriptors[0], [(0, size)]).share or 0) < 0.01
    return files, Extent(0, 0, size)


@pytest.mark.parametrize("kind", ["read", "readahead", "willneed"])
def test_that_all_is_cached_when_it_ends(on_a_device: Path, kind: Warmup) -> None:
    files, whole = evicted(on_a_device)
    reported: list[int] = []
    account = warm_up(kind, files, [whole], MIB, reported.append)
    share = residency(files.descriptors[0], [(0, whole.nbytes)]).share
    files.close()
    assert share >= 0.99  # others may push a page out
    assert reported == sorted(reported)
    assert reported[-1] == whole.nbytes
    assert account.wall_ns > 0


def test_that_populate_caches_and_maps_all(on_a_device: Path) -> None:
    files, whole = evicted(on_a_device)
    share = Share([str(on_a_device)], [whole.nbytes], {0: [whole]}, MIB, MIB)
    engine = Engine(PRESETS["populate"].config, share)
    engine.populate()
    found = residency(files.descriptors[0], [(0, whole.nbytes)]).share
    engine.close()
    files.close()
    assert found == 1


@pytest.mark.parametrize("kind", ["readahead", "willneed", "populate"])
def test_that_it_is_a_phase_of_its_own_with_its_bytes(on_a_device: Path, kind: Warmup) -> None:
    config = replace(PRESETS["mmap"].config, warmup=kind)
    record = run_job(Job(str(on_a_device), config, cache="cold"))
    assert record.finished is not None, record.failed
    assert [phase.name for phase in record.phases] == ["warmup", "load"]
    assert 0 < record.finished.warmup_ns < record.finished.wall_ns
    assert record.planned is not None
    assert record.samples[-1].warmup_bytes == record.planned.file_bytes
    assert (record.finished.residency_after_share or 0) >= 0.99
    assert record.finished.counts


def test_that_one_rank_warms_up_for_all(on_a_device: Path) -> None:
    config = LoadConfig(ranks=2, warmup="read")
    record = run_job(Job(str(on_a_device), config, cache="cold"))
    assert record.finished is not None, record.failed
    assert min(record.chunks.start_ns) >= record.finished.warmup_ns > 0
    assert record.planned is not None
    assert record.finished.delivered_bytes == 2 * record.planned.file_bytes
    assert (record.finished.device_bytes or 0) < 1.1 * record.planned.file_bytes
