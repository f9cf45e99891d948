"""Settings of the system below a load: mounts, readahead, WSL.

modelmon sets none of it. For a part that isn't below this model, the reason is returned instead.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from modelmon.core.machine.procfs import SECTOR_BYTES
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.programs.advice import (
    COMMAND,
    Checked,
    Form,
    Part,
    Setting,
    command_form,
    root_form,
)
from modelmon.core.programs.outcome import NOT_IN_SIGHT
from modelmon.core.units import GIB, KIB, MIB, request_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.machine.storage import MountLayer
    from modelmon.core.programs.outcome import Outcome

_CACHE = "FOLDER_ON_LOCAL_SSD"
_NOW = Message("Until restart")
_PERMANENT = Message("Permanent")
_READAHEAD_BYTES = 4 * MIB
_GCSFUSE_CONFIG = f"""\
cache-dir: {_CACHE}
file-cache:
  max-size-mb: -1
  cache-file-for-range-read: true
  enable-parallel-downloads: true
metadata-cache:
  ttl-secs: -1
file-system:
  kernel-list-cache-ttl-secs: -1
"""
_GCSFUSE_OPTIONS = (
    ("--cache-dir", _CACHE),
    ("--file-cache-max-size-mb=-1",),
    ("--file-cache-cache-file-for-range-read",),
    ("--file-cache-enable-parallel-downloads",),
    ("--metadata-cache-ttl-secs=-1",),
    ("--kernel-list-cache-ttl-secs=-1",),
)
_NFS_READAHEAD_KIB = 16384
_MOST_NFS_CONNECTIONS = 16
_MOUNT_S3_THREADS = 16
_MOUNT_S3_PART_BYTES = 8 * MIB
_WSL_ROOM = 1.5
"""As much memory as the model is large, and half of it more: a rule of thumb."""


def _on_mount(
    setting: Callable[[Outcome, MountLayer], Setting | Message],
    elsewhere: Message = NOTHING,
    *,
    filesystems: tuple[str, ...] = (),
    served_by: str = "",
) -> Callable[[Outcome], Setting | Message]:
    """A setting of the mount that holds the model, where it is of one of these filesystems, or
    served by this FUSE program, if one is named; `elsewhere` is said of others.
    """

    def of(found: Outcome) -> Setting | Message:
        mount = found.lowest
        if mount is None:
            return NOT_IN_SIGHT
        is_other = filesystems and mount.filesystem not in filesystems
        served = mount.fuse.program if mount.fuse is not None else ""
        return elsewhere if is_other or served_by not in ("", served) else setting(found, mount)

    return of


def _gcsfuse(_found: Outcome, mount: MountLayer) -> Setting:
    """A file cache that is filled by parallel downloads."""
    place = [["gcsfuse"], *_GCSFUSE_OPTIONS, [mount.source, mount.mount_point]]
    lines = tuple(range(len(_GCSFUSE_CONFIG.splitlines())))
    gke = "read_ahead_kb=1024\n"
    return Setting(
        summary=Message("file cache with parallel downloads"),
        forms=(
            Form(Message("Config file"), "yaml", _GCSFUSE_CONFIG, "gcsfuse.yaml", lines),
            command_form(place),
            Form(Message("GKE mount options"), "text", gke, "gke-options.txt", (0,)),
        ),
        effect=Message(
            "Measured elsewhere: 25 GB in 77 s with a cache on an SSD, 165 s without one"
            " (GoogleCloudPlatform/ai-on-gke). Not measured here."
        ),
        source="gcsfuse: cfg/params.yaml",
        keep_in_mind=Message(
            "Put {cache} on a local disk with room for the model. Changes of the bucket aren't"
            " noticed until it's mounted again. --profile aiml-serving sets no cache-dir.",
            cache=_CACHE,
        ),
    )


def _mount_s3(found: Outcome, mount: MountLayer) -> Setting:
    """A cache on a local disk, and no fewer threads and bytes a request than were measured."""
    options = [["--cache", _CACHE], ["--metadata-ttl", "indefinite"]]
    if found.readers > _MOUNT_S3_THREADS:
        options.append(["--max-threads", str(found.readers)])
    part_bytes = found.reading.request_bytes or 0
    if part_bytes > _MOUNT_S3_PART_BYTES:
        options.append(["--read-part-size", str(part_bytes)])
    return Setting(
        summary=Message("cache on a local disk"),
        forms=(command_form([["mount-s3"], [mount.source, mount.mount_point]], options),),
        effect=Message("Later starts read the cache instead of the bucket. Not measured here."),
        since=Message("--metadata-ttl indefinite: 1.7.0. --read-part-size: 1.8.0"),
        source="awslabs/mountpoint-s3: CONFIGURATION.md",
        keep_in_mind=Message(
            "Put {cache} on a local disk with room for the model. Changes of the bucket aren't"
            " noticed until it's mounted again.",
            cache=_CACHE,
        ),
    )


def _rclone(found: Outcome, mount: MountLayer) -> Setting:
    """A cache of whole files, and a stream for each reader."""
    options = [["--vfs-cache-mode", "full"]]
    if found.readers > 1:
        options.append(["--vfs-read-chunk-streams", str(found.readers)])
    return Setting(
        summary=verbatim("--vfs-cache-mode full"),
        forms=(command_form([["rclone", "mount"], [mount.source, mount.mount_point]], options),),
        effect=Message("Later starts read the cache instead of the remote. Not measured here."),
        since=Message("--vfs-read-chunk-streams: 1.68") if found.readers > 1 else NOTHING,
        source="rclone.org/commands/rclone_mount",
        keep_in_mind=Message(
            "Keep the other options of your mount. The cache needs room for the model: --cache-dir"
            " says where."
        ),
    )


def _nfs(found: Outcome, mount: MountLayer) -> Setting:
    """Large requests, far ahead, and a connection for each reader."""
    options = "rsize=1048576"
    if found.readers > 1:
        options += f",nconnect={min(found.readers, _MOST_NFS_CONNECTIONS)}"
    ahead = f"[nfsrahead]\nnfs={_NFS_READAHEAD_KIB}\nnfs4={_NFS_READAHEAD_KIB}\n"
    return Setting(
        summary=verbatim(f"{options}, nfsrahead {_NFS_READAHEAD_KIB}"),
        forms=(
            Form(Message("Mount options"), "text", f"{options}\n", "nfs-options.txt", (0,)),
            Form(verbatim("/etc/nfs.conf"), "ini", ahead, "nfs.conf", (1, 2)),
        ),
        effect=Message(
            "Measured elsewhere: 25 GB in 115 s with a readahead of 128 KiB, 72 s with 1 MiB, 29 s"
            " with 16 MiB (GoogleCloudPlatform/ai-on-gke). Not measured here."
        ),
        source="nfs(5), nfsrahead(5)",
        keep_in_mind=Message(
            "Add the options to {mount_point}'s and mount it again. The server may allow"
            " less. nfsrahead comes with nfs-utils.",
            mount_point=mount.mount_point,
        ),
    )


def _readahead(_found: Outcome, mount: MountLayer) -> Setting | Message:
    """4 MiB, where the kernel reads less ahead."""
    forms = _readahead_forms(mount)
    if mount.readahead_bytes is None or (not forms and mount.readahead_bytes < _READAHEAD_BYTES):
        return Message("{filesystem} has no readahead to set.", filesystem=mount.filesystem)
    size = verbatim(request_text(mount.readahead_bytes))
    if mount.readahead_bytes >= _READAHEAD_BYTES:
        return Message("Readahead is {size} already.", size=size)
    return Setting(
        summary=Message("for programs that use mmap or buffered reads"),
        forms=forms,
        effect=Message(
            "Larger requests, fewer waits: a device with 2 ms a request gave 93 MB/s at 128 KiB and"
            " 933 MB/s at 4 MiB. Not measured on this disk."
        ),
        source="blockdev(8), udev(7), Documentation/ABI/testing/sysfs-class-bdi",
        keep_in_mind=Message(
            "It's {size} now. Direct I/O has no readahead, and programs that read here and there"
            " fetch more than they need.",
            size=size,
        ),
    )


def _readahead_forms(mount: MountLayer) -> tuple[Form, ...]:
    """Of a disk by blockdev and a udev rule, of a mount by its bdi."""
    if mount.devices and mount.filesystem != "btrfs":
        top = mount.devices[0]
        disk = top.below[0] if top.kind == "partition" and top.below else top
        sectors = _READAHEAD_BYTES // SECTOR_BYTES
        rule = (
            f'ACTION=="add|change", KERNEL=="{disk.name}",'
            f' ATTR{{queue/read_ahead_kb}}="{_READAHEAD_BYTES // KIB}"\n'
        )
        return (
            root_form(_NOW, f"blockdev --setra {sectors} /dev/{disk.name}"),
            Form(_PERMANENT, "text", rule, "60-readahead.rules", (0,)),
        )
    if mount.bdi is not None:
        # The number is the mount's, and another one after it is mounted again.
        place = f"/sys/class/bdi/{mount.bdi}/read_ahead_kb"
        return (root_form(_NOW, f"echo {_READAHEAD_BYTES // KIB} > {place}"),)
    return ()


def _wsl(found: Outcome) -> Setting | Message:
    """Off the Windows drive; else more memory, where the model needs it."""
    if "microsoft" not in found.measured.machine.platform.lower():
        return Message("This isn't Linux on Windows (WSL).")
    mount = found.lowest
    if mount is not None and mount.network is not None and mount.network.is_windows_drive:
        return Setting(
            summary=Message("move the model off the Windows drive"),
            forms=(Form(COMMAND, "shell", f"cp -rL {shlex.quote(found.path)} ~/\n", "copy.sh"),),
            effect=Message(
                "Measured elsewhere: 7 s instead of 113 s (oobabooga/textgen#2607). Not measured"
                " here."
            ),
        )
    needed_gib = -(-int(found.nbytes * _WSL_ROOM) // GIB)
    if found.measured.machine.ram_bytes >= needed_gib * GIB:
        return Message("WSL has memory enough for this model.")
    text = f"[wsl2]\nmemory={needed_gib}GB\n"
    return Setting(
        summary=verbatim(f"memory={needed_gib}GB"),
        forms=(Form(verbatim(".wslconfig"), "ini", text, ".wslconfig", (1,)),),
        effect=Message("The model stays in the page cache for the next start. Not measured here."),
        source="learn.microsoft.com: wsl-config",
        keep_in_mind=Message(
            "It goes into your Windows user folder. Run wsl --shutdown, then start WSL again."
        ),
    )


def _part(
    name: str, title: str, setting: Callable[[Outcome], Setting | Message], *held_against: str
) -> Part:
    """A part of the system, whose settings were held against this repository and commit."""
    checked = Checked("2026-11-27", *held_against) if held_against else None
    return Part(name, title, setting, checked=checked)


_NFS = _on_mount(_nfs, Message("The model isn't on NFS."), filesystems=("nfs", "nfs4"))
_GCSFUSE = _on_mount(_gcsfuse, Message("The model isn't on gcsfuse."), served_by="gcsfuse")
_MOUNT_S3 = _on_mount(
    _mount_s3, Message("The model isn't on Mountpoint for S3."), served_by="mount-s3"
)
_RCLONE = _on_mount(_rclone, Message("The model isn't on an rclone mount."), served_by="rclone")
SYSTEM = (
    _part("readahead", "Readahead", _on_mount(_readahead), "util-linux", "2.38.1"),
    _part("nfs", "NFS", _NFS, "nfs-utils", "2.6.2"),
    _part("gcsfuse", "gcsfuse", _GCSFUSE, "GoogleCloudPlatform/gcsfuse", "7b39292788a4"),
    _part("mount-s3", "Mountpoint for S3", _MOUNT_S3, "awslabs/mountpoint-s3", "58817cab2fc3"),
    _part("rclone", "rclone", _RCLONE, "rclone/rclone", "64ab1ac32260"),
    _part("wsl", "WSL", _wsl),
)
"""All of them, in the order in which they are exported."""
