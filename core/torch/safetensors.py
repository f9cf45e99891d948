"""What stands in for safetensors.torch, and for `safe_open` of safetensors.

A file comes mapped, in a private buffer, or on a device (tensors.py).
"""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from safetensors import SafetensorError

from modelmon.core.errors import DoesNotFitError, ModelFileError
from modelmon.core.load.api import engine_for, run, work_for
from modelmon.core.load.config import preset
from modelmon.core.load.files import populate
from modelmon.core.load.rules import check_fits
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.model.open import open_file
from modelmon.core.model.safetensors import DTYPE_BITS
from modelmon.core.torch.tensors import (
    load_onto,
    map_file,
    moved,
    other_device,
    passing_work,
    read_in,
    ready_device,
    tensor_over,
)

if TYPE_CHECKING:
    import mmap
    from collections.abc import Callable

    import torch

    from modelmon.core.load.api import Work
    from modelmon.core.load.config import Deliver
    from modelmon.core.model.open import FileModel
    from modelmon.core.model.tensors import Model, Tensor

_FRAMEWORKS = ("pt", "torch", "pytorch")
_NUMPY = ("np", "numpy")
_DELIVER: dict[str, Deliver] = {"mmap": "usable", "pread": "owned"}
"""What the backends of safetensors give."""


def load_file(
    filename: str | os.PathLike[str],
    device: str | int | torch.device | None = "cpu",
    *,
    backend: str = "mmap",
) -> dict[str, torch.Tensor]:
    """Every tensor of one safetensors file, by name and in the order of the file.

    The file is mapped, so that what is cached of it is not copied; what is written to a tensor
    stays in this process. One that doesn't fit into memory is read when it's touched. With backend
    "pread" the tensors are in one private buffer instead, which nothing can evict and no later
    change of the file reaches. Either is given back when the last of
    the tensors is gone. On another `device` they are copied there beside the reads.

    Raises OSError, SafetensorError for what is no safetensors file or has a type that torch lacks,
    DoesNotFitError, and LoadFailedError where storage fails.
    """
    _check_backend(backend)
    return _load_tensors(opened(filename), device, backend)


def load_model(
    model: torch.nn.Module,
    filename: str | os.PathLike[str],
    strict: bool = True,
    device: str | int | torch.device | None = "cpu",
    *,
    backend: str = "mmap",
) -> tuple[set[str], list[str]]:
    """Copy the tensors of a file into a module; parameters that share memory need only one of them.

    Returns the names that the file lacks, and those that the module has no place for. Raises
    RuntimeError where there are any, unless `strict` is False, and as `load_file` does.
    """
    from safetensors.torch import _remove_duplicate_names  # noqa: PLC0415  imports torch

    tensors = load_file(filename, device, backend=backend)
    shared = _remove_duplicate_names(model.state_dict(), preferred_names=list(tensors))
    others = {name for names in shared.values() for name in names}
    lacking, strange = model.load_state_dict(tensors, strict=False)
    missing, unexpected = set(lacking) - others, [*strange, *sorted(others - set(lacking))]
    if strict and (missing or unexpected):
        told = {"Missing": sorted(missing), "Unexpected": sorted(unexpected)}
        lines = [
            "{} key(s) in state_dict: {}".format(kind, ", ".join(f'"{name}"' for name in names))
            for kind, names in told.items()
            if names
        ]
        what = f"Error(s) in loading state_dict for {type(model).__name__}:"
        raise RuntimeError("\n    ".join([what, *lines]))
    return missing, unexpected


