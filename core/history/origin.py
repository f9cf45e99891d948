"""Where a result comes from: which machine, which storage, which model.

Results are compared only where all three are the same, so each has an `id` that two results
share if and only if they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount
from modelmon.core.machine.origin import MachineOrigin, StorageOrigin, place_origin
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint

if TYPE_CHECKING:
    from modelmon.core.doctor.inspection import Inspection


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


def origin_of(inspection: Inspection) -> Origin:
    """The origin of results of what was inspected."""
    place = inspection.origin or place_origin(inspection.storage)
    return Origin(
        machine=place.machine,
        storage=place.storage,
        model=inspection.fingerprint,
        path=inspection.reference,
        kernel=place.kernel,
        readahead_bytes=inspection.storage.readahead_bytes,
        mount_options=inspection.storage.options,
    )


def other_content(then: str, now: str) -> bool:
    """Whether two models of one layout hold other values, where both were looked at."""
    return bool(then and now) and then != now


def other_file(inspection: Inspection, path: str, name: str, content: str) -> Message:
    """What a result of the same layout was measured with, where that isn't what was inspected, as
    it is now: another path, name, or content.
    """
    changed = other_content(content, inspection.content)
    if path in inspection.references:
        return (
            Message("Measured with this file before its content changed.") if changed else NOTHING
        )
    file = path if name == inspection.model.name else name
    if changed:
        return Message("Measured with {file}, same layout but other content.", file=file)
    return Message("Measured with {file}, same layout.", file=file)


def machine_of(inspection: Inspection) -> Machine:
    """The model's machine and its storage there."""
    place = inspection.origin or place_origin(inspection.storage)
    return Machine(
        platform=place.kernel,
        cpu_count=place.machine.cpu_count,
        ram_bytes=inspection.memory.total_bytes,
        filesystem=inspection.storage.filesystem,
        device=inspection.storage.device,
    )
