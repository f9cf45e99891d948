"""Whether a load fits into this machine's memory, known before it starts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from modelmon.core.errors import DoesNotFitError
from modelmon.core.machine.memory import read_memory
from modelmon.core.units import MIB, size_text

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.memory import Memory

# What a loader needs besides the model: its interpreter and its records.
_LOADER_BYTES = 32 * MIB


def needed_bytes(config: LoadConfig, planned_bytes: int) -> int:
    """Memory that a load of `planned_bytes` occupies at its end."""
    processes = config.readers if config.reader_kind == "process" else 1
    return planned_bytes + processes * _LOADER_BYTES


def check_fits(config: LoadConfig, planned_bytes: int, memory: Memory | None = None) -> None:
    """Raise DoesNotFitError, with the figures, if the load cannot be in memory as a whole."""
    memory = memory or read_memory()
    needed = needed_bytes(config, planned_bytes)
    if needed <= memory.usable_bytes and planned_bytes < sys.maxsize:
        return
    limit = f"{size_text(memory.available_bytes)} of RAM are available"
    if memory.usable_bytes < memory.available_bytes:
        limit += f", of which the cgroup's limit leaves {size_text(memory.usable_bytes)}"
    portion = memory.usable_bytes // 2
    raise DoesNotFitError(
        f"This load needs {size_text(needed)}, but {limit}.",
        f"Load a part that stands for the whole (--portion {portion // MIB}MiB), or free memory.",
    )
