"""Every pair of axis values, format and subset delivers the files' bytes."""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple

import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.units import KIB

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
    "warmup": ("none", "read", "readahead", "willneed", "populate"),
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
