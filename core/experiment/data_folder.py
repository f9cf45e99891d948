"""The one place where modelmon keeps what it measured."""

from __future__ import annotations

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
