"""Which machine and which storage a result comes from, each with an `id` to compare by."""

from __future__ import annotations

import os
import platform
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount
from modelmon.core.machine.host import cpu_model, machine_key
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.mounts import is_served_here
from modelmon.core.units import GIB

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage

_ELSEWHERE = "over SSH"


def volume_uuid(device: str | None, root: Path = Path("/")) -> str:
    """The UUID of the filesystem on a block device (`nvme0n1p2`); "" where udev names none.

    Kernel names change places when disks are added; the UUID does not.
    """
    if device is None:
        return ""
    try:
        links = sorted((root / "dev/disk/by-uuid").iterdir())
    except OSError:
        return ""
    return next((link.name for link in links if link.resolve().name == device), "")


class MachineOrigin(msgspec.Struct, frozen=True):
    """A machine: the installation, its processors and its RAM.

    The kernel is no part of it: what an update of it changed is a question for the history.
    """

    id: str
    cpu_model: str
    cpu_count: Amount
    ram_bytes: Amount


class StorageOrigin(msgspec.Struct, frozen=True):
    """A filesystem on a machine.

    It is known again by its volume's UUID, or where there is none by what it is mounted from, and
    where that names no place by its mount point; and by what else tells it apart: the folder that
    is mounted, options that change loads, what serves it.
    """

    id: str
    source: str
    device: str
    device_model: str
    filesystem: str
    kind: str


class PlaceOrigin(msgspec.Struct, frozen=True):
    """A storage on a machine, and the kernel that ran there at the time."""

    machine: MachineOrigin
    storage: StorageOrigin
    kernel: str

    def seen_from_elsewhere(self) -> PlaceOrigin:
        """The same as a server tells it of itself: with ids that no machine has by itself, so that
        none can pass for this one.
        """
        change = msgspec.structs.replace
        return change(
            self,
            machine=change(self.machine, id=_digest(_ELSEWHERE, self.machine.id)),
            storage=change(self.storage, id=_digest(_ELSEWHERE, self.storage.id)),
        )


def place_origin(storage: Storage) -> PlaceOrigin:
    """The origin of what lies on `storage` of this machine, now."""
    machine = this_machine()
    kernel = f"{platform.system()} {platform.release()}"
    return PlaceOrigin(machine, storage_origin(storage, machine), kernel)


def this_machine() -> MachineOrigin:
    """The machine that this process runs on."""
    model = cpu_model() or ""
    cpu_count, ram_bytes = os.cpu_count() or 1, read_memory().total_bytes
    # Kernels reserve a little more or less of the same RAM.
    ram_gib = round(ram_bytes / GIB)
    key = _digest(machine_key(), model, cpu_count, ram_gib)
    return MachineOrigin(key, model, cpu_count, ram_bytes)


def storage_origin(storage: Storage, machine: MachineOrigin) -> StorageOrigin:
    """What `storage` is known by on `machine`."""
    device = storage.partition or storage.device or ""
    name = f"{storage.source} {device}"
    if device.startswith("loop"):
        # They are given to images in the order in which these come.
        name = ""
    elif not device and (":" not in storage.source or is_served_here(storage.source)):
        # It has no device and names no place (`host:/export`): several mounts of one FUSE program,
        # or tunnel of this machine, may lead anywhere.
        name += f" {storage.mount_point}"
    place = volume_uuid(device or None) or name
    model = storage.device_model or ""
    # Of a plain disk nothing more is known, nor was it before.
    apart_by = (storage.apart_by,) if storage.apart_by else ()
    return StorageOrigin(
        id=_digest(machine.id, place, model, storage.filesystem, *apart_by),
        source=storage.source,
        device=device,
        device_model=model,
        filesystem=storage.filesystem,
        kind=storage.kind,
    )


def _digest(*parts: object) -> str:
    return sha256("\0".join(map(str, parts)).encode(errors="surrogateescape")).hexdigest()[:16]
