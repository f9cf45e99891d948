"""Findings about the filesystem that holds a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import Diagnosis, Finding, as_root
from modelmon.core.messages import Message, joined
from modelmon.core.units import KIB, MIB, request_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.storage_stack import MountLayer

_SMALL_REQUEST_BYTES = 256 * KIB
_SMALL_READAHEAD_BYTES = 1 * MIB
_COMPARE = Message("Measure: modelmon compare PATH --a mmap --b parallel.")


def filesystem_findings(found: Diagnosis) -> Iterator[Finding]:
    """What the mount means for a load."""
    mount = found.storage_stack.lowest
    if mount is None:
        return
    yield from _of_network(mount)
    yield from _of_fuse(mount)
    yield from _of_readahead(mount)
    if mount.kind == "memory":
        yield Finding(
            "in-memory",
            "note",
            Message("The file is in memory (tmpfs): there's no slower place to load it from."),
            Message(
                "{filesystem} on {mount_point}",
                filesystem=mount.filesystem,
                mount_point=mount.mount_point,
            ),
            Message("Copy the model to a disk to measure loading from it."),
        )
    if mount.layers_hidden:
        yield Finding(
            "hidden-layers",
            "note",
            Message(
                "The overlay's layers aren't visible, as in a container, so the disk is unknown."
            ),
            Message("overlay on {mount_point}", mount_point=mount.mount_point),
            Message("Put the model on a volume, so that modelmon sees the disk."),
        )


def _of_network(mount: MountLayer) -> Iterator[Finding]:
    network = mount.network
    if network is None:
        return
    place = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    where = Message("{where} from {source}", where=place, source=mount.source)
    if network.is_windows_drive:
        yield Finding(
            "windows-drive",
            "problem",
            Message("The file is on a Windows drive: every request goes through Windows."),
            where,
            Message("Move the model to the Linux filesystem (in /home), or load it without mmap."),
            Message("oobabooga/textgen#2607: 113 s in WSL against 7 s in Windows"),
        )
        return
    yield Finding(
        "network-filesystem",
        "note",
        Message("The file is on another machine, or on this one's host."),
        where,
        Message(
            "mmap waits for a round trip each time readahead ends. {compare}", compare=_COMPARE
        ),
        Message(
            "safetensors/safetensors#562; sgl-project/sglang#37806 (Lustre: 28 MiB/s"
            " by page faults)"
        ),
    )
    if network.request_bytes is not None and network.request_bytes < _SMALL_REQUEST_BYTES:
        option = "msize=512000" if mount.filesystem == "9p" else "rsize=1048576"
        yield Finding(
            "small-requests",
            "note",
            Message("The mount's requests are small, so each round trip brings little."),
            Message("at most {request} a request", request=request_text(network.request_bytes)),
            Message("Mount it with {option}, if the server allows it.", option=option),
            Message("nfs(5), mount.cifs(8) and 9p.rst in the kernel's Documentation/filesystems"),
        )


def _of_fuse(mount: MountLayer) -> Iterator[Finding]:
    fuse = mount.fuse
    if fuse is None:
        return
    name = fuse.program or Message("A FUSE program")
    place = Message(
        "{filesystem} on {mount_point}", filesystem=mount.filesystem, mount_point=mount.mount_point
    )
    where = joined([place, *fuse.settings], ", ")
    if any(word.replace("_", "-").startswith("direct-io") for word in fuse.settings):
        yield Finding(
            "nothing-cached",
            "problem",
            Message("{name} bypasses the page cache: every load fetches everything.", name=name),
            where,
            Message("Mount it without direct_io."),
            Message("mount.fuse3(8), direct_io"),
        )
    if fuse.serves == "object-store":
        remedies = [
            Message(
                "Use a descriptor per reader (parallel, processes); don't share one (shared-fd)."
            )
        ]
        if fuse.program == "rclone":
            remedies.append(Message("Or mount it with --vfs-cache-mode full."))
        yield Finding(
            "fuse-object-store",
            "note",
            Message(
                "{name} reads from an object store; every seek may be a new request.",
                name=name,
            ),
            where,
            joined([*remedies, _COMPARE]),
            Message(
                "huggingface/diffusers#10305: a 7.2 GB model from gcsfuse in 16 minutes"
                " with mmap, in under one without"
            ),
        )
    elif fuse.serves == "server":
        yield Finding(
            "fuse-server",
            "note",
            Message("{name} reads from another machine.", name=name),
            where,
            Message("Several readers hide its latency. {compare}", compare=_COMPARE),
            Message("sshfs with 10 ms round trips: 21 MB/s by one reader, 77 MB/s by four"),
        )


def _of_readahead(mount: MountLayer) -> Iterator[Finding]:
    size = mount.readahead_bytes
    far = mount.kind == "network" or (mount.fuse is not None and mount.fuse.serves != "local")
    if not far or mount.bdi is None or size is None or size >= _SMALL_READAHEAD_BYTES:
        return
    yield Finding(
        "small-readahead",
        "note",
        Message("Readahead on this mount is small, and each request takes long."),
        Message("{size} on {mount_point}", size=request_text(size), mount_point=mount.mount_point),
        as_root(f"echo 4096 > /sys/class/bdi/{mount.bdi}/read_ahead_kb"),
        Message("a FUSE mount with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB"),
    )
