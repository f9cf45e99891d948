"""Results of another machine, disk, model, part, delivery or start are never mixed in unnoticed."""

import pytest
from tests.core.elsewhere import change, elsewhere

from modelmon.core.cli.history import start_text
from modelmon.core.comparison.decision import usual_ratio
from modelmon.core.history.groups import side_by_side
from modelmon.core.history.rows import RunFilter

MS = 10**6


@pytest.fixture
def grouped(history):
    def take(*groups):
        named = [(str(ids[0]), history.runs(RunFilter(ids=tuple(ids)))) for ids in groups]
        return side_by_side(named, usual_ratio)

    return take


def test_that_medians_are_set_against_the_first(keep, loaded, grouped):
    slow = keep([loaded(wall_ns=wall * MS) for wall in (800, 900, 1000)])
    fast = keep(
        [
            *(loaded("parallel", wall_ns=wall * MS) for wall in (250, 300, 350)),
            loaded("parallel", wall_ns=1, counts=False, why_not="not cold", cache_state="mixed"),
        ]
    )
    first, second = grouped(slow, fast)
    assert (first.median_ns, first.times_as_fast) == (900 * MS, 1.0)
    assert (second.median_ns, second.times_as_fast, second.differs) == (300 * MS, 3.0, ())
    assert (second.runs, second.discarded) == (3, 1)


def test_that_a_start_that_was_cached_below_is_called_so(history, keep, loaded):
    ids = keep([loaded(counts=False, cache_state="mixed", cached_below="/images/disk.img")])
    (row,) = history.runs(RunFilter(ids=tuple(ids)))
    assert start_text(row) == "cached-below, not counted"


@pytest.mark.parametrize("what", ["machine", "disk", "model"])
def test_that_runs_of_elsewhere_get_no_ratio_and_say_why(origin, keep, loaded, grouped, what):
    here, there = keep([loaded()]), keep([loaded()], elsewhere(origin, what))
    second = grouped(here, there)[1]
    assert f"another {what}" in second.differs
    assert second.times_as_fast is None
    mixed = grouped(here + there, here)
    assert all(f"another {what}" in group.differs for group in mixed)


def test_that_another_content_of_one_layout_is_another_model_where_both_are_known(
    origin, keep, loaded, grouped
):
    of = [
        keep([loaded()], change(origin, model=change(origin.model, content=content)))
        for content in ("", "a", "b")
    ]
    assert [group.differs for group in grouped(of[1], of[0])] == [(), ()]
    assert grouped(of[1], of[2])[1].differs == ("another model of the same layout",)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"cache_state": "warm"}, "another start state"),
        ({"cache_state": "unknown"}, "neither cold nor warm"),
        ({"load_bytes": 5}, "another size loaded"),
        ({"subset": "blocks 0-3"}, "another part of the model"),
        ({"conditioned_bytes": 10**9}, "memory conditioning"),
        ({"counts": False, "why_not": "no"}, "no counted run"),
    ],
)
def test_that_runs_under_other_conditions_get_no_ratio_and_say_why(
    keep, loaded, grouped, changed, reason
):
    second = grouped(keep([loaded()]), keep([loaded(**changed)]))[1]
    assert reason in ", ".join(second.differs)
    assert second.times_as_fast is None


def test_that_arms_of_one_experiment_were_prepared_alike(keep, loaded, grouped):
    """A run whose memory the one before gave back had none touched, beside others that had."""
    ran = keep([loaded(), loaded(conditioned_bytes=10**9), loaded(conditioned_bytes=10**9)])
    first, second = grouped(ran[:2], ran[2:])
    assert (first.differs, second.differs) == ((), ())
    assert second.times_as_fast is not None


def test_that_a_median_is_of_runs_that_loaded_as_much(keep, loaded, grouped):
    part = {"load_bytes": 10**8, "file_bytes": 10**8, "portion": True}
    parts = keep([loaded(wall_ns=wall * MS, **part) for wall in (80, 90, 100)])
    both = keep([loaded(wall_ns=900 * MS), loaded(wall_ns=90 * MS, **part)])
    of_parts, mixed = grouped(parts, both)
    assert (of_parts.median_ns, of_parts.part_share) == (90 * MS, 0.1)
    assert (mixed.median_ns, mixed.part_share, mixed.times_as_fast) == (None, None, None)
