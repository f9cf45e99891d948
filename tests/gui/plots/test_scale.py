import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.gui.plots.plot_row import time_range_s
from modelmon.gui.plots.scale import (
    Unit,
    data_unit,
    linear,
    logarithmic,
    range_end,
    tick_texts,
    ticks,
)

ONE = Unit("", 1.0)


@given(st.floats(1e-6, 1e15))
def test_that_an_axis_holds_all_and_wastes_little(most):
    scale = linear(ONE, most)
    assert scale.low == 0.0
    assert most <= scale.high * (1 + 1e-9)
    assert 4 <= len(scale.ticks()) - 1 <= 6
    assert scale.high <= 3.4 * most


@pytest.mark.parametrize(
    ("most", "high", "step"), [(3.41, 4, 1), (16.4, 20, 5), (548, 600, 100), (8.28, 10, 2)]
)
def test_that_ticks_are_round(most, high, step):
    scale = linear(ONE, most)
    assert (scale.high, scale.step) == (high, step)


@given(st.floats(1e-6, 1e9), st.floats(1.0, 1.0000001))
def test_that_ends_grow_in_steps(seconds, growth):
    end = range_end(seconds)
    assert seconds <= end * (1 + 1e-9) <= 1.34 * seconds * (1 + 1e-6)
    assert range_end(end) == end
    if seconds * growth <= end:
        assert range_end(seconds * growth) == end


@given(st.lists(st.floats(1e-3, 1e6), min_size=1), st.floats(1e-3, 1e6))
def test_that_a_growing_axis_holds_all_in_fewer_steps(lengths, ended):
    ends = [time_range_s([ended], [length]) for length in sorted(lengths)]
    assert ends == sorted(ends)
    assert all(end >= max(length, ended) for end, length in zip(ends, sorted(lengths), strict=True))
    assert time_range_s([ended], [ended / 2]) == time_range_s([ended])
    assert all(end <= 1.75 * max(1.02 * max(lengths), 1.02 * ended, 1.0) for end in ends)


@pytest.mark.parametrize(("seconds", "end"), [(8.28, 9), (5.23, 6), (0.52, 0.6), (0.0, 1)])
def test_that_time_ends_at_a_round_figure(seconds, end):
    assert range_end(seconds) == end


@given(st.floats(0, 1e4), st.floats(1e-2, 1e6), st.integers(2, 20))
def test_that_ticks_lie_in_range_and_are_few(low, span, most):
    values = ticks(low, low + span, most)
    assert len(values) <= most + 1
    assert all(low - span * 1e-3 <= value <= low + span * 1.001 for value in values)
    assert values == sorted(set(values))


def test_that_ticks_have_equal_decimals_and_a_logarithmic_axis_has_decades():
    assert tick_texts([0.0, 0.5, 1.0, 1.5]) == ["0", "0.5", "1.0", "1.5"]
    assert tick_texts([0.0, 500.0, 1000.0]) == ["0", "500", "1,000"]
    scale = logarithmic(data_unit(21.7e6), 21.7e6, 1.05e9)
    assert [text for _, text in scale.ticks()] == ["1", "10", "100", "1,000", "10,000"]
    placed = scale.place(np.array([0.0, 1e6, 1e9]))
    np.testing.assert_allclose(placed, [0.0, 0.0, 3.0])


@pytest.mark.parametrize(
    ("nbytes", "name"), [(0, "B"), (999, "B"), (1000, "kB"), (548e6, "MB"), (1e9, "GB")]
)
def test_that_the_unit_follows_the_size(nbytes, name):
    assert data_unit(nbytes).name == name