class safe_open:  # noqa: N801  as safetensors calls it
    """A safetensors file whose tensors are read in when they are asked for; a context manager.

    Tensors of torch lie in the mapped file, and what is written to one stays in this process, where
    others that are asked for later see it; arrays of numpy, and with `backend="pread"` tensors as
    well, are copies. All stay usable when the file is closed. `framework` is pt or np. Raises as
    `load_file` does.
    """

    def __init__(
        self,
        filename: str | os.PathLike[str],
        framework: str,
        device: str | int | torch.device | None = "cpu",
        *,
        backend: str = "mmap",
    ) -> None:
        _check_backend(backend)
        if framework not in (*_FRAMEWORKS, *_NUMPY):
            raise SafetensorError(f"framework {framework} is invalid: pt and np are possible")
        self._as_torch = framework in _FRAMEWORKS
        self._copies = backend == "pread" or not self._as_torch
        self._device = other_device(device)
        self._model = opened(filename)
        self._tensors = {info.name: info for info in self._model.tensors}
        self._data = map_file(self._model)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self._data = b""

    def __reduce__(self) -> NoReturn:
        raise TypeError("an open file can't be pickled: open it where it is needed")

    def keys(self) -> list[str]:
        """Names of all tensors, sorted."""
        return sorted(self.offset_keys())

    def offset_keys(self) -> list[str]:
        """Names of all tensors in the order of the file."""
        self._check_open()
        return list(self._tensors)

    def metadata(self) -> dict[str, str] | None:
        """The text that the header holds beside the tensors; None where it holds none."""
        self._check_open()
        return dict(self._model.metadata) if self._model.has_metadata else None

    def get_tensor(self, name: str) -> Any:
        """A tensor, read in."""
        return self._placed(self._read(self._view(self._found(name), self._data)))

    def get_tensors(self) -> dict[str, Any]:
        """Every tensor by name, in the order of the file; what is no copy is read in when it is
        touched.
        """
        self._check_open()
        views = {name: self._view(info, self._data) for name, info in self._tensors.items()}
        read = self._read if self._copies else lambda view: view
        return {name: self._placed(read(view)) for name, view in views.items()}

    def get_slice(self, name: str) -> Slice:
        """A tensor of which only what is indexed is read."""
        info, data = self._found(name), self._data
        return Slice(info, lambda index: self._placed(self._read(self._view(info, data)[index])))

    def _found(self, name: str) -> Tensor:
        self._check_open()
        if name not in self._tensors:
            raise SafetensorError(f"File does not contain tensor {name}")
        return self._tensors[name]

    def _view(self, info: Tensor, data: mmap.mmap | bytes) -> Any:
        if self._as_torch:
            return tensor_over(info, data, info.offset_bytes)
        if DTYPE_BITS[info.dtype] < 8:
            raise SafetensorError(f"Dtype not understood: {info.dtype}")
        from modelmon.core.load.loaded import array_of  # noqa: PLC0415  imports numpy

        stored = memoryview(data)[info.offset_bytes : info.offset_bytes + info.nbytes]
        return array_of(info.dtype, info.shape, stored)

    def _read(self, view: Any) -> Any:
        read = read_in(view)
        if not self._copies:
            return read
        return read.clone() if self._as_torch else read.copy()

    def _placed(self, tensor: Any) -> Any:
        return moved(tensor, self._device) if self._as_torch else tensor

    def _check_open(self) -> None:
        if self._closed:
            raise SafetensorError("File is closed")


class Slice:
    """A tensor of an open file, to be indexed as any other."""

    def __init__(self, info: Tensor, take: Callable[[Any], Any]) -> None:
        self._info = info
        self._take = take

    def __getitem__(self, index: Any) -> Any:
        return self._take(index)

    def get_shape(self) -> list[int]:
        """Its shape."""
        return list(self._info.shape)

    def get_dtype(self) -> str:
        """Its type, as safetensors calls it: BF16."""
        return self._info.dtype


def opened(filename: str | os.PathLike[str]) -> FileModel:
    """What the file's header says. Raises as safetensors does."""
    if not os.fspath(filename) or "\0" in os.fspath(filename):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), filename)
    path = Path(filename)
    try:
        return open_file(path)
    except ModelFileError as error:
        if isinstance(error.__cause__, OSError):
            raise error.__cause__ from None
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path)) from None
        raise SafetensorError(str(error)) from error


def _check_backend(backend: str) -> None:
    """Raises SafetensorError for what is none."""
    if backend not in _DELIVER:
        raise SafetensorError(f"backend {backend!r} is invalid: mmap and pread are possible")


def _load_tensors(
    model: Model, device: str | int | torch.device | None, backend: str
) -> dict[str, torch.Tensor]:
    """By name and in the order of the file."""
    if not model.nbytes:
        to = other_device(device)
        return {info.name: moved(tensor_over(info, b"", 0), to) for info in model.tensors}
    if device is not None and str(device) != "cpu":
        work = passing_work(model)
        to = ready_device(device, work)
        if to is not None:
            return load_onto(to, work)
    # What nothing may evict and no change of the file reach is a copy; else it's mapped, so that
    # who starts again finds it cached.
    work = work_for(model, replace(preset("auto").config, deliver=_DELIVER[backend]))
    fits = True
    try:
        check_fits(work.config, work.plan)
    except DoesNotFitError:
        if backend == "pread":
            raise
        fits = False
    if backend == "pread" or (fits and sys.platform == "linux"):
        return _load(work)
    # Nothing can be mapped over memory here; or it doesn't fit, and is read when it's touched, as
    # with safetensors, and dropped where memory is needed.
    data = map_file(model)
    if fits and not isinstance(data, bytes):
        populate(address_of(data), len(data))
    return {info.name: tensor_over(info, data, info.offset_bytes) for info in model.tensors}


def _load(work: Work) -> dict[str, torch.Tensor]:
    model = work.model
    tensors: dict[str, torch.Tensor] = {}
    with engine_for(work, cached="all") as engine:
        owned, first = engine.owned, model.shards[0].data_start_bytes
        assert owned is not None
        # Tensors lie without holes in the file, and so they do in memory.
        view, shift = owned.buffer.view, owned.layout.place(0, first) - first

        def make() -> None:
            for info in model.tensors:
                tensors[info.name] = tensor_over(info, view, shift + info.offset_bytes)

        # They need not wait for the bytes.
        run(engine, work, meanwhile=make)
    if not tensors:
        make()
    return tensors
