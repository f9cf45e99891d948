"""What speaks against a verdict stands beside it, and a notice over it can be put away."""

from dataclasses import replace

import msgspec
import pytest
from legibility import settled
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontInfo, QIcon
from PySide6.QtWidgets import QApplication
from window_fakes import make_comparison, slot_of

from modelmon.core.messages import Message
from modelmon.core.worker.run_warnings import warned
from modelmon.gui.compare.verdict_details import VerdictDetails
from modelmon.gui.session.notices import Choice, Notice
from modelmon.gui.widgets.dialog import TextDialog


@pytest.fixture
def slot(qtbot, session):
    made = slot_of(session)
    qtbot.addWidget(made)
    made.resize(1100, made.height())
    made.show()
    return made


@pytest.mark.parametrize("family", ["DejaVu Sans", "DejaVu Serif", "WenQuanYi Zen Hei"])
def test_that_a_long_headline_ends_within_the_least_slot_in_any_font(
    theme_manager, slot, session, family
):
    del theme_manager
    slot.setStyleSheet(f"* {{ font-family: '{family}' }}")
    slot.resize(500, slot.height())
    headline = "Undecided: A 2.54 s, B 2.38 s, but the runs scatter. " * 2
    session.say(Notice(headline.strip(), "A waits for the disk. " * 9, "One of B is an outlier."))
    settled(slot)
    texts, bottom = slot.page.texts, 0
    assert texts.headline.is_whole
    assert texts.headline.line_count > 1
    for line in (texts.headline, texts.reason, texts.caveat):
        assert line.fontInfo().family() == QFontInfo(QFont(family)).family()
        assert line.mapTo(slot, line.rect().topLeft()).y() >= bottom
        assert line.height() >= line.sizeHint().height()
        bottom = line.mapTo(slot, line.rect().bottomLeft()).y()
    assert bottom < slot.height()


def test_that_a_verdict_says_that_others_used_the_disk(qtbot, slot, session):
    comparison = make_comparison()
    warning = warned("other-reader", "Another program used the same disk.", "1.2 GB/s before")
    spoiled = tuple(
        msgspec.structs.replace(run, warnings=(warning,)) for run in comparison.runs_b[:2]
    )
    runs_b = (*spoiled, *comparison.runs_b[2:])
    session.conclude(msgspec.structs.replace(comparison, runs_b=runs_b))
    said = "Another program used the same disk. Seen in 2 of 10 runs."
    chip = chips(slot)["2 of 10 runs disturbed"]
    assert chip.toolTip() == said
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    (dialog,) = slot.findChildren(VerdictDetails)
    assert dialog.text.textCursor().selectedText() == said
    hollow = [mark.text for mark in dialog.strip.rows[1].marks if mark.kind == "disturbed"]
    assert hollow == [
        f"parallel, run {number}: 1.00 s\nAnother program used the same disk." for number in (1, 2)
    ]
    dialog.close()
    # Of those that count, as the details have it.
    left_out = msgspec.structs.replace(comparison.runs_a[0], counts=False)
    runs_a = (left_out, *comparison.runs_a[1:])
    session.conclude(msgspec.structs.replace(comparison, runs_a=runs_a, runs_b=runs_b))
    assert "2 of 9 runs disturbed" in chips(slot)


def chips(slot):
    made = slot.page.texts.chip_row.chips
    return {chip.text().strip(): chip for chip in made if chip.isVisible()}


def details(qtbot, slot):
    qtbot.mouseClick(slot.page.offered["Details…"], Qt.MouseButton.LeftButton)
    (dialog,) = slot.findChildren(VerdictDetails)
    text = dialog.text.toPlainText()
    dialog.close()
    return text


def test_that_no_more_than_three_facts_stand_beside_a_verdict_and_the_gravest_first(slot, session):
    slot.resize(1900, slot.height())
    comparison = make_comparison()
    session.conclude(comparison)
    assert list(chips(slot)) == ["parallel: private copy", "Warm start not measured"]
    cached = Message("Not counted: 38% was already cached.")
    runs_a = (
        msgspec.structs.replace(comparison.runs_a[0], counts=False, why_not=cached),
        *comparison.runs_a[1:],
    )
    session.set_results("A", runs_a)
    session.set_results("B", comparison.runs_b)
    session.conclude(msgspec.structs.replace(comparison, runs_a=runs_a))
    session.set_preset("B", "sequential")
    shown = chips(slot)
    assert list(shown) == [
        "Settings changed",
        "1 of 10 runs not counted",
        "parallel: private copy",
    ]
    assert "changed since" in shown["Settings changed"].toolTip()
    assert shown["1 of 10 runs not counted"].toolTip() == cached


