"""What was measured last of a model, made again from what the history has of it.

Nothing is taken over and nothing is started: whoever shows it may go on with it (resume.py). Only
some experiments are looked at, so that opening a model takes no longer the more there are of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.comparison.compare import CompareSession
from modelmon.core.comparison.runner import all_results, elsewhere
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.find_best.result import SearchResult
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import is_at_work
from modelmon.core.history.origin import origin_of, other_content, other_file
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.comparison.result import Comparison
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import ExperimentRow

LOOKED_AT = 64
"""Of finished ones and of others: those that give no verdict, as such that were given up, are
passed over.
"""


class Stopped(NamedTuple):
    """A comparison or race that was stopped, or whose program was killed, with its runs so far."""

    experiment: ExperimentRow
    session: CompareSession | SearchSession

    @property
    def reference(self) -> str:
        """What the history calls it."""
        return f"x{self.experiment.id}"


class Latest(NamedTuple):
    """The latest verdict or ranking, of experiment `found_id`; `reference` names a race that could
    go on. `stopped` is what was begun after it, or the race itself, and not finished.
    """

    found: Comparison | SearchResult | None = None
    found_id: int | None = None
    reference: str = ""
    stopped: Stopped | None = None

    @property
    def is_whole(self) -> bool:
        """Whether there is one that no change of the model ended early."""
        return self.found is not None and not self.found.lost_its_model


_OWN = (False, False)


def _distance(experiment: ExperimentRow, inspection: Inspection) -> tuple[bool, bool]:
    """How far what was measured is from what is open: another content, another file."""
    other = other_content(experiment.model_content, inspection.content)
    return other, experiment.path not in inspection.references


def latest_of(history: History, inspection: Inspection) -> Latest:
    """What the history has of this model, on this disk and machine, or else of another of the same
    layout; what came to its end before what ended early.
    """
    stopped: Stopped | None = None
    found = Latest()
    experiments = history.latest_experiments(origin_of(inspection), LOOKED_AT)
    for experiment in sorted(experiments, key=lambda row: _distance(row, inspection)):
        if is_at_work(experiment):
            continue
        own = _distance(experiment, inspection) == _OWN
        try:
            session = _session(history, experiment, inspection)
            outcome = _outcome(session, experiment, inspection)
        except (ConfigError, HistoryError, LoadFailedError):
            # Of another version, without its runs or without one that counts: the
            # list of runs has what there is, and says why it can't be resumed.
            continue
        waits = experiment.state != "done" and own and stopped is None and not found.is_whole
        has_more = isinstance(session, SearchSession) or (outcome is None and session.done_runs > 1)
        if waits and has_more:
            stopped = Stopped(experiment, session)
        if outcome is None:
            continue
        goes_on = own and isinstance(outcome, SearchResult) and outcome.ending != "decided"
        here = Latest(outcome, experiment.id, f"x{experiment.id}" if goes_on else "")
        if here.is_whole or found.found is None:
            found = here
        if found.is_whole:
            break
    return found._replace(stopped=stopped)


def outcome_of(
    history: History, experiment: ExperimentRow, inspection: Inspection
) -> Comparison | SearchResult | None:
    """The verdict or ranking of an experiment with this model, on this disk and machine; None where
    it came to none.

    Raises HistoryError, ConfigError or LoadFailedError where its runs can't tell.
    """
    if experiment.kind == "single":
        return None
    return _outcome(_session(history, experiment, inspection), experiment, inspection)


def outcome_called(history: History, experiment_id: int, inspection: Inspection) -> Latest:
    """The outcome of one experiment, as `latest_of` gives that of the last.

    Raises HistoryError where it was measured elsewhere, goes on or came to no verdict, and as
    `outcome_of`.
    """
    experiment, reference = history.experiment(experiment_id), f"x{experiment_id}"
    if where := elsewhere(experiment, origin_of(inspection), same_layout_will_do=True):
        raise HistoryError(Message("{run} was measured {where}.", run=reference, where=where))
    if is_at_work(experiment):
        raise HistoryError(
            Message("{run} is still running.", run=reference), Message("Try again when it's done.")
        )
    found = outcome_of(history, experiment, inspection)
    if found is None:
        raise HistoryError(
            Message("{run} came to no verdict.", run=reference),
            Message("Resume it, or measure again."),
        )
    goes_on = isinstance(found, SearchResult) and found.ending != "decided"
    return Latest(found, experiment_id, reference if goes_on else "")


def _session(
    history: History, experiment: ExperimentRow, inspection: Inspection
) -> CompareSession | SearchSession:
    """The session of an experiment with all of its runs."""
    kind = SearchSession if experiment.kind == "best" else CompareSession
    session = kind.begun(experiment, inspection)
    session.resume(all_results(history, experiment.id))
    return session


def _outcome(
    session: CompareSession | SearchSession, experiment: ExperimentRow, inspection: Inspection
) -> Comparison | SearchResult | None:
    """What it came to, with when it was begun, and with what."""
    made: Comparison | SearchResult
    if isinstance(session, SearchSession):
        session.stop()
        made = session.race(inspection)
    elif session.stopped:
        return None
    else:
        made = session.comparison(inspection)
    told = (experiment.path, experiment.model_name, experiment.model_content)
    return msgspec.structs.replace(
        made,
        created_unix_s=experiment.created_unix_s,
        measured_with=other_file(inspection, *told),
    )
