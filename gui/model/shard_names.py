"""What the files of a set are called where there is little room."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_COUNT = re.compile(r"\d+-of-\d+")


def shard_names(paths: Iterable[str | PurePath]) -> tuple[str, ...]:
    """File names; of a set whose shards are counted, only the counts: `00002-of-00004`."""
    names = [PurePath(path).name for path in paths]
    counts = [_COUNT.search(name) for name in names]
    if len(names) > 1 and all(counts):
        return tuple(found[0] for found in counts if found)
    return tuple(names)
