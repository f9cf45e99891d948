"""Which program serves a FUSE mount, how it is set, and what it fetches from.

The kernel knows a mount's type and source; the program is the process that holds the mount's
/dev/fuse, and its own settings are on its command line.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.machine.sysfs import value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.machine.procfs_disk import Mount

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


def identify(filesystem: str, source: str, command: Sequence[str] = ()) -> FuseMount:
    """The program behind a FUSE mount, by its type (`fuse.sshfs`), source and command line."""
    subtype = filesystem.partition(".")[2]
    clues = (
        ("mount type", subtype),
        ("source", source),
        *(("serving process", PurePosixPath(word).name) for word in command[:2]),
    )
    for known_from, clue in clues:
        if program := _known(clue):
            settings = telling_settings(command, _PROGRAMS[program][1])
            return FuseMount(program, _PROGRAMS[program][0], known_from, settings=settings)
    if subtype:
        return FuseMount(subtype, "unknown", "mount type")
    if command:
        return FuseMount(PurePosixPath(command[0]).name, "unknown", "serving process")
    return FuseMount(None, "unknown")


def telling_settings(command: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The settings of a command line that have one of `names`, as `name=value` or `name`.

    They stand as `--name value`, `--name=value` or, comma-separated, after `-o`.
    """
    found = []
    for position, word in enumerate(command):
        following = command[position + 1] if position + 1 < len(command) else ""
        if word.startswith("--"):
            name, equals, given = word[2:].partition("=")
            if name in names:
                separate = "" if equals or following.startswith("-") else following
                found.append(f"{name}={given or separate}".rstrip("="))
        elif word.startswith("-o"):
            options = (word[2:] or following).split(",")
            found += [option for option in options if option.partition("=")[0] in names]
    return tuple(found)


def fuse_mount(mount: Mount, root: Path = Path("/")) -> FuseMount:
    """Who serves this FUSE mount, asked of its type, its source and the processes in sight."""
    pid = serving_pid(mount, root)
    command = command_of(root / "proc" / str(pid)) if pid is not None else ()
    found = identify(mount.filesystem, mount.source, command)
    return msgspec.structs.replace(found, pid=pid)


def serving_pid(mount: Mount, root: Path = Path("/")) -> int | None:
    """The process that answers the mount's requests; None where it cannot be seen.

    Newer kernels name the mount's device number in the fdinfo of /dev/fuse (fs/fuse/dev.c).
    Where they do not, it is the only process with /dev/fuse whose command line names the
    mount point.
    """
    number = str(mount.major << 20 | mount.minor)
    by_name = []
    for process in (root / "proc").glob("[0-9]*"):
        connections = _connections(process)
        if number in connections:
            return int(process.name)
        if connections == {""} and mount.mount_point in command_of(process):
            by_name.append(int(process.name))
    return by_name[0] if len(by_name) == 1 else None


def _connections(process: Path) -> set[str]:
    """Device numbers of the mounts that a process serves; "" for one that has no number."""
    numbers = set()
    for link in _links(process / "fd"):
        lines = value(process / "fdinfo" / link.name).splitlines()
        named = [line.partition(":")[2].strip() for line in lines if "fuse_connection" in line]
        numbers.add(named[0] if named else "")
    return numbers


def _links(folder: Path) -> list[Path]:
    """A process's descriptors of /dev/fuse; none of another user's process."""
    try:
        return [link for link in folder.iterdir() if _leads_to_fuse(link)]
    except OSError:
        return []


def _leads_to_fuse(link: Path) -> bool:
    try:
        return link.readlink() == Path("/dev/fuse")
    except OSError:
        return False  # closed meanwhile


def command_of(process: Path) -> tuple[str, ...]:
    """The command line of a process, by its folder in /proc; it may hold passwords."""
    return tuple(value(process / "cmdline").rstrip("\0").split("\0"))


def _known(clue: str) -> str | None:
    """The known program that a mount's type, its source or a command is named after."""
    word = clue.lower().partition("#")[0].partition(":")[0]
    word = _ALIASES.get(word, word)
    return word if word in _PROGRAMS else None
