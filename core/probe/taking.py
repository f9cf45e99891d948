"""Take a probe of a model's files: memory, storage, the class, and the limits they set."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.cgroup_limits import throttles
from modelmon.core.machine.cpu import read_cpu
from modelmon.core.machine.device_limit import device_limit
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.origin import storage_origin, this_machine
from modelmon.core.machine.storage import storage_of
from modelmon.core.machine.storage_stack import storage_stack_of
from modelmon.core.messages import Message
from modelmon.core.probe.disk import DiskProbe
from modelmon.core.probe.files import ProbeFiles
from modelmon.core.probe.limits import best_times
from modelmon.core.probe.memory import measure_copies
from modelmon.core.probe.probe import SCHEMA, Probe
from modelmon.core.probe.storage_class import classify, surroundings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from modelmon.core.probe.probe import MemoryFigures, StorageFigures


def take_probe(
    paths: Sequence[Path],
    seconds: float,
    report: Callable[[str], None],
    should_stop: Callable[[], bool],
) -> Probe:
    """Probe the files of one model for about `seconds`; `report` gets the name of each phase.

    Once `should_stop` says so it returns soon, with what there is. Raises LoadFailedError where
    a file cannot be opened or read.
    """
    begun_unix_s, begun_ns = time.time(), time.monotonic_ns()
    duration_ns = round(seconds * 1e9)
    place = storage_of(paths[0])
    stack = storage_stack_of(paths[0])
    storage = _measure_storage(paths, duration_ns, report, should_stop)
    left_ns = duration_ns - (time.monotonic_ns() - begun_ns)
    memory = _measure_memory(max(left_ns, duration_ns // 10), report, should_stop)
    fastest = storage.best_reads
    kind, evidence = classify(
        surroundings_of(stack, place.kind, place.filesystem),
        storage.latency.p50_ns if storage.latency is not None else None,
        fastest.bytes_per_s if fastest is not None else None,
        storage.readers_gain,
        shared=storage.met_others,
    )
    model_bytes = sum(path.stat().st_size for path in paths)
    machine = this_machine()
    return Probe(
        schema=SCHEMA,
        path=str(paths[0]),
        model_bytes=model_bytes,
        machine_id=machine.id,
        storage_id=storage_origin(place, machine).id,
        probed_unix_s=begun_unix_s,
        duration_ns=time.monotonic_ns() - begun_ns,
        storage=storage,
        memory=memory,
        storage_class=kind,
        class_evidence=evidence,
        best=best_times(model_bytes, storage, memory),
        device_limit_bytes_per_s=device_limit(stack),
        throttles=throttles(stack.whole_devices()),
        mounting=place.mounting,
    )


def _measure_memory(
    most_ns: int, report: Callable[[str], None], should_stop: Callable[[], bool]
) -> MemoryFigures:
    report("memory")
    cpu, usable_bytes = read_cpu(), read_memory().usable_bytes
    return measure_copies(usable_bytes, cpu.usable or cpu.logical, most_ns, should_stop)


def _measure_storage(
    paths: Sequence[Path],
    duration_ns: int,
    report: Callable[[str], None],
    should_stop: Callable[[], bool],
) -> StorageFigures:
    report("opening")
    seed = int.from_bytes(os.urandom(8), "little")
    try:
        devices = storage_stack_of(paths[0]).bottom_devices()
        files = ProbeFiles(paths, storage_of(paths[0]).readahead_bytes, devices)
        try:
            return DiskProbe(files, duration_ns, seed, report, should_stop).measure()
        finally:
            files.close()
    except OSError as error:
        raise LoadFailedError(
            Message(
                "Couldn't read {filename}: {reason}.",
                filename=error.filename or paths[0],
                reason=error.strerror,
            ),
            Message("Check its rights, the disk or the network mount, then try again."),
        ) from error
