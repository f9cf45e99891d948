import pytest

from modelmon.core.comparison.compare import interleaved


@pytest.mark.parametrize("pairs", range(1, 9))
@pytest.mark.parametrize("seed", range(5))
def test_that_runs_are_interleaved_in_mirrored_pairs(pairs, seed):
    order = interleaved(pairs, seed)
    assert order.count("A") == order.count("B") == pairs
    for at in range(0, len(order), 2):
        assert set(order[at : at + 2]) == {"A", "B"}
    for at in range(0, len(order) - 3, 4):
        assert order[at : at + 2] == order[at + 3 : at + 1 : -1]


def test_that_a_seed_repeats_the_order_and_seeds_differ():
    assert interleaved(20, 3) == interleaved(20, 3)
    assert len({interleaved(20, seed) for seed in range(10)}) > 1


@pytest.mark.parametrize("fewer", range(1, 11))
def test_that_an_order_that_ends_early_is_the_beginning_of_the_whole(fewer):
    assert interleaved(fewer, 3) == interleaved(11, 3)[: 2 * fewer]


def test_that_a_steady_drift_favours_neither_arm():
    order = interleaved(4, 0)
    times = {"A": 0.0, "B": 0.0}
    for position, label in enumerate(order):
        times[label] += 100 + position
    assert times["A"] == times["B"]
