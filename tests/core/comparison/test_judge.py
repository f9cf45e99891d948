import pytest

from modelmon.core.comparison.decision import preferred
from modelmon.core.comparison.posterior import Posterior, TimedRun
from modelmon.core.load.config import PROGRAM, LoadConfig


@pytest.mark.parametrize(("slower", "kept"), [(1.0, True), (1.015, True), (1.05, False)])
def test_that_a_program_is_left_as_it_is_unless_another_setting_is_noteworthy(slower, kept):
    """Nobody changes a command for one percent; modelmon's own strategies may be exchanged."""
    scatter = (0.998, 1.002, 1.0, 1.001, 0.999)
    runs = [
        TimedRun(label, number, 1e9 * factor * share, float(number))
        for label, factor in (("default", slower), ("other", 1.0))
        for number, share in enumerate(scatter)
    ]
    program = LoadConfig(library=PROGRAM)
    chosen = preferred(Posterior(runs), {"default": program, "other": program})
    assert chosen == ("default" if kept else "other")
