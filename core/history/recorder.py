"""Enters the runs of an experiment into the history as they end, with their events.

Events are one gzipped file of JSON lines a run, next to the database. A history that cannot be
written stops no measurement. Recordings made elsewhere are taken in without passing for runs of
this machine.
"""

from __future__ import annotations

import contextlib
from hashlib import sha256
from typing import TYPE_CHECKING

from modelmon.core.history.events import MOST_LINES_BYTES, within_limit
from modelmon.core.history.file import HistoryError
from modelmon.core.history.origin import Origin
from modelmon.core.history.rows import IMPORTED, Entrant, RunFilter
from modelmon.core.machine.origin import MachineOrigin, StorageOrigin
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.remote import parts_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import failure_of, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from modelmon.core.history.history import History
    from modelmon.core.history.rows import Kind, State
    from modelmon.core.worker.events import Hello, Planned
    from modelmon.core.worker.result import RunResult


class Recorder:
    """One experiment on its way into the history.

    A history that cannot be written stops no measurement: the first failure is told by
    `problem`, and nothing is written after it. `experiment_id` is None until the first run,
    `kept_runs` how many the history has.
    """

    def __init__(
        self,
        history: History | None,
        kind: Kind,
        origin: Origin,
        arms: Collection[Entrant],
        conditions: object,
    ) -> None:
        """`history` None keeps nothing; `conditions` is anything that msgspec can encode."""
        self._history = history
        self._kind = kind
        self._origin = origin
        self._arms = tuple(arms)
        self._conditions = conditions
        self.experiment_id: int | None = None
        self.kept_runs = 0
        self.problem = NOTHING

    def go_on(self, experiment_id: int, used_runs: int) -> None:
        """Add to an experiment that was stopped, of which the first `used_runs` are used.

        Raises HistoryError where another process is still at it.
        """
        if self._history is not None:
            self._history.take_over(experiment_id, used_runs)
            self.experiment_id, self.kept_runs = experiment_id, used_runs

    def add(self, label: str, result: RunResult, lines: bytes = b"") -> int | None:
        """Enter a finished run with the lines of its events; returns its number if it is kept."""
        run_id = None
        with self._harmless() as history:
            if history is not None:
                if self.experiment_id is None:
                    self.experiment_id = history.begin(
                        self._kind, self._origin, self._arms, self._conditions
                    )
                run_id = history.add_run(self.experiment_id, self._origin, label, result, lines)
                self.kept_runs += 1
        return run_id

    def end(self, state: State, verdict: object = None) -> None:
        """Note how the experiment ended."""
        with self._harmless() as history:
            if history is not None and self.experiment_id is not None:
                history.end(self.experiment_id, state, verdict)

    @contextlib.contextmanager
    def _harmless(self) -> Iterator[History | None]:
        try:
            yield self._history
        except HistoryError as error:
            self._history = None
            self.problem = error.text


def import_recording(
    history: History, path: Path, seen: Callable[[int], None] = lambda _: None
) -> int:
    """Enter the run that a `.jsonl` file holds; returns its number. `seen` as in `read_record`.

    A recording does not say which machine and volume it is of, only what they are like; two of
    them may come from two places that look the same. So each gets an origin of its own: it is
    listed, shown and starred, and never set against another run.
    Raises ProtocolError for another file, HistoryError for one that is in the history or whose
    load did not finish.
    """
    record = read_record(path, seen)
    if record.hello is None or record.planned is None or record.finished is None:
        why = failure_of(record)
        raise HistoryError(
            Message("{path} has no finished load: {message}", path=path, message=why.message),
            why.remedy,
        )
    result = summarise(record)
    with path.open("rb") as file:
        content = sha256(file.read(MOST_LINES_BYTES + 1)).hexdigest()[:16]
        file.seek(0)
        lines = within_limit(file)
    origin = _origin(record.hello, record.planned, content)
    for row in history.runs(RunFilter(machine_id=origin.machine.id)):
        raise HistoryError(
            Message("{path} is in the history already, as run {id}.", path=path, id=row.id)
        )
    arm = Entrant("A", result.strategy, result.config)
    experiment_id = history.begin("single", origin, [arm], record.hello.job)
    run_id = history.add_run(experiment_id, origin, "A", result, lines)
    history.end(experiment_id, "done")
    return run_id


def _origin(hello: Hello, planned: Planned, content: str) -> Origin:
    device = planned.device_name or ""
    return Origin(
        machine=MachineOrigin(f"{IMPORTED}{content}", hello.platform, hello.cpu_count, 0),
        storage=StorageOrigin(
            id=f"{IMPORTED}{content}",
            source=device,
            device=device,
            device_model="",
            filesystem=planned.filesystem,
            kind=planned.storage_kind or "unknown",
        ),
        model=ModelFingerprint(
            name=planned.model_name,
            format="",
            nbytes=planned.model_bytes,
            tensors=planned.tensors,
            digest=f"{IMPORTED}{content}",
        ),
        # No recording names a server to call.
        path=parts_of(hello.job.path).path,
        kernel=hello.platform,
    )
