"""Findings about the filesystem that holds a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.diagnosis import Diagnosis, Finding
from modelmon.core.units import KIB, MIB, request_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.foundation import Ground

_SMALL_REQUEST_BYTES = 256 * KIB
_SMALL_READAHEAD_BYTES = 1 * MIB
_COMPARE = "Measure: modelmon compare PATH --a mmap --b parallel."


def filesystem_findings(found: Diagnosis) -> Iterator[Finding]:
    """What the mount means for a load."""
    ground = found.foundation.lowest
    if ground is None:
        return
    yield from _of_network(ground)
    yield from _of_fuse(ground)
    yield from _of_readahead(ground)
    if ground.kind == "memory":
        yield Finding(
            "in-memory",
            "note",
            "The path lies in memory: there is nothing slower to load it from.",
            f"{ground.filesystem} on {ground.mount_point}",
            "To learn how the model loads elsewhere, measure it there.",
        )
    if ground.layers_hidden:
        yield Finding(
            "hidden-layers",
            "note",
            "The overlay's layers are out of sight, as in a container, and so is the disk below.",
            f"overlay on {ground.mount_point}",
            "Put models on a volume: then modelmon sees the disk.",
        )


def _of_network(ground: Ground) -> Iterator[Finding]:
    network = ground.network
    if network is None:
        return
    where = f"{ground.filesystem} on {ground.mount_point} from {ground.source}"
    if network.is_windows_drive:
        yield Finding(
            "windows-drive",
            "problem",
            "The path lies on a Windows drive: every request goes through Windows.",
            where,
            "Move the model into the Linux filesystem (below /home), or load it without mmap.",
            "oobabooga/textgen#2607: 113 s in WSL against 7 s in Windows",
        )
        return
    yield Finding(
        "network-filesystem",
        "note",
        "The path lies on another machine or on the host of this one.",
        where,
        f"Mapped pages cost a round trip each time readahead ends. {_COMPARE}",
        "safetensors/safetensors#562; sgl-project/sglang#37806 (Lustre: 28 MiB/s by page faults)",
    )
    if network.request_bytes is not None and network.request_bytes < _SMALL_REQUEST_BYTES:
        option = "msize=512000" if ground.filesystem == "9p" else "rsize=1048576"
        yield Finding(
            "small-requests",
            "note",
            "The mount asks for little at a time, so that each round trip brings little.",
            f"at most {request_text(network.request_bytes)} a request",
            f"Mount it with {option}, if the other side allows it.",
            "nfs(5), mount.cifs(8) and 9p.rst in the kernel's Documentation/filesystems",
        )


def _of_fuse(ground: Ground) -> Iterator[Finding]:
    fuse = ground.fuse
    if fuse is None:
        return
    name = fuse.program or "A FUSE program"
    where = ", ".join([f"{ground.filesystem} on {ground.mount_point}", *fuse.settings])
    if any(word.replace("_", "-").startswith("direct-io") for word in fuse.settings):
        yield Finding(
            "nothing-cached",
            "problem",
            f"{name} is told to bypass the page cache: every load fetches everything.",
            where,
            "Mount it without direct_io.",
            "mount.fuse3(8), direct_io",
        )
    if fuse.serves == "object-store":
        cache = " Or mount it with --vfs-cache-mode full." if fuse.program == "rclone" else ""
        yield Finding(
            "fuse-object-store",
            "note",
            f"{name} fetches the file from an object store; every seek may be a new request.",
            where,
            "Let every reader open the file itself (parallel, processes) and never share one"
            f" descriptor (shared-fd).{cache} {_COMPARE}",
            "huggingface/diffusers#10305: a 7.2 GB model from gcsfuse in 16 minutes with mmap,"
            " in under one without",
        )
    elif fuse.serves == "server":
        yield Finding(
            "fuse-server",
            "note",
            f"{name} fetches the file from another machine.",
            where,
            f"Several readers hide its round trips. {_COMPARE}",
            "sshfs with 10 ms round trips: 21 MB/s by one reader, 77 MB/s by four",
        )


def _of_readahead(ground: Ground) -> Iterator[Finding]:
    size = ground.readahead_bytes
    far = ground.kind == "network" or (ground.fuse is not None and ground.fuse.serves != "local")
    if not far or ground.bdi is None or size is None or size >= _SMALL_READAHEAD_BYTES:
        return
    yield Finding(
        "small-readahead",
        "note",
        "The kernel reads little ahead on a mount where each request takes long.",
        f"{request_text(size)} on {ground.mount_point}",
        f"As root: echo 4096 > /sys/class/bdi/{ground.bdi}/read_ahead_kb",
        "a FUSE mount with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB",
    )
