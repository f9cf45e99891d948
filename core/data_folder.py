"""The one place where modelmon keeps what it measured."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import platformdirs

VARIABLE = "MODELMON_DATA_DIR"


def data_folder() -> Path:
    """`MODELMON_DATA_DIR`, or the user's data folder of this platform; it may not exist yet."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(platformdirs.user_data_path("modelmon", appauthor=False))


def cache_folder() -> Path:
    """The user's folder for what can be made again; it may not exist yet."""
    return Path(platformdirs.user_cache_path("modelmon", appauthor=False))


def stored_bytes(folder: Path) -> int | None:
    """Sizes of all files below `folder`; None where there is no such folder."""
    if not folder.is_dir():
        return None
    total = 0
    for path in folder.rglob("*"):
        # Files may go while they are counted.
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total
