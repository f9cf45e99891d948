"""rclone mount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import command_form
from modelmon.core.export.outcome import NOT_IN_SIGHT, served_by
from modelmon.core.messages import NOTHING, Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "rclone/rclone", "64ab1ac32260")


def setting(found: Outcome) -> Setting | Message:
    """A cache of whole files, and a stream for each reader."""
    mount = found.lowest
    if mount is None:
        return NOT_IN_SIGHT
    if not served_by(mount, "rclone"):
        return Message("The model isn't on an rclone mount.")
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


CONSUMER = Consumer("rclone", "rclone", (), setting, CHECKED)
