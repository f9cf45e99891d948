"""How far a thread has come with files that it reads for the window."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.gui.opening.transfer import Transfer
from modelmon.gui.window.notices import ProgressView

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class StoppedError(ModelmonError):
    """The user has stopped the reading."""


class Reading:
    """The window asks for `view` and may `stop`; the rest is for the thread that reads."""

    def __init__(self) -> None:
        self.stopped = False
        self._transfer: Transfer | None = None
        self._sizes_bytes: list[int] = []
        self._earlier_bytes = 0
        self._has_begun = False

    def expect(self, paths: tuple[Path, ...]) -> None:
        """Look how much there is to read, where that can be seen."""
        # A file that cannot be looked at is refused when it is read, in a sentence.
        with suppress(OSError):
            self._sizes_bytes = [path.stat().st_size for path in paths]
        total_bytes = sum(self._sizes_bytes)
        self._transfer = Transfer(total_bytes) if total_bytes else None

    def seen(self, file_bytes: int) -> None:
        """So much of the file at hand is read. Raises StoppedError where that is wanted."""
        self._has_begun = True
        if self._transfer is not None:
            self._transfer.reached(self._earlier_bytes + file_bytes)
        if self.stopped:
            raise StoppedError(Message("The reading was stopped."))

    def next_file(self) -> None:
        """The file at hand is done with, read to its end or not."""
        if self._sizes_bytes:
            self._earlier_bytes += self._sizes_bytes.pop(0)

    def stop(self) -> None:
        """Let the thread end with the next line that it reads."""
        self.stopped = True

    def view(self, headline: str, fact: str) -> Callable[[], ProgressView]:
        """How far it is, asked again and again."""

        def look() -> ProgressView:
            transfer = self._transfer
            if transfer is None or not self._has_begun:
                return ProgressView(headline, detail=fact)
            left, detail = transfer.time_left, transfer.detail
            return ProgressView(headline, transfer.share, time_left=left, detail=detail, fact=fact)

        return look
