"""A model that is opened again shows what it was measured to be, and what was stopped."""

import pytest
from msgspec import structs
from runs_past import settle

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.result import Comparison
from modelmon.core.find_best.plan import SearchConditions
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import Message
from modelmon.core.worker.events import WatchedProgram, encode
from modelmon.core.worker.record import RunRecord
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import LABELS, Activity
from modelmon.gui.session.watched_run import WatchedRun

NAMES = {"A": "mmap", "B": "direct"}


@pytest.fixture
def compared(past, inspection):
    """A comparison with so many runs in the history, each with these events."""

    def keep(runs, state, lines=b""):
        a, b = (Entrant(label, NAMES[label], PRESETS[NAMES[label]].config) for label in LABELS)
        comparing = CompareSession(a, b, Conditions(inspection.model.path, "cold", max_pairs=5))
        arms, conditions = comparing.arms.values(), comparing.conditions
        recorder = Recorder(past.history, "compare", past.origin, arms, conditions)
        for at, label in enumerate(comparing.order[:runs]):
            wall_ms = 900 if label == "A" else 400
            made = past.result(NAMES[label], wall_ms + at, 1, pair=at // 2)
            recorder.add(label, made, lines)
        recorder.end(state)

    return keep


def reopened(qtbot, window, inspection):
    window.session.set_inspection(inspection)
    window.open_controller.model_opened.emit()
    settle(qtbot, window)


def press(window, text):
    notice = window.session.notice
    next(choice for choice in notice.choices if choice.text == text).chosen()


def test_that_the_last_verdict_comes_back_with_its_date_and_changes_no_card(
    qtbot, window, inspection, compared
):
    compared(10, "done")
    window.session.set_inspection(inspection)
    before = [window.session.config(label) for label in LABELS]
    reopened(qtbot, window, inspection)
    page = window.workspace.slot.page
    assert page.texts.headline.whole.startswith("Use direct")
    assert page.texts.reason.whole.startswith("Measured today")
    assert window.status.text.whole.startswith("Use direct")
    assert [window.session.config(label) for label in LABELS] == before
    assert all(window.session.results(label) for label in LABELS)


def test_that_a_copy_says_whose_verdict_it_shows_wherever_it_is_told(
    qtbot, window, inspection, compared
):
    compared(10, "done")
    compared(4, "stopped")
    model = inspection.model
    shards = tuple(structs.replace(shard, path=f"/mnt{shard.path}") for shard in model.shards)
    copy = structs.replace(model, name="original", path=shards[0].path, shards=shards)
    reopened(qtbot, window, structs.replace(inspection, model=copy))
    page, whose = window.workspace.slot.page, f"Measured with {model.name}, same layout."
    assert whose in page.texts.reason.whole
    assert page.texts.chip_row.chips[0].text().strip() == "Measured with another file"
    assert page.texts.chip_row.chips[0].toolTip() == whose
    # What was stopped there can't be gone on with here.
    assert window.session.notice is None


def test_that_the_last_verdict_comes_back_exchanged_where_the_cards_were(
    qtbot, window, inspection, compared, recordings
):
    compared(10, "done", b"".join(map(encode, recordings.events(recordings.FAST))))
    session = window.session
    session.set_inspection(inspection)
    for label, other in zip(LABELS, reversed(LABELS), strict=True):
        session.set_config(label, PRESETS[NAMES[other]].config)
    window.open_controller.model_opened.emit()
    settle(qtbot, window)
    for label, other in zip(LABELS, reversed(LABELS), strict=True):
        assert {run.config for run in session.results(label)} == {PRESETS[NAMES[other]].config}
        assert not session.changed_since(label)
        assert session.record(label) is not None
    assert session.comparison.verdict.winner == "A"
    assert window.workspace.slot.page.texts.reason.whole.startswith("Measured today")
    # So do its curves.
    plot = window.workspace.plots.throughput
    assert all(len(plot.traces[label, "delivered"].line.at_x) > 10 for label in LABELS)


def test_that_plots_say_where_a_verdict_has_no_curves_any_more(qtbot, window, inspection, compared):
    plot = window.workspace.plots.throughput
    before = plot.empty_label.text()
    compared(10, "done")
    reopened(qtbot, window, inspection)
    assert plot.empty_label.text().startswith("No curves were kept of these runs")
    window.session.begin(Activity.RUNNING, lambda: ProgressView(""))
    assert plot.empty_label.text() == before
    window.session.end()


def test_that_a_stopped_comparison_can_be_gone_on_with_or_given_up_where_one_looks(
    qtbot, window, past, inspection, compared
):
    compared(10, "done")
    before_s = past.history.experiments()[0].created_unix_s
    compared(4, "stopped")
    window.settings.add_recent(inspection.model.path, inspection.model, 0.0)
    window.settings.set_outcome(inspection.model.path, Message("comparison not finished"), 0.0)
    reopened(qtbot, window, inspection)
    notice = window.session.notice
    assert "stopped after 2 of up to 5 pairs, begun today" in notice.headline
    assert [choice.text for choice in notice.choices] == ["Resume", "Discard"]
    assert window.settings.recents()[0].outcome == "comparison not finished"
    press(window, "Discard")
    settle(qtbot, window)
    assert window.settings.recents()[0].outcome.startswith("Use direct")
    assert window.settings.recents()[0].measured_unix_s == before_s
    assert "Details…" in window.workspace.slot.page.offered
    assert {row.state for row in past.history.experiments()} == {"done"}
    assert len(past.history.runs()) == 14
    reopened(qtbot, window, inspection)
    assert window.session.notice is None


def test_that_the_curves_of_the_last_ranking_come_back_until_something_is_measured(
    qtbot, window, past, inspection, recordings
):
    arms = [Entrant(name, name, PRESETS[name].config) for name in NAMES.values()]
    nbytes = past.nbytes // 2
    conditions = SearchConditions(
        inspection.model.path, "cold", 300 * 10**9, 10**9, portion_bytes=nbytes
    )
    loaded = {"load_bytes": nbytes, "file_bytes": nbytes, "portion": True}
    recorder = Recorder(past.history, "best", past.origin, arms, conditions)
    lines = b"".join(map(encode, recordings.events(recordings.FAST)))
    for at, name in enumerate(NAMES.values()):
        recorder.add(name, past.result(name, 900 - 500 * at, 1, pair=1, **loaded), lines)
    reopened(qtbot, window, inspection)
    settle(qtbot, window)
    overlaying, plot = window.runs_tab_controller.overlaying, window.workspace.plots.throughput
    assert {run.name.split()[0].strip(",") for run in overlaying.runs} == {"direct", "mmap"}
    assert all("50% of the model" in run.name for run in overlaying.runs)
    assert not plot.is_empty
    assert [window.session.record(label) for label in LABELS] == [None, None]
    window.session.begin(Activity.RUNNING, lambda: ProgressView(""))
    assert overlaying.runs == ()
    window.session.end()


def test_that_the_ranking_of_a_killed_race_comes_back_and_can_go_on(
    qtbot, window, past, inspection, monkeypatch
):
    arms = [Entrant(name, name, PRESETS[name].config) for name in NAMES.values()]
    conditions = SearchConditions(inspection.model.path, "cold", 300 * 10**9, 10**9)
    recorder = Recorder(past.history, "best", past.origin, arms, conditions)
    for at, name in enumerate(NAMES.values()):
        recorder.add(name, past.result(name, 900 - 500 * at, 1, pair=1))
    reopened(qtbot, window, inspection)
    assert "Find best stopped after 2 runs" in window.workspace.slot.page.texts.headline.whole
    assert {row.label for row in window.workspace.best.table.ranking.rows} == {
        "mmap",
        "direct",
    }
    asked = []
    monkeypatch.setattr(window.find_best_controller, "resume", asked.append)
    window.session.say(None)
    reopened(qtbot, window, inspection)
    press(window, "Resume")
    assert asked == ["x1"]


def test_that_an_older_comparison_is_shown_again_with_its_settings_and_curves(
    qtbot, window, past, inspection, compared, recordings
):
    compared(10, "done", b"".join(map(encode, recordings.events(recordings.FAST))))
    arms = [Entrant(name, name, PRESETS[name].config) for name in ("prefetch", "parallel")]
    race = SearchConditions(inspection.model.path, "cold", 300 * 10**9, 10**9)
    recorder = Recorder(past.history, "best", past.origin, arms, race)
    for at, name in enumerate(("prefetch", "parallel")):
        recorder.add(name, past.result(name, 900 - 500 * at, 1, pair=1))
    past.keep(past.result("mmap", 40, 1))
    reopened(qtbot, window, inspection)
    session = window.session
    session.say(None)
    assert session.verdict is session.races.race is not None
    session.set_preset("A", "sequential")
    first, *_, single = sorted(past.history.runs(), key=lambda row: row.id)

    def show_outcome_of(run_id):
        panel = window.workspace.runs
        window.workspace.tabs.setCurrentWidget(panel)
        settle(qtbot, window)
        panel.table.select_runs([run_id])
        window.runs_tab_controller.do("outcome")
        settle(qtbot, window)

    show_outcome_of(single.id)
    assert "belongs to no comparison" in window.status.currentMessage()
    # A program that is shown makes room for it.
    session.show_program(WatchedRun(WatchedProgram("llama-server", ""), RunRecord()))
    show_outcome_of(first.id)
    assert session.program is None
    assert isinstance(session.verdict, Comparison)
    assert session.verdict.verdict.winner == "B"
    assert [session.strategy_name(label) for label in LABELS] == ["mmap", "direct"]
    assert all(session.record(label) is not None for label in LABELS)
    assert window.workspace.slot.page.texts.reason.whole.startswith("Measured today")
