"""A sample model to try the program with: written on demand, removed when the window closes."""

from __future__ import annotations

import contextlib
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs
import psutil
from PySide6.QtCore import QObject, Signal

from modelmon.core.units import size_text
from modelmon.gui.background.commands import (
    SAMPLE_SIZE_BYTES,
    Command,
)
from modelmon.gui.background.threads import start_thread
from modelmon.gui.language import tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Notice, ProgressView, Transfer, give_up
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from modelmon.gui.session.session import Session


_PATIENCE_S = 2.0
"""Of a window that closes; what is left then, the next one removes."""


class _Line(msgspec.Struct):
    done_bytes: int | None = None
    total_bytes: int | None = None
    path: str | None = None


_decode = msgspec.json.Decoder(_Line).decode


def _remove_orphans(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in folder.glob("sample-*.safetensors"):
            owner = path.stem.removeprefix("sample-")
            if owner.isdecimal() and not psutil.pid_exists(int(owner)):
                with contextlib.suppress(OSError):
                    path.unlink()


class SampleModel(Controller):
    """Writes the sample into the user's cache folder; `written` brings its path."""

    written = Signal(str)

    def __init__(
        self,
        session: Session,
        folder: Path | None = None,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        default = Path(platformdirs.user_cache_path("modelmon", appauthor=False))
        self._folder = folder or default
        # Two windows must not write over each other's sample.
        self.path = self._folder / f"sample-{os.getpid()}.safetensors"
        self._transfer = Transfer(SAMPLE_SIZE_BYTES)

    def write(self) -> None:
        """Start writing, or say at once that it is there already."""
        if self._session.busy:
            return
        if self.path.exists():
            self.written.emit(str(self.path))
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or str(error)
            message = tr("Couldn't create {folder}: {why}.", folder=str(self._folder), why=why)
            self._on_failed(message, "")
            return
        self.remove_orphans()
        self._transfer = Transfer(SAMPLE_SIZE_BYTES)
        self._session.begin(Activity.SAMPLING, self.progress)
        size = f"{SAMPLE_SIZE_BYTES // 1024**2}MiB"
        shape = ["--format", "safetensors", "--size", size, "--layers", "32", "--seed", "0"]
        arguments = ["sample", str(self.path), *shape, "--json"]
        self._asking.follow(arguments, _decode, self._on_line, self._on_written, self._on_failed)

    def progress(self) -> ProgressView:
        """How much of the sample is written."""
        return ProgressView(
            tr("Writing the sample model"),
            self._transfer.share,
            time_left=self._transfer.time_left,
            detail=self._transfer.detail,
            fact=tr("{file} is deleted when the window closes", file=str(self.path)),
        )

    def stop(self) -> None:
        """Give up writing; returns at once."""
        command = self._asking.stop()
        if command is not None:
            command.destroyed.connect(self._on_gone)
            self._session.end(
                Notice(tr("Stopped writing the sample."), tr("Its result isn't saved."))
            )

    def shut_down(self) -> None:
        """Stop, wait, and remove the sample, and those of programs that could not."""
        super().shut_down()
        self.remove()
        self.remove_orphans().join(_PATIENCE_S)

    def remove(self) -> None:
        """Remove this window's sample."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def remove_orphans(self) -> threading.Thread:
        """Remove samples whose program is gone (it was killed before it could), in a thread of its
        own: to delete gigabytes takes long, and the folder may lie on a slow disk.
        """
        return start_thread(partial(_remove_orphans, self._folder))

    def _on_gone(self) -> None:
        # A sample that was whole by then; another one may be under way.
        if not self._asking.under_way:
            self.remove()

    def _on_line(self, told: _Line) -> None:
        if told.done_bytes is not None:
            self._transfer.reached(told.done_bytes)

    def _on_written(self) -> None:
        try:
            size = size_text(self.path.stat().st_size)
        except OSError as error:
            why = error.strerror or str(error)
            message = tr("Couldn't read {file}: {why}.", file=str(self.path), why=why)
            self._on_failed(message, "")
            return
        self._session.log(tr("Wrote {size} to {file}.", size=size, file=str(self.path)))
        self._session.end()
        self.written.emit(str(self.path))

    def _on_failed(self, message: str, remedy: str) -> None:
        self.remove()
        give_up(self._session, message, remedy)
