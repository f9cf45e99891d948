"""What is checked before anything is loaded: does it fit, and who else uses the file."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError, DoesNotFitError, ModelmonError
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.users import FileUser, users_of
from modelmon.core.units import MIB, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.memory import Memory

# What a loader needs besides the model: its interpreter and its records.
_LOADER_BYTES = 32 * MIB


class BusyError(ModelmonError):
    """Another process has the model open or mapped, and nobody agreed to go ahead."""


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
    if memory.cgroup_limit_bytes is not None:
        limit += f", and the cgroup's limit leaves {size_text(memory.usable_bytes)}"
    portion = memory.usable_bytes // 2
    raise DoesNotFitError(
        f"This load needs {size_text(needed)}, but {limit}.",
        f"Load a part that stands for the whole (--portion {portion // MIB}MiB), or free memory.",
    )


def check_platform(config: LoadConfig) -> None:
    """Raise ConfigError for what this platform cannot do."""
    if sys.platform == "win32" and config.descriptor == "shared":
        raise ConfigError(
            "Windows cannot hand one open file to several readers.", "Choose descriptor own."
        )


def check_users(paths: Sequence[Path], allow_busy: bool) -> list[FileUser]:
    """Other processes that use the files; raises BusyError unless that was agreed to."""
    users = users_of(paths, {os.getpid(), os.getppid()})
    if users and not allow_busy:
        raise BusyError(
            f"{paths[0].name} is in use: {describe_users(users)}.",
            "Measuring would slow it down and be slowed by it. Go ahead anyway with --yes.",
        )
    return users


def describe_users(users: Iterable[FileUser]) -> str:
    """The users as a clause: `llama-server (process 4711) has it mapped`."""
    by_process: dict[tuple[int, str], set[str]] = {}
    for user in users:
        by_process.setdefault((user.pid, user.name), set()).add(user.how)
    return ", ".join(
        f"{name} (process {pid}) has it {'mapped' if 'mapped' in how else 'open'}"
        for (pid, name), how in by_process.items()
    )
