"""Results of another machine, disk, model, part, delivery or start are never mixed in unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from modelmon.core.experiment.changes import changes
from modelmon.core.history.groups import side_by_side
from modelmon.core.history.rows import RunFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.history.groups import Group
    from modelmon.core.history.history import History
    from modelmon.core.history.origin import Origin
    from modelmon.core.worker.result import RunResult

MS = 10**6
DAY = 1000.0
change = msgspec.structs.replace


def elsewhere(origin: Origin, what: str) -> Origin:
    if what == "machine":
        # Even where its disk has the same name and model.
        return change(
            origin,
            machine=change(origin.machine, id="m2"),
            storage=change(origin.storage, id="s2"),
        )
    if what == "disk":
        return change(origin, storage=change(origin.storage, id="s2", device="sdb1"))
    return change(origin, model=change(origin.model, digest="e" * 64))


@pytest.fixture
def grouped(history: History) -> Callable[..., list[Group]]:
    def take(*groups: list[int]) -> list[Group]:
        named = [(str(ids[0]), history.runs(RunFilter(ids=tuple(ids)))) for ids in groups]
        return side_by_side(named)

    return take


def test_that_medians_are_set_against_the_first(
    keep: Callable[..., list[int]],
    loaded: Callable[..., RunResult],
    grouped: Callable[..., list[Group]],
) -> None:
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


@pytest.mark.parametrize("what", ["machine", "disk", "model"])
def test_that_runs_of_elsewhere_get_no_ratio_and_say_why(
    origin: Origin,
    keep: Callable[..., list[int]],
    loaded: Callable[..., RunResult],
    grouped: Callable[..., list[Group]],
    what: str,
) -> None:
    here, there = keep([loaded()]), keep([loaded()], elsewhere(origin, what))
    second = grouped(here, there)[1]
    assert f"another {what}" in second.differs
    assert second.times_as_fast is None
    mixed = grouped(here + there, here)
    assert all(f"another {what}" in group.differs for group in mixed)


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
    keep: Callable[..., list[int]],
    loaded: Callable[..., RunResult],
    grouped: Callable[..., list[Group]],
    changed: dict[str, Any],
    reason: str,
) -> None:
    second = grouped(keep([loaded()]), keep([loaded(**changed)]))[1]
    assert reason in ", ".join(second.differs)
    assert second.times_as_fast is None


@pytest.fixture
def sittings(
    keep: Callable[..., list[int]], loaded: Callable[..., RunResult]
) -> Callable[..., None]:
    """Experiments of three runs each around these times, all before or all after DAY."""

    def enter(times_ms: list[int], when: float, *origins: Origin, **changes: Any) -> None:
        for at, time_ms in enumerate(times_ms):
            walls = (time_ms - 1, time_ms, time_ms + 400)
            keep(
                [loaded(wall_ns=wall * MS, started_unix_s=when + at, **changes) for wall in walls],
                *origins,
            )

    return enter


def test_that_a_change_is_found_with_its_interval_and_what_else_changed(
    history: History, origin: Origin, sittings: Callable[..., None]
) -> None:
    sittings([1000, 1010, 990, 1005, 995], 100.0)
    sittings([500, 505, 495, 502, 498], 2000.0, change(origin, kernel="Linux 6.8"))
    (found,) = changes(history, DAY)
    assert (found.finding, found.before_experiments, found.since_experiments) == ("faster", 5, 5)
    assert (found.before_ns, found.since_ns) == (1000 * MS, 500 * MS)
    assert found.ratio_low is not None
    assert found.ratio_high is not None
    assert 1.9 < found.ratio_low < found.ratio < found.ratio_high < 2.1
    assert found.also_changed == ("kernel: Linux 6.1 → Linux 6.8",)


def test_that_what_stayed_is_said_to_have_stayed_and_what_scatters_is_undecided(
    history: History, sittings: Callable[..., None]
) -> None:
    sittings([1000, 1001, 999, 1002, 998], 100.0)
    sittings([1001, 1000, 999, 1003, 998], 2000.0)
    sittings([1000, 500, 2000, 800, 1500], 100.0, cache_state="warm")
    sittings([700, 1900, 900, 600, 1300], 2000.0, cache_state="warm")
    found = {change.cache_state: change.finding for change in changes(history, DAY)}
    assert found == {"cold": "no-difference", "warm": "undecided"}


def test_that_many_runs_of_one_sitting_are_too_few(
    history: History, keep: Callable[..., list[int]], loaded: Callable[..., RunResult]
) -> None:
    keep([loaded(wall_ns=1000 * MS + at, started_unix_s=1.0) for at in range(30)])
    keep([loaded(wall_ns=500 * MS + at, started_unix_s=2000.0) for at in range(30)])
    (found,) = changes(history, DAY)
    assert found.finding == "too-few"
    assert found.ratio_low is None
    assert found.ratio == pytest.approx(2.0)


@pytest.mark.parametrize("what", ["machine", "disk", "model"])
def test_that_changes_never_span_machines_disks_or_models(
    history: History, origin: Origin, sittings: Callable[..., None], what: str
) -> None:
    sittings([1000] * 5, 100.0)
    sittings([500] * 5, 2000.0, elsewhere(origin, what))
    assert changes(history, DAY) == []


def test_that_changes_of_one_machine_leave_the_others_out(
    history: History, origin: Origin, sittings: Callable[..., None]
) -> None:
    for when in (100.0, 2000.0):
        sittings([1000] * 5, when)
        sittings([1000] * 5, when, elsewhere(origin, "machine"))
    assert {found.machine_id for found in changes(history, DAY)} == {"m1", "m2"}
    assert [found.machine_id for found in changes(history, DAY, "m1")] == ["m1"]


def test_that_runs_that_do_not_count_or_started_as_they_were_change_nothing(
    history: History, sittings: Callable[..., None]
) -> None:
    for when in (100.0, 2000.0):
        sittings([1000] * 5, when, counts=False, why_not="no")
        sittings([1000] * 5, when, cache_state="unknown")
    assert changes(history, DAY) == []
