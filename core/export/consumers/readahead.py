"""The kernel's readahead: of a disk by blockdev and a udev rule, of a mount by its bdi."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Form, Setting
from modelmon.core.export.forms import root_form
from modelmon.core.export.outcome import NOT_IN_SIGHT
from modelmon.core.machine.procfs import SECTOR_BYTES
from modelmon.core.messages import Message, verbatim
from modelmon.core.units import KIB, MIB, request_text

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome
    from modelmon.core.machine.storage import MountLayer

CHECKED = Checked("2026-11-27", "util-linux", "2.38.1")
NOW = Message("Until restart")
PERMANENT = Message("Permanent")
_READAHEAD_BYTES = 4 * MIB


def setting(found: Outcome) -> Setting | Message:
    """4 MiB, where it is less."""
    mount = found.lowest
    if mount is None:
        return NOT_IN_SIGHT
    if mount.readahead_bytes is None:
        return Message("{filesystem} has no readahead to set.", filesystem=mount.filesystem)
    if mount.readahead_bytes >= _READAHEAD_BYTES:
        return Message(
            "Readahead is {size} already.", size=verbatim(request_text(mount.readahead_bytes))
        )
    forms = _forms(mount)
    if not forms:
        return Message("{filesystem} has no readahead to set.", filesystem=mount.filesystem)
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
            size=verbatim(request_text(mount.readahead_bytes)),
        ),
    )


def _forms(mount: MountLayer) -> tuple[Form, ...]:
    if mount.devices and mount.filesystem != "btrfs":
        top = mount.devices[0]
        disk = top.below[0] if top.kind == "partition" and top.below else top
        sectors = _READAHEAD_BYTES // SECTOR_BYTES
        rule = (
            f'ACTION=="add|change", KERNEL=="{disk.name}",'
            f' ATTR{{queue/read_ahead_kb}}="{_READAHEAD_BYTES // KIB}"\n'
        )
        return (
            root_form(NOW, f"blockdev --setra {sectors} /dev/{disk.name}"),
            Form(PERMANENT, "text", rule, "60-readahead.rules", (0,)),
        )
    if mount.bdi is not None:
        # The number is the mount's, and another one after it is mounted again.
        place = f"/sys/class/bdi/{mount.bdi}/read_ahead_kb"
        return (root_form(NOW, f"echo {_READAHEAD_BYTES // KIB} > {place}"),)
    return ()


CONSUMER = Consumer("readahead", "Readahead", (), setting, CHECKED)
