"""What the verdict slot can say besides a verdict: a notice, a failure, how far work has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from modelmon.gui.language import said
from modelmon.gui.widgets.slot_page import Chip
from modelmon.gui.widgets.theme import ArmLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.errors import ModelmonError
    from modelmon.gui.session.session import Session

__all__ = ["ArmLabel", "Chip", "Choice", "Notice", "ProgressView", "Square", "SquareState", "Tone"]

Tone = Literal["plain", "good", "warn", "bad"]
SquareState = Literal["done", "discarded", "now", "to-do"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A button in the slot: what it says and what it does."""

    text: str
    chosen: Callable[[], None]
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A hint, a refusal or an error: the answer, why, and what it costs or what to do. `back` names
    what was shown before it, where putting it away shows that again.
    """

    headline: str
    reason: str = ""
    caveat: str = ""
    tone: Tone = "plain"
    choices: tuple[Choice, ...] = ()
    back: str = ""


@dataclass(frozen=True, slots=True)
class Square:
    """One run in the order of runs."""

    label: ArmLabel
    state: SquareState


@dataclass(frozen=True, slots=True)
class ProgressView:
    """Work under way. `share` is 0 to 1, or None where the end is not known. `answered` changes
    whenever storage has answered, or `server` where that is; None says nothing of that.
    """

    headline: str
    share: float | None = None
    time_left: str = ""
    detail: str = ""
    fact: str = ""
    arm: ArmLabel | None = None
    squares: tuple[Square, ...] = field(default=())
    answered: object = None
    server: str = ""
    is_silent: bool = False


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
