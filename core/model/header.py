"""One model file: opened once to read its header in few, bounded reads, and what it said."""

from __future__ import annotations

import os
import stat
from math import prod
from typing import TYPE_CHECKING, Self

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.machine.direct_io import give_advice
from modelmon.core.messages import Message
from modelmon.core.model.tensors import Shard, Tensor
from modelmon.core.units import KIB, size_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

GGUF_MAGIC = b"GGUF"

MAX_NAME_BYTES = 1024
"""Of a tensor: GGUF allows 64, and models have names of up to about 150. Those of 65,535 took
seconds to be searched for words."""

MAX_DIMENSIONS = 32
"""Of a tensor: numpy makes no array of more before its version 2."""

_MAX_VALUES = 2**60 - 1
"""Of a tensor: at eight bytes each, what numpy can count."""

_DOWNLOAD = Message("Download or convert the file again.")
# One round trip to a network mount that holds the whole header of most shards.
_FIRST_READ_BYTES = 64 * KIB


class Header(msgspec.Struct, frozen=True):
    """What one file's header says: the shard, its tensors by offset, scalar metadata as text.

    `has_metadata`: it has some, be it empty.
    """

    shard: Shard
    tensors: list[Tensor]
    metadata: dict[str, str]
    has_metadata: bool = True


class HeaderFile:
    """A file that is open for reading its header; a context manager.

    `size_bytes` is the real size. The first bytes are read on opening and kept, so that
    looking at the magic and at a short header costs one read. Raises ModelFileError.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        # Checked first, because opening a pipe would wait for its writer.
        if not stat.S_ISREG(file_mode(self.path)):
            raise ModelFileError(
                Message("{path} isn't a regular file.", path=path),
                Message("Choose a .safetensors or .gguf file."),
            )
        try:
            self._file = open(self.path, "rb", buffering=0)  # noqa: SIM115  closed by `__exit__`
        except OSError as error:
            raise unreadable(self.path, error) from error
        try:
            stop_readahead(self._file.fileno())
            self.size_bytes = os.fstat(self._file.fileno()).st_size
            self._first = b""
            self._first = self.read(0, min(_FIRST_READ_BYTES, self.size_bytes))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def first_bytes(self) -> bytes:
        """The file's beginning, shorter than asked for only where the file is."""
        return self._first

    def read(self, offset_bytes: int, nbytes: int) -> bytes:
        """Exactly `nbytes` from `offset_bytes`; the caller has checked them against the size."""
        end = offset_bytes + nbytes
        if end <= len(self._first):
            return self._first[offset_bytes:end]
        pieces: list[bytes] = []
        if offset_bytes < len(self._first):
            pieces.append(self._first[offset_bytes:])
            offset_bytes = len(self._first)
        try:
            self._file.seek(offset_bytes)
            while offset_bytes < end:
                piece = self._file.read(end - offset_bytes)
                if not piece:
                    raise ModelFileError(
                        Message(
                            "{path} ended at byte {offset} while its header was read: another"
                            " program is changing it.",
                            path=self.path,
                            offset=offset_bytes,
                        ),
                        Message("Wait until it is complete, then open it again."),
                    )
                pieces.append(piece)
                offset_bytes += len(piece)
        except OSError as error:
            raise unreadable(self.path, error) from error
        return b"".join(pieces)

    def check_has(self, end: int) -> None:
        """Raise ModelFileError if the tensors end at byte `end`, behind the end of the file."""
        if end <= self.size_bytes:
            return
        raise wrong(
            "the file is cut off: its header describes {end} ({end2} bytes), the file has {size}"
            " ({file_size} bytes).",
            self,
            is_cut_off=True,
            end=size_text(end),
            end2=end,
            size=size_text(self.size_bytes),
            file_size=self.size_bytes,
        )

    def error(self, problem: Message, remedy: Message) -> ModelFileError:
        """The same of what is said already."""
        return ModelFileError(Message("{path}: {problem}", path=self.path, problem=problem), remedy)


def wrong(
    template: str,
    file: HeaderFile,
    /,
    *,
    remedy: Message | None = None,
    is_cut_off: bool = False,
    **values: object,
) -> ModelFileError:
    """An error about a file's content. `template`, as of a Message, names the field and what it
    holds; `is_cut_off`: the file is shorter than it should be.
    """
    if remedy is None and is_cut_off:
        from modelmon.core.model.foreign import what_completes  # noqa: PLC0415  loads need none

        remedy = what_completes(file.path)
    return file.error(Message(template, **values), remedy or _DOWNLOAD)


def looks_like_gguf(file: HeaderFile) -> bool:
    """Whether the file begins with GGUF's magic."""
    return file.first_bytes[:4] == GGUF_MAGIC


def value_count(shape: Sequence[int]) -> int | None:
    """Number of values in a tensor of this shape; None where no array can have it."""
    if len(shape) > MAX_DIMENSIONS:
        return None
    # Beside a zero numpy counts what the other dimensions would hold.
    count = prod(shape) or prod(extent or 1 for extent in shape)
    if count > _MAX_VALUES:
        return None
    return 0 if 0 in shape else count


def stop_readahead(descriptor: int) -> None:
    """Keep the kernel from reading ahead of the header. It would leave a mark there, and whoever
    reads on, as loads do, has it fetch megabytes that a direct read then fetches again.
    """
    give_advice(descriptor, "random")


def file_mode(path: str) -> int:
    """`st_mode` of what `path` leads to; raises ModelFileError if there is nothing."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError as error:
        if os.path.islink(path):
            target = os.readlink(path)
            raise ModelFileError(
                Message(
                    "{path} is a link to {target}, which doesn't exist.", path=path, target=target
                ),
                Message("Fetch the real file: run `git annex get` in its folder.")
                if ".git/annex/" in target
                else Message("Finish or repeat the download."),
            ) from error
        raise ModelFileError(
            Message("{path} doesn't exist.", path=path),
            Message("Check the path, or mount its storage."),
        ) from error
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def unreadable(path: str, error: OSError | ValueError) -> ModelFileError:
    """The operating system refuses `path`, and why."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return ModelFileError(
        Message("Couldn't read {path}: {reason}.", path=path, reason=reason),
        Message("Check the permissions and the storage."),
    )
