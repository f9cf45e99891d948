"""Where in the files the cached pages lie, told before, during and after a load."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.machine.page_cache import residency_map
from modelmon.core.worker.events import CacheMap

if TYPE_CHECKING:
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.worker.samples import CacheMoment

_LEAST_PAUSE_NS = 500_000_000
# Looks take up at most this part of the time, and come more rarely the longer a load lasts, so
# that a recording of an hour holds about a hundred.
_MOST_TIME_SHARE = 1 / 200
_PAUSE_OF_ELAPSED = 1 / 16


class CacheMaps:
    """Looks through descriptors that are open anyway, and reads and maps nothing.

    While a load runs it is looked only where cachestat answers: mincore takes a hundred times
    as long.
    """

    def __init__(self, files: OpenFiles) -> None:
        self._files = [
            (files.descriptors.get(shard), size) for shard, size in files.size_bytes.items()
        ]
        self._cheap = False
        self._due_ns = _LEAST_PAUSE_NS

    def look(self, moment: CacheMoment, t_ns: int = 0) -> CacheMap:
        """What is cached now, at `t_ns` since the start."""
        began_ns = time.monotonic_ns()
        found = residency_map(self._files)
        took_ns = time.monotonic_ns() - began_ns
        asked = [file.source for file in found.files if file.is_known]
        self._cheap = bool(asked) and all(source == "cachestat" for source in asked)
        pause_ns = max(_LEAST_PAUSE_NS, t_ns * _PAUSE_OF_ELAPSED, took_ns / _MOST_TIME_SHARE)
        self._due_ns = t_ns + round(pause_ns)
        return CacheMap(moment, t_ns, took_ns, found)

    def look_if_due(self, t_ns: int) -> CacheMap | None:
        """What is cached while the load runs; None where it is too early, or asking too dear."""
        if not self._cheap or t_ns < self._due_ns:
            return None
        return self.look("during", t_ns)
