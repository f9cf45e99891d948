"""Makes the runs of an experiment, for the terminal and for calls from Python, and keeps them.

The window does the same from its event loop.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol, TypeVar

from modelmon.core.history.events import EventLines
from modelmon.core.worker.client import Standby, run_job

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.session import SomeSession, Underway
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

AGAIN_S = 5.0
RECONNECT_S = 600.0
"""After a lost connection runs are tried again every `AGAIN_S`, for so long."""


class Answered(Protocol):
    """What an experiment came to; the history keeps its `answer` beside the runs."""

    @property
    def answer(self) -> object:
        """What to do, and why."""


Result = TypeVar("Result", bound=Answered)


def work_off(
    underway: Underway[SomeSession],
    make: Callable[[], None],
    judge: Callable[[], Result],
    interrupted: Callable[[], None] | None = None,
) -> Result:
    """`make` the runs that are left, `judge` them, and note in the history how it ended.

    Where runs were kept and it is stopped on the way (Ctrl-C, or a run that failed), `interrupted`
    is called. With it a Ctrl-C ends the runs alone, where what has been measured says something by
    itself; everything else goes on upwards.
    """
    session, recorder = underway.session, underway.recorder
    result: Result | None = None
    try:
        try:
            make()
        except BaseException as error:
            if interrupted is None:
                raise
            if recorder.kept_runs:
                interrupted()
            if not (isinstance(error, KeyboardInterrupt) and session.conclusive):
                raise
            session.stop()
        result = judge()
    finally:
        recorder.end(
            "stopped" if session.stopped else "done", result.answer if result is not None else None
        )
    return result


def make_runs(
    underway: Underway[SomeSession],
    begin: Callable[[str, str], None],
    follow: Callable[[AnyEvent, RunRecord], None],
    prepare: Callable[[str], None] = lambda _command: None,
    lost: Callable[[], None] = lambda: None,
) -> None:
    """Make the runs that are left, and keep each as it ends.

    `begin` is told each run's label and place, `follow` its events; `prepare` gets the command that
    is to be run before it. What they raise ends the run, and goes on upwards. A run that a lost
    connection cut off is made again, for `RECONNECT_S` at the most; `lost` is called first.
    """
    from modelmon.core.remote import connection  # noqa: PLC0415  the window only wants the constants

    session, server = underway.session, underway.inspection.server
    lost_s: float | None = None
    with Standby(server) as standby:
        while (step := session.next_job()) is not None:
            label, job = step
            begin(label, session.place)
            prepare(job.prepared_with)
            lines = EventLines()
            left_ns = session.run_left_ns
            most_s = None if left_ns is None else left_ns / 1e9
            command = underway.commands.get(label, ())
            record = run_job(job, follow, lines, most_s, standby, command, server)
            if record.finished is None and (session.run_left_ns or 0) < 0:
                session.stop()
                return
            if record.failed is not None and record.failed.kind == "disconnected":
                lost_s = time.monotonic() if lost_s is None else lost_s
                if time.monotonic() - lost_s < RECONNECT_S:
                    lost()
                    time.sleep(AGAIN_S)
                    connection.reach_again(server)
                    continue
            lost_s = None
            result = session.add(record)
            if result is not None:
                underway.recorder.add(label, result, lines.data)
