"""The last probe of each storage, kept so that its limits are known before the next load."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.data_folder import data_folder
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.machine.cgroup import throttles
from modelmon.core.machine.origin import storage_origin, this_machine
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.probe.probe import SCHEMA, Probe

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage

MOST_AGE_S = 7 * 24 * 3600.0
"""Older probes are not used: disks fill up, mounts and machines change."""

_MOST_KEPT = 64


class _Kept(msgspec.Struct, frozen=True):
    """The file's content."""

    schema: int
    probes: tuple[Probe, ...]


def probes_file() -> Path:
    """Where probes are kept; it may not exist yet."""
    return data_folder() / "probes.json"


def keep_probe(probe: Probe) -> Message:
    """Store a probe in place of the last one of the same storage; why not, or "".

    One that shared the disk with others does not take the place of one that had it alone. Of
    two that are stored at the same instant one may be lost; the file is always whole.
    """
    kept = _kept()
    if probe.storage.met_others and any(_is_better(old, probe) for old in kept):
        return Message("others used the disk this time, but not last time.")
    others = [old for old in kept if old.storage_id != probe.storage_id]
    newest = sorted([probe, *others], key=lambda one: one.probed_unix_s, reverse=True)
    content = _Kept(SCHEMA, tuple(newest[:_MOST_KEPT]))
    path = probes_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(path, msgspec.json.encode(content, enc_hook=to_wire) + b"\n")
    except OSError as error:
        return Message("Couldn't write {path}: {reason}.", path=path, reason=error.strerror)
    return NOTHING


def recent_probe(storage: Storage, now_unix_s: float | None = None) -> Probe | None:
    """The last probe of this storage on this machine, if it is of the last seven days.

    A probe that seems to come from the future is not used: the clock was changed. Nor is one that
    is older than the mount, or was held back by a limit that is no longer there.
    """
    recent = recent_probes(now_unix_s)
    if not recent:
        return None
    wanted = storage_origin(storage, this_machine()).id
    found = next((probe for probe in recent if probe.storage_id == wanted), None)
    if found is None or found.mounting != storage.mounting:
        return None
    limits = throttles({each.device for each in found.throttles})
    return found if found.throttles == limits else None


def recent_probes(now_unix_s: float | None = None) -> tuple[Probe, ...]:
    """This machine's probes of the last seven days, one of each storage."""
    now = time.time() if now_unix_s is None else now_unix_s
    machine = this_machine().id
    return tuple(
        probe
        for probe in _kept()
        if probe.machine_id == machine and 0 <= now - probe.probed_unix_s <= MOST_AGE_S
    )


def _is_better(old: Probe, probe: Probe) -> bool:
    """Whether this one of the same storage is still of use and had the disk for itself."""
    age_s = probe.probed_unix_s - old.probed_unix_s
    same = old.storage_id == probe.storage_id
    return same and not old.storage.met_others and 0 <= age_s <= MOST_AGE_S


def _write(path: Path, content: bytes) -> None:
    """Write beside `path` and move it there: whoever reads finds the old or the new whole."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _kept() -> tuple[Probe, ...]:
    """What is stored; nothing where the file is of another version or broken."""
    found = _Kept(SCHEMA, ())
    with contextlib.suppress(OSError, *UNDECODABLE):
        found = msgspec.json.decode(probes_file().read_bytes(), type=_Kept, dec_hook=from_wire)
    return found.probes if found.schema == SCHEMA else ()
