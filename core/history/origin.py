"""Where a result comes from: which machine, which storage, which model.

Results are compared only where all three are the same, so each has an `id` that two results
share if and only if they do.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.bounded import Amount
from modelmon.core.machine.origin import (
    MachineOrigin,
    StorageOrigin,
    storage_origin,
    this_machine,
)
from modelmon.core.model.fingerprint import ModelFingerprint, model_fingerprint

if TYPE_CHECKING:
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model


class Machine(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a result was measured."""

    platform: str
    cpu_count: Amount
    ram_bytes: Amount
    filesystem: str
    device: str | None = None


class Origin(msgspec.Struct, frozen=True):
    """Everything that results must share to be compared, and the state that may change.

    `kernel`, `readahead_bytes` (None: not told) and `mount_options` are as they were at the time.
    """

    machine: MachineOrigin
    storage: StorageOrigin
    model: ModelFingerprint
    path: str
    kernel: str = ""
    readahead_bytes: int | None = None
    mount_options: str = ""


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
        mount_options=storage.options,
    )


def machine_of(inspection: Inspection) -> Machine:
    """This machine and the model's storage on it."""
    return Machine(
        platform=f"{platform.system()} {platform.release()}",
        cpu_count=os.cpu_count() or 1,
        ram_bytes=inspection.memory.total_bytes,
        filesystem=inspection.storage.filesystem,
        device=inspection.storage.device,
    )
