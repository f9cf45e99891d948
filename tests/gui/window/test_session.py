import msgspec
import pytest
from window_fakes import LOAD_A, make_comparison, make_inspection, make_model

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import preset
from modelmon.core.worker.result import summarise
from modelmon.gui.session.session import LABELS


def test_that_a_new_window_compares_mmap_with_auto(session):
    assert session.config("A") == preset("mmap").config
    assert session.config("B") == preset("auto").config


def test_that_both_arms_always_deliver_the_same(session):
    session.set_axis("A", "deliver", "owned")
    assert session.config("B").deliver == "owned"
    session.set_preset("B", "sequential")
    assert session.config("A").deliver == session.config("B").deliver == "owned"
    session.reset("B")
    assert session.config("A").deliver == session.config("B").deliver == "usable"
    assert session.strategy_name("B") == "auto"


def test_that_an_impossible_value_changes_nothing_and_repeats_stay_within_bounds(session):
    before = session.config("A")
    with pytest.raises(ConfigError):
        session.set_axis("A", "readers", "1000")
    assert session.config("A") == before
    for repeats, kept in ((0, 1), (10_000, 50)):
        session.set_repeats(repeats)
        assert session.repeats == kept


def test_that_swap_and_copy_do_what_they_say(session):
    a, b = session.config("A"), session.config("B")
    session.swap()
    assert (session.config("A"), session.config("B")) == (b, a)
    session.copy_to_other("A")
    assert session.config("B") == session.config("A")


def test_that_results_are_out_of_date_when_axis_or_cache_change(session):
    session.set_results("A", (summarise(LOAD_A.record()),))
    assert not session.changed_since("A")
    session.set_cache("warm")
    assert session.changed_since("A")
    session.set_cache("cold")
    session.set_axis("A", "readers", "2")
    assert session.changed_since("A")


def test_that_a_model_in_memory_starts_warm_and_the_choice_is_kept(session):
    on_disk = make_inspection()
    storage = msgspec.structs.replace(on_disk.storage, kind="memory", filesystem="tmpfs")
    session.set_inspection(msgspec.structs.replace(on_disk, storage=storage))
    assert (session.cache, session.chosen_cache) == ("warm", "cold")
    session.set_cache("as-is")
    assert session.cache == "as-is"
    session.set_cache("cold")
    session.set_inspection(on_disk)
    assert session.cache == "cold"


def test_that_another_model_puts_results_away(session, qtbot):
    record = LOAD_A.record()
    for _ in range(2):
        session.add_run("A", record, None, summarise(record))
    assert [run.number for run in session.runs] == [1, 2]
    session.set_results("A", (summarise(record),))
    session.show_record("A", record)
    with qtbot.waitSignals([session.model_changed, session.runs_changed]):
        session.set_inspection(make_inspection(make_model("/data/other")))
    assert session.runs == []
    assert session.results("A") == ()
    assert session.record("A") is None


def test_that_swapping_takes_along_what_was_measured(session):
    comparison = make_comparison()
    for label in LABELS:
        session.set_config(label, comparison.arm(label).config)
        session.set_results(label, comparison.runs(label))
    record = LOAD_A.record()
    session.show_record("A", record)
    session.conclude(comparison)
    session.swap()
    assert session.results("A") == comparison.runs_b
    assert session.record("B") is record
    assert not any(session.changed_since(label) for label in LABELS)
    assert session.comparison.verdict.winner == "A"
    assert session.comparison.verdict.sentence == comparison.verdict.sentence
