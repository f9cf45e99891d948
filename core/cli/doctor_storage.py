"""What `modelmon doctor` prints of the path: its mounts and the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cli.cache_bar import cache_bar
from modelmon.core.units import duration_text, percent_text, request_text, size_text

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.machine.foundation import Ground
    from modelmon.core.machine.fuse import FuseMount
    from modelmon.core.machine.network_mount import NetworkMount

Rows = list[tuple[str, str]]

_KINDS = {
    "local-disk": "local disk",
    "network": "network",
    "fuse": "FUSE",
    "memory": "memory",
    "unknown": "kind of storage unknown",
}
_SERVES = {
    "object-store": "an object store",
    "server": "another machine",
    "local": "local files",
    "unknown": "an unknown place",
}


def storage_rows(found: Diagnosis) -> Rows:
    """Path, mounts and what they say of themselves."""
    foundation, storage = found.foundation, found.storage
    moved = foundation.asked != foundation.path
    rows = [("Path", f"{foundation.asked} → {foundation.path}" if moved else foundation.path)]
    if not foundation.grounds:
        seen = f"{storage.filesystem} on {storage.mount_point}, {_KINDS[storage.kind]}"
        rows.append(("Mount", seen if storage.filesystem else "not available: no mount in sight"))
    for ground in foundation.grounds:
        rows += _ground_rows(ground)
    for image in foundation.images:
        rows += [("Image", image.path), *(row for g in image.grounds for row in _ground_rows(g))]
    if storage.free_bytes is not None:
        rows.append(("Free space", size_text(storage.free_bytes)))
    return rows


def _ground_rows(ground: Ground) -> Rows:
    where = f"{ground.filesystem} on {ground.mount_point}"
    source = f" from {ground.source}" if ground.source not in ("", "none") else ""
    rows = [("Mount", f"{where}{source}, {_KINDS[ground.kind]}")]
    if ground.bind_root:
        rows.append(("Shows", f"the folder {ground.bind_root} of it"))
    if ground.layers_hidden:
        rows.append(("Below", "not available: the layers are out of sight, as in a container"))
    if ground.network is not None:
        rows.append(("Connection", _network_text(ground.network)))
    if ground.fuse is not None:
        rows.append(("Served by", _fuse_text(ground.fuse)))
    rows += [("Option", f"{option.option}: {option.meaning}") for option in ground.options]
    if ground.readahead_bytes is not None:
        rows.append(("Readahead", request_text(ground.readahead_bytes)))
    return rows


def _network_text(network: NetworkMount) -> str:
    parts = [" ".join(filter(None, (network.protocol, network.version)))]
    if network.is_windows_drive:
        parts.append("a drive of Windows")
    if network.request_bytes is not None:
        parts.append(f"requests up to {request_text(network.request_bytes)}")
    if network.connections is not None:
        plural = "" if network.connections == 1 else "s"
        parts.append(f"{network.connections} connection{plural}")
    if network.mean_read_bytes is not None and network.mean_read_ns is not None:
        mean = f"{request_text(network.mean_read_bytes)} in {duration_text(network.mean_read_ns)}"
        parts.append(f"{network.reads:,} reads since mounted, {mean} on average")
    return ", ".join(parts)


def _fuse_text(fuse: FuseMount) -> str:
    parts = [fuse.program or "not available: no process in sight serves it"]
    if fuse.pid is not None:
        parts[0] += f" (process {fuse.pid})"
    if fuse.program:
        parts.append(f"from {_SERVES[fuse.serves]}")
        parts.append(f"known from its {fuse.known_from}")
    return ", ".join([*parts, *fuse.settings])


def file_rows(found: Diagnosis) -> Rows:
    """Size, what is on the disk, what is cached, who uses it."""
    file = found.file
    if file is None:
        return []
    count = "" if file.files == 1 else f" in {file.files} files"
    rows = [("Size", size_text(file.size_bytes) + count)]
    if file.allocated_share is not None:
        rows.append(("On the disk", percent_text(file.allocated_share)))
    cached = f"not available: {file.cached_source.removeprefix('unknown: ')}"
    if file.cached_share is not None:
        cached = f"{percent_text(file.cached_share)} of the bytes, known by {file.cached_source}"
    if file.opening_may_drop_cache:
        cached += "; opening it for this look may have dropped more from the cache"
    users = ", ".join(f"{user.name} ({user.pid}, {user.how})" for user in file.users)
    rows.append(("Cached now", cached))
    if file.cache_map is not None and file.cached_share is not None:
        rows.append(("Along the file", cache_bar(file.cache_map)))
    return [*rows, ("Used by", users or "nobody in sight")]
