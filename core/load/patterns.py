"""Tensors and blocks chosen by patterns of their names."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase, translate
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.model.tensors import Model

_RANGE = re.compile(r"(.*[._])([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_NUMBERED = re.compile(r"(.*[._])([0-9]{1,9})", re.DOTALL)
_SHOWN = 3
# Comparing costs about 0.1 ms a name; a mistake is answered within a second.
_MOST_COMPARED = 10_000


def chosen_tensors(model: Model, tensors: Sequence[str], blocks: Sequence[str]) -> list[int]:
    """Indices of the tensors that any of the patterns names, ascending.

    A pattern is a name or a glob (`*`, `?`, `[...]`, upper and lower case differ); one of
    blocks may end in a range of their numbers, `layers.0-3`. Raises ConfigError, with the
    nearest names, for a pattern that names nothing.
    """
    chosen: set[int] = set()
    if tensors:
        names = [tensor.name for tensor in model.tensors]
        for pattern in tensors:
            chosen.update(_named(pattern, names, "tensor", model.name))
    if blocks:
        names = [block.name for block in model.blocks]
        for pattern in blocks:
            for index in _named(pattern, names, "block", model.name):
                chosen.update(model.blocks[index].tensors)
    return sorted(chosen)


def _named(pattern: str, names: Sequence[str], what: str, model_name: str) -> list[int]:
    found = [index for index, name in enumerate(names) if name == pattern]
    if not found:
        matches = _matcher(pattern, ranges=what == "block")
        found = [index for index, name in enumerate(names) if matches(name)]
    if not found:
        raise ConfigError(
            Message("{model} has no block {pattern}.", model=model_name, pattern=repr(pattern))
            if what == "block"
            else Message(
                "{model} has no tensor {pattern}.", model=model_name, pattern=repr(pattern)
            ),
            _nearest(pattern, names),
        )
    return found


def _matcher(pattern: str, *, ranges: bool) -> Callable[[str], object]:
    span = _RANGE.fullmatch(pattern) if ranges else None
    if span is None:
        return re.compile(translate(pattern)).match
    container, first, last = span[1], int(span[2]), int(span[3])

    def in_range(name: str) -> bool:
        counted = _NUMBERED.fullmatch(name)
        return (
            counted is not None
            and first <= int(counted[2]) <= last
            and fnmatchcase(counted[1], container)
        )

    return in_range


def _nearest(pattern: str, names: Sequence[str]) -> Message:
    from difflib import get_close_matches  # noqa: PLC0415  loads start sooner without it

    near = get_close_matches(pattern, names[:_MOST_COMPARED], _SHOWN)
    if near:
        return Message("Nearest: {near}.", near=", ".join(near))
    return Message(
        "There are {count}, for example: {names}.",
        count=len(names),
        names=", ".join(names[:_SHOWN]),
    )
