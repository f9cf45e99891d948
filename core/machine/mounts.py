"""Mounts: which lie under a path, of what kind, how they are set, and who serves them.

Nothing below a mount point is looked at but the path that is asked for. Sources: mount(8), nfs(5),
mount.cifs(8), mount.fuse3(8), btrfs(5), tmpfs(5), and ceph.rst, 9p.rst, overlayfs.rst and dax.rst
in the kernel's Documentation/filesystems.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.machine.procfs import Mount, parse_mountinfo, value
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

StorageKind = Literal["local-disk", "network", "fuse", "memory", "unknown"]

SIMULATED = "fuse.simulated"
"""What the types of mounts begin with that `modelmon simulate` makes."""

_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
_NETWORK = frozenset({
    "9p", "afpfs", "afs", "beegfs", "ceph", "cifs", "glusterfs", "gpfs", "lustre", "nfs", "nfs4",
    "orangefs", "smb3", "smbfs", "virtiofs", "webdav", "wekafs",
})  # fmt: skip
# Made of disks of their own that the kernel does not show as the mount's block device.
_POOLS = frozenset({"bcachefs", "btrfs", "zfs"})
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", platform.node()})


class PlacedMount(NamedTuple):
    """A mount, and where the path lies on it."""

    mount: Mount
    place: Path


def mounts_under(place: Path, root: Path = Path("/")) -> tuple[PlacedMount, ...]:
    """The mounts that hold an existing `place`, from the one that is seen to the lowest.

    Empty where no mount is in sight. If the last one is an overlay, then its layers are out
    of sight, as in a container. `root` is where /proc is found.
    """
    try:
        text = (root / "proc/self/mountinfo").read_text(errors="surrogateescape")
    except OSError:
        return ()
    mounts = parse_mountinfo(text)
    stack: list[PlacedMount] = []
    below: Path | None = place
    while below is not None:
        mount = mount_of(PurePosixPath(below), below.stat().st_dev, mounts)
        if mount is None or any(mount.mount_id == above.mount.mount_id for above in stack):
            break
        stack.append(PlacedMount(mount, below))
        below = _overlay_layer(mount, below) if mount.filesystem == "overlay" else None
    return tuple(stack)


def mount_of(path: PurePosixPath, device: int, mounts: Sequence[Mount]) -> Mount | None:
    """The mount that holds `path`, whose `st_dev` is `device`; the path has no links in it.

    The deepest one wins, and of several at one point the last, which hides the others. One
    with the file's own device goes before any other: a mount may hide what was mounted
    deeper. Btrfs and overlayfs give their files devices that no mount has.
    """
    numbers = (os.major(device), os.minor(device))
    holding = [mount for mount in mounts if path.is_relative_to(mount.mount_point)]
    return max(
        reversed(holding),
        key=lambda each: (
            (each.major, each.minor) == numbers,
            len(PurePosixPath(each.mount_point).parts),
        ),
        default=None,
    )


def _overlay_layer(mount: Mount, path: Path) -> Path | None:
    """Where a file of an overlay really lies; None if that is out of sight, as in a container.

    The upper folder hides the lower ones, which are named from top to bottom.
    """
    upper, lower = [], []
    for option in mount.super_options.split(","):
        name, _, folders = option.partition("=")
        if name == "upperdir":
            upper.append(folders)
        elif name in {"lowerdir", "lowerdir+"}:
            lower.extend(folders.split(":"))
    inside = path.relative_to(mount.mount_point)
    candidates = (Path(folder, inside) for folder in (*upper, *lower))
    return next((at for at in candidates if at.is_absolute() and os.path.lexists(at)), None)


def kind_of(filesystem: str, on_block_device: bool) -> StorageKind:
    """What sort of storage a filesystem type is, by its name and by what it is mounted from."""
    if filesystem in _MEMORY:
        return "memory"
    if filesystem.startswith("fuse") or filesystem == "macfuse":
        return "fuse"
    if filesystem in _NETWORK:
        return "network"
    return "local-disk" if on_block_device or filesystem in _POOLS else "unknown"


def is_block_backed(mount: Mount) -> bool:
    """Whether the filesystem reads a block device of this machine."""
    return mount.major != 0 or mount.source.startswith("/dev/")


def is_served_here(source: str) -> bool:
    """Whether a mount's source (`host:/folder`) names a server or tunnel of this machine."""
    host, colon, _ = source.partition(":")
    return bool(colon) and host.rpartition("@")[2] in _THIS_MACHINE


def accounts_reads(filesystem: str, kind: StorageKind) -> bool:
    """Whether `read_bytes` of /proc/PID/io counts what is fetched from this filesystem.

    It counts requests to block devices, and NFS counts its own. FUSE, 9p, virtiofs and CIFS
    fetch in other processes or not through the block layer, and ZFS in threads of its own.
    """
    return (kind == "local-disk" and filesystem != "zfs") or filesystem in {"nfs", "nfs4"}


