"""What a race will cost is told by runs of the history, where there are such runs."""

import json
import os

import msgspec
import pytest

from modelmon.core.best.plan import plan_race
from modelmon.core.cli.best_report import show_plan
from modelmon.core.diagnose.inspection import inspect_model
from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of
from modelmon.core.history.rows import ArmOf

SECOND = 10**9
change = msgspec.structs.replace


@pytest.fixture(scope="module")
def inspection(sample):
    return inspect_model(sample)


@pytest.fixture
def past(history, inspection, loaded):
    """Runs of the model here, each of so many seconds."""

    def enter(walls_s, origin=None, **changes):
        here = origin or origin_of(inspection)
        nbytes = inspection.model.nbytes
        for wall_s in walls_s:
            wall_ns = round(wall_s * SECOND)
            run = loaded(wall_ns=wall_ns, load_bytes=nbytes, model_bytes=nbytes)
            run = change(run, **changes)
            number = history.begin("single", here, [ArmOf("A", run.strategy, run.config)], {})
            history.add_run(number, here, "A", run)

    return enter


def test_that_the_estimate_is_the_median_of_the_history_and_says_so(
    history, inspection, past, capsys
):
    past([40, 41, 42, 43, 44, 400])
    plan = plan_race(inspection, "cold", budget_ns=10**4 * SECOND, history=history)
    assert plan.history_runs == 6
    assert 42 * SECOND < plan.conditions.first_cost_ns < 44 * SECOND
    show_plan(plan, whole=False)
    assert "(from 6 runs in the history)" in capsys.readouterr().err
    # Nobody else's reads can make it slower or faster.
    assert plan_race(inspection, "cold", budget_ns=10**4 * SECOND, history=history) == plan


def test_that_what_was_done_before_each_load_counts(history, inspection, past):
    past([10, 10, 10], conditioning_ns=5 * SECOND)
    plan = plan_race(inspection, "cold", budget_ns=10**4 * SECOND, history=history)
    assert plan.conditions.first_cost_ns == 15 * SECOND


@pytest.mark.parametrize(
    "changes",
    [
        {"cache_state": "warm"},
        {"counts": False, "why_not": "no"},
        {"subset": "blocks 0-3"},
    ],
)
def test_that_other_runs_tell_nothing_of_a_race(history, inspection, past, capsys, changes):
    past([40] * 5, **changes)
    past([40] * 2)
    plan = plan_race(inspection, "cold", history=history)
    assert plan.history_runs == 0
    assert plan.conditions.first_cost_ns < 40 * SECOND
    show_plan(plan, whole=False)
    assert "(from a quick measurement)" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["machine", "storage", "model"])
def test_that_runs_of_elsewhere_tell_nothing_of_a_race(history, inspection, past, what):
    here = origin_of(inspection)
    places = {
        "machine": change(here, machine=change(here.machine, id="m2"),
                          storage=change(here.storage, id="s2")),
        "storage": change(here, storage=change(here.storage, id="s2")),
        "model": change(here, model=change(here.model, digest="e" * 64)),
    }  # fmt: skip
    past([40] * 5, places[what])
    assert plan_race(inspection, "cold", history=history).history_runs == 0


def test_that_a_history_that_cannot_be_read_stops_no_plan(inspection, tmp_path):
    (tmp_path / "history.sqlite").write_bytes(b"no database" * 100)
    plan = plan_race(inspection, "cold", history=History(tmp_path))
    assert plan.history_runs == 0
    assert plan.conditions.first_cost_ns > 0


def test_that_what_lies_between_the_runs_of_a_race_counts_but_no_pause(history, inspection, loaded):
    here, nbytes = origin_of(inspection), inspection.model.nbytes
    arm = ArmOf("mmap", "mmap", loaded().config)
    number = history.begin("best", here, [arm], {})
    # Every 6 s, with an hour before the last two.
    for at, start_s in enumerate((0, 6, 12, 18, 3600, 3606)):
        sizes = {"load_bytes": nbytes, "model_bytes": nbytes}
        run = loaded(wall_ns=2 * SECOND, started_unix_s=1e9 + start_s, pair=at + 1, **sizes)
        history.add_run(number, here, "mmap", run)
    plan = plan_race(inspection, "cold", budget_ns=10**4 * SECOND, history=history)
    assert plan.conditions.first_cost_ns == pytest.approx(6 * SECOND, rel=0.01)


@pytest.mark.parametrize(("share", "is_part"), [(0.4, True), (0.6, False)])
def test_that_a_part_stands_for_the_model_only_where_it_is_less_than_half_of_it(
    history, loaded, tmp_path, share, is_part
):
    nbytes = 10**9
    header = json.dumps({"w": {"dtype": "U8", "shape": [nbytes], "data_offsets": [0, nbytes]}})
    path = tmp_path / "m.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode())
    os.truncate(path, 8 + len(header) + nbytes)
    large = inspect_model(path)
    run = loaded(wall_ns=30 * SECOND, load_bytes=nbytes, model_bytes=nbytes)
    for _ in range(5):
        number = history.begin("single", origin_of(large), [ArmOf("A", "mmap", run.config)], {})
        history.add_run(number, origin_of(large), "A", run)
    whole = plan_race(large, "cold", budget_ns=10**5 * SECOND, history=history)
    assert whole.history_runs == 5
    wanted = 2 * len(whole.arms) + 10
    budget_ns = round(wanted * share * whole.conditions.first_cost_ns / 0.85)
    shared = plan_race(large, "cold", budget_ns=budget_ns, history=history).conditions
    assert (shared.portion_bytes is not None) == is_part
    assert bool(shared.why_portion) == is_part
