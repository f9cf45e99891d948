"""What a node's own disk does with a file as large as fits into seconds, and what copying costs."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ModelmonError
from modelmon.core.limited_numbers import Amount, Number
from modelmon.core.machine.storage import storage_of
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.model.open import open_model
from modelmon.core.units import MIB, duration_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.model.fingerprint import ModelFingerprint

_PART_BYTES = 4 * MIB
_MOST_BYTES = 256 * MIB
_LONG_S = 4.0
"""A disk that takes longer for its file gets a smaller one."""


class LocalDisk(msgspec.Struct, frozen=True, omit_defaults=True):
    """A `folder` on a node's own disk: what it takes and gives in bytes per second, None where
    `why_not` says why that isn't known; `has_copy` of the model, in that folder.
    """

    folder: str
    filesystem: str = ""
    write_bytes_per_s: Number | None = None
    read_bytes_per_s: Number | None = None
    has_copy: bool = False
    why_not: Message = NOTHING


class Copying(msgspec.Struct, frozen=True):
    """What a copy of the model on each node's own disk would cost: `copy_ns` once, and then
    `local_ns` until the last of `nodes` is ready, in place of `now_ns`. By the rates of both:
    nothing was copied.
    """

    nodes: Amount
    copy_ns: Number
    local_ns: Number
    now_ns: Number
    sentence: Message


def local_disk(folder: str, path: str, model: ModelFingerprint) -> LocalDisk:
    """Measure this machine's disk at `folder`, by a file that is gone at the end, and look for a
    copy of the model at `path`.
    """
    place = Path(folder)
    copied = False
    with suppress(ModelmonError, OSError):
        found = open_model(place / Path(path).name)
        copied = model_fingerprint(found).digest == model.digest
    if sys.platform != "linux":
        why = Message("Only disks of Linux nodes are measured.")
        return LocalDisk(folder, has_copy=copied, why_not=why)
    try:
        filesystem = storage_of(place).filesystem
        write, read = _rates(place)
    except OSError as error:
        why = Message("Couldn't write to {folder}: {reason}.", folder=folder, reason=error.strerror)
        return LocalDisk(folder, has_copy=copied, why_not=why)
    return LocalDisk(folder, filesystem, write, read, copied)


def _rates(folder: Path) -> tuple[float, float]:
    """Bytes per second that are written down, and read again after they left the page cache."""
    part = os.urandom(_PART_BYTES)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        number, done = file.fileno(), 0
        began_ns = time.perf_counter_ns()
        while done < _MOST_BYTES and time.perf_counter_ns() - began_ns < _LONG_S * 1e9:
            done += os.write(number, part)
            os.fdatasync(number)
        wrote_ns = time.perf_counter_ns() - began_ns
        os.posix_fadvise(number, 0, 0, os.POSIX_FADV_DONTNEED)
        began_ns = time.perf_counter_ns()
        at = 0
        while at < done:
            at += len(os.pread(number, _PART_BYTES, at)) or done
        read_ns = time.perf_counter_ns() - began_ns
    return done * 1e9 / max(wrote_ns, 1), done * 1e9 / max(read_ns, 1)


def copying(
    disks: Sequence[LocalDisk], model_bytes: int, from_storage_ns: float, now_ns: float
) -> Copying | None:
    """What copies cost where all nodes fetch one from the storage within `from_storage_ns`, and
    take `now_ns` for a load as it is recommended; None where the disk of one isn't known.
    """
    known = [
        (disk.write_bytes_per_s, disk.read_bytes_per_s)
        for disk in disks
        if disk.write_bytes_per_s and disk.read_bytes_per_s
    ]
    if not known or len(known) < len(disks):
        return None
    slowest_write, slowest_read = (min(each[at] or 0.0 for each in known) for at in (0, 1))
    copy_ns = max(from_storage_ns, model_bytes * 1e9 / slowest_write)
    local_ns = model_bytes * 1e9 / slowest_read
    figures = {
        "folder": disks[0].folder,
        "copy": duration_text(copy_ns),
        "local": duration_text(local_ns),
        "now": duration_text(now_ns),
    }
    if local_ns >= now_ns:
        sentence = Message(
            "Copies on the nodes' own disks ({folder}) wouldn't help: {local} from there, {now}"
            " from here. Computed from the rates of both.",
            **figures,
        )
    else:
        starts = int(copy_ns / (now_ns - local_ns)) + 1
        sentence = Message(
            "Copies on the nodes' own disks ({folder}) would take {copy} once, then {local} per"
            " start instead of {now}: worth it from {starts} starts on. Computed from the rates of"
            " both.",
            **figures,
            starts=f"{starts:,}",
        )
    return Copying(len(disks), copy_ns, local_ns, now_ns, sentence)
