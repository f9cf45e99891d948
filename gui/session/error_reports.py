"""How the window says that something failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.gui.language import said
from modelmon.gui.session.notices import Notice

if TYPE_CHECKING:
    from modelmon.core.errors import ModelmonError
    from modelmon.gui.session.notices import Tone
    from modelmon.gui.session.session import Session


def give_up(session: Session, message: str, remedy: str) -> None:
    """End the work that is under way with what went wrong and what to do."""
    message, remedy = said(message), said(remedy)
    session.log(f"{message} {remedy}".strip(), "error")
    session.end(Notice(message, remedy, tone="bad"))


def complain(session: Session, error: ModelmonError, *, warns: bool = False) -> None:
    """Say that something failed which the window did not wait for; `warns` where little is lost.

    While work is under way that is only logged, since the slot shows how far it is.
    """
    session.log(said(error.text), "warning" if warns else "error")
    if not session.busy:
        tone: Tone = "warn" if warns else "bad"
        session.say(Notice(said(error.message), said(error.remedy), tone=tone))
