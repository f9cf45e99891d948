"""Where a result comes from: which machine, which storage, which model.

Results are compared only where all three are the same, so each has an `id` that two results
share if and only if they do.
"""

from __future__ import annotations

import os
import platform
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.experiment.history.fingerprint import model_fingerprint
from modelmon.core.experiment.result import ModelFingerprint
from modelmon.core.machine.cpu import parse_cpu_model
from modelmon.core.machine.identity import machine_key, volume_uuid
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.sysfs import value
from modelmon.core.units import GIB

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model


class MachineOrigin(msgspec.Struct, frozen=True):
    """A machine: the installation, its processors and its RAM.

    The kernel is no part of it: what an update of it changed is a question for the history.
    """

    id: str
    cpu_model: str
    cpu_count: int
    ram_bytes: int


class StorageOrigin(msgspec.Struct, frozen=True):
    """A filesystem on a machine.

    It is known again by its volume's UUID, or by what it is mounted from where there is none.
    """

    id: str
    source: str
    device: str
    device_model: str
    filesystem: str
    kind: str


class Origin(msgspec.Struct, frozen=True):
    """Everything that results must share to be compared, and the state that may change.

    `kernel` and `readahead_bytes` (None: not told) are as they were at the time.
    """

    machine: MachineOrigin
    storage: StorageOrigin
    model: ModelFingerprint
    path: str
    kernel: str = ""
    readahead_bytes: int | None = None


def origin_of(model: Model, storage: Storage) -> Origin:
    """The origin of results of `model`, which lies on `storage`, on this machine now."""
    machine = this_machine()
    return Origin(
        machine=machine,
        storage=storage_origin(storage, machine),
        model=model_fingerprint(model),
        path=str(Path(model.path).absolute()),
        kernel=f"{platform.system()} {platform.release()}",
        readahead_bytes=storage.readahead_bytes,
    )


def this_machine() -> MachineOrigin:
    """The machine that this process runs on."""
    cpu_model = parse_cpu_model(value(Path("/proc/cpuinfo"))) or platform.processor()
    cpu_count, ram_bytes = os.cpu_count() or 1, read_memory().total_bytes
    # Kernels reserve a little more or less of the same RAM.
    ram_gib = round(ram_bytes / GIB)
    key = _digest(machine_key(), cpu_model, cpu_count, ram_gib)
    return MachineOrigin(key, cpu_model, cpu_count, ram_bytes)


def storage_origin(storage: Storage, machine: MachineOrigin) -> StorageOrigin:
    """What `storage` is known by on `machine`."""
    device = storage.partition or storage.device or ""
    place = volume_uuid(device or None) or f"{storage.source} {device}"
    model = storage.device_model or ""
    return StorageOrigin(
        id=_digest(machine.id, place, model, storage.filesystem),
        source=storage.source,
        device=device,
        device_model=model,
        filesystem=storage.filesystem,
        kind=storage.kind,
    )


def _digest(*parts: object) -> str:
    return sha256("\0".join(map(str, parts)).encode(errors="surrogateescape")).hexdigest()[:16]
