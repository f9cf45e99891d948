"""What the verdict slot can say besides a verdict: a notice, or how far the work has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from modelmon.gui.widgets.slot_page import Chip
from modelmon.gui.widgets.theme import ArmLabel

if TYPE_CHECKING:
    from collections.abc import Callable

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
