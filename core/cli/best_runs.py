"""The runs of a race in the terminal: shown live, kept as they end, stopped in time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.best_live import LiveRace
from modelmon.core.cli.keeping import tell_problem
from modelmon.core.cli.prepare import run_prepare
from modelmon.core.experiment.history.events import EventLines
from modelmon.core.experiment.preflight.doctor import diagnose
from modelmon.core.machine.awake import keep_awake
from modelmon.core.units import counted
from modelmon.core.worker.client import run_job

if TYPE_CHECKING:
    from modelmon.core.experiment.race.result import Race
    from modelmon.core.experiment.race.resume import RaceUnderway


def run_race(underway: RaceUnderway, begun_ns: int) -> Race:
    """Make the runs until the race is over, its budget is spent, or Ctrl-C; then judge it.

    The budget holds all since `begun_ns` of the monotonic clock. Raises KeyboardInterrupt where
    it was stopped before anything was measured.
    """
    session, preflight, recorder, excluded = underway
    try:
        # Before the runs: it takes time, of which none may be left after them.
        diagnosis = diagnose(Path(preflight.model.path))
        session.spend(time.monotonic_ns() - begun_ns)
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
    return session.race(preflight, diagnosis, excluded)


def _all_runs(underway: RaceUnderway, live: LiveRace) -> None:
    session, recorder = underway.session, underway.recorder
    while (step := session.next_job()) is not None:
        label, job = step
        live.begin(label)
        run_prepare(session.conditions.prepared_with)
        lines = EventLines()
        record = run_job(job, live.follow, lines, session.run_left_ns / 1e9)
        if record.finished is None and session.run_left_ns < 0:
            session.stop()
            return
        result = session.add(record)
        if result is not None:
            recorder.add(label, result, lines.data)
