import itertools
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.extents import Extent
from modelmon.core.load.files import Layout, OwnedDestination, PassingDestination
from modelmon.core.machine.anonymous_memory import HUGE_PAGE_BYTES, OwnedBuffer


@st.composite
def disjoint_extents(draw):
    extents, offset = [], 0
    for gap, size in draw(
        st.lists(st.tuples(st.integers(0, 9000), st.integers(1, 9000)), min_size=1, max_size=20)
    ):
        offset += gap
        extents.append(Extent(draw(st.integers(0, 2)), offset, size))
        offset += size
    return draw(st.permutations(extents))


@given(disjoint_extents())
def test_that_no_two_bytes_share_a_place_and_alignment_is_kept(extents):
    layout = Layout(extents)
    places = sorted(
        (layout.place(extent.shard, extent.offset_bytes), extent.nbytes) for extent in extents
    )
    for (start, size), (following, _) in itertools.pairwise(places):
        assert start + size <= following
    assert places[-1][0] + places[-1][1] <= layout.nbytes
    for extent in extents:
        place = layout.place(extent.shard, extent.offset_bytes)
        assert place % 4096 == extent.offset_bytes % 4096


def test_that_a_byte_outside_the_layout_has_no_place():
    layout = Layout([Extent(1, 4096, 100)])
    for shard, offset in ((0, 4096), (1, 0), (1, 4196), (1, 5000)):
        with pytest.raises(KeyError):
            layout.place(shard, offset)


def test_that_an_owned_buffer_is_aligned_for_huge_pages_and_writable():
    buffer = OwnedBuffer(10_000)
    assert buffer.address % HUGE_PAGE_BYTES == 0
    buffer.view[9_999:] = b"x"
    assert bytes(buffer.view[9_998:]) == b"\0x"


@pytest.mark.skipif(sys.platform != "linux", reason="smaps is Linux's")
@pytest.mark.parametrize(
    ("make", "has_huge_pages"),
    [
        # One that is used again has it cleared once; direct reads into small pages are slow.
        (lambda: PassingDestination(1 << 20, 1, huge_pages=True).buffer, True),
        (lambda: OwnedBuffer(1 << 20), True),
        (lambda: OwnedBuffer(4096), False),
        (lambda: OwnedDestination([Extent(0, 0, 1 << 22)], huge_pages=True).buffer, True),
        (lambda: OwnedDestination([Extent(0, 0, 1 << 20)], huge_pages=True).buffer, False),
        (lambda: PassingDestination(1 << 20, 1, huge_pages=False).buffer, False),
    ],
)
def test_that_all_but_a_small_model_has_room_in_huge_pages(make, has_huge_pages):
    if not Path("/sys/kernel/mm/transparent_hugepage").exists():
        pytest.skip("a kernel without huge pages")
    buffer = make()
    end, flags, inside = 0, "", False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        name, _, rest = line.partition(" ")
        if "-" in name and not name.endswith(":"):
            start, end = (int(at, 16) for at in name.split("-"))
            inside = start <= buffer.address < end
        elif inside and name == "VmFlags:":
            flags = rest
            break
    assert ("hg" in flags.split()) == has_huge_pages
    if has_huge_pages:
        assert buffer.address % HUGE_PAGE_BYTES == 0
        assert buffer.address + HUGE_PAGE_BYTES <= end
    buffer.close()


def test_that_a_touched_buffer_is_there_and_can_be_given_back():
    resident = Path("/proc/self/statm")
    if not resident.exists():
        pytest.skip("only Linux tells what is resident")

    def resident_bytes():
        return int(resident.read_text().split()[1]) * 4096

    nbytes = 64 * HUGE_PAGE_BYTES
    buffer = OwnedBuffer(nbytes)
    before = resident_bytes()
    buffer.touch(0, nbytes // 2)
    assert resident_bytes() - before > 0.4 * nbytes
    buffer.touch(nbytes // 2, nbytes // 2)
    assert resident_bytes() - before > 0.9 * nbytes
    buffer.close()
    assert resident_bytes() - before < 0.1 * nbytes
