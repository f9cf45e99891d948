"""How a program's reads follow one another, as storage sees them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from modelmon.core.worker.record import ChunkTable

_LEAST_SHARE = 0.05
"""Of the requests: who makes fewer reads a header, or what others left."""


class Jumps(NamedTuple):
    """How many readers there were, and the share of all requests that began elsewhere than where
    the last one, of any reader, ended.
    """

    readers: int
    share: float


def jumps_of(chunks: ChunkTable) -> Jumps | None:
    """Of these requests, in the order in which they began; None where there are hardly any."""
    count = len(chunks)
    if count < 2:
        return None
    order = sorted(range(count), key=chunks.start_ns.__getitem__)
    jumps, end = 0, (-1, 0)
    for at in order:
        place = chunks.shard[at], chunks.offset_bytes[at]
        jumps += place != end
        end = place[0], place[1] + chunks.nbytes[at]
    requests = Counter(chunks.reader).values()
    readers = sum(each >= _LEAST_SHARE * count for each in requests)
    return Jumps(readers, (jumps - 1) / (count - 1))
