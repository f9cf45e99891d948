"""What stands for a program that was watched where a baseline is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.config import PROGRAM
from modelmon.core.load.libraries.baseline import Baseline
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.load.libraries.baseline import Delivered, LibraryRequest, MemoryKind


class WatchedProgram(Baseline):
    """A recorded program: its command is text, and nothing can load by it."""

    name = PROGRAM
    when_it_wins = Message("A program that was watched.")
    distribution = ""
    formats = ("safetensors", "gguf")
    shows_memory = False

    @property
    def memory_kind(self) -> MemoryKind:
        """What it needs at most."""
        return "owned"

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """That it is a record."""
        del dtypes, format
        return Message("A program is started by its own command only: use modelmon watch.")

    def version(self) -> str:
        """Not known."""
        return ""

    def prepare(self) -> None:
        """Never asked, for there is an obstacle."""

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Never asked, for there is an obstacle."""
        raise NotImplementedError
