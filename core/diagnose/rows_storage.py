"""What `modelmon doctor` prints of the path: its mounts and the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.cache_bar import cache_bar
from modelmon.core.diagnose.findings_file import users_text
from modelmon.core.machine.resident_pages import why_unknown
from modelmon.core.messages import Message, joined, verbatim
from modelmon.core.units import duration_text, percent_text, request_text, size_text

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.machine.fuse import FuseMount
    from modelmon.core.machine.network_mount import NetworkMount
    from modelmon.core.machine.storage_stack import MountLayer

Rows = list[tuple[str, str]]

CACHE_BAR = Message("Along the file")
"""The row that is drawn of characters, which take the same room each."""

_KINDS = {
    "local-disk": Message("local disk"),
    "network": Message("network"),
    "fuse": verbatim("FUSE"),
    "memory": Message("memory"),
    "unknown": Message("storage type unknown"),
}
_SERVES = {
    "object-store": Message("an object store"),
    "server": Message("another machine"),
    "local": Message("local files"),
    "unknown": Message("unknown"),
}


_KNOWN_FROM = {
    "mount type": Message("known from its mount type"),
    "source": Message("known from its source"),
    "serving process": Message("known from its serving process"),
}


def storage_rows(found: Diagnosis) -> Rows:
    """Path, mounts and what they say of themselves."""
    stack, storage = found.storage_stack, found.storage
    moved = stack.asked != stack.path
    rows: Rows = [(Message("Path"), f"{stack.asked} → {stack.path}" if moved else stack.path)]
    if not stack.mounts:
        seen = Message(
            "{filesystem} on {mount_point}, {kind}",
            filesystem=storage.filesystem,
            mount_point=storage.mount_point,
            kind=_KINDS[storage.kind],
        )
        rows.append(
            (
                Message("Mount"),
                seen if storage.filesystem else Message("not available: no visible mount"),
            )
        )
    for mount in stack.mounts:
        rows += _mount_rows(mount)
    for image in stack.images:
        rows += [
            (Message("Image"), image.path),
            *(row for g in image.mounts for row in _mount_rows(g)),
        ]
    if storage.free_bytes is not None:
        rows.append((Message("Free space"), size_text(storage.free_bytes)))
    return rows


def _mount_rows(mount: MountLayer) -> Rows:
    where = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    if mount.source not in ("", "none"):
        where = Message("{where} from {source}", where=where, source=mount.source)
    rows: Rows = [(Message("Mount"), joined((where, _KINDS[mount.kind]), ", "))]
    if mount.bind_root:
        rows.append(
            (Message("Shows"), Message("the folder {bind_root} of it", bind_root=mount.bind_root))
        )
    if mount.layers_hidden:
        rows.append(
            (
                Message("Below"),
                Message("not available: the layers aren't visible, as in a container"),
            )
        )
    if mount.network is not None:
        rows.append((Message("Connection"), _network_text(mount.network)))
    if mount.fuse is not None:
        rows.append((Message("Served by"), _fuse_text(mount.fuse)))
    rows += [
        (
            Message("Option"),
            Message("{option}: {meaning}", option=option.option, meaning=option.meaning),
        )
        for option in mount.options
    ]
    if mount.readahead_bytes is not None:
        rows.append((Message("Readahead"), request_text(mount.readahead_bytes)))
    return rows


def _network_text(network: NetworkMount) -> str:
    parts = [" ".join(filter(None, (network.protocol, network.version)))]
    if network.is_windows_drive:
        parts.append(Message("a drive of Windows"))
    if network.request_bytes is not None:
        parts.append(
            Message("requests up to {request}", request=request_text(network.request_bytes))
        )
    if network.connections is not None:
        parts.append(
            Message("1 connection")
            if network.connections == 1
            else Message("{connections} connections", connections=network.connections)
        )
    if network.mean_read_bytes is not None and network.mean_read_ns is not None:
        mean = Message(
            "{size} in {duration}",
            size=request_text(network.mean_read_bytes),
            duration=duration_text(network.mean_read_ns),
        )
        parts.append(
            Message(
                "{reads} reads since mounted, {mean} on average",
                reads=f"{network.reads:,}",
                mean=mean,
            )
        )
    return joined(parts, ", ")


def _fuse_text(fuse: FuseMount) -> str:
    parts = [fuse.program or Message("not available: no visible process serves it")]
    if fuse.pid is not None:
        parts[0] = Message("{program} (process {pid})", program=parts[0], pid=fuse.pid)
    if fuse.program:
        parts.append(Message("from {place}", place=_SERVES[fuse.serves]))
        if fuse.known_from in _KNOWN_FROM:
            parts.append(_KNOWN_FROM[fuse.known_from])
    return joined([*parts, *fuse.settings], ", ")


def file_rows(found: Diagnosis) -> Rows:
    """Size, what is on the disk, what is cached, who uses it."""
    file = found.file
    if file is None:
        return []
    size: str = size_text(file.size_bytes)
    if file.files != 1:
        size = Message("{size} in {files} files", size=size, files=file.files)
    rows: Rows = [(Message("Size"), size)]
    if file.allocated_share is not None:
        rows.append((Message("On the disk"), percent_text(file.allocated_share)))
    cached = (
        Message("not available: {reason}", reason=why_unknown(file.cached_source))
        if file.cached_share is None
        else Message(
            "{cached} of the bytes, known by {cached_source}",
            cached=percent_text(file.cached_share),
            cached_source=file.cached_source,
        )
    )
    if file.opening_may_drop_cache:
        cached = Message(
            "{cached}; opening the file to check may have evicted more",
            cached=cached,
        )
    users = users_text(file.users)
    rows.append((Message("Cached now"), cached))
    if file.cache_map is not None and file.cached_share is not None:
        rows.append((CACHE_BAR, cache_bar(file.cache_map)))
    return [*rows, (Message("Used by"), users or Message("no visible process"))]
