import random
from math import exp
from statistics import median

import pytest

from modelmon.core.compare.detectable import detectable_share, pairs_needed
from modelmon.core.compare.spread import ratio_interval

LOOKS = 4


def noisy(draw, pairs, ratio=1.0, sd=0.05):
    times_a = [ratio * exp(draw.gauss(0, sd)) for _ in range(pairs)]
    times_b = [exp(draw.gauss(0, sd)) for _ in range(pairs)]
    return ratio_interval(times_a, times_b, LOOKS)


@pytest.mark.parametrize("pairs", [5, 7, 9, 11])
def test_that_a_difference_of_that_size_is_seen_in_about_four_of_five_cases(pairs):
    draw = random.Random(pairs)
    shares = [detectable_share(noisy(draw, pairs), LOOKS) for _ in range(500)]
    typical = median(share for share in shares if share is not None)
    seen = sum(noisy(draw, pairs, 1 + typical).low > 1 for _ in range(1000)) / 1000
    assert 0.7 < seen < 0.9


def test_that_the_wanted_pairs_show_the_wanted_difference():
    draw = random.Random(3)
    wanted = [pairs_needed(noisy(draw, 11), LOOKS, 0.05) for _ in range(200)]
    pairs = round(median(count for count in wanted if count is not None))
    seen = sum(noisy(draw, pairs, 1.05).low > 1 for _ in range(400)) / 400
    assert pairs > 11
    assert 0.7 < seen < 0.9


def test_that_smaller_differences_and_wider_spreads_take_more_pairs():
    interval = noisy(random.Random(1), 7)
    counts = [pairs_needed(interval, LOOKS, share) or 0 for share in (0.2, 0.1, 0.05)]
    assert counts == sorted(set(counts))
    wide = noisy(random.Random(1), 7, sd=0.1)
    assert (pairs_needed(wide, LOOKS, 0.05) or 0) > counts[-1]


def test_that_nothing_is_promised_without_an_interval_or_far_off():
    no_interval = ratio_interval([2.0, 3.0], [1.0, 1.0])
    assert detectable_share(no_interval, 1) is None
    assert pairs_needed(no_interval, 1, 0.05) is None
    hopeless = ratio_interval([1.0, 30.0, 1.0, 90.0, 2.0], [9.0, 1.0, 70.0, 1.0, 2.0])
    assert detectable_share(hopeless, 1) is None
    assert pairs_needed(hopeless, 1, 0.05) is None


def test_that_runs_without_any_spread_would_have_shown_everything():
    steady = ratio_interval([100.0] * 5, [100.0] * 5)
    assert detectable_share(steady, 1) == 0.0
    assert pairs_needed(steady, 1, 0.05) == 5
