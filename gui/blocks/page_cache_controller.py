"""Connects the page cache strip and the access map with the model, the doctor and each other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from modelmon.core.machine.mounts import caches_elsewhere
from modelmon.gui.blocks.block_places import BlockPlaces
from modelmon.gui.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import SignalInstance

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.machine.storage import Storage
    from modelmon.gui.blocks.access_map import AccessMap
    from modelmon.gui.blocks.page_cache import PageCache
    from modelmon.gui.session.machine import Machine
    from modelmon.gui.session.session import Session


class PageCacheController(QObject):
    """Shows what the doctor saw of the page cache, asks it again, and knows the selected block."""

    def __init__(
        self,
        session: Session,
        machine: Machine,
        cache: PageCache,
        access_map: AccessMap,
        others: Iterable[ShowsBlock],
    ) -> None:
        """`others` show the selected block, too."""
        super().__init__(cache)
        self._session, self._machine = session, machine
        self._cache, self._map = cache, access_map
        self._seen: Diagnosis | None = None
        self._looked = False
        self._caveat = ""
        self.selection = BlockSelection((*others, access_map, cache))
        self._session.model_changed.connect(self._on_model)
        self._session.activity_changed.connect(self._show_state)
        self._machine.changed.connect(self._on_machine)
        self._cache.look_wanted.connect(self._machine.look)
        self._show_state()

    def _on_model(self) -> None:
        inspection = self._session.inspection
        if inspection is None:
            return
        places = BlockPlaces(inspection.model)
        self._cache.set_places(places)
        self._map.set_places(places)
        self._caveat = _caveat(inspection.storage)
        self._show_look(inspection.cache_map)
        self._show_state()
        self.selection.select("")

    def _on_machine(self) -> None:
        found = self._machine.diagnosis
        if found is not None and found is not self._seen and found.file is not None:
            self._show_look(found.file.cache_map)
        elif self._machine.failure and not self._looked:
            self._cache.set_look(None, "", self._machine.failure)
        self._seen = found
        self._show_state()

    def _show_look(self, found: ResidencyMap | None) -> None:
        self._looked = found is not None
        self._cache.set_look(found, time.strftime("%H:%M:%S") if found is not None else "")

    def _show_state(self) -> None:
        possible = self._session.inspection is not None and not self._session.busy
        self._cache.set_looking(possible=possible, looking=self._machine.looking)
        # A look that failed leaves the one before, with its time of day.
        failure = said(self._machine.failure) if self._looked else ""
        self._cache.set_note(failure or self._caveat)


def _caveat(storage: Storage) -> str:
    if storage.kind == "fuse":
        return tr("Refreshing opens the files, which may drop their cached pages on FUSE.")
    if caches_elsewhere(storage.filesystem, storage.kind):
        return tr(
            "Shows this machine's page cache only, not {filesystem}'s own cache.",
            filesystem=storage.filesystem,
        )
    return ""


class ShowsBlock(Protocol):
    """A part of the window that marks a block; an empty name stands for none.

    `block_selected` is emitted when the user selects one there, and only then.
    """

    block_selected: SignalInstance

    def select_block(self, name: str) -> None:
        """Mark a block as somebody else's choice."""


class BlockSelection:
    """One selected block for the whole window: whoever selects it, all others show it."""

    def __init__(self, parts: Iterable[ShowsBlock]) -> None:
        self.block = ""
        self._parts = tuple(parts)
        for part in self._parts:
            part.block_selected.connect(self.select)

    def select(self, name: str) -> None:
        """Select a block everywhere, or none."""
        self.block = name
        for part in self._parts:
            part.select_block(name)
