"""What tells mounts of one source apart: root, options, what serves them, and each mounting."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.machine.block_device import device_folder
from modelmon.core.machine.cache_syscalls import mount_number
from modelmon.core.machine.device_chain import block_layer
from modelmon.core.machine.fuse import command_of, serving_pid
from modelmon.core.machine.machine_key import machine_key
from modelmon.core.machine.mount_options import telling_options
from modelmon.core.machine.network_mount import options_of
from modelmon.core.machine.sysfs import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.mounts import PlacedMount
    from modelmon.core.machine.procfs_disk import Mount

# Where the fields of /proc/PID/stat behind the name have the start (proc_pid_stat(5), field 22).
_STARTED = 19


class MountIdentity(NamedTuple):
    """`apart_by` is the same however often the same is mounted: "" for a plain disk. `mounting` is
    another each time, "" where nothing tells.
    """

    apart_by: str
    mounting: str


def mount_identity(placed: PlacedMount, root: Path = Path("/")) -> MountIdentity:
    """What tells this mount from another of its source, and this mounting from an earlier one."""
    mount = placed.mount
    pid = serving_pid(mount, root) if mount.filesystem.startswith("fuse") else None
    server = root / "proc" / str(pid)
    number = mount_number(placed.place) if root == Path("/") else None
    began = value(server / "stat").rpartition(")")[2].split()[_STARTED:][:1] if pid else []
    known = [*([str(number)] if number is not None else []), *([f"{pid}", *began] if began else [])]
    boot = value(root / "proc/sys/kernel/random/boot_id")
    return MountIdentity(
        " ".join(_parts(mount, command_of(server) if pid else (), root)),
        " ".join([boot, *known]) if known else "",
    )


def _parts(mount: Mount, command: tuple[str, ...], root: Path) -> Iterator[str]:
    if mount.root != "/":
        yield f"root={mount.root}"
    yield from (told.option for told in telling_options(mount))
    # The machine that a server's name led to (nfs(5), mount.cifs(8)).
    if address := options_of(mount.super_options).get("addr"):
        yield f"addr={address}"
    if (folder := device_folder(mount, root)) is not None:
        for layer in block_layer(folder).walk():
            if layer.backing_file is not None:
                yield f"image={layer.backing_file}"
    if any(command):
        # Kept as a digest, for it may hold passwords.
        words = "\0".join(command).encode(errors="surrogateescape")
        key = machine_key(root).encode()
        yield f"served-by={hmac.new(key, words, hashlib.sha256).hexdigest()[:16]}"
