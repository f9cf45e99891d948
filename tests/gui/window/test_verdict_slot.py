"""What speaks against a verdict stands beside it, and a notice over it can be put away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from window_fakes import make_comparison

from modelmon.core.worker.warned import warned
from modelmon.gui.panels.verdict_details import VerdictDetails
from modelmon.gui.panels.verdict_slot import VerdictSlot
from modelmon.gui.window.notices import Notice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from modelmon.gui.session import Session


@pytest.fixture
def slot(qtbot: QtBot, session: Session) -> VerdictSlot:
    made = VerdictSlot(session)
    qtbot.addWidget(made)
    made.resize(1100, made.height())
    made.show()
    return made


def test_that_a_verdict_says_that_others_used_the_disk(
    qtbot: QtBot, slot: VerdictSlot, session: Session
) -> None:
    comparison = make_comparison()
    warning = warned("other-reader", "Another program used the same disk.", "1.2 GB/s before")
    spoiled = tuple(
        msgspec.structs.replace(run, warnings=(warning,)) for run in comparison.runs_b[:2]
    )
    runs_b = (*spoiled, *comparison.runs_b[2:])
    session.set_comparison(msgspec.structs.replace(comparison, runs_b=runs_b))
    said = "Another program used the same disk. Seen in 2 of 10 runs."
    assert slot.verdict_page.caveat.whole == said
    assert f"Warning: {said}" in details(qtbot, slot).splitlines()


def details(qtbot: QtBot, slot: VerdictSlot) -> str:
    qtbot.mouseClick(slot.verdict_page.details, Qt.MouseButton.LeftButton)
    (dialog,) = slot.findChildren(VerdictDetails)
    text = dialog.text.toPlainText()
    dialog.close()
    return text


def test_that_the_figures_of_a_verdict_stand_in_its_details(
    qtbot: QtBot, slot: VerdictSlot, session: Session
) -> None:
    comparison = make_comparison()
    session.set_comparison(comparison)
    assert slot.verdict_page.sure.isVisible()
    assert slot.verdict_page.export.isVisible()
    text = details(qtbot, slot)
    assert "Speedup: parallel is " in text
    assert "% confidence interval: " in text
    assert "High confidence: " in text
    assert f"Note: {comparison.verdict.caveat}" in text


def test_that_without_a_winner_comparing_again_is_offered_and_no_confidence(
    qtbot: QtBot, slot: VerdictSlot, session: Session
) -> None:
    verdict = msgspec.structs.replace(
        make_comparison().verdict, winner="undecided", detectable_share=0.31, pairs_needed=210
    )
    session.set_comparison(msgspec.structs.replace(make_comparison(), verdict=verdict))
    assert not slot.verdict_page.sure.isVisible()
    assert not slot.verdict_page.export.isVisible()
    text = details(qtbot, slot)
    assert "Smallest detectable difference: 31%" in text
    assert "Pairs to detect 5%: about 210" in text
    with qtbot.waitSignal(slot.compare_wanted):
        qtbot.mouseClick(slot.verdict_page.again, Qt.MouseButton.LeftButton)


def test_that_a_notice_over_a_verdict_leads_back_to_it(
    qtbot: QtBot, slot: VerdictSlot, session: Session
) -> None:
    session.set_comparison(make_comparison())
    session.say(Notice("x is no model.", tone="bad"))
    assert slot.notice_page.isVisible()
    (back,) = (b for b in slot.notice_page.findChildren(QPushButton) if b.isVisible())
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert slot.verdict_page.isVisible()


def test_that_too_few_pairs_are_followed_by_as_many_as_a_verdict_takes(
    qtbot: QtBot, slot: VerdictSlot, session: Session
) -> None:
    session.set_repeats(1)
    session.set_comparison(make_comparison(pairs=1))
    assert slot.verdict_page.sentence.whole == "Too early to tell: run at least 5 pairs"
    assert slot.verdict_page.again.text() == "Run 5 pairs"
    with qtbot.waitSignal(slot.compare_wanted):
        qtbot.mouseClick(slot.verdict_page.again, Qt.MouseButton.LeftButton)
    assert session.repeats == 5
