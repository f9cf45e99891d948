import pytest

from modelmon.core.compare.student_t import central_share, critical_value


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 6, 9, 10, 49, 200])
@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 2.5, 12.0])
def test_that_the_distribution_is_scipys(stats, freedom, t):
    assert central_share(t, freedom) == pytest.approx(1 - 2 * stats.t.sf(t, freedom), abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 4, 6, 10, 49, 999])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.02, 0.005, 0.001])
def test_that_critical_values_are_scipys(stats, freedom, alpha):
    wanted = stats.t.ppf(1 - alpha / 2, freedom)
    assert critical_value(alpha, freedom) == pytest.approx(wanted, rel=1e-9)
