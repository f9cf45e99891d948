"""Which version of a program was watched, where one of the known programs is that one."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.gui.find_best.find_best_controller import FoundProgram
    from modelmon.gui.watching.watched_run import WatchRequest


def version_of(request: WatchRequest, known: Iterable[FoundProgram]) -> str:
    """`llama.cpp b10388`; empty where none of `known` is started by that command or runs as that
    process. Of what Python runs, only the command of a preset tells which program it is.
    """
    command = shlex.join(request.command)
    for each in known:
        offered = any(command and command == variant.command for variant in each.variants)
        if each.version and (offered or _is_same(request, each.path)):
            return f"{each.title} {each.version}"
    return ""


def _is_same(request: WatchRequest, path: str) -> bool:
    if not path or Path(path).resolve().name.startswith("python"):
        return False
    if request.pid is not None:
        mine: str | None = f"/proc/{request.pid}/exe"
    else:
        mine = shutil.which(request.command[0]) if request.command else None
    try:
        return mine is not None and Path(mine).samefile(path)
    except OSError:
        return False
