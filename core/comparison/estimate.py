"""Before a comparison begins: which start is possible, and what it will cost by a short read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.load.planner import plan_load
from modelmon.core.messages import Message
from modelmon.core.probe.read_rate import COLD, RATE_PROGRAM, ReadRate, read_rate
from modelmon.core.units import MIB
from modelmon.core.worker.client import ask

if TYPE_CHECKING:
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage import Storage
    from modelmon.core.worker.events import Cache, RunConditions


def start_of(asked: Cache | None, storage: Storage) -> Cache:
    """The start that was asked for; where none was, a cold one, and a warm one in memory.

    Raises ConfigError for a cold start there, which nothing can make.
    """
    return start_on(asked, storage.kind, storage.filesystem)


def start_on(asked: Cache | None, kind: str, filesystem: str) -> Cache:
    """The same by the kind of storage and its filesystem."""
    if kind != "memory":
        return asked or "cold"
    if asked == "cold":
        raise ConfigError(
            Message(
                "Files in memory ({filesystem}) have no cold start: they're always cached.",
                filesystem=filesystem,
            ),
            Message("Measure warm starts, or copy the model to a disk."),
        )
    return asked or "warm"


LONG_NS = 120 * 10**9
"""A comparison that takes longer is announced, and a part of the model offered."""

_PROBE_BYTES = 256 * MIB
# With starts "as is" the cache must stay as it is, so only a sliver is read.
_SLIVER_BYTES = 16 * MIB
OVERHEAD_NS = 700 * 10**6
"""Starting processes, setting and verifying the cache, and summing up."""

# A loader moves cached bytes at least this fast; only the estimate relies on it.
_CACHED_BYTES_PER_S = 4e9
_MIN_PORTION_BYTES = 256 * MIB


class Estimate(msgspec.Struct, frozen=True):
    """What an experiment will cost, from a short read of the file: `modelmon compare --dry-run`.

    `read_bytes` are fetched from storage over all runs; `duration_ns` is for all of them;
    `rate_bytes_per_s` is what the short read saw; `runs` counts both arms,
    at the most where the comparison `may_end_early`;
    `portion_bytes` is the suggested part where the whole would take over two minutes, else 0.
    """

    runs: int
    read_bytes: int
    duration_ns: int
    rate_bytes_per_s: float
    portion_bytes: int = 0
    may_end_early: bool = False

    @property
    def runs_text(self) -> Message:
        """How many runs there are: `10 runs`, or `At most 22 runs that count` if fewer may do."""
        return (
            Message("At most {runs} runs that count", runs=self.runs)
            if self.may_end_early
            else Message("{runs} runs", runs=self.runs)
        )


def estimate(  # noqa: PLR0913  what is loaded, how, and how often
    inspection: Inspection,
    config: LoadConfig,
    shared: RunConditions,
    cache: Cache,
    runs: int = 1,
    *,
    may_end_early: bool = False,
) -> Estimate:
    """Bytes and duration of `runs` runs, at the rate that a short sequential read sees.

    The read takes at most a second, from evenly spread places; with `cold` starts the
    file's cache is dropped before it, as every run will do anyway, unless another process
    uses the file and nobody agreed to that yet.
    """
    plan = plan_load(inspection.model, config, shared.portion_bytes)
    evicting = cache == "cold" and (shared.allow_busy or not inspection.users)
    probe_bytes = _SLIVER_BYTES if cache == "as-is" else _PROBE_BYTES
    rate = _rate(inspection, probe_bytes, cold=evicting)
    planned = plan.planned_bytes
    cold_ns = planned / rate * 1e9
    warm_ns = planned / _CACHED_BYTES_PER_S * 1e9
    if cache == "warm":
        read_bytes, load_ns = planned, cold_ns + warm_ns * runs
    else:
        read_bytes, load_ns = planned * runs, cold_ns * runs
    duration_ns = round(load_ns + OVERHEAD_NS * runs)
    portion = 0
    if duration_ns > LONG_NS:
        room_ns = max(LONG_NS * 0.75 - OVERHEAD_NS * runs, LONG_NS * 0.1)
        portion = max(_MIN_PORTION_BYTES, round(planned * room_ns / load_ns) // MIB * MIB)
    return Estimate(
        runs=runs,
        may_end_early=may_end_early,
        read_bytes=read_bytes,
        duration_ns=duration_ns,
        rate_bytes_per_s=rate,
        portion_bytes=portion if portion < planned else 0,
    )


def _rate(inspection: Inspection, most_bytes: int, *, cold: bool) -> float:
    if not inspection.server:
        return read_rate(inspection.model, most_bytes, cold=cold)
    arguments = [inspection.model.path, str(most_bytes), *([COLD] if cold else [])]
    return ask(inspection.server, arguments, ReadRate, RATE_PROGRAM).bytes_per_s
