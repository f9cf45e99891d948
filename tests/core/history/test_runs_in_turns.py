"""Runs of one comparison or race took turns, and are set against each other by their pairs."""

import msgspec
import pytest
from click.testing import CliRunner

from modelmon.core.cli.history import compare as command
from modelmon.core.comparison.decision import usual_ratio
from modelmon.core.data_folder import VARIABLE
from modelmon.core.history.groups import side_by_side
from modelmon.core.history.rows import ArmOf, RunFilter
from modelmon.core.load.config import PRESETS

MS = 10**6
# In the third pair everything was slow, and the fourth has no run of B that counts.
TIMES_MS = {"A": (400, 410, 1200, 404), "B": (200, 205, 600, None)}


@pytest.fixture
def turns(history, origin, loaded):
    """An experiment whose arms took turns; returns its number."""

    def enter(kind="compare", first_pair=0, **changes):
        names = {"A": "mmap", "B": "parallel"}
        arms = [ArmOf(arm, name, PRESETS[name].config) for arm, name in names.items()]
        number = history.begin(kind, origin, arms, {})
        for at in range(4):
            for arm, name in names.items():
                wall_ms = TIMES_MS[arm][at]
                counts = {} if wall_ms else {"counts": False, "why_not": "not cold"}
                run = loaded(
                    name, wall_ns=(wall_ms or 1) * MS, pair=first_pair + at, **counts, **changes
                )
                history.add_run(number, origin, arm, run)
        history.end(number, "done")
        return number

    return enter


def rows(history, number, label):
    return history.runs(RunFilter(experiment_id=number, label=label))


@pytest.mark.parametrize(("kind", "first"), [("compare", 0), ("best", 1)])
def test_that_arms_of_one_experiment_are_set_against_each_other_by_pairs(
    history, turns, kind, first
):
    number = turns(kind, first)
    named = [(label, rows(history, number, label)) for label in "AB"]
    base, group = side_by_side(named, usual_ratio)
    assert (base.pairs, base.times_as_fast) == (0, 1.0)
    # The medians of all runs would say 407 ÷ 205.
    assert (group.pairs, group.times_as_fast) == (3, pytest.approx(2.0, rel=0.01))


def test_that_runs_of_two_experiments_did_not_take_turns(history, turns):
    one, other = turns(), turns()
    group = side_by_side(
        [("a", rows(history, one, "A")), ("b", rows(history, other, "B"))], usual_ratio
    )[1]
    assert group.pairs == 0
    assert group.times_as_fast == pytest.approx(407 / 205)


def test_that_single_runs_and_one_arm_with_itself_did_not_take_turns(history, turns):
    single = turns("single")
    named = [(label, rows(history, single, label)) for label in "AB"]
    assert side_by_side(named, usual_ratio)[1].pairs == 0
    number = turns()
    alone = [(str(row.id), [row]) for row in rows(history, number, "A")]
    assert all(group.pairs == 0 for group in side_by_side(alone, usual_ratio))


def test_that_the_terminal_says_who_took_turns(history, turns, monkeypatch):
    one, other = turns(), turns()
    monkeypatch.setenv(VARIABLE, str(history.folder))
    shown = CliRunner().invoke(command, [f"x{one}"]).output
    assert f"x{one}B alternated with x{one}A: the speedup is that of 3 pairs." in shown
    assert "didn't alternate" not in shown
    shown = CliRunner().invoke(command, [f"x{one}A", f"x{other}B"]).output
    assert f"x{other}B didn't alternate with x{one}A" in shown


def test_that_arms_of_a_race_are_compared_without_the_runs_after_it(
    history, origin, turns, loaded, monkeypatch
):
    number = turns("best", 1)
    history.add_run(
        number,
        origin,
        "B",
        loaded("parallel", cache_asked="warm", cache_state="warm", wall_ns=5 * MS),
    )
    monkeypatch.setenv(VARIABLE, str(history.folder))
    shown = CliRunner().invoke(command, [f"x{number}"]).output
    assert "2.00×" in shown
    assert "cannot be compared" not in shown


def test_that_runs_of_threads_in_place_of_processes_are_no_runs_of_that_strategy(
    history, origin, loaded
):
    arms = {"A": PRESETS["mmap"].config, "B": PRESETS["processes"].config}
    number = history.begin("compare", origin, [ArmOf(a, a, c) for a, c in arms.items()], {})
    for at in range(2):
        for label, config in arms.items():
            run = msgspec.structs.replace(loaded(wall_ns=100 * MS, pair=at), config=config)
            history.add_run(number, origin, label, run)
    for at in (2, 3):
        run = loaded(wall_ns=MS, pair=at)
        threads = msgspec.structs.replace(run, config=arms["B"].in_process)
        history.add_run(number, origin, "B", threads)
    history.end(number, "done")
    for order in (1, -1):
        _, b = side_by_side(
            [(label, rows(history, number, label)[::order]) for label in "AB"], usual_ratio
        )
        assert (b.runs, b.discarded, b.median_ns, b.times_as_fast) == (2, 0, 100 * MS, 1.0)
    (alone,) = side_by_side(
        [("6", [row]) for row in rows(history, number, "B") if row.pair == 3], usual_ratio
    )
    assert (alone.runs, alone.median_ns) == (1, MS)
