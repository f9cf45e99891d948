"""Mountpoint for Amazon S3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import command_form
from modelmon.core.export.outcome import NOT_IN_SIGHT, served_by
from modelmon.core.messages import Message
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "awslabs/mountpoint-s3", "58817cab2fc3")
_CACHE = "FOLDER_ON_LOCAL_SSD"
_DEFAULT_THREADS = 16
_DEFAULT_PART_BYTES = 8 * MIB


def setting(found: Outcome) -> Setting | Message:
    """A cache on a local disk, and no fewer threads and bytes a request than were measured."""
    mount = found.lowest
    if mount is None:
        return NOT_IN_SIGHT
    if not served_by(mount, "mount-s3"):
        return Message("The model isn't on Mountpoint for S3.")
    options = [["--cache", _CACHE], ["--metadata-ttl", "indefinite"]]
    if found.readers > _DEFAULT_THREADS:
        options.append(["--max-threads", str(found.readers)])
    part_bytes = found.reading.request_bytes or 0
    if part_bytes > _DEFAULT_PART_BYTES:
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


CONSUMER = Consumer("mount-s3", "Mountpoint for S3", (), setting, CHECKED)
