"""Runs side by side: never mixed in unnoticed from elsewhere, set against each other by pairs."""

import msgspec
import pytest
from tests.core.elsewhere import change, elsewhere

from modelmon.core.cli.main import main
from modelmon.core.comparison.posterior import usual_ratio
from modelmon.core.data_folder import VARIABLE
from modelmon.core.export.history_items import start_text
from modelmon.core.history.file import HistoryFile
from modelmon.core.history.groups import side_by_side, without_follow_ups
from modelmon.core.history.rows import Entrant, RunFilter
from modelmon.core.load.config import PRESETS

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


def test_that_a_start_that_was_cached_below_is_called_so(history, keep, loaded, grouped):
    ids = keep([loaded(counts=False, cache_state="mixed", cached_below="/images/disk.img")])
    (row,) = history.runs(RunFilter(ids=tuple(ids)))
    assert start_text(row) == "cold here, cached below, not counted"
    assert [group.cache_state for group in grouped(ids)] == ["cached-below"]


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
    other = change(origin, model=change(origin.model, content="b", digest="e" * 64))
    assert grouped(of[1], keep([loaded()], other))[1].differs == ("another model",)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"cache_state": "warm"}, "another start state"),
        ({"cache_state": "unknown"}, "neither cold nor warm"),
        ({"load_bytes": 5}, "another size loaded"),
        ({"subset": "blocks 0-3"}, "another part of the model"),
        ({"counts": False, "why_not": "no"}, "no counted run"),
        ({"wall_ns": 0}, "no counted run"),
    ],
)
def test_that_runs_under_other_conditions_get_no_ratio_and_say_why(
    keep, loaded, grouped, changed, reason
):
    second = grouped(keep([loaded()]), keep([loaded(**changed)]))[1]
    assert reason in ", ".join(second.differs)
    assert second.times_as_fast is None


def test_that_starts_cold_on_this_machine_are_compared_and_listed_as_cold(
    history, keep, loaded, grouped
):
    here = {"cache_state": "cold-here"}
    slow, fast = (keep([loaded(wall_ns=wall * MS, **here)]) for wall in (900, 300))
    second = grouped(slow, fast)[1]
    assert (second.differs, second.times_as_fast) == ((), 3.0)
    assert [len(history.runs(RunFilter(cache=cache))) for cache in ("cold", "warm")] == [2, 0]


def test_that_only_memory_that_was_not_to_be_prepared_is_another_condition(keep, loaded, grouped):
    """One whose memory was in use before has none touched; a copy takes other than a mapping."""
    needed, fresh = loaded(conditioned_bytes=10**9), {"condition_memory": False}
    ran = keep([loaded(), needed]), keep([needed]), keep([loaded()], **fresh)
    assert [group.differs for group in grouped(*ran)] == [(), (), ("memory conditioning",)]


def test_that_a_program_is_compared_whatever_it_took_of_the_model(keep, loaded, grouped):
    program = {"ready": "exit", "command": "serve"}
    ran = [keep([loaded(load_bytes=nbytes, **program)]) for nbytes in (10**9, 10**9 - 4096)]
    assert grouped(*ran)[1].times_as_fast == 1.0


def test_that_a_median_is_of_runs_that_loaded_as_much(keep, loaded, grouped):
    part = {"load_bytes": 10**8, "file_bytes": 10**8, "portion": True}
    parts = keep([loaded(wall_ns=wall * MS, **part) for wall in (80, 90, 100)])
    both = keep([loaded(wall_ns=900 * MS), loaded(wall_ns=90 * MS, **part)])
    of_parts, mixed = grouped(parts, both)
    assert (of_parts.median_ns, of_parts.part_share) == (90 * MS, 0.1)
    assert (mixed.median_ns, mixed.part_share, mixed.times_as_fast) == (None, None, None)


def test_that_all_runs_of_a_search_are_counted_as_its_ranking_does(history, keep, loaded):
    part = {"load_bytes": 10**8, "file_bytes": 10**8, "portion": True}
    whole = loaded(wall_ns=900 * MS)
    keep([loaded(wall_ns=90 * MS, **part), whole, loaded(cache_asked="warm")])
    rows = history.runs()
    assert [row.timed_ns for row in without_follow_ups(rows)] == [90 * MS, 900 * MS]


