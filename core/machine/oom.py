"""How often the kernel has killed a process because memory ran out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.machine.cgroup import memory_folders
from modelmon.core.machine.procfs import parse_vmstat

if TYPE_CHECKING:
    from collections.abc import Sequence


def oom_kills(folders: Sequence[Path] | None = None, root: Path = Path("/")) -> int | None:
    """Kills so far in this process's memory cgroup, else on the whole machine.

    `folders` are those of the cgroup, its own first. None where nothing tells. Sources:
    `oom_kill` of memory.events (cgroup-v2.rst), of memory.oom_control (cgroup-v1/memory.rst)
    and of /proc/vmstat (since Linux 4.13).
    """
    own = (memory_folders(root) if folders is None else folders)[:1]
    files = [folder / name for folder in own for name in ("memory.events", "memory.oom_control")]
    for path in (*files, root / "proc/vmstat"):
        try:
            kills = parse_vmstat(path.read_text()).get("oom_kill")
        except OSError:
            continue
        if kills is not None:
            return kills
    return None
