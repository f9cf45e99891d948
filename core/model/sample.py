"""Making a sample model: realistic, incompressible, the same for a seed, at a disk's speed.

Nothing is lost, nothing half-done is left, and the disk is not filled.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.direct_io import give_advice
from modelmon.core.messages import Message
from modelmon.core.model.sample_layout import (
    GGUF_ALIGNMENT,
    dimensions_for,
    gguf_header,
    safetensors_header,
    safetensors_index,
    tensors_of,
)
from modelmon.core.model.sharded import INDEX_SUFFIX, is_of_model
from modelmon.core.units import GIB, MIB, size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from modelmon.core.model.sample_layout import SampleFormat, TensorSpec
    from modelmon.core.model.sample_values import SampleValues

    Progress = Callable[[int, int], None]

_FEWEST_SHARDS = 4
_MOST_SHARD_BYTES = 5_000_000_000
# Written out and dropped from the page cache as it goes: progress is then the storage's, other
# files stay cached, and the kernel reuses a little memory instead of taking ever more.
_FLUSH_BYTES = 64 * MIB
_REPORT_BYTES = 4 * MIB


class _File(NamedTuple):
    """One file to be written: its header, then its tensors at multiples of `alignment`."""

    name: str
    header: bytes
    specs: list[TensorSpec]
    alignment: int

    @property
    def nbytes(self) -> int:
        padded = (spec.nbytes + -spec.nbytes % self.alignment for spec in self.specs)
        return len(self.header) + sum(padded)


def write_sample(  # noqa: PLR0913  these are the options of `modelmon sample`
    out: Path,
    format: SampleFormat,
    size_bytes: int,
    layers: int,
    seed: int,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write a Llama-like model of about `size_bytes` to `out`; returns the path to open.

    `out` is a file, or for `sharded` a folder; `force` replaces what is there. `progress`
    gets the bytes written and the bytes in all, after each few MiB. `out` appears when it is
    complete and on the storage; whatever ends the writing before leaves nothing behind. Raises
    ModelmonError.
    """
    from modelmon.core.model.sample_values import SampleValues  # noqa: PLC0415  imports numpy

    out = out.absolute()
    is_folder = format == "sharded"
    check_target(out, is_folder=is_folder, force=force)
    files = _planned(format, out.name, size_bytes, layers)
    check_space(out, sum(file.nbytes for file in files))
    try:
        with placed_when_complete(out, is_folder=is_folder) as folder:
            _write(folder, files, SampleValues(seed, size_bytes), progress)
    except OSError as error:
        raise ModelmonError(
            Message("Couldn't write {out}: {reason}.", out=out, reason=error.strerror),
            Message("Choose another place for the sample."),
        ) from error
    return out


def _planned(format: SampleFormat, name: str, size_bytes: int, layers: int) -> list[_File]:
    dimensions = dimensions_for(format, size_bytes, layers)
    specs = tensors_of(format, dimensions)
    if format.startswith("gguf"):
        return [_File(name, gguf_header(specs, dimensions), specs, GGUF_ALIGNMENT)]
    # The official library writes tensors of one type in the order of their names.
    if format == "safetensors":
        specs.sort(key=lambda spec: spec.name)
        return [_File(name, safetensors_header(specs), specs, 1)]
    parts = _shards(specs)
    named = [
        (f"model-{number:05}-of-{len(parts):05}.safetensors", sorted(part))
        for number, part in enumerate(parts, start=1)
    ]
    files = [_File(file, safetensors_header(part), part, 1) for file, part in named]
    return [*files, _File(f"model{INDEX_SUFFIX}", safetensors_index(named), [], 1)]


