"""The mounts under a path: its own, and below an overlay that of the layer with the file."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from modelmon.core.machine.mounts import mount_of, overlay_layer
from modelmon.core.machine.procfs_disk import Mount, parse_mountinfo


class Standing(NamedTuple):
    """A mount, and where the path lies on it."""

    mount: Mount
    place: Path


def mounts_under(place: Path, root: Path = Path("/")) -> tuple[Standing, ...]:
    """The mounts that hold an existing `place`, from the one that is seen to the lowest.

    Empty where no mount is in sight. If the last one is an overlay, then its layers are out
    of sight, as in a container. `root` is where /proc is found.
    """
    try:
        text = (root / "proc/self/mountinfo").read_text(errors="surrogateescape")
    except OSError:
        return ()
    mounts = parse_mountinfo(text)
    stack: list[Standing] = []
    below: Path | None = place
    while below is not None:
        mount = mount_of(PurePosixPath(below), below.stat().st_dev, mounts)
        if mount is None or any(mount.mount_id == above.mount.mount_id for above in stack):
            break
        stack.append(Standing(mount, below))
        layer = None
        if mount.filesystem == "overlay":
            layer = overlay_layer(mount, PurePosixPath(below))
        below = Path(layer) if layer else None
    return tuple(stack)
