"""Every pair of axis values, format and subset, and files of any shape, come as they are."""

from __future__ import annotations

import itertools
import math
import random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.units import GIB, KIB, MIB

pytestmark = pytest.mark.usefixtures("needs_direct")

AXES = {
    "access": ("mmap", "read", "direct", "auto"),
    "order": ("file", "model", "random"),
    "readers": (1, 3),
    "reader_kind": ("thread", "process"),
    "ranks": (1, 3),
    "rank_share": ("whole", "slice"),
    "descriptor": ("own", "shared"),
    "chunk_bytes": (4 * KIB, 256 * KIB),
    "warmup": ("none", "read", "populate"),
    "prefetch_bytes": (0, 512 * KIB),
    "advice": ("normal", "sequential", "random"),
    "deliver": ("usable", "owned", "streamed", "decoded"),
    "huge_pages": ("on", "off"),
}
FORMATS = ("safetensors", "sharded", "gguf")
SUBSETS = {
    "whole": WHOLE,
    "tensors": Subset(tensors=("*norm*", "*down*")),
    "blocks": Subset(blocks=("*.1", "*.3")),
    "rank": Subset(rank=1, ranks=3),
}


class Case(NamedTuple):
    config: LoadConfig
    form: str
    subset: str


def possible(case):
    if conflict_of(case.config) is not None:
        return False
    # A slice has nothing to decode, and no slices of its own.
    sliced = case.subset == "rank"
    return not (sliced and (case.config.deliver == "decoded" or case.config.rank_share == "slice"))


def pairs_of(case):
    values = [(axis, getattr(case.config, axis)) for axis in AXES]
    return set(itertools.combinations([*values, ("form", case.form), ("subset", case.subset)], 2))


def cases():
    """Possible cases, drawn at random and kept if they bring a pair that none had before."""
    draw = random.Random(4)
    seen = set()
    kept = []
    for _ in range(4_000):
        values = {axis: draw.choice(choices) for axis, choices in AXES.items()}
        form, subset = draw.choice(FORMATS), draw.choice(sorted(SUBSETS))
        case = Case(LoadConfig(**values), form, subset)  # type: ignore[arg-type]
        if possible(case) and not pairs_of(case) <= seen:
            seen |= pairs_of(case)
            kept.append(case)
    return kept


CASES = cases()


def name_of(case):
    changed = [str(getattr(case.config, axis)) for axis in case.config.differs_from(LoadConfig())]
    return "-".join([case.form, case.subset, *changed])


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_that_a_combination_delivers_the_files_bytes(small, load_here, case):
    loaded = load_here(small[case.form], case.config, SUBSETS[case.subset])
    assert loaded.matches is True
    assert loaded.delivered_bytes == loaded.plan.planned_bytes
    assert loaded.notes == []


def test_that_the_cases_have_each_value_of_each_axis():
    for axis, choices in AXES.items():
        assert {getattr(case.config, axis) for case in CASES} == set(choices)


ACCESS = ("mmap", "read", "direct", "auto")
DELIVER = ("owned", "streamed", "decoded")
SIZES = st.sampled_from([0, 1, 7, 511, 512, 513, 4095, 4096, 4097, 70_001])


@pytest.mark.parametrize("access", ACCESS)
@settings(max_examples=12)
@given(
    sizes=st.lists(SIZES, min_size=1, max_size=9),
    last=st.integers(1, 10_000),
    header_bytes=st.integers(1200, 1200 + 4096),
    readers=st.integers(1, 4),
    chosen=st.booleans(),
)
def test_that_any_head_tail_and_size_is_delivered(
    tensor_file, load_here, access, sizes, last, header_bytes, readers, chosen
):
    path = tensor_file([*sizes, last], header_bytes)
    subset = Subset(tensors=("t*[13579]", f"t{len(sizes)}")) if chosen else Subset()
    for deliver in DELIVER:
        config = LoadConfig(access=access, readers=readers, chunk_bytes=4 * KIB, deliver=deliver)
        assert load_here(path, config, subset).matches is True


@pytest.mark.parametrize("name", PRESETS)
def test_that_a_file_smaller_than_a_sector_is_delivered(tensor_file, load_here, name):
    path = tensor_file([1], header_bytes=100)
    assert path.stat().st_size < 512
    loaded = load_here(path, PRESETS[name].config)
    assert (loaded.matches, loaded.delivered_bytes) == (True, 1)


@pytest.mark.parametrize("access", ACCESS)
def test_that_offsets_beyond_four_gib_are_reached(tensor_file, load_here, access):
    path = tensor_file([5 * GIB + 333, MIB + 1, 5], header_bytes=1001, sparse={0})
    config = LoadConfig(access=access, readers=3, chunk_bytes=64 * KIB, deliver="owned")
    loaded = load_here(path, config, Subset(tensors=("t1", "t2")))
    assert (loaded.matches, loaded.delivered_bytes) == (True, MIB + 6)
    assert min(extent.offset_bytes for extent in loaded.plan.wanted) == 5 * GIB + 1334


@pytest.mark.parametrize("access", ["direct", "auto"])
@pytest.mark.parametrize("readers", [1, 5])
def test_that_readers_that_share_pages_do_not_spoil_each_others_bytes(
    tensor_file, load_here, access, readers
):
    # In model order readers part at tensors, which lie within pages that both then read.
    path = tensor_file([997] * 400, header_bytes=math.ceil(400 * 60 / 512) * 512 + 13)
    orders = ("model", "random", "file")
    for order in orders:
        config = LoadConfig(access=access, order=order, readers=readers, chunk_bytes=4 * KIB)
        assert load_here(path, config).matches is True