def test_that_the_figures_of_a_verdict_stand_in_its_details(qtbot, slot, session):
    comparison = make_comparison()
    session.conclude(comparison)
    assert slot.page.offered["Export…"].isVisible()
    text = details(qtbot, slot)
    assert "mmap waits for the disk 60% of the time" in text
    assert "Confidence: high (5 pairs" in text
    assert comparison.verdict.caveat in text.splitlines()


@pytest.mark.parametrize(("ratio", "badge"), [(1.03, "A"), (1.5, "B")])
def test_that_the_badge_is_of_the_arm_to_use(slot, session, ratio, badge):
    verdict = msgspec.structs.replace(make_comparison().verdict, winner="B", ratio=ratio)
    session.conclude(msgspec.structs.replace(make_comparison(), verdict=verdict))
    assert slot.page.badge.text() == badge


def test_that_without_a_winner_or_enough_pairs_comparing_again_is_offered(qtbot, slot, session):
    verdict = msgspec.structs.replace(
        make_comparison().verdict,
        winner="undecided",
        sensitivity=Message("These runs can't show differences below 31%."),
    )
    session.conclude(msgspec.structs.replace(make_comparison(), verdict=verdict))
    assert "Export…" not in slot.page.offered
    text = details(qtbot, slot)
    assert "Speedup" not in text
    assert "differences below 31%" in text
    qtbot.mouseClick(slot.page.offered["Compare again"], Qt.MouseButton.LeftButton)
    session.set_repeats(1)
    session.conclude(make_comparison(pairs=1))
    assert slot.page.texts.headline.whole == "Too early to tell"
    qtbot.mouseClick(slot.page.offered["Run 5 pairs"], Qt.MouseButton.LeftButton)
    assert slot.done == ["compare", "compare"]
    assert session.repeats == 5


def test_that_what_is_not_saved_stands_beside_whatever_is_told_until_it_is(qtbot, slot, session):
    session.note_unsaved("history", "The disk is full.")
    for show in (lambda: None, lambda: session.conclude(make_comparison())):
        show()
        chip = chips(slot)["Not saved"]
        assert chip.isVisible()
        assert chip.toolTip() == "The disk is full."
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        (dialog,) = slot.findChildren(TextDialog)
        assert dialog.text.toPlainText() == "The disk is full."
        dialog.close()
        qtbot.waitUntil(lambda: not slot.findChildren(TextDialog))
    session.note_unsaved("history", "")
    assert "Not saved" not in chips(slot)


def test_that_one_button_leads_back_from_a_notice(qtbot, slot, session):
    looked = Notice("A run of before.", choices=(Choice("Use as B", int),), back="Show B again")
    for comparison, back in ((None, "Show B again"), (make_comparison(), "Back to verdict")):
        session.conclude(comparison)
        session.say(looked)
        settled(slot)
        assert list(slot.page.offered) == ["Use as B", back]
    qtbot.mouseClick(slot.page.offered[back], Qt.MouseButton.LeftButton)
    assert "Details…" in slot.page.offered


def test_that_the_times_of_a_part_say_of_how_much_they_are(slot, session):
    made = make_comparison()
    quarter = made.runs_a[0].model_bytes // 4
    part = {"load_bytes": quarter, "file_bytes": quarter, "portion": True}
    runs = [
        tuple(msgspec.structs.replace(run, **part) for run in each)
        for each in (made.runs_a, made.runs_b)
    ]
    session.conclude(msgspec.structs.replace(made, runs_a=runs[0], runs_b=runs[1]))
    texts = slot.page.texts
    assert texts.reason.whole.startswith("Loaded 25% of the model. 1.00 s instead of 2.00 s")


def test_that_a_verdict_is_drawn_once_and_its_buttons_follow_the_latest(slot, session):
    opened = []

    def say(number):
        choices = (Choice("Go on", lambda: opened.append(number), icon="compare"),)
        session.say(Notice("Done.", choices=choices, details=lambda *_: opened.append(number)))

    say(1)
    button = slot.page.offered["Go on"]
    button.setIcon(QIcon())
    say(2)
    assert button.icon().isNull()
    button.click()
    slot.page.offered["Details…"].click()
    assert opened == [2, 2]
    session.say(replace(session.notice, details=None))
    assert "Details…" not in slot.page.offered


def test_that_a_button_without_an_icon_has_none_in_any_theme(slot, session, theme_manager):
    session.say(Notice("One.", choices=(Choice("Go on", int, icon="compare"),)))
    button = slot.page.offered["Go on"]
    assert not button.icon().isNull()
    session.say(Notice("Two.", choices=(Choice("Go on", int),)))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme_manager.set_mode("dark")
    assert button.icon().isNull()
