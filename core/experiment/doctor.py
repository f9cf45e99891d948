"""Gather what is known of a machine and a path, and judge it. Nothing is loaded or read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.experiment.diagnosis import SCHEMA, Diagnosis
from modelmon.core.experiment.findings import findings_of
from modelmon.core.experiment.idle_look import LOOK_S, look_at_idle
from modelmon.core.machine.cgroup import cgroup_version, memory_folders
from modelmon.core.machine.cpu import read_cpu
from modelmon.core.machine.file_state import file_state
from modelmon.core.machine.foundation import foundation_of
from modelmon.core.machine.host import read_host
from modelmon.core.machine.huge_pages import read_huge_pages
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.storage import storage_of
from modelmon.core.machine.swap import read_swap
from modelmon.core.model.open import model_files


def diagnose(path: Path | None = None, look_s: float = LOOK_S) -> Diagnosis:
    """The machine, and what `path` (a file, a folder, a model) or the current folder lies on.

    Takes `look_s` seconds to watch the devices. Raises ModelFileError if `path` is not there.
    """
    files = files_of(path) if path is not None else ()
    place = files[0] if files else path or Path()
    foundation = foundation_of(place)
    storage = storage_of(place)
    state = file_state(files, storage.kind) if files else None
    found = Diagnosis(
        schema=SCHEMA,
        host=read_host(),
        cpu=read_cpu(),
        memory=read_memory(),
        swap=read_swap(),
        huge_pages=read_huge_pages(),
        storage=storage,
        foundation=foundation,
        cgroup_version=cgroup_version(memory_folders()),
        file=state,
        idle=look_at_idle(foundation.bottom_devices(), look_s),
    )
    return msgspec.structs.replace(found, findings=findings_of(found))


def files_of(path: Path) -> tuple[Path, ...]:
    """The weight files of the model at `path`, or the file itself; none of a mere folder."""
    if not path.exists():
        raise ModelFileError(f"{path} is not there.", "Check the path, or mount what holds it.")
    try:
        return model_files(path)
    except ModelFileError:
        # Not a model, or one that is not complete: its place can be looked at all the same.
        return (path,) if path.is_file() else ()
