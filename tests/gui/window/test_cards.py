"""The widgets of the cards and of the verdict slot."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from window_fakes import LOAD_A, LOAD_B, make_comparison, slot_of

from modelmon.core.load.config import PRESETS, preset
from modelmon.core.worker.result import summarise
from modelmon.gui.compare.setting_chips import AxisEditor
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.compare.verdict_details import chips as chips_of
from modelmon.gui.compare.verdict_details import markdown_text
from modelmon.gui.session.notices import Choice, Notice, ProgressView, Square
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.progress_page import OrderStrip
from modelmon.gui.widgets.controls import Segments


def card(qtbot, session, arm="A", width=700):
    made = StrategyCard(session, arm)
    qtbot.addWidget(made)
    made.resize(width, made.height())
    made.show()
    return made


def chips(made):
    """Texts of the visible chips and the arm in whose colour they stand out."""
    return {
        button.text(): str(button.property("arm") or "") for button in made.chips.shown.values()
    }


def choose(box, text):
    """Take an entry as a click on it does; one that is disabled cannot be taken."""
    at = box.findText(text)
    assert box.model().flags(box.model().index(at, 0)) & Qt.ItemFlag.ItemIsEnabled
    box.setCurrentIndex(at)
    box.activated.emit(at)


def test_that_choosing_a_preset_changes_the_arm(qtbot, session):
    made = card(qtbot, session)
    for name in PRESETS:
        choose(made.preset, name)
        assert session.config("A") == preset(name).config
        assert made.sentence.whole == preset(name).when_it_wins


@pytest.mark.qt_log_ignore("^This plugin does not support")
def test_that_differing_settings_have_chips_and_equal_ones_unfold(qtbot, session):
    made = card(qtbot, session, width=1000)
    shown = chips(made)
    assert shown["Access: mmap"] == "A"
    assert set(shown.values()) == {"A"}
    assert not any("Descriptor" in text for text in shown)
    told = made.chips.more.toolTip().splitlines()
    assert "Descriptor: own" in told
    qtbot.mouseClick(made.chips.more, Qt.MouseButton.LeftButton)
    (editor,) = made.chips.findChildren(AxisEditor)
    assert "descriptor" in editor.fields
    assert "access" not in editor.fields
    assert made.chips.more.text() == f"{len(editor.fields)} the same"
    assert len(told) == len(editor.fields)
    editor.close()
    session.copy_to_other("A")
    assert set(chips(made).values()) == {""}
    assert len(chips(made)) == 4
    assert made.chips.more.text() == "10 more settings"


def test_that_figures_and_settings_say_what_they_are(qtbot, session):
    made = card(qtbot, session, width=1000)
    session.set_results("A", (summarise(LOAD_A.record()),))
    figures = [metric for metric in made.outcome.metrics if metric.isVisible()]
    told = [*figures, made.outcome.result, *made.chips.shown.values()]
    assert all(each.accessibleDescription() for each in told)
    assert all(each.accessibleDescription() in each.toolTip() for each in told)
    names = [metric.accessibleName() for metric in figures]
    assert names[:2] == ["throughput: 1 GB/s", "peak memory: 2.01 GB"]


def test_that_no_more_than_five_settings_have_chips(qtbot, session):
    made = card(qtbot, session, width=1400)
    session.copy_to_other("A")
    for axis, value in (
        *(("readers", "3"), ("order", "random"), ("warmup", "read"), ("access", "read")),
        *(("chunk_bytes", "1MiB"), ("advice", "random"), ("prefetch_bytes", "4MiB")),
    ):
        session.set_axis("A", axis, value)
    assert len(chips(made)) == 5
    assert set(chips(made).values()) == {"A"}
    assert made.chips.more.text() == "+9"


def test_that_a_setting_of_both_that_is_no_default_has_a_chip_on_both(qtbot, session):
    both = [card(qtbot, session, label, 1000) for label in ("A", "B")]
    session.set_axis("B", "deliver", "decoded")
    for made in both:
        assert chips(made)["Delivery: decoded (A and B)"] == ""
    # Where there is room for one alone, it is the one that was set.
    narrow = card(qtbot, session, width=300)
    assert list(narrow.chips.shown) == ["deliver"]
    session.set_axis("B", "deliver", "usable")
    assert not any("Delivery" in text for made in both for text in chips(made))


def test_that_the_verdict_names_settings_that_are_no_defaults():
    decoded = [
        replace(each, config=replace(each.config, deliver="decoded")) for each in (LOAD_A, LOAD_B)
    ]
    fewer = replace(LOAD_B, config=replace(LOAD_B.config, readers=2))
    chip = {
        key: [each.text for each in chips_of(make_comparison(*loads), changed=False)]
        for key, loads in {"both": decoded, "B": (LOAD_A, fewer), "no": (LOAD_A, LOAD_B)}.items()
    }
    assert "Delivery: decoded (A and B)" in chip["both"]
    assert "Delivery: decoded (A and B)\n" in markdown_text(make_comparison(*decoded))
    assert "B: Readers: 2" in chip["B"]
    assert not any("Delivery" in text or "Readers" in text for text in chip["no"])


def test_that_nothing_can_be_changed_while_a_run_is_under_way(qtbot, session):
    made = card(qtbot, session)
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    assert not made.preset.isEnabled()
    assert made.preset.toolTip()
    button = made.chips.shown["access"]
    assert not button.isEnabled()
    assert "during a run" in button.toolTip()
    session.end()
    assert made.preset.isEnabled()
    assert button.isEnabled()


def slot(qtbot, session):
    made = slot_of(session)
    qtbot.addWidget(made)
    made.resize(1100, made.height())
    made.show()
    return made


def test_that_the_slot_goes_from_hint_to_progress_to_verdict_at_one_height(qtbot, session):
    made = slot(qtbot, session)
    heights = {made.height()}
    assert made.notice_page.headline.whole.startswith("Compare ")
    session.begin(
        Activity.COMPARING,
        lambda: ProgressView("Compare, run 2 of 4: B is loading", 0.62, arm="B"),
    )
    assert made.progress_page.isVisible()
    assert made.progress_page.bar.value() == 620
    heights.add(made.height())
    session.end()
    session.conclude(make_comparison())
    assert made.verdict_page.isVisible()
    assert made.verdict_page.sentence.whole == make_comparison().verdict.sentence
    assert made.property("arm") == "B"
    heights.add(made.height())
    assert len(heights) == 1


def test_that_a_notice_offers_its_choices_once(qtbot, session):
    made = slot(qtbot, session)
    chosen = []
    session.say(
        Notice(
            "Two ways.",
            choices=(Choice("One", lambda: chosen.append("one")), Choice("Two", lambda: None)),
        )
    )

    def texts():
        buttons = made.notice_page.findChildren(QPushButton)
        return [button.text() for button in buttons if button.isVisible()]

    qtbot.waitUntil(lambda: texts() == ["One", "Two"])
    buttons = made.notice_page.findChildren(QPushButton)
    (one,) = (each for each in buttons if each.text() == "One")
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton)
    assert chosen == ["one"]
    session.say(Notice("No way."))
    assert texts() == []


def test_that_an_offer_is_withdrawn_when_the_settings_change(session):
    session.say(Notice("Compare a part?", choices=(Choice("Yes", lambda: None),)))
    session.set_axis("A", "readers", "3")
    assert session.notice is None


def test_that_the_order_of_runs_can_be_read_aloud(qtbot):
    strip = OrderStrip()
    qtbot.addWidget(strip)
    strip.set_squares((Square("A", "done"), Square("B", "now"), Square("B", "to-do")))
    assert strip.accessibleDescription() == "A done, B in progress, B pending"
    assert strip.sizeHint().width() > 60


def test_that_the_row_of_runs_says_where_it_leaves_some_out(qtbot):
    strip = OrderStrip()
    qtbot.addWidget(strip)
    told = []
    for now in (0, 13, 25):
        order = [Square("AB"[at % 2], "now" if at == now else "to-do") for at in range(26)]
        strip.set_squares(tuple(order))
        cells = re.findall(r">([AB…])<", re.sub("</?u>", "", strip.text()))
        assert len(cells) == 20
        told.append((cells[0] == "…", cells[-1] == "…"))
    assert told == [(False, True), (True, True), (True, False)]


def test_that_arrow_keys_move_through_segments(qtbot):
    segments = Segments("Cache", (("cold", "Cold"), ("warm", "Warm"), ("as-is", "As is")))
    qtbot.addWidget(segments)
    segments.show()
    segments.set_value("cold")
    with qtbot.waitSignal(segments.chosen) as caught:
        qtbot.keyClick(segments, Qt.Key.Key_Right)
    assert caught.args == ["warm"]
    qtbot.keyClick(segments, Qt.Key.Key_Left)
    qtbot.keyClick(segments, Qt.Key.Key_Left)
    assert segments.value == "as-is"


def test_that_the_card_of_an_arm_follows_only_its_own_results(qtbot, session):
    a, b = card(qtbot, session, "A"), card(qtbot, session, "B")
    session.set_results("B", (summarise(LOAD_B.record()),))
    assert a.outcome.sentence.whole == "Not run yet"
    assert b.outcome.result.text() == "1.00 s"
