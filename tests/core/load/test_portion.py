"""Portions: the same bytes for every strategy, also out of very many slices."""

from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.extents import Extent, total_bytes, within
from modelmon.core.load.planner import Portion, place_of_run


def bytes_of(extents):
    """Every byte as shard and offset, in the extents' order."""
    return [
        (extent.shard, extent.offset_bytes + at)
        for extent in extents
        for at in range(extent.nbytes)
    ]


SPACED = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=6)
"""Gaps and sizes."""


@st.composite
def disjoint(draw):
    """Extents in file order that do not touch."""
    extents = []
    for shard in range(3):
        offset = 0
        for gap, size in draw(SPACED):
            extents.append(Extent(shard, offset + gap, size))
            offset += gap + size
    return extents


@given(st.data(), disjoint())
def test_that_what_lies_within_keeps_the_order_in_which_it_is_asked(data, wanted):
    asked = data.draw(st.permutations(data.draw(disjoint())))
    kept = set(bytes_of(wanted))
    assert bytes_of(within(asked, wanted)) == [at for at in bytes_of(asked) if at in kept]


@given(st.data(), disjoint().filter(bool))
def test_that_a_portion_is_wanted_bytes_each_once_and_exactly_as_many(data, wanted):
    portion = Portion(data.draw(st.integers(1, total_bytes(wanted))), data.draw(st.floats(0, 1)))
    taken = bytes_of(portion.spread(wanted))
    assert len(taken) == len(set(taken)) == portion.nbytes
    assert set(taken) <= set(bytes_of(wanted))


def test_that_a_few_runs_read_what_none_before_them_has():
    whole = [Extent(0, 0, 1000)]
    seen = set()
    for number in range(5):
        taken = set(bytes_of(Portion(100, place_of_run(number)).spread(whole)))
        assert not taken & seen
        seen |= taken


class Looked(Extent):
    """An extent that counts how often its end is asked for."""

    looks = 0

    @property
    def end_bytes(self):
        """As an extent's."""
        Looked.looks += 1
        return self.offset_bytes + self.nbytes


def test_that_each_of_many_slices_is_compared_with_its_neighbours_alone():
    slices = 500
    wanted = [Looked(0, 8192 * number, 4096) for number in range(slices)]
    asked = [Extent(0, 8192 * number + 1024, 4096) for number in reversed(range(slices))]
    Looked.looks = 0
    assert total_bytes(within(asked, wanted)) == slices * 3072
    assert Looked.looks <= 4 * slices
