"""The mount options that change how a file loads, each with what it does to a load.

Options that matter for writing, rights or names (noatime, discard, nosuid, ...) are left out.
Sources: mount(8), nfs(5), mount.cifs(8), mount.fuse3(8), btrfs(5), tmpfs(5), and ceph.rst, 9p.rst
and dax.rst in the kernel's Documentation/filesystems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.network_mount import options_of
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.machine.procfs_disk import Mount

_NFS = ("nfs", "nfs4")
_SMB = ("cifs", "smb3")

# Filesystems ("*": all), option or option=value, and what it means for a load.
_TELLING: tuple[tuple[tuple[str, ...], str, Message], ...] = (
    (("*",), "strictatime", Message("every read notes its time on the disk")),
    (
        ("ext4", "xfs", "ext2"),
        "dax=always",
        Message("reads bypass the page cache: there is no warm start"),
    ),
    (("btrfs",), "compress", Message("files written since are decompressed by the CPU")),
    (("btrfs",), "compress-force", Message("files written since are decompressed by the CPU")),
    (_NFS, "rsize", Message("the most that one read asks the server for")),
    (_NFS, "nconnect", Message("connections that share the load")),
    (_NFS, "noac", Message("every access asks the server whether the file changed")),
    (_NFS, "actimeo=0", Message("every access asks the server whether the file changed")),
    (_NFS, "fsc", Message("a local disk caches what was read, beside the page cache")),
    (_NFS, "proto=udp", Message("large reads suffer from every lost packet")),
    (_NFS, "sec=krb5p", Message("every byte is decrypted by the CPU")),
    (_SMB, "rsize", Message("the most that one read asks the server for")),
    (_SMB, "cache=none", Message("nothing stays cached: every load goes to the server")),
    (_SMB, "multichannel", Message("several connections share the load")),
    (_SMB, "max_channels", Message("connections that share the load")),
    (_SMB, "seal", Message("every byte is decrypted by the CPU")),
    (("9p",), "msize", Message("the most that one read asks the host for")),
    (("9p",), "cache=none", Message("nothing stays cached: every load goes to the host")),
    (("virtiofs",), "dax", Message("maps the host's memory: the page cache here is bypassed")),
    (("ceph",), "rasize", Message("how far the client reads ahead")),
    (("ceph",), "rsize", Message("the most that one read asks the cluster for")),
    (("fuse",), "max_read", Message("the most that one read asks the serving program for")),
    (("tmpfs",), "huge", Message("whether files may lie in huge pages")),
)


class TellingOption(msgspec.Struct, frozen=True):
    """A mount option as it is set, and what it means for a load."""

    option: str
    meaning: Message


def telling_options(mount: Mount) -> tuple[TellingOption, ...]:
    """The mount's options that matter for loading, in the order of the table above."""
    options = options_of(f"{mount.options},{mount.super_options}")
    found = []
    for filesystems, wanted, meaning in _TELLING:
        name, equals, wanted_value = wanted.partition("=")
        if name not in options or (equals and options[name] != wanted_value):
            continue
        if not _is_on(mount.filesystem, filesystems):
            continue
        text = f"{name}={options[name]}" if options[name] else name
        found.append(TellingOption(text, meaning))
    return tuple(found)


def _is_on(filesystem: str, filesystems: tuple[str, ...]) -> bool:
    family = "fuse" if filesystem.startswith("fuse") else filesystem
    return "*" in filesystems or family in filesystems
