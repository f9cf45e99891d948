"""The one-value files of /sys and /proc; what is not shown is absent, never zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def value(path: str | Path) -> str:
    """The file's text without blanks around it; empty where the kernel does not show it."""
    try:
        # As text, with a buffer, each of the dozens that a load looks at would take twice as long.
        with open(path, "rb", buffering=0) as file:
            return (file.read() or b"").decode(errors="replace").strip()
    except OSError:
        return ""


def number(path: Path) -> int | None:
    """The file's text as a number that is not negative; None if it is not one."""
    text = value(path)
    return int(text) if text.isdecimal() else None


def chosen(path: Path) -> str | None:
    """The word in brackets of a file that lists all choices: `none [mq-deadline] bfq`."""
    text = value(path)
    _, bracket, rest = text.partition("[")
    if bracket:
        return rest.partition("]")[0]
    # With a single choice some files have no brackets.
    return text or None


def flag(path: Path) -> bool | None:
    """What a file with 0 or 1, N or Y says; None if it says neither."""
    return {"0": False, "N": False, "1": True, "Y": True}.get(value(path))
