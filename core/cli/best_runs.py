"""The runs of a race in the terminal: shown live, kept as they end, stopped in time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.best_live import LiveRace
from modelmon.core.cli.keeping import tell_problem
from modelmon.core.cli.prepare import run_prepare
from modelmon.core.experiment.doctor import diagnose
from modelmon.core.experiment.history_events import EventLines
from modelmon.core.machine.awake import keep_awake
from modelmon.core.units import counted
from modelmon.core.worker.client import run_job

if TYPE_CHECKING:
    from modelmon.core.experiment.race import RaceSession
    from modelmon.core.experiment.race_result import Race
    from modelmon.core.experiment.race_resume import RaceUnderway
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord


class _OutOfTimeError(Exception):
    """The run under way would overdraw the budget."""


def run_race(underway: RaceUnderway) -> Race:
    """Make the runs until the race is over, its budget is spent, or Ctrl-C; then judge it.

    Raises KeyboardInterrupt where it was stopped before anything was measured.
    """
    session, preflight, recorder, excluded = underway
    try:
        with keep_awake("modelmon races ways to load a model"), LiveRace(session) as live:
            _all_runs(underway, live)
    except KeyboardInterrupt:
        session.stop()
        if not session.field.measured:
            recorder.end("stopped")
            raise
        if recorder.kept_runs:
            click.echo(
                f"Stopped. Kept: {counted(recorder.kept_runs, 'run')}. To go on with them:"
                f" modelmon best --resume x{recorder.experiment_id}",
                err=True,
            )
    except BaseException:
        recorder.end("stopped")
        tell_problem(recorder)
        raise
    recorder.end("stopped" if session.ending == "stopped" else "done")
    tell_problem(recorder)
    return session.race(preflight, diagnose(Path(preflight.model.path)), excluded)


def _all_runs(underway: RaceUnderway, live: LiveRace) -> None:
    session, recorder = underway.session, underway.recorder
    while (step := session.next_job()) is not None:
        label, job = step
        live.begin(label)
        run_prepare(session.conditions.prepared_with)
        lines = EventLines()
        try:
            # A worker that is starting or preparing says nothing for a while.
            most_s = session.time_left_ns / 1e9
            record = run_job(job, partial(_watch, session, live), lines, most_s)
        except _OutOfTimeError:
            session.stop()
            return
        if record.finished is None and session.time_left_ns < 0:
            session.stop()
            return
        result = session.add(record)
        if result is not None:
            recorder.add(label, result, lines.data)


def _watch(session: RaceSession, live: LiveRace, event: AnyEvent, record: RunRecord) -> None:
    if session.time_left_ns < 0 and record.finished is None:
        raise _OutOfTimeError
    live.follow(event, record)
