"""One selected block for the whole window: whoever selects it, all others show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import SignalInstance


class ShowsBlock(Protocol):
    """A part of the window that marks a block; an empty name stands for none.

    `block_selected` is emitted when the user selects one there, and only then.
    """

    block_selected: SignalInstance

    def select_block(self, name: str) -> None:
        """Mark a block as somebody else's choice."""


class BlockSelection:
    """Passes the choice on."""

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
