"""Which strategies are simpler than others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.presets import PRESETS

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig

_ACCESS = {"mmap": 0, "read": 0, "direct": 1, "auto": 2}
_MEMORY = {"streamed": 0, "mapped": 1, "owned": 2}

Complexity = tuple[int, ...]


@lru_cache(maxsize=1024)
def complexity(config: LoadConfig) -> Complexity:
    """How much there is to a configuration; compared from the left, less is simpler.

    No package beside modelmon, fewer readers, threads before processes, reads through the cache
    (`mmap`, `read`) before `direct` before `auto`, nothing that reads ahead of the load, memory
    that the kernel can take back before memory of its own, and last the axes as a preset has
    them before others. Two configurations may be equally simple.
    """
    return (
        int(config.library != NO_LIBRARY),
        config.readers * config.ranks,
        int(config.processes > 1),
        _ACCESS[config.access],
        int(config.warmup != "none") + int(config.prefetch_bytes > 0),
        _MEMORY[config.memory_kind],
        min(
            len(set(config.differs_from(preset.config)) - {"deliver"})
            for preset in PRESETS.values()
        ),
    )


def simpler(config: LoadConfig, other: LoadConfig) -> bool:
    """Whether `config` is simpler than `other`, and not merely as simple. How simple a program is
    nobody knows.
    """
    return PROGRAM not in {config.library, other.library} and complexity(config) < complexity(other)
