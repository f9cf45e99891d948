"""A short look at what the machine does while nothing of modelmon is loading."""

from __future__ import annotations

import mmap
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.doctor.diagnosis import SCHEMA, DeviceLook, Diagnosis, IdleLook, fits
from modelmon.core.doctor.findings import findings_of
from modelmon.core.errors import ModelFileError, ModelmonError
from modelmon.core.machine.cgroup import cgroup_limits, cgroup_version
from modelmon.core.machine.file_state import file_state
from modelmon.core.machine.host import read_cpu, read_host, throttle_events
from modelmon.core.machine.memory import huge_pages_mode, read_memory
from modelmon.core.machine.storage import storage_of, storage_stack_of
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.open import files_of, open_model, why_no_model
from modelmon.core.probe.store import recent_probe
from modelmon.core.worker.figures import (
    SystemReader,
    device_activity,
    processors_busy_share,
    stalled_share,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from modelmon.core.machine.storage import Storage
    from modelmon.core.probe.probe import Probe

LOOK_S = 1.0
"""Long enough that the counters, which step by milliseconds, give three figures."""


def look_at_idle(devices: Sequence[str], look_s: float = LOOK_S) -> IdleLook | None:
    """Watch these block devices (kernel names) and the machine; None where nothing is counted.

    The figures are those of `iostat -x`, computed as during a load.
    """
    if sys.platform != "linux":
        return None
    readers = {name: SystemReader(name) for name in devices}
    machine = SystemReader(None)
    try:
        disks = {name: reader.counters() for name, reader in readers.items()}
        before, memory, hot = machine.counters(), machine.memory(), throttle_events()
        time.sleep(look_s)
        after, memory_after, hot_after = machine.counters(), machine.memory(), throttle_events()
        looks = [
            DeviceLook(name, activity)
            for name, reader in readers.items()
            if (activity := device_activity(disks[name], reader.counters())) is not None
        ]
    finally:
        for reader in (machine, *readers.values()):
            reader.close()
    interval_ns = after.at_ns - before.at_ns
    return IdleLook(
        interval_ns=interval_ns,
        devices=tuple(looks),
        memory_stalled_share=stalled_share(memory.psi_us, memory_after.psi_us, interval_ns),
        cpu_busy_share=processors_busy_share(before, after),
        swapped_in_bytes=_pages(memory.swapped_in_pages, memory_after.swapped_in_pages),
        swapped_out_bytes=_pages(memory.swapped_out_pages, memory_after.swapped_out_pages),
        throttle_events=hot_after - hot if hot is not None and hot_after is not None else None,
    )


def _pages(before: int | None, after: int | None) -> int | None:
    """Bytes of the pages counted between two readings."""
    return (after - before) * mmap.PAGESIZE if before is not None and after is not None else None


def diagnose(
    path: Path | None = None,
    look_s: float = LOOK_S,
    take_probe: Callable[[], Probe] | None = None,
    *,
    with_decoding: bool = False,
    ignored_pids: Collection[int] = (),
) -> Diagnosis:
    """The machine, and what `path` (a file, a folder, a model) or the current folder lies on.

    Takes `look_s` seconds to watch the devices, and as long as `take_probe` does; without it
    the last probe of the same storage is used if it is recent; `with_decoding` takes about 3 s and
    all processors. The file's users are all but this process and those of `ignored_pids`. Raises
    ModelFileError if `path` is not there.
    """
    files = files_of(path) if path is not None else ()
    place = files[0] if files else path or Path()
    stack = storage_stack_of(place)
    storage = storage_of(place)
    state = file_state(files, storage.kind, ignored_pids) if files else None
    no_model, opened = why_no_model(files[0]) if files else NOTHING, None
    memory = read_memory()
    idle = look_at_idle(stack.bottom_devices(), look_s)
    probe, probe_missing = _probe(storage, take_probe)
    if with_decoding and path is not None and files and not no_model:
        try:
            opened = open_model(path)
        except ModelFileError as error:
            no_model = error.message
    model = state if not no_model else None
    cpu = read_cpu()
    found = Diagnosis(
        schema=SCHEMA,
        host=read_host(),
        cpu=cpu,
        memory=memory,
        huge_pages=huge_pages_mode(),
        storage=storage,
        storage_stack=stack,
        cgroup_version=cgroup_version(),
        limits=cgroup_limits(stack.whole_devices()),
        file=state,
        idle=idle,
        fit=fits(model.size_bytes, None, memory, storage.kind) if model is not None else (),
        no_model=no_model,
        probe=probe,
        probe_missing=probe_missing,
    )
    if with_decoding:
        from modelmon.core.doctor import decoding  # noqa: PLC0415  slow to import

        found = decoding.with_decoding(found, opened)
    return msgspec.structs.replace(found, findings=findings_of(found))


def _probe(
    storage: Storage, take_probe: Callable[[], Probe] | None
) -> tuple[Probe | None, Message]:
    """A probe, or why there is none: all else that is known is worth telling without it."""
    if take_probe is None:
        return recent_probe(storage), NOTHING
    try:
        return take_probe(), NOTHING
    except ModelmonError as error:
        return None, error.text
