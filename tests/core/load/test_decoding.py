"""How many threads decode, what they are told of, and where they take it from."""

import math
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.core.load.test_decode_units import models
from tests.core.load.test_touch import linux_only

from modelmon.core.load import readers as decoding
from modelmon.core.load.config import LoadConfig, with_value
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import ProcessPlan, TensorValues
from modelmon.core.load.planner import plan_load
from modelmon.core.load.readers import MOST_DECODERS, decoders_each, usable_processors
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.procfs import parse_pid_status_rss
from modelmon.core.units import KIB, MIB


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


def decoded(model, config):
    """All values, by as many engines as the load has processes."""
    values = [np.full(math.prod(tensor.shape), 12345, np.float32) for tensor in model.tensors]

    def room(part, fill):
        fill(values[part.tensor][part.first_element : part.first_element + part.elements])

    plan = plan_load(model, config)
    readers = {number: extents for number, extents in enumerate(plan.readers) if extents}
    together = [{number} for number in readers] if config.processes > 1 else [readers.keys()]
    for numbers in together:
        share = ProcessPlan(
            config,
            [shard.path for shard in model.shards],
            [shard.size_bytes for shard in model.shards],
            {number: readers[number] for number in numbers},
            plan.chunk_bytes,
            plan.request_bytes,
            parts=dict(enumerate(plan.parts)),
        )
        with Engine(share, room=room) as engine:
            engine.run(lambda *_: None)
    return values


@settings(max_examples=40)
@given(
    models().filter(lambda model: any(tensor.nbytes for tensor in model.tensors)),
    st.builds(
        LoadConfig,
        order=st.sampled_from(["file", "random"]),
        readers=st.sampled_from([1, 3]),
        reader_kind=st.sampled_from(["thread", "process"]),
        chunk_bytes=st.sampled_from([4 * KIB, 64 * KIB]),
        deliver=st.just("decoded"),
    ),
)
def test_that_values_are_the_same_from_a_map_as_from_reads(model, read):
    with tempfile.TemporaryDirectory() as folder:
        shards = []
        for number, shard in enumerate(model.shards):
            path = Path(folder, str(number))
            path.write_bytes(random.Random(number).randbytes(shard.size_bytes or 1))
            shards.append(replace(shard, path=str(path)))
        model = replace(model, shards=tuple(shards))
        for ours, theirs in zip(
            decoded(model, with_value(read, "access", "mmap")), decoded(model, read), strict=True
        ):
            np.testing.assert_array_equal(ours, theirs)


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