def caches_elsewhere(filesystem: str, kind: StorageKind) -> bool:
    """Whether a server, another process or the filesystem itself keeps a cache of its own.

    Emptying this machine's page cache leaves it as it is. ZFS has its ARC.
    """
    return kind in {"network", "fuse"} or filesystem == "zfs"


def options_of(text: str) -> dict[str, str]:
    """Mount options by name; one without a value has an empty one."""
    pairs = (option.partition("=") for option in text.split(",") if option)
    return {name: option_value for name, _, option_value in pairs}


_NFS, _SMB = ("nfs", "nfs4"), ("cifs", "smb3")
# What matters for writing, rights or names (noatime, discard, nosuid, ...) is left out.
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
    (_NFS, "fsc", Message("a local disk also caches what was read")),
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
    family = "fuse" if mount.filesystem.startswith("fuse") else mount.filesystem
    found = []
    for filesystems, wanted, meaning in _TELLING:
        name, equals, wanted_value = wanted.partition("=")
        is_set = name in options and (not equals or options[name] == wanted_value)
        if is_set and ("*" in filesystems or family in filesystems):
            text = f"{name}={options[name]}" if options[name] else name
            found.append(TellingOption(text, meaning))
    return tuple(found)


# By what a filesystem's name starts with: its protocol, and the option of the largest request.
_PROTOCOLS = {
    "nfs": ("NFS", "rsize"),
    "cifs": ("SMB", "rsize"),
    "smb": ("SMB", "rsize"),
    "9p": ("9P", "msize"),
    "ceph": ("Ceph", "rsize"),
}


class NetworkMount(msgspec.Struct, frozen=True, omit_defaults=True):
    """A network filesystem's connection; None where the mount does not say.

    `request_bytes` is the most that one read can ask for.
    `is_windows_drive` is a drive of Windows seen from WSL.
    """

    protocol: str
    version: str | None = None
    request_bytes: int | None = None
    connections: int | None = None
    is_windows_drive: bool = False


def is_windows_drive(mount: Mount) -> bool:
    """Whether this is a drive of Windows in WSL, which fetches every request from Windows.

    WSL 1 has a filesystem of its own for it, and WSL 2 mounts it by 9p or virtiofs with
    `aname=drvfs` or a source such as `C:\\`.
    """
    if mount.filesystem not in {"9p", "virtiofs"}:
        return mount.filesystem == "drvfs"
    source = mount.source
    letter = len(source) >= 2 and source[0].isalpha() and source[1:] in (":", ":\\")
    return "drvfs" in mount.super_options or source.startswith("drvfs") or letter


def network_mount(mount: Mount) -> NetworkMount:
    """What the mount's options say."""
    options = options_of(f"{mount.options},{mount.super_options}")
    family = next((name for name in _PROTOCOLS if mount.filesystem.startswith(name)), "")
    protocol, request_option = _PROTOCOLS.get(family, (mount.filesystem, ""))
    request = options.get(request_option, "")
    connections = options.get("nconnect") or options.get("max_channels", "")
    return NetworkMount(
        protocol=protocol,
        version=options.get("vers") or options.get("version"),
        request_bytes=int(request) if request.isdecimal() else None,
        # NFS names the number only if it is not one.
        connections=int(connections) if connections.isdecimal() else 1 if family == "nfs" else None,
        is_windows_drive=is_windows_drive(mount),
    )


Serves = Literal["object-store", "server", "local", "unknown"]

# Known programs: what they fetch from, and the settings that decide how they load. Of a command
# line only these are shown, for others may hold passwords.
_PROGRAMS: dict[str, tuple[Serves, tuple[str, ...]]] = {
    "gcsfuse": (
        "object-store",
        ("file-cache-max-size-mb", "cache-dir", "sequential-read-size-mb", "client-protocol",
         "max-conns-per-host", "enable-buffered-read"),
    ),
    "rclone": (
        "object-store",
        ("vfs-cache-mode", "vfs-read-ahead", "vfs-read-chunk-size", "vfs-read-chunk-streams",
         "buffer-size", "direct-io"),
    ),
    "s3fs": ("object-store", ("use_cache", "parallel_count", "multipart_size", "direct_io")),
    "mount-s3": ("object-store", ("cache", "read-part-size", "maximum-throughput-gbps")),
    "goofys": ("object-store", ("cheap", "cache")),
    "blobfuse2": ("object-store", ("file-cache-timeout", "block-cache", "tmp-path")),
    "juicefs": (
        "object-store", ("cache-dir", "cache-size", "buffer-size", "prefetch", "max-readahead")
    ),
    "hf-mount": ("object-store", ("cache-dir", "cache-size", "direct-io")),
    "ossfs": ("object-store", ("use_cache", "parallel_count", "direct_io")),
    "sshfs": ("server", ("direct_io", "kernel_cache", "max_conns", "cache", "dir_cache")),
    "davfs2": ("server", ()),
    "glusterfs": ("server", ("direct-io-mode",)),
    "ceph-fuse": ("server", ()),
    "ntfs-3g": ("local", ("big_writes",)),
    "mergerfs": ("local", ("cache.files", "direct_io")),
    "gocryptfs": ("local", ()),
    "encfs": ("local", ()),
    "bindfs": ("local", ("direct-io",)),
    "fuse-overlayfs": ("local", ()),
    "squashfuse": ("local", ()),
    "simulated-object-store": ("object-store", ()),
    "simulated-hdd": ("local", ()),
    "simulated-nfs": ("server", ()),
    "simulated-slow-line": ("server", ()),
}  # fmt: skip
# How their mounts name themselves where that is not the program's name.
_ALIASES = {
    "mountpoint-s3": "mount-s3",
    "blobfuse": "blobfuse2",
    "mount.davfs": "davfs2",
    "mount.ntfs": "ntfs-3g",
    "hf_mount": "hf-mount",
    "rclonefs": "rclone",
}


