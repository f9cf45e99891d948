"""Work under way, how far it has come, and what the verdict slot says besides a verdict."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.core.units import rate_text, rough_text
from modelmon.gui.background.commands import SILENT_S
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.run_words import part_text
from modelmon.gui.widgets.slot_page import Chip
from modelmon.gui.widgets.theme import ArmLabel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.session.session import Session

__all__ = ["ArmLabel", "Chip", "Choice", "Notice", "ProgressView", "Square", "SquareState", "Tone"]

Tone = Literal["plain", "good", "warn", "bad"]
SquareState = Literal["done", "discarded", "now", "to-do"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A button in the slot: what it says and what it does. Those that look alike are equal."""

    text: str
    chosen: Callable[[], object] = field(compare=False)
    primary: bool = False
    icon: str = ""
    tool_tip: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A verdict, a hint, a refusal or an error: the answer, why, and what it costs or what to do.

    `back` names what was shown before it, where putting it away shows that again. A verdict has
    `chips`, and `details` that open with a line selected; `badge` is who has won, or a sign.
    """

    headline: str
    reason: str = ""
    caveat: str = ""
    tone: Tone = "plain"
    choices: tuple[Choice, ...] = ()
    back: str = ""
    chips: tuple[Chip, ...] = ()
    badge: str = ""
    icon: str = ""
    details: Callable[[QWidget, str], None] | None = field(default=None, compare=False)


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


LONG_S = 15.0
"""From here on somebody may have turned to something else."""


class Activity(Enum):
    """What the window is busy with; the value says it, to be translated where it is shown."""

    IDLE = mark("idle")
    OPENING = mark("opening")
    SAMPLING = mark("writing the sample")
    ESTIMATING = mark("estimating")
    PROBING = mark("measuring the disk")
    RUNNING = mark("running")
    COMPARING = mark("comparing")
    RACING = mark("finding the best")
    WATCHING = mark("watching a program")
    CLUSTERING = mark("measuring a cluster")
    STOPPING = mark("stopping")


ARMS_LOADING = (Activity.RUNNING, Activity.COMPARING, Activity.RACING)
"""Activities that load as modelmon does."""
LOADING = (*ARMS_LOADING, Activity.WATCHING, Activity.STOPPING)
"""Activities in which a worker may be loading."""


class Listening:
    """Asked how far work has come, it also says for how long storage has answered nothing."""

    def __init__(
        self, look: Callable[[], ProgressView], now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._look, self._now_s = look, now_s
        self._answered: object = None
        self._since_s = now_s()

    def __call__(self) -> ProgressView:
        """How far it is now."""
        view, now_s = self._look(), self._now_s()
        if view.answered is None or view.answered != self._answered:
            self._answered, self._since_s = view.answered, now_s
        seconds = int(now_s - self._since_s)
        if seconds < SILENT_S:
            return view
        silence = (
            tr("No response from {server} for {seconds} s.", server=view.server, seconds=seconds)
            if view.server
            else tr("The storage hasn't answered for {seconds} s.", seconds=seconds)
        )
        # What was predicted rests on storage that answers.
        return replace(view, detail=silence, time_left="", is_silent=True)


class WorkClock(QObject):
    """Runs from the first activity to the return to idle; `done` carries the activity that
    ended and its seconds, not for work that was asked to stop.
    """

    done = Signal(Activity, float)

    def __init__(
        self,
        session: Session,
        now_s: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._now_s = now_s
        self._began_s: float | None = None
        self._last = Activity.IDLE
        session.activity_changed.connect(self._follow)

    @property
    def busy_s(self) -> float:
        """How long it has been at work; 0 while idle."""
        return 0.0 if self._began_s is None else self._now_s() - self._began_s

    def _follow(self) -> None:
        activity, seconds = self._session.activity, self.busy_s
        if activity is Activity.IDLE:
            ended, self._last, self._began_s = self._last, Activity.IDLE, None
            if ended not in (Activity.IDLE, Activity.STOPPING):
                self.done.emit(ended, seconds)
            return
        if self._began_s is None:
            self._began_s = self._now_s()
        self._last = activity


_STEADY_S = 0.5
"""Before, a rate says more about the start than about the rest."""


class Transfer:
    """Bytes of `total_bytes` that are done, by a clock that starts with the first look."""

    def __init__(self, total_bytes: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._total_bytes = total_bytes
        self._now_s = now_s
        self._began_s = now_s()
        self._done_bytes = 0

    @property
    def share(self) -> float:
        """0 to 1."""
        return self._done_bytes / self._total_bytes

    def reached(self, done_bytes: int) -> None:
        """So many bytes are done by now."""
        self._done_bytes = min(done_bytes, self._total_bytes)

    @property
    def detail(self) -> str:
        """`210 of 537 MB at 1.20 GB/s`."""
        part, rate = part_text(self._done_bytes, self._total_bytes), self._bytes_per_s()
        return tr("{part} at {rate}", part=part, rate=rate_text(rate)) if rate else part

    @property
    def time_left(self) -> str:
        """`About 3 s left`, once that can be said."""
        rate = self._bytes_per_s()
        if rate is None:
            return ""
        left_s = max(1, round((self._total_bytes - self._done_bytes) / rate))
        return tr("About {time} left", time=rough_text(left_s * 1e9))

    def _bytes_per_s(self) -> float | None:
        seconds = self._now_s() - self._began_s
        return self._done_bytes / seconds if self._done_bytes and seconds >= _STEADY_S else None


class StoppedError(ModelmonError):
    """The user has stopped the reading."""


class Reading:
    """The window asks for `view` and may `stop`; the rest is for the thread that reads."""

    def __init__(self) -> None:
        self.stopped = False
        self._transfer: Transfer | None = None
        self._has_begun = False
        self._answers = 0

    def expect(self, path: Path) -> None:
        """Look how much there is to read, where that can be seen."""
        # A file that cannot be looked at is refused when it is read, in a sentence.
        with suppress(OSError):
            if size_bytes := path.stat().st_size:
                self._transfer = Transfer(size_bytes)

    def seen(self, file_bytes: int) -> None:
        """So much of it is read. Raises StoppedError where that is wanted."""
        self._has_begun = True
        self._answers += 1
        if self._transfer is not None:
            self._transfer.reached(file_bytes)
        if self.stopped:
            raise StoppedError(Message("The reading was stopped."))

    def stop(self) -> None:
        """Let the thread end with the next line that it reads."""
        self.stopped = True

    def view(self, headline: str, fact: str) -> Callable[[], ProgressView]:
        """How far it is, asked again and again."""

        def look() -> ProgressView:
            transfer = self._transfer
            if transfer is None or not self._has_begun:
                return ProgressView(headline, detail=fact, answered=self._answers)
            return ProgressView(
                headline,
                transfer.share,
                time_left=transfer.time_left,
                detail=transfer.detail,
                fact=fact,
                answered=self._answers,
            )

        return look
