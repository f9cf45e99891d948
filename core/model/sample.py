"""Making a sample model: realistic, incompressible, the same for a seed, at a disk's speed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.advice import give_advice
from modelmon.core.messages import Message
from modelmon.core.model.sample_headers import (
    GGUF_ALIGNMENT,
    gguf_header,
    safetensors_header,
    safetensors_index,
)
from modelmon.core.model.sample_layout import dimensions_for, tensors_of
from modelmon.core.model.sample_target import check_space, check_target, placed_when_complete
from modelmon.core.model.sharded import INDEX_SUFFIX
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from modelmon.core.model.sample_layout import SampleFormat, TensorSpec
    from modelmon.core.model.sample_values import SampleValues

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
    progress: Callable[[int, int], None] | None = None,
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
    total_bytes = sum(file.nbytes for file in files)
    check_space(out, total_bytes)
    writing = _Writing(SampleValues(seed, size_bytes), total_bytes, progress)
    try:
        with placed_when_complete(out, is_folder=is_folder) as folder:
            for file in files:
                writing.write(folder / file.name, file)
    except OSError as error:
        raise ModelmonError(
            Message("Couldn't write {out}: {reason}.", out=out, reason=error.strerror),
            Message("Choose another place for the sample."),
        ) from error
    return out


def _planned(format: SampleFormat, name: str, size_bytes: int, layers: int) -> list[_File]:
    dimensions = dimensions_for(format, size_bytes, layers)
    specs = tensors_of(format, dimensions)
    if format == "gguf":
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


class _Writing:
    """The writing of all files of a sample, with its progress."""

    def __init__(
        self,
        values: SampleValues,
        total_bytes: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._values = values
        self._total_bytes = total_bytes
        self._done_bytes = 0
        self._unflushed_bytes = 0
        self._unreported_bytes = 0
        self._progress = progress

    def write(self, path: Path, file: _File) -> None:
        with path.open("xb") as stream:
            self._put(stream, file.header)
            for spec in file.specs:
                for chunk in self._values.chunks(spec):
                    self._put(stream, chunk.data)
                if padding := -spec.nbytes % file.alignment:
                    self._put(stream, bytes(padding))
            self._flush(stream)

    def _put(self, stream: BinaryIO, data: bytes | memoryview) -> None:
        stream.write(data)
        self._done_bytes += len(data)
        self._unflushed_bytes += len(data)
        self._unreported_bytes += len(data)
        if self._unflushed_bytes >= _FLUSH_BYTES:
            self._flush(stream)
        at_end = self._done_bytes == self._total_bytes
        if self._progress is not None and (at_end or self._unreported_bytes >= _REPORT_BYTES):
            self._unreported_bytes = 0
            self._progress(self._done_bytes, self._total_bytes)

    def _flush(self, stream: BinaryIO) -> None:
        stream.flush()
        os.fsync(stream.fileno())
        give_advice(stream.fileno(), "dontneed")
        self._unflushed_bytes = 0
