"""Open descriptors of a model's shards, read-only, and positioned reads on them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.direct_io import READ_ONLY, alignment_bytes, open_direct
from modelmon.core.machine.own_limits import files_remedy
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from modelmon.core.load.extents import Extent


class OpenFiles:
    """Descriptors by shard number, with the sizes the plan was made for."""

    def __init__(
        self,
        paths: Sequence[str],
        sizes_bytes: Sequence[int],
        shards: Iterable[int],
        inherited: Mapping[int, int] | None = None,
        *,
        direct: bool = False,
    ) -> None:
        """Open `shards` of `paths`, past the page cache if `direct`, or take over `inherited`
        descriptors of them.

        Raises LoadFailedError where a file cannot be opened or changed its size, and
        DirectRefusedError where it cannot be read directly.
        """
        self.paths = paths
        self.size_bytes = dict(enumerate(sizes_bytes))
        self._mine = inherited is None
        self.descriptors: dict[int, int] = {}
        try:
            for shard in sorted(set(shards)):
                self.descriptors[shard] = (
                    inherited[shard] if inherited is not None else _open(paths[shard], direct)
                )
                self.check_size(shard)
        except BaseException:
            self.close()
            raise

    def check_size(self, shard: int) -> None:
        """Raise LoadFailedError if the file has not the size any more that was planned for."""
        size = os.fstat(self.descriptors[shard]).st_size
        if size != self.size_bytes[shard]:
            raise LoadFailedError(
                Message(
                    "{path} changed: it now has {size} bytes, not {value_size}.",
                    path=self.paths[shard],
                    size=f"{size:,}",
                    value_size=f"{self.size_bytes[shard]:,}",
                ),
                Message("Open the model again."),
            )

    def nothing_came(self, shard: int, offset_bytes: int) -> LoadFailedError:
        """The error of a read within the planned size that nothing more came to; raises that of a
        file that was cut, if it was.
        """
        self.check_size(shard)
        return self._unreadable(shard, offset_bytes, Message("nothing came"))

    def alignment_bytes(self, shard: int) -> int:
        """What a direct read of this shard must be aligned to."""
        return alignment_bytes(self.descriptors[shard])

    def read_into(self, view: memoryview, request: Extent) -> None:
        """Fill `view` with the request's bytes; the kernel may answer in parts."""
        done = 0
        while done < request.nbytes:
            offset = request.offset_bytes + done
            count = self.read_some(view[done:] if done else view, request.shard, offset)
            if count == 0:
                raise self.nothing_came(request.shard, offset)
            done += count

    def read_some(self, view: memoryview, shard: int, offset_bytes: int) -> int:
        """One read into `view`; returns how many bytes came, 0 at the end of the file."""
        try:
            return read_at(self.descriptors[shard], view, offset_bytes)
        except OSError as error:
            raise self._unreadable(shard, offset_bytes, error.strerror) from error

    def _unreadable(self, shard: int, offset_bytes: int, reason: str | None) -> LoadFailedError:
        return LoadFailedError(
            Message(
                "Couldn't read {path} at byte {offset}: {reason}.",
                path=self.paths[shard],
                offset=f"{offset_bytes:,}",
                reason=reason,
            ),
            Message("Check the disk or the network mount, then try again."),
        )

    def close(self) -> None:
        """Close what was opened here."""
        if self._mine:
            for descriptor in self.descriptors.values():
                os.close(descriptor)
        self.descriptors.clear()


def read_at(descriptor: int, view: memoryview, offset_bytes: int) -> int:
    """Read into `view` at an offset without moving a file position; returns bytes read."""
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [view], offset_bytes)
    # Windows has no positioned read in os; each reader owns its descriptor there.
    os.lseek(descriptor, offset_bytes, os.SEEK_SET)
    data = os.read(descriptor, len(view))
    view[: len(data)] = data
    return len(data)


def _open(path: str, direct: bool) -> int:
    try:
        return open_direct(path) if direct else os.open(path, READ_ONLY)
    except OSError as error:
        raise not_opened(path, error) from error


def not_opened(path: object, error: OSError) -> LoadFailedError:
    """The error for a file that the system doesn't open."""
    return LoadFailedError(
        Message("Couldn't open {path}: {reason}.", path=path, reason=error.strerror),
        remedy_of(error, Message("Check that it exists and is readable.")),
    )


def remedy_of(error: OSError, otherwise: Message) -> Message:
    """What to do where a file can't be opened or mapped, if it is not the file that is wrong."""
    return files_remedy(error) or otherwise
