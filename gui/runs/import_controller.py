"""Takes recordings that were made elsewhere into the history, with progress and Stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.history.recorder import import_recording
from modelmon.gui.language import said, tr
from modelmon.gui.session.activity import Activity
from modelmon.gui.session.notices import Notice
from modelmon.gui.session.transfer import Reading, StoppedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.history.history import History
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.session.session import Session


class _Import(Reading):
    """Some recordings on their way into the history, and what became of each."""

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__()
        self.paths = tuple(paths)
        self.run_ids: list[int] = []
        self.refused: list[ModelmonError] = []
        self.fault: Exception | None = None

    def work(self, history: History) -> None:
        """Take in one after the other; on a thread of the history."""
        self.expect(self.paths)
        for path in self.paths:
            try:
                self.run_ids.append(import_recording(history, path, self.seen))
            except StoppedError:
                return
            except ModelmonError as error:
                self.refused.append(error)
            except OSError:
                # Of the disk: who asks the history for us says what cannot be used.
                raise
            except Exception as error:
                # Of the program: raised again where faults of the window are reported.
                self.fault = error
                return
            self.next_file()


class ImportController(QObject):
    """`imported` carries the numbers of the runs that the history has by that."""

    imported = Signal(object)

    def __init__(
        self, session: Session, history: HistoryAccess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._under_way: _Import | None = None

    def start(self, paths: Sequence[Path]) -> None:
        """Take these recordings in; nothing else is under way."""
        if self._session.busy or not paths:
            return
        task = self._under_way = _Import(paths)
        name = task.paths[0].name
        text = tr("Importing {file}", file=name)
        if len(task.paths) > 1:
            text = tr("Importing {count} recordings", count=len(task.paths))
        fact = tr("Reading the run's recording.")
        self._session.begin(Activity.IMPORTING, task.view(text, fact))
        self._history.ask(
            task.work,
            lambda _: self._on_done(task),
            lambda error: self._on_failed(task, error),
            other_files=True,
        )

    def stop(self) -> None:
        """Take in no more; returns at once."""
        task, self._under_way = self._under_way, None
        if task is not None:
            task.stop()
            kept = tr("Recordings imported so far stay in the history.")
            self._session.end(Notice(tr("Import stopped."), kept))

    def shut_down(self) -> None:
        """Take in no more."""
        if self._under_way is not None:
            self._under_way.stop()
            self._under_way = None

    def _on_failed(self, task: _Import, error: ModelmonError) -> None:
        """The history itself cannot be used."""
        task.refused.append(error)
        self._on_done(task)

    def _on_done(self, task: _Import) -> None:
        for error in task.refused:
            self._session.log(said(error.text), "error")
        if task.run_ids:
            self._session.log(_taken(task))
        if task is self._under_way:
            self._under_way = None
            self._session.end(_outcome(task))
        if task.run_ids:
            self.imported.emit(tuple(task.run_ids))
        if task.fault is not None:
            raise task.fault


def _taken(task: _Import) -> str:
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


def _outcome(task: _Import) -> Notice | None:
    """What became of them; None where a fault of the program kept all from being taken in."""
    first = task.refused[0] if task.refused else None
    if not task.run_ids:
        if first is None:
            return None
        more = len(task.refused) - 1
        rest = tr("{count} more couldn't be imported. See the log.", count=more) if more else ""
        return Notice(said(first.message), said(first.remedy), rest, tone="bad")
    reason = tr("Imported runs are listed, but never compared with others.")
    if first is None:
        return Notice(_taken(task), reason)
    why = said(first.text)
    if len(task.refused) > 1:
        why = tr("{why} See the log for the others.", why=why)
    return Notice(_taken(task), reason, why, tone="warn")
