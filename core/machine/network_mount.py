"""What a mount from another machine (or the host of this one) says of its connection.

Sources: nfs(5), mount.cifs(8), Documentation/filesystems/9p.rst, and for mountstats the kernel's
net/sunrpc/stats.c: operations, transmissions, timeouts, bytes sent, bytes received, then
milliseconds queued, on the way, and in all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from modelmon.core.machine.procfs_disk import Mount

# The option that names the largest request, by what the filesystem's name starts with.
_REQUEST_OPTIONS = {"nfs": "rsize", "cifs": "rsize", "smb": "rsize", "ceph": "rsize", "9p": "msize"}
_PROTOCOLS = {"nfs": "NFS", "cifs": "SMB", "smb": "SMB", "9p": "9P", "ceph": "Ceph"}


class NetworkMount(msgspec.Struct, frozen=True, omit_defaults=True):
    """A network filesystem's connection; None where the mount does not say.

    `request_bytes` is the most that one read can ask for. `reads`, `mean_read_bytes` and
    `mean_read_ns` are what NFS counted since it was mounted: time from sending to answer.
    `is_windows_drive` is a drive of Windows seen from WSL.
    """

    protocol: str
    version: str | None = None
    request_bytes: int | None = None
    connections: int | None = None
    reads: int | None = None
    mean_read_bytes: float | None = None
    mean_read_ns: float | None = None
    is_windows_drive: bool = False


def options_of(text: str) -> dict[str, str]:
    """Mount options by name; one without a value has an empty one."""
    pairs = (option.partition("=") for option in text.split(",") if option)
    return {name: option_value for name, _, option_value in pairs}


def is_windows_drive(mount: Mount) -> bool:
    """Whether this is a drive of Windows in WSL, which fetches every request from Windows.

    WSL 1 has a filesystem of its own for it, and WSL 2 mounts it by 9p or virtiofs with
    `aname=drvfs` or a source such as `C:\\`.
    """
    if mount.filesystem == "drvfs":
        return True
    if mount.filesystem not in {"9p", "virtiofs"}:
        return False
    source = mount.source
    letter = len(source) >= 2 and source[0].isalpha() and source[1:] in (":", ":\\")
    return "drvfs" in mount.super_options or source.startswith("drvfs") or letter


def network_mount(mount: Mount, mountstats: str = "") -> NetworkMount:
    """What the mount's options, and for NFS the text of /proc/self/mountstats, say."""
    options = options_of(f"{mount.options},{mount.super_options}")
    family = next((name for name in _PROTOCOLS if mount.filesystem.startswith(name)), "")
    request = options.get(_REQUEST_OPTIONS.get(family, ""), "")
    connections = options.get("nconnect") or options.get("max_channels", "")
    reads, nbytes, milliseconds = nfs_reads(mountstats, mount.mount_point) or (0, 0, 0)
    return NetworkMount(
        protocol=_PROTOCOLS.get(family, mount.filesystem),
        version=options.get("vers") or options.get("version"),
        request_bytes=int(request) if request.isdecimal() else None,
        # NFS names the number only if it is not one.
        connections=int(connections) if connections.isdecimal() else 1 if family == "nfs" else None,
        reads=reads or None,
        mean_read_bytes=nbytes / reads if reads else None,
        mean_read_ns=milliseconds * 1e6 / reads if reads else None,
        is_windows_drive=is_windows_drive(mount),
    )


def nfs_reads(mountstats: str, mount_point: str) -> tuple[int, int, int] | None:
    """Reads, bytes received and milliseconds on the way, of the mount at `mount_point`."""
    here = False
    for line in mountstats.split("\n"):
        if line.startswith("device "):
            here = f" mounted on {mount_point} with fstype nfs" in line
        name, _, rest = line.strip().partition(": ")
        fields = rest.split()
        if here and name == "READ" and len(fields) >= 8 and all(f.isdecimal() for f in fields[:8]):
            return int(fields[0]), int(fields[4]), int(fields[6])
    return None