def _shards(specs: list[TensorSpec]) -> list[list[TensorSpec]]:
    """Parts of about equal size, in the order of the layers."""
    total = sum(spec.nbytes for spec in specs)
    count = max(_FEWEST_SHARDS, -(-total // _MOST_SHARD_BYTES))
    parts: list[list[TensorSpec]] = [[] for _ in range(count)]
    done = 0
    for spec in specs:
        middle = done + spec.nbytes // 2
        parts[min(middle * count // total, count - 1)].append(spec)
        done += spec.nbytes
    return [part for part in parts if part]


def _write(
    folder: Path, files: Sequence[_File], values: SampleValues, progress: Progress | None
) -> None:
    total_bytes = sum(file.nbytes for file in files)
    done_bytes = reported_bytes = 0
    for file in files:
        unflushed_bytes = 0
        with (folder / file.name).open("xb") as stream:
            for piece in _pieces(file, values):
                stream.write(piece)
                done_bytes += len(piece)
                unflushed_bytes += len(piece)
                if unflushed_bytes >= _FLUSH_BYTES:
                    _flush(stream)
                    unflushed_bytes = 0
                at_end = done_bytes == total_bytes
                if progress and (at_end or done_bytes - reported_bytes >= _REPORT_BYTES):
                    reported_bytes = done_bytes
                    progress(done_bytes, total_bytes)
            _flush(stream)


def _pieces(file: _File, values: SampleValues) -> Iterator[bytes | memoryview]:
    yield file.header
    for spec in file.specs:
        for chunk in values.chunks(spec):
            yield chunk.data
        if padding := -spec.nbytes % file.alignment:
            yield bytes(padding)


def _flush(stream: BinaryIO) -> None:
    """Bring what was written to the storage, and out of the page cache."""
    stream.flush()
    os.fsync(stream.fileno())
    give_advice(stream.fileno(), "dontneed")


_LEAST_FREE_BYTES = GIB
_LEAST_FREE_SHARE = 0.05


def check_target(out: Path, *, is_folder: bool, force: bool) -> None:
    """Raise ModelmonError if writing `out` would destroy what the user did not mean."""
    if not out.parent.is_dir():
        raise ModelmonError(
            Message("The folder {parent} doesn't exist.", parent=out.parent),
            Message("Create it first."),
        )
    if not os.path.lexists(out):
        return
    if not force:
        raise ModelmonError(
            Message("{out} already exists.", out=out),
            Message("Choose another name, or overwrite it."),
        )
    if is_folder:
        if not out.is_dir() or not all(is_of_model(path.name) for path in out.iterdir()):
            raise ModelmonError(
                Message("{out} contains more than weights, which would be lost.", out=out),
                Message("Choose another name."),
            )
    elif not out.is_file():
        raise ModelmonError(
            Message("{out} isn't a file.", out=out), Message("Choose the name of a file.")
        )


def check_space(out: Path, nbytes: int) -> None:
    """Raise ModelmonError if `nbytes` more would leave the storage nearly full."""
    disk = shutil.disk_usage(out.parent)
    stays_free = max(_LEAST_FREE_BYTES, int(disk.total * _LEAST_FREE_SHARE))
    if disk.free - nbytes < stays_free:
        raise ModelmonError(
            Message(
                "A sample of {nbytes} doesn't fit in {parent}: {free} free, of which"
                " {stays_free} must stay free.",
                nbytes=size_text(nbytes),
                parent=out.parent,
                free=size_text(disk.free),
                stays_free=size_text(stays_free),
            ),
            Message("Choose a smaller size or another place."),
        )


@contextmanager
def placed_when_complete(out: Path, *, is_folder: bool) -> Iterator[Path]:
    """A temporary folder beside `out` for the files; at the end they become `out`.

    They do so in one step, and not at all if the body raises. Without `is_folder` the body
    writes one file.
    """
    folder = out.with_name(f".{out.name}.{os.getpid()}.partial")
    replaced = folder.with_suffix(".replaced")
    folder.mkdir()
    try:
        yield folder
        _flush_folder(folder)
        if not is_folder:
            (only,) = folder.iterdir()
            only.replace(out)
        elif out.is_dir():
            out.rename(replaced)
            folder.rename(out)
        else:
            folder.rename(out)
        _flush_folder(out.parent)
    finally:
        for leftover in (folder, replaced):
            shutil.rmtree(leftover, ignore_errors=True)


def _flush_folder(folder: Path) -> None:
    """Make the folder's entries as durable as its files; Windows does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