class FuseMount(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who serves a FUSE mount; `program` is None where nothing names it.

    `known_from` is `mount type`, `source` or `serving process`. `settings` are those of its
    command line that decide how it loads; `pid` is None where the process cannot be seen.
    """

    program: str | None
    serves: Serves
    known_from: str = ""
    pid: int | None = None
    settings: tuple[str, ...] = ()


def fuse_mount(mount: Mount, root: Path = Path("/")) -> FuseMount:
    """Who serves this FUSE mount, asked of its type (`fuse.sshfs`), its source and the processes in
    sight: the program is the one that holds the mount's /dev/fuse.
    """
    pid = _serving_pid(mount, root)
    command = command_of(pid, root) if pid is not None else ()
    subtype = mount.filesystem.partition(".")[2]
    clues = [("mount type", subtype), ("source", mount.source)]
    clues += [("serving process", PurePosixPath(word).name) for word in command[:2]]
    for known_from, clue in clues:
        word = clue.lower().partition("#")[0].partition(":")[0]
        program = _ALIASES.get(word, word)
        if program in _PROGRAMS:
            serves, names = _PROGRAMS[program]
            return FuseMount(program, serves, known_from, pid, _telling_settings(command, names))
    if subtype:
        return FuseMount(subtype, "unknown", "mount type", pid)
    if command:
        return FuseMount(PurePosixPath(command[0]).name, "unknown", "serving process", pid)
    return FuseMount(None, "unknown", pid=pid)


def command_of(pid: int, root: Path = Path("/")) -> tuple[str, ...]:
    """The command line of a process; it may hold passwords."""
    return tuple(value(root / f"proc/{pid}/cmdline").rstrip("\0").split("\0"))


def _telling_settings(command: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The settings of a command line that have one of `names`, as `name=value` or `name`.

    They stand as `--name value`, `--name=value` or, comma-separated, after `-o`.
    """
    found = []
    for word, following in zip(command, (*command, "")[1:], strict=True):
        if word.startswith("--"):
            name, equals, given = word[2:].partition("=")
            if name in names:
                separate = "" if equals or following.startswith("-") else following
                found.append(f"{name}={given or separate}".rstrip("="))
        elif word.startswith("-o"):
            options = (word[2:] or following).split(",")
            found += [option for option in options if option.partition("=")[0] in names]
    return tuple(found)


def _serving_pid(mount: Mount, root: Path) -> int | None:
    """The process that answers the mount's requests; None where it cannot be seen.

    Newer kernels name the mount's device number in the fdinfo of /dev/fuse (fs/fuse/dev.c).
    Where they do not, it is the only process with /dev/fuse whose command line names the
    mount point.
    """
    number = str(mount.major << 20 | mount.minor)
    by_name = []
    for process in (root / "proc").glob("[0-9]*"):
        connections = _fuse_connections(process)
        if number in connections:
            return int(process.name)
        if connections == {""} and mount.mount_point in command_of(int(process.name), root):
            by_name.append(int(process.name))
    return by_name[0] if len(by_name) == 1 else None


def _fuse_connections(process: Path) -> set[str]:
    """Device numbers of the mounts that a process serves, "" for one that the kernel names no
    number of; none of another user's process, and of one that has just ended.
    """
    numbers = set()
    with suppress(OSError):
        for link in list((process / "fd").iterdir()):
            with suppress(OSError):  # closed meanwhile
                if link.readlink() == Path("/dev/fuse"):
                    lines = value(process / "fdinfo" / link.name).splitlines()
                    named = [line.partition(":")[2] for line in lines if "fuse_connection" in line]
                    numbers.add("".join(named[:1]).strip())
    return numbers
