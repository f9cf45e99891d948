"""The page cache before a load: set as asked, verified, and judged again afterwards.

Residency is asked through descriptors that were open before: a look maps and reads nothing.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import psutil

from modelmon.core.errors import CancelledError
from modelmon.core.load.extents import split
from modelmon.core.load.warmup import warm_up
from modelmon.core.machine.cached_pages import (
    HIDE_COMPRESSION,
    dirty_pages,
    filesystem_type,
    unknown,
)
from modelmon.core.machine.file_users import users_of
from modelmon.core.machine.mounts import SIMULATED
from modelmon.core.machine.page_cache import (
    COLD_SHARE,
    WARM_SHARE,
    CachesBelow,
    Residency,
    combined,
    evict_verified,
    eviction_obstacle,
    residency,
    residency_map,
)
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import MIB, percent_text
from modelmon.core.worker.environment_check import describe_users
from modelmon.core.worker.events import CacheMap, Progress
from modelmon.core.worker.run_warnings import RunWarning, warned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.worker.events import Cache, CacheMoment, StartState
    from modelmon.core.worker.run_warnings import WarningKind


# Bounds for a state that is inferred from what the device delivered, as a share of the plan.
COLD_DEVICE_SHARE = 0.98
WARM_DEVICE_SHARE = 0.01


_PIECE_BYTES = 16 * MIB

Evidence = Literal["verified", "inferred", "unknown"]


def stop_if(should_stop: Callable[[], bool]) -> None:
    """Raise CancelledError where a run is to stop."""
    if should_stop():
        raise CancelledError(Message("The load was stopped."))


class Judgement(NamedTuple):
    """What the cache really was at the start, how that is known, and what is wrong with it."""

    state: StartState
    evidence: Evidence
    warnings: tuple[RunWarning, ...]
    cached_below: str = ""

    @property
    def counts(self) -> bool:
        """Whether a run with this start can be ranked."""
        return all(warning.counts for warning in self.warnings)


class CacheState:
    """The page cache of one load's extents, asked through descriptors that stay open."""

    def __init__(self, files: OpenFiles, wanted: Sequence[Extent], behind: str = "") -> None:
        """`behind` names the filesystem where something out of sight caches as well."""
        self._opened, self._wanted = files, wanted
        ranges: dict[int, list[tuple[int, int]]] = {}
        for extent in wanted:
            ranges.setdefault(extent.shard, []).append((extent.offset_bytes, extent.nbytes))
        self._files = [(files.descriptors[shard], parts) for shard, parts in ranges.items()]
        self._paths = {Path(files.paths[shard]): files.descriptors[shard] for shard in ranges}
        self.maps = CacheMaps(files)
        self._behind = behind
        self._below = CachesBelow(self._paths)
        self._cached_below: tuple[str, int | None] | None = None
        self._evicted = False
        self._planned_bytes = sum(extent.nbytes for extent in wanted)
        self._allocated_share = _allocated_share([descriptor for descriptor, _ in self._files])
        self.before = Residency(None, unknown(Message("not asked yet")))
        self._obstacle = ""
        self._remedy = NOTHING

    def residency(self) -> Residency:
        """The extents' residency now."""
        return combined(residency(descriptor, parts) for descriptor, parts in self._files)

    def set(
        self,
        cache: Cache,
        report: Callable[[Progress], None],
        should_stop: Callable[[], bool],
    ) -> None:
        """Make the cache cold or warm, or leave it as it is."""
        if cache == "cold":
            obstacle = evict_verified(self._files)
            # What had to be written above is written below by now.
            self._below.evict(COLD_SHARE * self._planned_bytes)
            self._evicted = True
            self._obstacle = obstacle
            if any(eviction_obstacle(descriptor) for descriptor in self._paths.values()):
                self._remedy = Message("Measure warm starts instead.")
            elif obstacle:
                self._obstacle = _eviction_blocker(self._paths) or obstacle
        elif cache == "warm":
            self._fill(report, should_stop)
        stop_if(should_stop)

    def look(self) -> Residency:
        """What is cached now, just before the start; `judge` goes by it."""
        self.before = self.residency()
        # What a server has open may be other than the model; what it was asked to drop and didn't
        # is held against the start.
        if self._evicted or not self._behind:
            self._cached_below = self._below.left(COLD_SHARE * self._planned_bytes)
        return self.before

    def close(self) -> None:
        """Close what was opened for it."""
        self._below.close()

    def _fill(self, report: Callable[[Progress], None], should_stop: Callable[[], bool]) -> None:
        """Read all of it, and once more what was dropped meanwhile, which is not told."""

        def note(done_bytes: int) -> None:
            stop_if(should_stop)
            report(Progress("cache", done_bytes, self._planned_bytes))

        files, wanted = self._opened, self._wanted
        warm_up(files, wanted, MIB, note)
        # After nothing at all, this filesystem keeps no cache.
        if 0 < (self.residency().share or 0) < 1:
            pieces = [piece for extent in wanted for piece in split(extent, _PIECE_BYTES)]
            fds = files.descriptors
            missing = [p for p in pieces if residency(fds[p.shard], [p[1:]]).share != 1]
            warm_up(files, missing, MIB, lambda _: stop_if(should_stop))

    def judge(self, cache: Cache, device_bytes: int | None) -> Judgement:
        """What the start really was, and so whether the run counts: by residency before or else by
        device bytes after.

        `device_bytes` is None where they are not known, or do not tell what was cached.
        """
        share, fetched = self.before.share, None
        if device_bytes is not None and self._planned_bytes:
            fetched = device_bytes / self._planned_bytes
        state: StartState = "unknown"
        evidence: Evidence = "unknown"
        if share is not None:
            state, evidence = _state(cold=share < COLD_SHARE, warm=share >= WARM_SHARE), "verified"
        elif fetched is not None and self._allocated_share is not None:
            cold, warm = fetched >= COLD_DEVICE_SHARE, fetched <= WARM_DEVICE_SHARE
            state, evidence = _state(cold=cold, warm=warm), "inferred"
        warnings = []
        if evidence != "verified":
            how = (
                Message("It was taken from bytes read.")
                if evidence == "inferred"
                else Message("It was not seen.")
            )
            what = Message("What was cached at the start is {source}.", source=self.before.source)
            text = joined((what, how))
            warnings.append(warned("residency-unknown", text, self._figures(fetched)))
        below = ""
        if self._cached_below and state == "cold":
            state, below = "mixed", self._cached_below[0]
        elif self._behind and state == "cold":
            state = "cold-here"
        if state == "cold-here" and not self._behind.startswith(SIMULATED):
            # What simulates storage makes a cached byte cost as much as any other.
            text = Message(
                "Cold on this machine, but the server behind {behind} may have cached the file.",
                behind=self._behind,
            )
            warnings.append(
                warned("server-unseen", text, Message("filesystem {behind}", behind=self._behind))
            )
        expected = WARM_DEVICE_SHARE
        if self._allocated_share is not None:
            expected = COLD_DEVICE_SHARE * self._allocated_share
        short = cache == "cold" and fetched is not None and fetched < expected
        wrong = cache in ("cold", "warm") and state not in (cache, f"{cache}-here", "unknown")
        if wrong and self._cached_below and below:
            warnings.append(self._still_below(*self._cached_below))
        elif wrong or short:
            warnings.append(self._wrong_start(cache, fetched, wrong=wrong))
        return Judgement(state, evidence, tuple(warnings), below)

    def _still_below(self, file: str, nbytes: int | None) -> RunWarning:
        """Nothing is cached here, but in a file below, or nobody knows."""
        remedy = Message("Close programs that use that file, or measure warm starts.")
        if nbytes is None:
            text = Message(
                "Not counted: cold here, but {file} below may be cached: it can't be checked.",
                file=file,
            )
            remedy = Message("Run as the owner of that file, or as root.")
        else:
            text = Message(
                "Not counted: cold here, but {share} was cached below, in {file}.",
                share=percent_text(min(1.0, nbytes / self._planned_bytes)),
                file=file,
            )
        why = joined(filter(None, (text, self._below.obstacle)))
        return warned("cache-not-cold", why, remedy=remedy)

    def _wrong_start(self, cache: Cache, fetched: float | None, *, wrong: bool) -> RunWarning:
        figures = self._figures(fetched)
        if not wrong and fetched is not None and fetched <= WARM_DEVICE_SHARE:
            text = Message(
                "Not counted: another cache had the file. Nothing was cached here, yet"
                " almost nothing came from storage. {figures}.",
                figures=figures,
            )
            return warned("served-from-cache", text, figures)
        text = Message(
            "Not counted: the start wasn't {cache}: {figures}.",
            cache=Message("cold") if cache == "cold" else Message("warm"),
            figures=figures,
        )
        kind: WarningKind = "cache-not-cold" if cache == "cold" else "cache-not-warm"
        return warned(kind, joined(filter(None, (text, self._obstacle))), figures, self._remedy)

    def _figures(self, fetched: float | None) -> Message:
        parts = []
        if self.before.share is not None:
            parts.append(
                Message("{share} was already cached", share=percent_text(self.before.share))
            )
        if fetched is not None:
            parts.append(Message("{fetched} came from storage", fetched=percent_text(fetched)))
        return joined(parts, ", ")


