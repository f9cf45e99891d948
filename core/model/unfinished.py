"""Files that are part of a model: cut into pieces, or not yet downloaded. By their names alone."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    _Found = tuple[Message, Message]
    """What a file is, and what to do about it."""

FINISH = Message("Finish or repeat the download.")

_PART = re.compile(
    r"(?P<whole>.+\.(?:gguf|safetensors|sft))(?P<before>[._-]?(?:part|split|chunk)[._-]?|[._-])"
    r"(?P<number>[0-9]{1,5}|[a-z]{1,3})(?P<after>(?:[._-]?of[._-]?[0-9]{1,5})?)",
    re.IGNORECASE,
)
"""How people, split(1) and Hugging Face's uploaders call the parts of a file that was cut."""

_UNFINISHED = re.compile(
    r".+(?:\.(?:incomplete|partial|part|filepart|crdownload|opdownload|download"
    r"|downloadInProgress|!qB|!ut|aria2|tmp)|-partial(?:-[0-9]+)?)",
    re.IGNORECASE,
)
"""How programs call what they are still downloading."""

WEIGHTS = re.compile(
    r".+\.(?:gguf|safetensors|sft)(?![a-z0-9]).*|(?:sha256-)?[0-9a-f]{40,64}\b.*", re.IGNORECASE
)


def what_completes(path: str) -> Message:
    """What to do about a model file that ends too early."""
    found = unfinished(path)
    return FINISH if found is None else found[1]


def unfinished_in(folder: str, names: Sequence[str]) -> ModelFileError | None:
    """The error for a folder that has parts of a model file or an unfinished download."""
    for name in filter(WEIGHTS.fullmatch, sorted(names)):
        if (found := _by_names(name, names)) is not None:
            what, remedy = found
            path = Path(folder, name)
            return ModelFileError(Message("{path}: {problem}", path=path, problem=what), remedy)
    return None


def unfinished(path: str) -> _Found | None:
    """What a file is part of by its name and its neighbors', and how to complete it."""
    return _by_names(Path(path).name, neighbors(Path(path)))


def neighbors(path: Path) -> list[str]:
    """The names in a file's folder, its own among them; that alone where the folder is closed."""
    try:
        return sorted(each.name for each in path.parent.iterdir())
    except OSError:
        return [path.name]


def _by_names(name: str, names: Sequence[str]) -> _Found | None:
    if (match := _PART.fullmatch(name)) is not None:
        parts = _parts(match, names)
        # Numbers and letters from the first on: names such as m.gguf.xz end otherwise.
        is_series = len(parts) > 1 and parts[0][match.start("number")] in "01aA"
        if is_series or match["after"]:
            return _joined(match["whole"], parts, match["after"])
    if _UNFINISHED.fullmatch(name) or f"{name}.aria2" in names:
        return (
            Message("this is an unfinished download."),
            Message("Finish it with the program that began it, then open the finished file."),
        )
    return None


def _parts(match: re.Match[str], names: Iterable[str]) -> list[str]:
    """The files that are cut from the same one, in order: b comes before aa, and 9 before 10."""
    same = "whole", "before", "after"
    found = [
        other
        for name in names
        if (other := _PART.fullmatch(name)) is not None
        and all(other[part] == match[part] for part in same)
        and other["number"].isdigit() == match["number"].isdigit()
    ]
    found.sort(key=lambda each: (len(each["number"]), each["number"]))
    return [each.string for each in found]


def _joined(whole: str, parts: list[str], of: str) -> _Found:
    what = Message("this is part of {whole}, which was cut into files.", whole=whole)
    count = int(re.sub(r"\D", "", of) or 0)
    if len(parts) < count:
        return what, Message("Download all {count} parts, then join them with cat.", count=count)
    command = join(["cat", *parts])
    return what, Message(
        "Join the parts in their folder: {command} > {whole}", command=command, whole=quote(whole)
    )
