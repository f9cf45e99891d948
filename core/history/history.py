"""The history: every run and experiment on this machine, for the terminal and the window.

Each call is a transaction of its own, so that an instance can be used from any thread. All of
them raise HistoryError where the file cannot be read or written.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from modelmon.core.data_folder import data_folder
from modelmon.core.history import write
from modelmon.core.history.clusters import (
    delete_clusters,
    insert_cluster,
    select_clusters,
    select_result,
)
from modelmon.core.history.file import HistoryError, HistoryFile
from modelmon.core.history.query import select_experiments, select_latest, select_runs
from modelmon.core.history.recorder import KEPT_BYTES, EventsFolder
from modelmon.core.history.rows import RunFilter, stored_value
from modelmon.core.messages import Message
from modelmon.core.worker.result import RunResult

if TYPE_CHECKING:
    from collections.abc import Collection

    from modelmon.core.history.clusters import ClusterRow
    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import ArmOf, ExperimentRow, Kind, RunRow, State
    from modelmon.core.worker.record import RunRecord

_EVERY_RUN = RunFilter()
_Stored = TypeVar("_Stored")


class History:
    """Runs and experiments in `history.sqlite` of a folder, their events in `runs/` beside it."""

    def __init__(self, folder: Path | None = None, *, kept_bytes: int = KEPT_BYTES) -> None:
        """`folder` is by default the user's; it is made when something is written."""
        self.folder = folder or data_folder()
        self._file = HistoryFile(self.folder / "history.sqlite")
        self._events = EventsFolder(self.folder / "runs")
        self._kept_bytes = kept_bytes

    def runs(self, wanted: RunFilter = _EVERY_RUN) -> list[RunRow]:
        """The wanted runs, sorted."""
        with self._file.reading() as connection:
            return select_runs(connection, wanted)

    def result(self, run_id: int) -> RunResult:
        """The whole result of a run."""
        (text,) = self._texts("SELECT result FROM kept_runs WHERE id = ?", run_id) or (None,)
        if text is None:
            raise no_such_run(run_id)
        return stored_value(text, RunResult)

    def record(self, run_id: int) -> RunRecord:
        """The record of a run, to be shown over others."""
        return self._events.record(self._events_file(run_id))

    def event_lines(self, run_id: int) -> bytes:
        """The lines of a run's events, as `modelmon replay` reads them."""
        return self._events.lines(self._events_file(run_id))

    def experiments(self) -> list[ExperimentRow]:
        """All experiments that have runs, the newest first."""
        with self._file.reading() as connection:
            return select_experiments(connection)

    def latest_experiments(self, origin: Origin, most: int) -> list[ExperimentRow]:
        """The newest comparisons and races of a model's layout on its disk: of each path `most`
        finished ones, and as many others.
        """
        with self._file.reading() as connection:
            return select_latest(connection, origin, most)

    def experiment(self, experiment_id: int) -> ExperimentRow:
        """One experiment."""
        with self._file.reading() as connection:
            found = select_experiments(connection, experiment_id)
        if not found:
            raise HistoryError(
                Message("There's no experiment x{experiment_id}.", experiment_id=experiment_id),
                Message("See modelmon history."),
            )
        return found[0]

    def verdict(self, experiment_id: int, as_type: type[_Stored]) -> _Stored | None:
        """What a finished comparison said, read as the type it was ended with; None for others."""
        text = self.experiment(experiment_id).verdict_json
        return stored_value(text, as_type) if text else None

    def model_format(self, digest: str) -> str:
        """The format of a model that has runs: `safetensors` or `gguf`."""
        return self._texts("SELECT format FROM models WHERE digest = ?", digest)[0]

    def results_of(self, experiment_id: int) -> list[RunResult]:
        """The results that an experiment has so far, in its order."""
        texts = self._texts(
            "SELECT result FROM kept_runs WHERE experiment_id = ? AND position IS NOT NULL"
            " ORDER BY position",
            experiment_id,
        )
        return [stored_value(text, RunResult) for text in texts]

    def begin(self, kind: Kind, origin: Origin, arms: Collection[ArmOf], conditions: object) -> int:
        """Enter an experiment that runs from now on in this process; returns its number.

        `conditions` is anything that msgspec can encode.
        """
        with self._file.writing() as connection:
            return write.insert_experiment(connection, kind, origin, arms, conditions)

    def add_run(
        self, experiment_id: int, origin: Origin, label: str, result: RunResult, lines: bytes = b""
    ) -> int:
        """Enter a finished run with its events, if there are any; returns its number."""
        events = self._events.save(lines) if lines else None
        run = write.NewRun(experiment_id, origin, label, result, events)
        with self._file.writing() as connection:
            run_id = write.insert_run(connection, run)
            dropped = write.forget_events(connection, self._kept_bytes)
        self._events.remove(dropped)
        return run_id

    def end(self, experiment_id: int, state: State, verdict: object = None) -> None:
        """Note how an experiment ended, and sweep what killed programs have left."""
        with self._file.writing() as connection:
            write.end_experiment(connection, experiment_id, state, verdict)
            names = write.delete_runs(connection, write.abandoned(connection))
            known = write.events_files(connection)
        self._events.remove(names)
        self._events.sweep(known)

    def take_over(self, experiment_id: int, used_runs: int) -> None:
        """Make this process the one that goes on with an experiment, with its first runs.

        Raises HistoryError where another process is still at it.
        """
        with self._file.writing() as connection:
            write.take_over(connection, experiment_id, used_runs)

    def star(self, run_ids: Collection[int], *, starred: bool = True) -> None:
        """Mark runs; the events of marked runs are kept longest."""
        with self._file.writing() as connection:
            write.update_runs(connection, run_ids, "starred", starred)

    def rename(self, run_id: int, name: str) -> None:
        """Give a run a name; an empty one takes it away."""
        with self._file.writing() as connection:
            write.update_runs(connection, [run_id], "name", name.strip())

    def delete(self, run_ids: Collection[int]) -> None:
        """Delete runs with their events, and experiments that have none left."""
        with self._file.writing() as connection:
            names = write.delete_runs(connection, run_ids)
        self._events.remove(names)

    def soft_delete(self, run_ids: Collection[int], instead_of: Collection[int] = ()) -> None:
        """Delete runs so that this process can still bring them back; `instead_of` for good."""
        with self._file.writing() as connection:
            write.set_aside(connection, run_ids)
            names = write.delete_runs(connection, instead_of)
        self._events.remove(names)

    def restore(self, run_ids: Collection[int]) -> list[int]:
        """Show runs again that were set aside; returns those that were still there."""
        with self._file.writing() as connection:
            return write.bring_back(connection, run_ids)

    def add_cluster(self, row: ClusterRow, result: bytes) -> int:
        """Enter what was measured on a cluster, with its result as JSON; returns its number."""
        with self._file.writing() as connection:
            return insert_cluster(connection, row, result)

    def clusters(self, path: str | None = None) -> list[ClusterRow]:
        """All measurements on clusters, or those of a model by its path there; the newest first."""
        with self._file.reading() as connection:
            return select_clusters(connection, path)

    def cluster_result(self, cluster_id: int) -> bytes:
        """The result of one as JSON."""
        with self._file.reading() as connection:
            return select_result(connection, cluster_id)

    def delete_clusters(self, ids: Collection[int]) -> None:
        """Delete measurements on clusters."""
        with self._file.writing() as connection:
            delete_clusters(connection, ids)

    def _events_file(self, run_id: int) -> str:
        row = next(iter(self.runs(RunFilter(ids=(run_id,)))), None)
        if row is None:
            raise no_such_run(run_id)
        if row.events_file is None:
            raise HistoryError(
                Message("The events of run {run_id} were deleted to save space.", run_id=run_id),
                Message("The newest runs and starred ones keep theirs."),
            )
        return Path(row.events_file).name

    def _texts(self, query: str, key: int | str) -> list[str]:
        with self._file.reading() as connection:
            return [str(row[0]) for row in connection.execute(query, (key,))]


def no_such_run(run_id: int) -> HistoryError:
    """The error for a number that no run has."""
    return HistoryError(
        Message("There's no run {run_id} in the history.", run_id=run_id),
        Message("See modelmon history."),
    )
