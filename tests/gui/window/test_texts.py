"""Sentences of the slot, the cards and the side panel."""

from dataclasses import replace

import msgspec
import pytest
from msgspec import structs
from window_fakes import GB, LOAD_A, make_inspection, make_model

from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.memory import Memory
from modelmon.core.messages import Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise
from modelmon.gui.compare import narration
from modelmon.gui.compare.outcome import card_view
from modelmon.gui.model import model_facts
from modelmon.gui.model.model_contents import composition
from modelmon.gui.open.start_page import date_text
from modelmon.gui.plots.plot_row import time_range_s
from modelmon.gui.session import run_words
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.run_words import when_text
from modelmon.gui.session.session import Activity
from modelmon.gui.session.settings import Recent


def test_that_parts_share_a_unit_where_they_can():
    assert run_words.part_text(9_960_000_000, 16_100_000_000) == "9.96 of 16.1 GB"
    assert run_words.part_text(996_000_000, 16_100_000_000) == "996 MB of 16.1 GB"
    assert run_words.part_text(0, 16_100_000_000) == "0 of 16.1 GB"


def test_that_a_start_that_was_not_as_asked_is_not_called_verified():
    assert run_words.start_fact(LOAD_A.record(), "cold").startswith("Cold start: 0%")
    spoilt = replace(LOAD_A, cached_share=0.34).record()
    assert run_words.start_fact(spoilt, "cold") == "Not cold: 34% of the file was cached"
    assert run_words.start_fact(spoilt, "warm").startswith("Not warm")
    unknown = replace(LOAD_A, cached_share=None).record()
    assert "unreadable" in run_words.start_fact(unknown, "cold")


def test_that_a_run_is_said_once_not_to_count():
    whole = summarise(LOAD_A.record())
    for why, once in (
        ("Not counted: the machine slept.", ". Not counted: the machine slept."),
        ("It started warm.", "; not counted: It started warm."),
    ):
        left_out = structs.replace(whole, counts=False, why_not=Message(why))
        assert run_words.with_why_not("Run 1", left_out).endswith(once)


def test_that_the_hint_refuses_equal_arms_and_models_that_do_not_fit():
    inspection = make_inspection()
    names = {"A": "mmap", "B": "parallel"}
    assert (
        "Compare mmap (A) with parallel (B)"
        in narration.hint(inspection, names, "", "cold", 5).headline
    )
    same = "A and B are the same."
    assert narration.hint(inspection, names, same, "cold", 5).headline == same
    small = make_inspection(available_bytes=10**9)
    refused = narration.hint(small, names, "", "cold", 5)
    assert refused.tone == "warn"
    assert "2 GB" in refused.headline
    assert "1 GB" in refused.headline


def test_that_a_finished_card_shows_medians_and_how_many_runs_count(session):
    walls = (2.0, 2.2, 9.0)
    session.set_results("A", tuple(summarise(replace(LOAD_A, wall_s=w).record()) for w in walls))
    view = card_view(session, "A")
    assert view.result == "2.20 s"
    assert view.metrics[-1].value == "3 of 3"
    assert view.metrics[-1].name == "cold runs"
    assert view.sentence.startswith("Waits for the disk 60% of the time")
    assert view.about.startswith("Storage\n")
    assert "I/O wait: 60%" in view.about
    assert "Memory-mapped (reclaimable)" in view.about


def test_that_runs_that_do_not_count_stay_out_of_the_median(session):
    spoilt = replace(LOAD_A, wall_s=0.1, cached_share=0.9, counts=False)
    session.set_results("A", (summarise(LOAD_A.record()), summarise(spoilt.record())))
    view = card_view(session, "A")
    assert view.result == "2.00 s"
    assert view.metrics[-1].value == "1 of 2"


def test_that_a_loading_card_shows_figures_of_now(session):
    session.loading = "A"
    session.begin(Activity.COMPARING, lambda: ProgressView("At work"))
    session.loading_record = replace(LOAD_A, until_s=1.0).record()
    view = card_view(session, "A")
    assert view.sentence == "Loading 50%"
    assert view.result == "1.00 s"
    assert [metric.value for metric in view.metrics[:3]] == ["1 GB/s", "1.01 GB", "60%"]
    assert card_view(session, "B").sentence == "Waiting"


def test_that_a_figure_the_platform_lacks_is_a_dash(session):
    session.loading = "A"
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    record = replace(LOAD_A, until_s=0.0).record()
    record.samples.clear()
    record.feed(ev.Sample(10**9, 0, 10**9))
    session.loading_record = record
    assert card_view(session, "A").metrics[1].value == "–"


@pytest.mark.parametrize(
    ("available", "tone", "word"),
    [(56, "good", "fits"), (2.5, "warn", "tight"), (1, "bad", "fit")],
)
def test_that_memory_says_whether_the_model_fits(available, tone, word):
    memory = Memory(64 * GB, int(available * GB))
    fit = model_facts.memory_facts(memory, make_model())[1]
    assert fit.tone == tone
    assert word in fit.value


def test_that_other_users_of_the_file_are_named():
    inspection = make_inspection()
    busy = type(inspection)(
        inspection.model,
        inspection.storage,
        inspection.memory,
        None,
        "cachestat is refused",
        (FileUser(4711, "python", "mapped"),),
    )
    rows = {fact.name: fact for fact in model_facts.storage_facts(busy)}
    assert "python (4711, mapped)" in rows["In use by"].value
    assert rows["Cached"].value == "unknown"


def test_that_composition_adds_up():
    parts = composition(make_model())
    assert {part.name for part in parts} == {"MLP", "Attention"}
    assert sum(part.share for part in parts) == pytest.approx(1)


@pytest.mark.parametrize(("seconds", "axis"), [(8.28, 9), (0.2, 0.25), (0.0, 0.012), (61, 70)])
def test_that_the_time_axis_is_round_and_holds_the_run(seconds, axis):
    assert time_range_s([seconds]) == pytest.approx(axis)


def test_that_days_are_named():
    now = 1_790_000_000.0
    assert when_text(now, now).startswith("today")
    assert when_text(now - 86_400, now).startswith("yesterday")
    assert when_text(now - 400 * 86_400, now).endswith("2025")


def test_that_recent_models_give_the_date_of_their_result_and_not_of_a_look_at_it():
    now = 1_790_000_000.0
    recent = Recent("/m", "m", "gguf", 1, 1, opened_unix_s=now)
    assert date_text(recent, now).startswith("opened today")
    then_s = now - 86_400
    found = msgspec.structs.replace(recent, outcome=Message("mmap fastest"), measured_unix_s=then_s)
    assert date_text(found, now).startswith("measured yesterday")
