"""How many threads decode, and what they are told of."""

from __future__ import annotations

import threading

import pytest

from modelmon.core.load import decoding
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.decode_units import TensorValues
from modelmon.core.load.decoding import MOST_DECODERS, decoders_each, usable_processors
from modelmon.core.load.part_decoder import PartDecoder
from modelmon.core.machine.cgroup_limits import CgroupLimit
from modelmon.core.model.scaled_weight import ScaledWeight


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
def test_that_no_process_has_many_decoders(config: LoadConfig, processors: int, each: int) -> None:
    assert decoders_each(config, processors) == each


@pytest.mark.parametrize(("quota", "processors"), [(0.5, 1), (1.5, 2), (4.0, 4), (100.0, 8)])
def test_that_a_limit_of_a_control_group_counts(
    monkeypatch: pytest.MonkeyPatch, quota: float, processors: int
) -> None:
    limit = CgroupLimit("processors", quota, "cpu.max", "/box")
    monkeypatch.setattr("modelmon.core.machine.cgroup_limits.cgroup_limits", lambda: (limit,))
    monkeypatch.setattr(decoding, "allowed_processors", lambda: 8)
    assert usable_processors() == processors


def test_that_waiting_for_what_others_read_is_told_apart() -> None:
    codes = TensorValues("F8_E4M3", 0, 16, 0, 0, 16)
    scales = TensorValues("F32", 0, 4, 1, 0, 1)
    decoder = PartDecoder([codes, scales], [ScaledWeight(0, 1)])
    stop = threading.Event()
    stop.set()
    # It looks for the end after 50 ms.
    assert decoder.decode(memoryview(bytes(16)), codes, stop) > 40_000_000
    assert decoder.decode(memoryview(bytes(4)), scales, stop) == 0
    decoder.decode(memoryview(bytes(16)), codes, stop)
