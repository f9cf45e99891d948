"""Which packages are installed, and in which version; nothing is imported to find out."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.messages import NOTHING, Message, joined

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_installed(module: str) -> bool:
    """Whether a top-level module can be found."""
    return importlib.util.find_spec(module) is not None


def missing_sentence(requires: Mapping[str, str]) -> Message:
    """What to install, from modules and the packages that bring them; empty if all are here."""
    missing = [package for module, package in requires.items() if not is_installed(module)]
    if not missing:
        return NOTHING
    packages = " ".join(missing)
    if len(missing) == 1:
        return Message(
            "{package} is not installed: pip install {packages}",
            package=packages,
            packages=packages,
        )
    return Message(
        "{missing} are not installed: pip install {packages}",
        missing=joined(missing, " and "),
        packages=packages,
    )


def version_of(distribution: str) -> str:
    """The installed version, or nothing where it is not installed."""
    from importlib import metadata  # noqa: PLC0415  the window and loaders start sooner without it

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def too_old(distribution: str, since: str) -> bool:
    """Whether what is installed is older than this version, by their first two numbers."""
    return _release(version_of(distribution)) < _release(since)


def _release(version: str) -> tuple[int, ...]:
    numbers = re.match(r"(\d+)\.(\d+)", version)
    return tuple(map(int, numbers.groups())) if numbers else (0, 0)


def has_gpu() -> bool:
    """Whether there is a GPU that torch may use, by the devices of its driver."""
    return any(Path("/dev", name).exists() for name in ("nvidiactl", "kfd", "dxg"))
