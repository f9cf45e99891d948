"""The runs that the history has of the open model; how they are changed, deleted so that it can be
undone, and taken in from recordings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import write_bytes_atomic, write_text_atomic
from modelmon.core.export.csv_tables import runs_csv
from modelmon.core.history.origin import origin_of, other_content
from modelmon.core.history.recorder import import_recording
from modelmon.core.history.rows import RunFilter
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import to_text
from modelmon.gui.language import said, tr
from modelmon.gui.runs.run_lines import Place, line_of_row, line_of_run
from modelmon.gui.session.notices import Notice, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.session import Run, Session

MOST_ROWS = 5_000
"""Of a longer history the newest are shown; all of them are sorted within a frame."""


class _Answer(NamedTuple):
    here: Place
    lines: list[RunLine]


class _TakenIn(NamedTuple):
    """What became of some recordings: the runs that they are now, and why others aren't any."""

    paths: Sequence[Path]
    run_ids: list[int]
    refused: list[ModelmonError]


class RunLibrary(QObject):
    """Reads and changes the history for the table of runs; says when what it has changed.

    `told` carries what has been written, `imported` the numbers of runs that were recordings.
    `problem` is why the history cannot be read; the runs
    of this window are there all the same.
    """

    reloaded = Signal()
    changed = Signal(object)
    told = Signal(str)
    imported = Signal(object)

    def __init__(
        self, session: Session, history: HistoryAccess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._kept: list[RunLine] = []
        self._loose: list[Run] = []
        self._ticket: object | None = None
        self.here = Place("")
        self.every_model = False
        self.stale = True
        self.problem = ""
        session.model_changed.connect(self._forget)
        session.run_kept.connect(lambda run_id: self._reread((run_id,)))
        session.runs_changed.connect(self._take_loose)

    @property
    def lines(self) -> list[RunLine]:
        """All runs: those of this window that the history does not have, then the history's."""
        return [*(line_of_run(run) for run in reversed(self._loose)), *self._kept]

    def show_every_model(self, every: bool) -> None:
        """Read the runs of all models, or those of the open one."""
        if every != self.every_model:
            self.every_model = every
            self.reload()

    def reload(self, then: Callable[[], None] = lambda: None) -> None:
        """Read the history anew; `reloaded` tells when that is done, and `then` is called."""
        ticket = self._ticket = object()
        inspection, every = self._session.inspection, self.every_model
        runs = dict(self._session.kept)
        self.stale = False

        def take(answer: _Answer) -> None:
            if ticket is self._ticket:
                self.here, self._kept, self.problem = answer.here, answer.lines, ""
                self._take_loose()
                self.reloaded.emit()
                then()

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self._kept, self.problem = [], said(error.text)
                self._take_loose()
                self.reloaded.emit()

        self._history.ask(lambda history: _read(history, inspection, every, runs), take, fail)

    def star(self, run_ids: Collection[int], *, starred: bool) -> None:
        """Mark runs, or take the mark away."""
        self._change(run_ids, lambda history: history.star(run_ids, starred=starred))

    def rename(self, run_id: int, name: str) -> None:
        """Give a run a name; an empty one takes it away."""
        self._change((run_id,), lambda history: history.rename(run_id, name))

    def drop(self, run_ids: Collection[int]) -> None:
        """Show runs no longer that were deleted."""
        deleted = set(run_ids)
        self._kept = [line for line in self._kept if line.key[1] not in deleted]
        self.reloaded.emit()

    def export(self, lines: Sequence[RunLine], path: Path) -> None:
        """Write runs of the history as CSV, or as JSON where the name ends so."""
        rows = [line.row for line in lines if line.row is not None]

        def write(_: History) -> None:
            as_json = path.suffix.lower() == ".json"
            document = {"machine_id": self.here.machine_id, "runs": rows}
            content = msgspec.json.encode(document, enc_hook=to_text)
            text = msgspec.json.format(content).decode()
            write_text_atomic(path, text if as_json else runs_csv(rows))

        self._history.ask(
            write,
            lambda _: self._tell(_written(len(rows), path)),
            self.complain,
            other_files=True,
        )

    def save_recording(self, run_id: int, path: Path) -> None:
        """Write the events of a run, for replay elsewhere."""
        self._history.ask(
            lambda history: write_bytes_atomic(path, history.event_lines(run_id)),
            lambda _: self._tell(
                tr("Saved run {number} to {file}.", number=run_id, file=str(path))
            ),
            self.complain,
            other_files=True,
        )

    def take_in(self, paths: Sequence[Path]) -> None:
        """Take these recordings into the history, while nothing is under way."""
        if self._session.busy or not paths:
            return
        text = tr("Importing {file}", file=paths[0].name)
        if len(paths) > 1:
            text = tr("Importing {count} recordings", count=len(paths))
        self._session.say(Notice(text, back=tr("Close")))

        def work(history: History) -> _TakenIn:
            found = _TakenIn(paths, [], [])
            for path in paths:
                try:
                    found.run_ids.append(import_recording(history, path))
                except ModelmonError as error:
                    found.refused.append(error)
            return found

        def tell(found: _TakenIn) -> None:
            for error in found.refused:
                self._session.log(said(error.text), "error")
            if found.run_ids:
                self._session.log(_taken(found))
            if not self._session.busy:
                self._session.say(_outcome(found))
            if found.run_ids:
                self.imported.emit(tuple(found.run_ids))

        self._history.ask(work, tell, self.complain, other_files=True)

    def _tell(self, text: str) -> None:
        self._session.log(text)
        self.told.emit(text)

    def _change(self, run_ids: Collection[int], work: Callable[[History], None]) -> None:
        def changed(_: None) -> None:
            self._reread(run_ids)

        def fail(error: ModelmonError) -> None:
            self.complain(error)
            self._reread(run_ids)

        self._history.ask(work, changed, fail)

    def _reread(self, run_ids: Collection[int]) -> None:
        """Read some runs anew, that were changed or have come."""
        if self.stale:
            return

        def take(rows: list[RunRow]) -> None:
            if self.stale:
                return
            # Not before: while the list is read for the first time the place is not known.
            lines = [line_of_row(row, self.here, self._session.kept.get(row.id)) for row in rows]
            known = {line.key: at for at, line in enumerate(self._kept)}
            new = [line for line in lines if line.key not in known]
            for line in lines:
                if line.key in known:
                    self._kept[known[line.key]] = line
            if new:
                self._kept[:0] = new
                self._take_loose()
                self.reloaded.emit()
            else:
                self.changed.emit(lines)

        wanted = RunFilter(ids=tuple(run_ids))
        self._history.ask(lambda history: history.runs(wanted), take, self.complain)

    def _take_loose(self) -> None:
        """See which runs of this window the history does not have."""
        kept = set(self._session.kept.values())
        loose = [run for run in self._session.runs if run not in kept]
        if loose != self._loose:
            self._loose = loose
            self.reloaded.emit()

    def _forget(self) -> None:
        self.stale = True
        self._ticket = None
        self._kept = []
        self._take_loose()
        self.reloaded.emit()

    def complain(self, error: ModelmonError) -> None:
        """Say why the history could not be read or changed."""
        complain(self._session, error)


def _read(
    history: History, inspection: Inspection | None, every: bool, runs: dict[int, Run]
) -> _Answer:
    """The newest runs of the open model, or of every one; imported ones go by its name."""
    if inspection is None:
        here = Place(this_machine().id)
        rows = history.runs(RunFilter(limit=MOST_ROWS))
        return _Answer(here, [line_of_row(row, here, runs.get(row.id)) for row in rows])
    origin = origin_of(inspection)
    here = Place(origin.machine.id, origin.storage.id)
    if every:
        rows = history.runs(RunFilter(limit=MOST_ROWS))
    else:
        alike = history.runs(RunFilter(model=origin.model.digest, limit=MOST_ROWS))
        content = origin.model.content
        rows = [row for row in alike if not other_content(row.model_content, content)]
        name = origin.model.name
        named = history.runs(RunFilter(model=name, limit=MOST_ROWS))
        rows += [row for row in named if row.model_name == name and row.is_imported]
    return _Answer(here, [line_of_row(row, here, runs.get(row.id)) for row in rows])


def _written(count: int, path: Path) -> str:
    if count == 1:
        return tr("Wrote 1 run to {file}.", file=str(path))
    return tr("Wrote {count} runs to {file}.", count=count, file=str(path))


class DeleteController(QObject):
    """The runs that were deleted last can be brought back, until others are or the window ends;
    a day later they are gone.

    `changed` follows `run_ids`, which are the runs that `undo` would bring back; `brought_back`
    carries those that it did.
    """

    changed = Signal()
    brought_back = Signal(list)

    def __init__(
        self, session: Session, history: HistoryAccess, library: RunLibrary, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.run_ids: tuple[int, ...] = ()
        self._session = session
        self._history = history
        self._library = library

    def delete(self, run_ids: Collection[int]) -> None:
        """Delete runs of the history with their recordings."""
        wanted = tuple(run_ids)

        def gone(_: None) -> None:
            self.run_ids = wanted
            self._session.log(tr("Deleted {count} recorded runs.", count=len(wanted)))
            self._library.drop(wanted)
            self.changed.emit()

        self._history.ask(lambda history: history.soft_delete(wanted), gone, self._library.complain)

    def undo(self) -> None:
        """Bring back what was deleted last."""
        wanted, self.run_ids = self.run_ids, ()
        self.changed.emit()

        def back(found: list[int]) -> None:
            self._session.log(
                tr("Restored {count} deleted runs.", count=len(found)),
            )
            if len(found) < len(wanted):
                self._session.say(
                    Notice(
                        tr("Some deleted runs couldn't be restored."),
                        tr("Another program has since deleted them permanently."),
                        tone="warn",
                    )
                )
            self._library.reload()
            self.brought_back.emit(found)

        def fail(error: ModelmonError) -> None:
            if not self.run_ids:
                self.run_ids = wanted
                self.changed.emit()
            self._library.complain(error)

        self._history.ask(lambda history: history.restore(wanted), back, fail)


def _taken(task: _TakenIn) -> str:
    if len(task.paths) == 1:
        path, run_id = task.paths[0], task.run_ids[0]
        return tr("Imported {path} as run {run_id}.", path=str(path), run_id=run_id)
    numbers = tr(", ").join(map(str, task.run_ids))
    if len(task.run_ids) == 1:
        count = len(task.paths)
        return tr("Imported 1 of {count} recordings: run {run}.", count=count, run=numbers)
    return tr(
        "Imported {taken} of {count} recordings: runs {runs}.",
        taken=len(task.run_ids),
        count=len(task.paths),
        runs=numbers,
    )


def _outcome(found: _TakenIn) -> Notice:
    """What became of them."""
    if not found.run_ids:
        first, *others = found.refused
        more = tr("{count} more couldn't be imported. See the log.", count=len(others))
        rest = more if others else ""
        return Notice(said(first.message), said(first.remedy), rest, tone="bad")
    reason = tr("Imported runs are listed, but never compared with others.")
    if not found.refused:
        return Notice(_taken(found), reason)
    why = said(found.refused[0].text)
    if len(found.refused) > 1:
        why = tr("{why} See the log for the others.", why=why)
    return Notice(_taken(found), reason, why, tone="warn")
