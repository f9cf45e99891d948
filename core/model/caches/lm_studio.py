"""Where LM Studio keeps its models: in its own folder, or where its settings say.

Its folder is named by a file in the home folder, and `settings.json` there has `downloadsFolder`.
https://github.com/lmstudio-ai/lmstudio-js/blob/main/packages/lms-common-server/src/findLMStudioHome.ts
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from modelmon.core.model.caches.walk import small_file

_POINTER = ".lmstudio-home-pointer"


class _Settings(msgspec.Struct):
    downloads_folder: str = msgspec.field(name="downloadsFolder", default="")


def lm_studio_folders(home: Path) -> list[Path]:
    """All folders in which it may have models, whether they exist or not, the newest first."""
    pointed = small_file(home / _POINTER).decode("utf-8", "replace").strip()
    homes = [*_absolute(pointed), home / ".lmstudio", home / ".cache" / "lm-studio"]
    moved = [folder for each in homes for folder in _absolute(_moved_to(each))]
    return [*moved, *(each / "models" for each in homes)]


def _moved_to(folder: Path) -> str:
    try:
        settings = msgspec.json.decode(small_file(folder / "settings.json"), type=_Settings)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return settings.downloads_folder


def _absolute(text: str) -> list[Path]:
    """It as a path, if it is one that doesn't depend on where modelmon runs."""
    return [Path(text)] if "\0" not in text and Path(text).is_absolute() else []
