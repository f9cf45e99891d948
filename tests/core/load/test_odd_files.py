"""Files that suit no alignment: every way to read delivers them."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.subset import Subset
from modelmon.core.units import GIB, KIB, MIB

pytestmark = pytest.mark.usefixtures("needs_direct")
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