# In the third pair everything was slow, and the fourth has no run of B that counts.
TIMES_MS = {"A": (400, 410, 1200, 404), "B": (200, 205, 600, None)}


@pytest.fixture
def turns(history, origin, loaded):
    """An experiment whose arms took turns; returns its number."""

    def enter(kind="compare", first_pair=0, **changes):
        names = {"A": "mmap", "B": "parallel"}
        arms = [Entrant(arm, name, PRESETS[name].config) for arm, name in names.items()]
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


def test_that_single_runs_and_one_arm_with_itself_did_not_take_turns(history, turns):
    single = turns("single")
    named = [(label, rows(history, single, label)) for label in "AB"]
    assert side_by_side(named, usual_ratio)[1].pairs == 0
    number = turns()
    alone = [(str(row.id), [row]) for row in rows(history, number, "A")]
    assert all(group.pairs == 0 for group in side_by_side(alone, usual_ratio))


@pytest.fixture
def shown(history, monkeypatch, capsys):
    """What the terminal shows of runs side by side."""
    monkeypatch.setenv(VARIABLE, str(history.folder))

    def say(*references, command="compare"):
        main(["history", command, *references])
        return capsys.readouterr().out

    return say


@pytest.mark.parametrize(
    ("kind", "first", "headings"),
    [("compare", 0, "Pair  A/B  Strategy"), ("best", 1, "Round  Str")],
)
def test_that_an_experiment_numbers_its_pairs_or_rounds_from_one(
    turns, shown, kind, first, headings
):
    told = shown(f"x{turns(kind, first)}", command="show").splitlines()
    at = next(at for at, line in enumerate(told) if headings in line)
    assert [line.split()[1] for line in told[at + 1 :]] == list("11223344")


def test_that_of_programs_whose_reading_is_compared_time_and_rate_are_of_that(turns, shown):
    read = {"first_byte_ns": 50 * MS, "last_byte_ns": 150 * MS}
    number = turns(ready="exit", command="serve m", timed="reading", **read)
    assert shown(f"x{number}", command="show").count("100 ms  10 GB/s") == 8


def test_that_an_experiment_that_only_another_version_can_make_is_shown(history, turns, shown):
    number = turns(ready="exit", command="serve m")
    with HistoryFile(history.folder / "history.sqlite").writing() as connection:
        connection.execute("""UPDATE experiments SET arms = replace(arms, '"mmap"', '"future"')""")
    assert "A: serve m\nB: serve m\n" in shown(f"x{number}", command="show")


@pytest.mark.parametrize(("works", "state"), [(True, "running"), (False, "stopped")])
def test_that_an_experiment_whose_process_was_killed_is_stopped(
    history, origin, loaded, shown, monkeypatch, works, state
):
    arms = [Entrant(label, "mmap", PRESETS["mmap"].config) for label in "AB"]
    number = history.begin("compare", origin, arms, {})
    history.add_run(number, origin, "A", loaded())
    monkeypatch.setattr("modelmon.core.history.history._is_alive", lambda *_: works)
    told = shown(f"x{number}", command="show")
    assert f"Experiment x{number} (compare, {state})" in told
    assert (f"To resume: modelmon compare --resume x{number}" in told) is not works


def test_that_the_terminal_says_who_took_turns(turns, shown):
    one, other = turns(), turns()
    told = shown(f"x{one}")
    assert f"x{one}B alternated with x{one}A: the speedup is from 3 pairs." in told
    assert "didn't alternate" not in told
    assert f"x{other}B didn't alternate with x{one}A" in shown(f"x{one}A", f"x{other}B")


def test_that_arms_of_a_race_are_compared_without_the_runs_after_it(
    history, origin, turns, loaded, shown
):
    number = turns("best", 1)
    history.add_run(
        number,
        origin,
        "B",
        loaded("parallel", cache_asked="warm", cache_state="warm", wall_ns=5 * MS),
    )
    told = shown(f"x{number}")
    assert "2.00×" in told
    assert "cannot be compared" not in told


def test_that_runs_of_threads_in_place_of_processes_are_no_runs_of_that_strategy(
    history, origin, loaded
):
    arms = {"A": PRESETS["mmap"].config, "B": PRESETS["processes"].config}
    number = history.begin("compare", origin, [Entrant(a, a, c) for a, c in arms.items()], {})
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
