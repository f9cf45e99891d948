"""The pill of a card says what held the loads back, which is no verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from window_fakes import LOAD_A

from modelmon.core.experiment.summary import summarise
from modelmon.gui.measuring.card_view import card_view

if TYPE_CHECKING:
    from modelmon.gui.session import Session


def test_that_an_unclear_cause_does_not_read_like_a_verdict(session: Session) -> None:
    unclear = msgspec.structs.replace(
        summarise(LOAD_A.record()), io_wait_share=None, cpu_user_ns=None, device=None
    )
    session.set_results("A", (unclear,))
    view = card_view(session, "A")
    assert view.pill == "No clear limit"
    assert "no verdict on A and B" in view.pill_tip