def _eviction_blocker(files: Mapping[Path, int]) -> str:
    """Who or what holds the pages of these open files, as a sentence; empty if out of sight.

    A page that some process maps stays, and so does one that is still to be written
    (posix_fadvise(2), POSIX_FADV_DONTNEED). This program's own processes are left out.
    """
    mine = {os.getpid(), os.getppid(), *(child.pid for child in psutil.Process().children())}
    mapping = [user for user in users_of(files, mine) if user.how == "mapped"]
    if mapping:
        return Message("Couldn't evict the pages: {users}.", users=describe_users(mapping))
    unwritten = sum(_dirty(descriptor) for descriptor in files.values())
    if unwritten:
        return Message(
            "Couldn't evict the pages: {unwritten} of them haven't been written yet.",
            unwritten=f"{unwritten:,}",
        )
    return ""


def _dirty(descriptor: int) -> int:
    try:
        return dirty_pages(descriptor)
    except OSError:
        return 0  # an older kernel, or another user's file: it does not tell


def _allocated_share(descriptors: Sequence[int]) -> float | None:
    """Share of the files' bytes that lie on storage: less than 1 for sparse and compressed ones,
    None where a filesystem compresses and doesn't tell.

    st_blocks counts 512 bytes each, whatever the filesystem's block (stat(2)); a filesystem
    that does not count them says 0.
    """
    if any(filesystem_type(each) in HIDE_COMPRESSION for each in descriptors):
        return None
    stats = [os.fstat(descriptor) for descriptor in descriptors]
    allocated = sum(getattr(stat, "st_blocks", 0) * 512 for stat in stats)
    size = sum(stat.st_size for stat in stats)
    return min(1.0, allocated / size) if allocated and size else 1.0


def _state(*, cold: bool, warm: bool) -> StartState:
    return "cold" if cold else "warm" if warm else "mixed"


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
