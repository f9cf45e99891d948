"""What is known before anything is loaded: the model, its storage, memory and the page cache."""

from __future__ import annotations

import msgspec

from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import Storage
from modelmon.core.machine.users import FileUser
from modelmon.core.model.tensors import Model


class Preflight(msgspec.Struct, frozen=True, omit_defaults=True):
    """One model on this machine, as `modelmon inspect --json` prints it.

    `cached_share` is the resident share of all shards' bytes, None where it cannot be
    known; `cached_source` says how it is known or why not.
    """

    model: Model
    storage: Storage
    memory: Memory
    cached_share: float | None
    cached_source: str
    users: tuple[FileUser, ...] = ()
    schema: int = 1

    @property
    def fits(self) -> bool:
        """Whether the whole model can be in memory now."""
        return self.model.nbytes <= self.memory.usable_bytes


class Estimate(msgspec.Struct, frozen=True):
    """What an experiment will cost, from a short read of the file: `modelmon compare --dry-run`.

    `read_bytes` are fetched from storage over all runs; `duration_ns` is for all of them;
    `rate_bytes_per_s` is what the short read saw; `runs` counts both arms;
    `portion_bytes` is the suggested part where the whole would take over two minutes, else 0.
    """

    runs: int
    read_bytes: int
    duration_ns: int
    rate_bytes_per_s: float
    portion_bytes: int = 0
