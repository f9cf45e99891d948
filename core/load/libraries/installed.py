"""Which packages are installed, and in which version; nothing is imported to find out."""

from __future__ import annotations

import importlib.util
import re
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


def release_of(distribution: str) -> tuple[int, int]:
    """The installed version's first two numbers; (0, 0) where it has none."""
    numbers = re.match(r"(\d+)\.(\d+)", version_of(distribution))
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
