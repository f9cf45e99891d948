"""Where a sample goes: nothing is lost, nothing half-done is left, and the disk is not filled."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.core.model.sharded import is_of_model
from modelmon.core.units import GIB, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LEAST_FREE_BYTES = GIB
_LEAST_FREE_SHARE = 0.05


def check_target(out: Path, *, is_folder: bool, force: bool) -> None:
    """Raise ModelmonError if writing `out` would destroy what the user did not mean."""
    if not out.parent.is_dir():
        raise ModelmonError(
            Message("The folder {parent} doesn't exist.", parent=out.parent),
            Message("Create it first."),
        )
    if not os.path.lexists(out):
        return
    if not force:
        raise ModelmonError(
            Message("{out} already exists.", out=out),
            Message("Choose another name, or overwrite it."),
        )
    if is_folder:
        if not out.is_dir() or not all(is_of_model(path.name) for path in out.iterdir()):
            raise ModelmonError(
                Message("{out} contains more than weights, which would be lost.", out=out),
                Message("Choose another name."),
            )
    elif not out.is_file():
        raise ModelmonError(
            Message("{out} isn't a file.", out=out), Message("Choose the name of a file.")
        )


def check_space(out: Path, nbytes: int) -> None:
    """Raise ModelmonError if `nbytes` more would leave the storage nearly full."""
    disk = shutil.disk_usage(out.parent)
    stays_free = max(_LEAST_FREE_BYTES, int(disk.total * _LEAST_FREE_SHARE))
    if disk.free - nbytes < stays_free:
        raise ModelmonError(
            Message(
                "A sample of {nbytes} doesn't fit in {parent}: {free} free, of which"
                " {stays_free} must stay free.",
                nbytes=size_text(nbytes),
                parent=out.parent,
                free=size_text(disk.free),
                stays_free=size_text(stays_free),
            ),
            Message("Choose a smaller size or another place."),
        )


@contextmanager
def placed_when_complete(out: Path, *, is_folder: bool) -> Iterator[Path]:
    """A temporary folder beside `out` for the files; at the end they become `out`.

    They do so in one step, and not at all if the body raises. Without `is_folder` the body
    writes one file.
    """
    folder = out.with_name(f".{out.name}.{os.getpid()}.partial")
    replaced = folder.with_suffix(".replaced")
    folder.mkdir()
    try:
        yield folder
        _flush_folder(folder)
        if not is_folder:
            (only,) = folder.iterdir()
            only.replace(out)
        elif out.is_dir():
            out.rename(replaced)
            folder.rename(out)
        else:
            folder.rename(out)
        _flush_folder(out.parent)
    finally:
        for leftover in (folder, replaced):
            shutil.rmtree(leftover, ignore_errors=True)


def _flush_folder(folder: Path) -> None:
    """Make the folder's entries as durable as its files; Windows does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
