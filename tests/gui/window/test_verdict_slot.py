"""What speaks against a verdict stands beside it, and a notice over it can be put away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from window_fakes import make_comparison

from modelmon.core.worker.warned import warned
from modelmon.gui.panels.verdict_slot import VerdictSlot
from modelmon.gui.slot import Notice

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


def test_that_a_verdict_says_that_others_used_the_disk(slot: VerdictSlot, session: Session) -> None:
    comparison = make_comparison()
    warning = warned("other-reader", "Somebody else used the same device.", "1.2 GB/s before")
    spoiled = tuple(
        msgspec.structs.replace(run, warnings=(warning,)) for run in comparison.runs_b[:2]
    )
    runs_b = (*spoiled, *comparison.runs_b[2:])
    session.set_comparison(msgspec.structs.replace(comparison, runs_b=runs_b))
    said = "Somebody else used the same device. So it was in 2 of 10 runs."
    assert slot.verdict_page.caveat.whole.startswith(said)
    assert slot.verdict_page.caveat.whole.endswith(comparison.verdict.caveat)


def test_that_a_notice_over_a_verdict_leads_back_to_it(
    qtbot: QtBot, slot: VerdictSlot, session: Session
) -> None:
    session.set_comparison(make_comparison())
    session.say(Notice("x is no model.", tone="bad"))
    assert slot.notice_page.isVisible()
    (back,) = (b for b in slot.notice_page.findChildren(QPushButton) if b.isVisible())
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert slot.verdict_page.isVisible()
