"""Page caches of this machine below the one that files are read through.

A loop device reads its image, and a FUSE server its own files, through the page cache: what is
evicted above is still cached there.
"""

from __future__ import annotations

import os
import stat
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.machine.direct_io import READ_ONLY
from modelmon.core.machine.mounts import is_served_here
from modelmon.core.machine.page_cache import evict_verified
from modelmon.core.machine.residency import residency, size_bytes
from modelmon.core.machine.storage_stack import storage_stack_of
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.machine.residency import Ranges
    from modelmon.core.machine.storage_stack import StorageStack


class CachesBelow:
    """The files below some files that this machine caches as well, held open until `close`.

    `obstacle` is why the last eviction left some cached, "" if none.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.obstacle: Message = NOTHING
        self._unseen: list[str] = []
        self._opened: dict[str, tuple[int, Ranges]] = {}
        try:
            for file in _files_below(paths, set()):
                self._open(file)
        except BaseException:
            self.close()
            raise

    def _open(self, file: Path) -> None:
        # An image is named as people know it, also where it was reached through a server.
        path, of_server = os.path.realpath(file), file.is_relative_to("/proc")
        try:
            descriptor = os.open(file, READ_ONLY)
        except OSError:
            # What a server has open is none of the model's for sure.
            self._unseen += [] if of_server else [path]
            return
        self._opened[path] = descriptor, [(0, size_bytes(descriptor))]
        if of_server and residency(*self._opened[path]).share is None:
            os.close(self._opened.pop(path)[0])

    def evict(self, most_bytes: float) -> None:
        """Evict them until less than `most_bytes` of each are cached, if that works."""
        self.obstacle = NOTHING
        for opened in self._opened.values():
            try:
                obstacle = evict_verified([opened], most_bytes=most_bytes).obstacle
            except OSError as error:
                obstacle = Message("Couldn't write it: {reason}.", reason=error.strerror)
            self.obstacle = obstacle or self.obstacle

    def left(self, most_bytes: float) -> tuple[str, int | None] | None:
        """The file that has most cached, and how much; None bytes where that can't be known.

        None where each has less than `most_bytes`.
        """
        found = [(path, residency(*opened)) for path, opened in self._opened.items()]
        amounts = [(path, each.resident_bytes) for path, each in found if each.total_bytes]
        amounts += [(path, None) for path in self._unseen]
        amounts = [each for each in amounts if each[1] is None or each[1] >= most_bytes]
        return max(amounts, key=lambda each: inf if each[1] is None else each[1], default=None)

    def close(self) -> None:
        """Close them."""
        for descriptor, _ in self._opened.values():
            os.close(descriptor)
        self._opened.clear()


def _files_below(paths: Iterable[Path], seen: set[str]) -> Iterator[Path]:
    """Each file once, with those below it, from the top."""
    for path in paths:
        for file in _read_by(storage_stack_of(path)):
            if (real := os.path.realpath(file)) not in seen:
                seen.add(real)
                yield file
                yield from _files_below([file], seen)


def _read_by(stack: StorageStack) -> Iterator[Path]:
    """What the mounts under a path read through the page cache."""
    for mount in stack.mounts:
        if mount.image is not None:
            yield Path(mount.image)
        if is_served_here(mount.source) and Path(stack.path).is_relative_to(mount.mount_point):
            # As the server of this machine finds it: below its user's home, unless from the top.
            folder = Path(os.environ.get("HOME", "/"), mount.source.partition(":")[2])
            file = folder / Path(stack.path).relative_to(mount.mount_point)
            if os.access(file, os.R_OK):
                yield file
        if mount.fuse is not None and mount.fuse.pid is not None:
            yield from _open_files(mount.fuse.pid)
        for device in mount.devices:
            for layer in device.walk():
                if layer.backing_file is not None and not layer.direct_io:
                    yield Path(layer.backing_file)


def _open_files(pid: int) -> Iterator[Path]:
    """Files and block devices that a server has open; none of another user's process."""
    try:
        links = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return
    for link in links:
        try:
            mode = link.stat().st_mode
        except OSError:
            continue  # closed meanwhile
        if (stat.S_ISREG(mode) or stat.S_ISBLK(mode)) and os.access(link, os.R_OK):
            yield link
