"""Gather what is known of a machine and a path, and judge it.

Nothing is loaded, and of the file only its header's first bytes are read, when its place and
its cached pages have been looked at; and what a probe reads that was asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ModelFileError, ModelmonError
from modelmon.core.experiment.preflight.diagnosis import SCHEMA, Diagnosis
from modelmon.core.experiment.preflight.findings import findings_of
from modelmon.core.experiment.preflight.fit import fits
from modelmon.core.experiment.preflight.idle_look import LOOK_S, look_at_idle
from modelmon.core.experiment.probe.store import recent_probe
from modelmon.core.experiment.recommend.faster_places import faster_places
from modelmon.core.machine.cgroup import cgroup_version, memory_folders
from modelmon.core.machine.cpu import read_cpu
from modelmon.core.machine.file_state import file_state
from modelmon.core.machine.foundation import foundation_of
from modelmon.core.machine.host import read_host
from modelmon.core.machine.huge_pages import read_huge_pages
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.storage import storage_of
from modelmon.core.machine.swap import read_swap
from modelmon.core.model.open import model_files, why_no_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.probe.probe import Probe
    from modelmon.core.machine.storage import Storage


def diagnose(
    path: Path | None = None,
    look_s: float = LOOK_S,
    take_probe: Callable[[], Probe] | None = None,
) -> Diagnosis:
    """The machine, and what `path` (a file, a folder, a model) or the current folder lies on.

    Takes `look_s` seconds to watch the devices, and as long as `take_probe` does; without it
    the last probe of the same storage is used if it is recent. Raises ModelFileError if `path`
    is not there.
    """
    files = files_of(path) if path is not None else ()
    place = files[0] if files else path or Path()
    foundation = foundation_of(place)
    storage = storage_of(place)
    state = file_state(files, storage.kind) if files else None
    memory = read_memory()
    idle = look_at_idle(foundation.bottom_devices(), look_s)
    probe, probe_missing = _probe(storage, take_probe)
    no_model = why_no_model(files[0]) if files else ""
    model = state if not no_model else None
    found = Diagnosis(
        schema=SCHEMA,
        host=read_host(),
        cpu=read_cpu(),
        memory=memory,
        swap=read_swap(),
        huge_pages=read_huge_pages(),
        storage=storage,
        foundation=foundation,
        cgroup_version=cgroup_version(memory_folders()),
        file=state,
        idle=idle,
        fit=fits(model.size_bytes, None, memory) if model is not None else (),
        no_model=no_model,
        probe=probe,
        probe_missing=probe_missing,
        faster_places=faster_places(state.size_bytes, storage, probe) if state is not None else (),
    )
    return msgspec.structs.replace(found, findings=findings_of(found))


def _probe(storage: Storage, take_probe: Callable[[], Probe] | None) -> tuple[Probe | None, str]:
    """A probe, or why there is none: all else that is known is worth telling without it."""
    if take_probe is None:
        return recent_probe(storage), ""
    try:
        return take_probe(), ""
    except ModelmonError as error:
        return None, str(error)


def files_of(path: Path) -> tuple[Path, ...]:
    """The weight files of the model at `path`, or the file itself; none of a mere folder."""
    if not path.exists():
        raise ModelFileError(f"{path} is not there.", "Check the path, or mount what holds it.")
    try:
        return model_files(path)
    except ModelFileError:
        # Not a model, or one that is not complete: its place can be looked at all the same.
        return (path,) if path.is_file() else ()
