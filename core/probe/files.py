"""A model's files as a probe opens them: past the page cache, or through it without a trace."""

from __future__ import annotations

import mmap
import os
import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent
from modelmon.core.machine.advice import give_advice
from modelmon.core.machine.cache_syscalls import RAMFS, TMPFS, filesystem_type
from modelmon.core.machine.caches_below import CachesBelow
from modelmon.core.machine.direct_io import (
    READ_ONLY,
    DirectRefusedError,
    alignment_bytes,
    open_direct,
)
from modelmon.core.machine.page_cache import COLD_SHARE, eviction_obstacle
from modelmon.core.machine.residency import page_ranges, residency_is_known, resident_bytes
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.probe.reads import ReadShare
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from modelmon.core.probe.probe import Way

_BLOCK_BYTES = 4096
_DROPS = 6
_FIRST_PAUSE_S = 0.01
# Taken for what the kernel may read ahead of a reader where it does not tell.
_UNTOLD_READAHEAD_BYTES = 16 * MIB


class Manner(NamedTuple):
    """How readers read: `random` asks the kernel not to read ahead, the first `mapped` touch
    pages, all have `shared` descriptors rather than their own.
    """

    way: Way
    random: bool = False
    mapped: int = 0
    shared: bool = False


class ProbeFiles:
    """How these files can be read here, readers' descriptors of them, and the devices below.

    `way_reason` says why not past the cache, `cache_reason` why not through it ("" if so).
    """

    def __init__(
        self, paths: Sequence[Path], readahead_bytes: int | None, devices: Sequence[str] = ()
    ) -> None:
        """`devices` are the kernel names of those at the bottom; raises OSError where a file
        cannot be opened.
        """
        self.devices = devices
        self.paths = [str(path) for path in paths]
        self.sizes_bytes = [path.stat().st_size for path in paths]
        # The window that is read and the next one, which is begun before that is over.
        self._ahead_bytes = 2 * (readahead_bytes or _UNTOLD_READAHEAD_BYTES)
        # Residency is asked through these; opening a FUSE file anew would change it.
        self._looking = [os.open(path, READ_ONLY) for path in self.paths]
        self._below = CachesBelow(paths)
        self._cold_bytes = COLD_SHARE * sum(self.sizes_bytes)
        self._read: list[Extent] = []
        self.block_bytes = _BLOCK_BYTES
        self.cache_reason = self._why_not_cached()
        self.way: Way = "none"
        self.way_reason = NOTHING
        if any(self.sizes_bytes):
            self.way, self.way_reason = self._find_way()

    def _why_not_cached(self) -> Message:
        for descriptor in self._looking:
            if obstacle := eviction_obstacle(descriptor):
                return obstacle
            if not residency_is_known(descriptor):
                return Message(
                    "Cache state is unreadable here, and buffered reads would change it."
                )
        return NOTHING

    def _find_way(self) -> tuple[Way, Message]:
        self._below.evict(self._cold_bytes)
        if (left := self._below.left(self._cold_bytes)) is not None:
            return "none", Message("{file} below stays cached.", file=left[0])
        path = self.paths[self.sizes_bytes.index(max(self.sizes_bytes))]
        descriptor = -1
        try:
            descriptor = open_direct(path)
            self.block_bytes = max(_BLOCK_BYTES, alignment_bytes(descriptor))
        except DirectRefusedError as refusal:
            reason = Message("{refusal}.", refusal=refusal.reason)
        else:
            return "direct", NOTHING
        finally:
            if descriptor >= 0:
                os.close(descriptor)
        if all(filesystem_type(fd) in (TMPFS, RAMFS) for fd in self._looking):
            return "memory", reason
        return (
            ("none", joined((reason, self.cache_reason)))
            if self.cache_reason
            else ("cache", reason)
        )

    @contextmanager
    def shares(
        self, dealt: Iterable[Sequence[Extent]], manner: Manner
    ) -> Iterator[list[ReadShare]]:
        """A reader for each hand of spans, with what it reads by, which is closed afterwards.

        What was read through the cache is noted, for `drop_what_was_read`; what is cached below is
        dropped before.
        """
        way, random, mapped, shared = manner
        self._below.evict(self._cold_bytes)
        own: dict[int, int] = {}
        with ExitStack() as opened:
            found = []
            for number, spans in enumerate(dealt):
                own = own.copy() if shared else {}
                for file in {span.shard for span in spans} - own.keys():
                    own[file] = _open(self.paths[file], way)
                    opened.callback(os.close, own[file])
                    if random:
                        give_advice(own[file], "random")
                maps = {
                    file: opened.enter_context(mmap.mmap(own[file], 0, access=mmap.ACCESS_READ))
                    for file in {span.shard for span in spans if number < mapped}
                }
                found.append(ReadShare(own, spans, self.block_bytes, maps))
                if way == "cache":
                    ahead = 0 if random else self._ahead_bytes
                    self._read += [self._within(span, ahead) for span in spans]
            yield found

    def _within(self, span: Extent, ahead_bytes: int) -> Extent:
        left = self.sizes_bytes[span.shard] - span.offset_bytes
        return Extent(span.shard, span.offset_bytes, min(span.nbytes + ahead_bytes, left))

    def is_uncached(self, span: Extent) -> bool:
        """Whether no page of the span, or of what may be read ahead of it, is cached."""
        return self._cached_bytes(self._within(span, self._ahead_bytes)) == 0

    def is_block_uncached(self, span: Extent) -> bool:
        """The same of a block that is read without reading ahead."""
        return self._cached_bytes(span) == 0

    def is_cached(self, span: Extent) -> bool:
        """Whether the whole span is cached; False where that is unknown."""
        cached = self._cached_bytes(span)
        return cached is not None and cached >= span.nbytes

    def _cached_bytes(self, span: Extent) -> int | None:
        return resident_bytes(self._looking[span.shard], [span[1:]])

    def map_of(self, file: int) -> int:
        """A descriptor through which cached places of a file can be mapped."""
        return self._looking[file]

    def drop_what_was_read(self) -> int | None:
        """Drop from the cache exactly what was read through it, of which nothing was cached.

        Returns how many bytes of it stayed, None where nothing was read through the cache.
        """
        if not self._read or sys.platform != "linux":
            return None
        left = 0
        for attempt in range(_DROPS):
            if attempt:
                # What a busy device is still reading ahead can be dropped when it has come.
                time.sleep(_FIRST_PAUSE_S * 2**attempt)
            for file, offset, nbytes in self._read:
                give_advice(self._looking[file], "dontneed", offset, nbytes)
            left = self._left_of_read()
            if not left:
                break
        self._read.clear()
        return left

    def _left_of_read(self) -> int:
        ranges: dict[int, list[tuple[int, int]]] = {}
        for file, offset, nbytes in self._read:
            ranges.setdefault(file, []).append((offset, nbytes))
        return sum(
            resident_bytes(self._looking[file], page_ranges(parts, self.sizes_bytes[file])) or 0
            for file, parts in ranges.items()
        )

    def close(self) -> None:
        """Close everything."""
        for descriptor in self._looking:
            os.close(descriptor)
        self._looking.clear()
        self._below.close()


def _open(path: str, way: Way) -> int:
    return open_direct(path) if way == "direct" else os.open(path, READ_ONLY)
