"""Deletes runs so that the last deletion can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.gui.language import tr
from modelmon.gui.session.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Collection

    from modelmon.core.errors import ModelmonError
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.runs.run_library import RunLibrary
    from modelmon.gui.session.session import Session


class DeleteController(QObject):
    """The runs that were deleted last are only set aside, until others are or the window ends.

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
        history.ending.connect(self._delete_for_good)

    def delete(self, run_ids: Collection[int]) -> None:
        """Delete runs of the history with their recordings."""
        wanted, before = tuple(run_ids), self.run_ids
        self.run_ids = wanted

        def gone(_: None) -> None:
            self._session.log(tr("Deleted {count} recorded runs.", count=len(wanted)))
            self._library.drop(wanted)
            self.changed.emit()

        def fail(error: ModelmonError) -> None:
            if self.run_ids == wanted:
                self.run_ids = before
            self._library.complain(error)

        self._history.ask(lambda history: history.soft_delete(wanted, before), gone, fail)

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

    def _delete_for_good(self) -> None:
        if self.run_ids:
            wanted, self.run_ids = self.run_ids, ()
            self._history.ask(
                lambda history: history.delete(wanted), lambda _: None, lambda _: None
            )
