"""How many threads decode, what they are told of, and where they take it from."""

from pathlib import Path

import pytest
from tests.core.load.test_touch import linux_only

from modelmon.core.load import readers as decoding
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import ProcessPlan, TensorValues
from modelmon.core.load.readers import MOST_DECODERS, decoders_each, usable_processors
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.procfs import parse_pid_status_rss
from modelmon.core.units import MIB


@pytest.mark.parametrize(
    ("config", "processors", "each"),
    [
        (LoadConfig(readers=1), 2, 2),
        (LoadConfig(readers=2), 3, 2),
        (LoadConfig(readers=4), 2, 1),
        (LoadConfig(readers=1), 64, MOST_DECODERS),
        (LoadConfig(readers=2), 64, MOST_DECODERS // 2),
        (LoadConfig(readers=2, reader_kind="process"), 64, MOST_DECODERS),
        (LoadConfig(readers=2, ranks=2), 64, MOST_DECODERS // 2),
        (LoadConfig(readers=16), 64, 1),
    ],
)
def test_that_no_process_has_many_decoders(config, processors, each):
    assert decoders_each(config, processors) == each


@pytest.mark.parametrize(("quota", "processors"), [(0.5, 1), (1.5, 2), (4.0, 4), (100.0, 8)])
def test_that_a_limit_of_a_control_group_counts(monkeypatch, quota, processors):
    limit = CgroupLimit("processors", quota, "cpu.max", "/box")
    monkeypatch.setattr("modelmon.core.machine.cgroup.cgroup_limits", lambda: (limit,))
    monkeypatch.setattr(decoding, "allowed_processors", lambda: 8)
    assert usable_processors() == processors


def resident_mapped_bytes():
    """Mapped pages of files, which count as shared memory where they lie on tmpfs."""
    rss = parse_pid_status_rss(Path("/proc/self/status").read_text())
    return rss.file_bytes + rss.shmem_bytes


@linux_only
def test_that_what_was_decoded_of_a_map_leaves_memory(tmp_path):
    path = tmp_path / "hole"
    with path.open("wb") as file:
        file.truncate(64 * MIB)
    units = [Extent(0, start, MIB) for start in range(0, 64 * MIB, MIB)]
    part = TensorValues("F32", 0, MIB, 0, 0, MIB // 4)
    most, before = 0, resident_mapped_bytes()

    def record(*_):
        nonlocal most
        most = max(most, resident_mapped_bytes() - before)

    config = LoadConfig(access="mmap", deliver="decoded", chunk_bytes=MIB)
    share = ProcessPlan(
        config, [str(path)], [64 * MIB], {0: units}, MIB, MIB, parts={0: [[part]] * 64}
    )
    slots = decoding.SPARE_SLOTS + decoders_each(config, usable_processors())
    with Engine(share) as engine:
        engine.run(record)
        assert resident_mapped_bytes() - before < MIB
    assert MIB <= most < (slots + 4) * MIB
