"""Tensors of torch: `load_file` and `load_model` of safetensors.torch, `safe_open` of safetensors,
by the engine; `fastsafe_open` of fastsafetensors and `SafetensorsStreamer` of runai-model-streamer
besides. What saves, and reads bytes, is safetensors' own.

Change the import, and nothing else: names, arguments, order, types and exceptions are those of
safetensors; of the other two, what one process needs to load files. One thing differs: all of a
file has been read when `load_file` returns, and a tensor when `get_tensor` does; safetensors leaves
that to whoever touches it.

This module alone imports torch, when it is first needed: where nothing else has imported it, beside
the reads of the first file.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import sys
import threading
from bisect import bisect_right
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import chain, islice, zip_longest
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from safetensors import SafetensorError

from modelmon.core.errors import LoadFailedError, ModelFileError
from modelmon.core.load.extents import split
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import engine_for, private_maps, run, work_for
from modelmon.core.load.presets import preset
from modelmon.core.load.sources import map_files
from modelmon.core.load.threads import imported
from modelmon.core.load.touch import populate, populate_by_kernel
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.resident_pages import page_counter
from modelmon.core.model.open import open_file
from modelmon.core.model.safetensors import DTYPE_BITS
from modelmon.core.units import MIB

if find_spec("torch") is None:
    raise ModuleNotFoundError("modelmon.core.torch needs torch: pip install torch", name="torch")

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    import torch
    from safetensors.torch import load, save, save_file, save_model

    from modelmon.core.load.buffers import PassingDestination
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.in_process import Work
    from modelmon.core.model.open import FileModel
    from modelmon.core.model.tensors import Model, Tensor

else:

    class _Torch:
        """Stands in for torch until one of its names is asked for: its import takes a second."""

        def __getattr__(self, name: str) -> Any:
            global torch  # noqa: PLW0603  this was all that it's for
            try:
                torch = imported("torch")
            except AttributeError as error:
                # As it is, it would be taken for a name that torch lacks.
                raise ImportError(f"torch can't be imported: {error}") from error
            return getattr(torch, name)

    torch = _Torch()


__all__ = [
    "SafetensorError",
    "SafetensorsStreamer",
    "fastsafe_open",
    "load",
    "load_file",
    "load_model",
    "safe_open",
    "save",
    "save_file",
    "save_model",
]

_TYPES = {
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "U16": "uint16",
    "I16": "int16",
    "U32": "uint32",
    "I32": "int32",
    "U64": "uint64",
    "I64": "int64",
    "F4": "float4_e2m1fn_x2",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
}
_THEIRS = ("load", "save", "save_file", "save_model")
_TORCH = ("pt", "torch", "pytorch")
_NUMPY = ("np", "numpy")
_BACKENDS = ("mmap", "pread")

_READERS = 4
_PIECE_BYTES = 16 * MIB
"""Of a mapped file one of the readers has this much read in at a time."""
_PASSING_BYTES = 8 * MIB
"""What a reader copies to a device at a time: for less, calls take longer than the bytes."""
_TOGETHER_BYTES = 2 * MIB
_VECTOR_BYTES = 16


def __getattr__(name: str) -> Any:
    if name not in _THEIRS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import safetensors.torch  # noqa: PLC0415  imports torch

    return getattr(safetensors.torch, name)


def __dir__() -> list[str]:
    # For help() and for completion, which resolve what they find here.
    return sorted({*globals(), *__all__})


def load_file(
    filename: str | os.PathLike[str],
    device: str | int | torch.device | None = "cpu",
    *,
    backend: str = "mmap",
) -> dict[str, torch.Tensor]:
    """Every tensor of one safetensors file, by name and in the order of the file.

    The file is mapped, so that what is cached of it is not copied; what is written to a tensor
    stays in this process. With backend "pread" the tensors are in one private buffer instead, which
    nothing can evict and no later change of the file reaches. Either is given back when the last of
    the tensors is gone. On another `device` they are copied there beside the reads.

    Raises OSError, SafetensorError for what is no safetensors file or has a type that torch lacks,
    DoesNotFitError, and LoadFailedError where storage fails.
    """
    _check_backend(backend)
    return _loaded(_opened(filename), device, backend)


def _loaded(
    model: Model, device: str | int | torch.device | None, backend: str
) -> dict[str, torch.Tensor]:
    if not model.nbytes:
        to = _device(device)
        return {name: _moved(_tensor(info, b"", 0), to) for name, info in _by_name(model).items()}
    if device is not None and str(device) != "cpu":
        work = _streamed(model)
        to = _begun(device, work)
        if to is not None:
            return _load_onto(to, work)
    return _load_mapped(model) if backend == "mmap" else _load_owned(model)


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
        if framework not in (*_TORCH, *_NUMPY):
            raise SafetensorError(f"framework {framework} is invalid: pt and np are possible")
        self._as_torch = framework in _TORCH
        self._copies = backend == "pread" or not self._as_torch
        self._device = _device(device)
        self._model = _opened(filename)
        self._tensors = _by_name(self._model)
        self._data = _mapped(self._model)
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
            return _tensor(info, data, info.offset_bytes)
        if DTYPE_BITS[info.dtype] < 8:
            raise SafetensorError(f"Dtype not understood: {info.dtype}")
        from modelmon.core.load.arrays import array_of  # noqa: PLC0415  imports numpy

        stored = memoryview(data)[info.offset_bytes : info.offset_bytes + info.nbytes]
        return array_of(info.dtype, info.shape, stored)

    def _read(self, view: Any) -> Any:
        read = _read_in(view)
        if not self._copies:
            return read
        return read.clone() if self._as_torch else read.copy()

    def _placed(self, tensor: Any) -> Any:
        return _moved(tensor, self._device) if self._as_torch else tensor

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


class fastsafe_open:  # noqa: N801  as fastsafetensors calls it
    """Files whose tensors have all been read into private memory; a context manager.

    Takes what fastsafetensors takes. Tensors stay usable when the files are closed. A process group
    of more than one process is refused; how fastsafetensors would copy makes no difference here.
    """

    def __init__(  # noqa: PLR0913, PLR0917  as fastsafetensors has them
        self,
        filenames: str | list[str] | dict[int, list[str]],
        framework: str = "pt",
        pg: Any = None,
        device: str = "cpu",
        nogds: bool = False,
        debug_log: bool = False,
        max_copy_block_size: int = 0,
        use_fgds: bool = False,
    ) -> None:
        del nogds, debug_log, max_copy_block_size, use_fgds
        if framework not in _TORCH:
            raise SafetensorError(f"framework {framework} is invalid: pt is possible")
        if pg is not None and pg.size() > 1:
            raise ValueError("tensors can't be shared out: let each process open its files")
        if isinstance(filenames, dict):
            paths = [path for of_rank in filenames.values() for path in of_rank]
        else:
            paths = [filenames] if isinstance(filenames, str) else filenames
        models = {path: _opened(path) for path in paths}
        self._metadata = {path: dict(model.metadata) for path, model in models.items()}
        places: dict[str, str] = {}
        for path, model in models.items():
            for info in model.tensors:
                if (other := places.setdefault(info.name, path)) != path:
                    raise SafetensorError(f"tensor {info.name} is in {other} and in {path}")
        self._names = list(places)
        self._tensors: dict[str, torch.Tensor] = {}
        for model in models.values():
            self._tensors |= _loaded(model, device, "pread")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tensors = {}

    def keys(self) -> list[str]:
        """Names of all tensors, file by file."""
        return list(self._names)

    get_keys = keys

    def metadata(self) -> dict[str, dict[str, str]]:
        """By file, the text that its header holds beside the tensors."""
        return self._metadata

    def get_tensor(self, name: str) -> torch.Tensor:
        """A tensor, which shares the memory of its file's others."""
        if name not in self._tensors:
            raise ValueError(f"no tensor {name} in the open files")
        return self._tensors[name]


class SafetensorsStreamer:
    """Tensors of files, one after another; a context manager.

    Each file is read when the first of its tensors is asked for. Tensors are not overwritten by
    later ones: those of a file share memory, which is given back with the last of them.
    """

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._device = "cpu"
        self._names: Collection[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._paths = []

    def stream_file(self, path: str, *others: Any, **named: Any) -> None:
        """Have `get_tensors` give those of this file; the rest is that of `stream_files`."""
        self.stream_files([path], *others, **named)

    def stream_files(  # noqa: PLR0913, PLR0917  as runai-model-streamer has them
        self,
        paths: list[str],
        s3_credentials: object = None,
        device: str | None = "cpu",
        is_distributed: bool = False,
        tensor_names: Collection[str] | None = None,
        owned: bool = True,
    ) -> None:
        """Have `get_tensors` give those of these files, which are on this machine, or of them those
        of these names.
        """
        del s3_credentials, owned
        if is_distributed:
            raise ValueError("tensors can't be shared out: let each process stream its files")
        if tensor_names is not None:
            known = {info.name for path in paths for info in _opened(path).tensors}
            if unknown := [name for name in tensor_names if name not in known]:
                raise ValueError(f"tensor_names not in the files: {unknown}")
            if not tensor_names:
                raise ValueError("tensor_names is empty: leave it out for all tensors")
        self._paths, self._device = list(paths), device or "cpu"
        self._names = tensor_names

    def get_tensors(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Name and tensor, each once."""
        while self._paths:
            tensors = load_file(self._paths.pop(0), self._device, backend="pread")
            for name in list(tensors):
                tensor = tensors.pop(name)
                if self._names is None or name in self._names:
                    yield name, tensor


def _opened(filename: str | os.PathLike[str]) -> FileModel:
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
    if backend not in _BACKENDS:
        raise SafetensorError(f"backend {backend!r} is invalid: mmap and pread are possible")


def _device(device: str | int | torch.device | None) -> torch.device | None:
    """Another device than the processor, or None."""
    if device is None or device == "cpu":
        return None
    try:
        found = torch.device(device)
    except RuntimeError as error:
        if isinstance(device, str) or device == -1:
            raise SafetensorError(f"device {device} is invalid") from error
        raise
    if found.type == "meta":
        raise SafetensorError(f"device {device} is invalid")
    if found.type == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(f"device {device} can't be used: torch finds no GPU here")
    return None if found.type == "cpu" else found


def _begun(device: str | int | torch.device, work: Work) -> torch.device | None:
    """Another device than the processor, or None, once it can be used."""
    if "torch" in sys.modules and torch.cuda.is_initialized():
        return _device(device)
    with _reading_ahead(work):
        to = _device(device)
        if to is not None:
            torch.empty(1, device=to)
        return to


def _moved(tensor: torch.Tensor, to: torch.device | None) -> torch.Tensor:
    return tensor if to is None else tensor.to(to)


def _by_name(model: Model) -> dict[str, Tensor]:
    return {info.name: info for info in model.tensors}


@cache
def _dtype(name: str) -> torch.dtype:
    dtype = getattr(torch, _TYPES.get(name, ""), None)
    if dtype is None:
        raise SafetensorError(f"Dtype not understood: {name}")
    found: torch.dtype = dtype
    return found


def _shape(info: Tensor) -> tuple[int, ...]:
    if info.dtype != "F4":
        return info.shape
    # torch counts pairs of them.
    if not info.shape or info.shape[-1] % 2:
        raise SafetensorError(f"tensor {info.name} has an odd number of F4 values in a row")
    return (*info.shape[:-1], info.shape[-1] // 2)


def _tensor(info: Tensor, data: mmap.mmap | memoryview | bytes, start: int) -> torch.Tensor:
    """A tensor over its bytes from `start` on, which alone are its storage."""
    dtype, shape = _dtype(info.dtype), _shape(info)
    if not info.nbytes:
        return torch.empty(shape, dtype=dtype, device="cpu")
    # It holds `data` itself: a view for each of 20,000 would take as long as the tensors.
    count = info.nbytes // dtype.itemsize
    tensor = torch.frombuffer(data, dtype=dtype, count=count, offset=start)
    # It has as many values already: no other tensor is made, as by `reshape`.
    return tensor if len(shape) == 1 else tensor.resize_(shape)


def _mapped(model: Model) -> mmap.mmap | bytes:
    """The file; of one without values there is no map."""
    return private_maps(model, {0})[0] if model.nbytes else b""


def _read_in(tensor: Any) -> Any:
    """`tensor`, a view of a mapped file; one whose values lie together has been read."""
    if hasattr(tensor, "data_ptr"):
        address, nbytes, together = tensor.data_ptr(), tensor.nbytes, tensor.is_contiguous()
    else:
        import numpy as np  # noqa: PLC0415  torch imports it later

        tensor = np.asarray(tensor)  # a single value of an array is none
        address, nbytes, together = tensor.ctypes.data, tensor.nbytes, tensor.flags.c_contiguous
    if nbytes and together:
        populate(address, nbytes)
    return tensor


def _load_mapped(model: Model) -> dict[str, torch.Tensor]:
    mapping, shard = private_maps(model, {0})[0], model.shards[0]
    starts = range(shard.data_start_bytes, shard.size_bytes, _PIECE_BYTES)

    def read(start: int) -> None:
        # It is this function that keeps the map, should Ctrl-C leave it to go on.
        populate(address_of(mapping) + start, min(_PIECE_BYTES, shard.size_bytes - start))

    with ThreadPoolExecutor(_READERS) as pool:
        try:
            pieces = pool.map(read, starts)
        except RuntimeError:
            # The system lets this process have no more threads.
            pieces = map(read, starts)
        try:
            # Where each lies is known: they need not wait for the bytes, nor these for torch.
            tensors = {
                info.name: _tensor(info, mapping, info.offset_bytes) for info in model.tensors
            }
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        for _ in pieces:
            pass
    return tensors


def _load_owned(model: Model) -> dict[str, torch.Tensor]:
    work = work_for(model, preset("auto").config)
    check_fits(work.config, work.plan)
    tensors: dict[str, torch.Tensor] = {}
    with engine_for(work) as engine:
        owned, first = engine.owned, model.shards[0].data_start_bytes
        assert owned is not None
        # Tensors lie without holes in the file, and so they do in memory.
        view, shift = owned.buffer.view, owned.layout.place(0, first) - first

        def make() -> None:
            for info in model.tensors:
                tensors[info.name] = _tensor(info, view, shift + info.offset_bytes)

        # As of a mapped file they need not wait for the bytes.
        run(engine, work, meanwhile=make)
    if not tensors:
        make()
    return tensors


def _load_onto(device: torch.device, work: Work) -> dict[str, torch.Tensor]:
    """Each reader copies what it has read, from pinned memory, while the others read on."""
    check_fits(work.config, work.plan)
    memory = _DeviceMemory(work.model.tensors, device)
    streams, is_cuda = _streams(device, len(work.plan.readers)), device.type == "cuda"
    inferring = torch.is_inference_mode_enabled()

    def take(reader: int, request: Extent, view: memoryview) -> None:
        # A thread of its own has its own mode, and may write to tensors made in that alone.
        with torch.inference_mode(inferring), streams[reader]:
            memory.copy(request, view)
        # The next request of this reader comes to the same memory.
        if is_cuda:
            streams[reader].stream.synchronize()

    with (
        engine_for(work, take) as engine,
        _pinned(engine.passing) if is_cuda else contextlib.nullcontext(),
    ):
        # As of a mapped file they need not wait for the bytes.
        run(engine, work, meanwhile=memory.make_tensors)
    memory.make_tensors()
    return {info.name: memory.tensors[info.name] for info in work.model.tensors}


class _DeviceMemory:
    """A file's tensors on a device, and where their bytes go there: to memory of their own, of
    small neighbours to memory that they share. Each of 20,000 would cost an allocation, and a copy.
    """

    def __init__(self, tensors: Sequence[Tensor], device: torch.device) -> None:
        self._device = device
        self.tensors: dict[str, torch.Tensor] = {}
        # Elsewhere an address may be none that counts bytes.
        most_bytes = _TOGETHER_BYTES if device.type in {"cpu", "cuda"} else 0
        groups = _together([info for info in tensors if info.nbytes], most_bytes)
        self._starts = [group[0].offset_bytes for group in groups]
        self._buffers: list[torch.Tensor] = []
        self._shared: list[tuple[torch.Tensor, list[Tensor]]] = []
        for info in tensors:
            if not info.nbytes:
                self.tensors[info.name] = self._empty(info)
        for group in groups:
            first, last = group[0], group[-1]
            if first is last:
                tensor = self.tensors[first.name] = self._empty(first)
                self._buffers.append(tensor.reshape(-1).view(torch.uint8))
            else:
                nbytes = last.offset_bytes + last.nbytes - first.offset_bytes
                buffer = torch.empty(nbytes, dtype=torch.uint8, device=device)
                self._buffers.append(buffer)
                self._shared.append((buffer, group))

    def _empty(self, info: Tensor) -> torch.Tensor:
        return torch.empty(_shape(info), dtype=_dtype(info.dtype), device=self._device)

    def copy(self, request: Extent, view: memoryview) -> None:
        """Have a request's bytes copied to their place."""
        number, done = bisect_right(self._starts, request.offset_bytes) - 1, 0
        while done < request.nbytes:
            at = request.offset_bytes + done - self._starts[number]
            buffer = self._buffers[number]
            nbytes = min(len(buffer) - at, request.nbytes - done)
            piece = torch.frombuffer(view, dtype=torch.uint8, count=nbytes, offset=done)
            buffer[at : at + nbytes].copy_(piece, non_blocking=self._device.type == "cuda")
            number, done = number + 1, done + nbytes

    def make_tensors(self) -> None:
        """Those that share memory, too, unless they are made."""
        while self._shared:
            buffer, group = self._shared.pop()
            storage, start = buffer.untyped_storage(), group[0].offset_bytes
            for info in group:
                # Its storage is its bytes alone, and no other's version is its own, as of a view.
                place = info.offset_bytes - start
                tensor = torch.empty(0, dtype=_dtype(info.dtype), device=self._device)
                tensor.set_(storage[place : place + info.nbytes], 0, _shape(info))
                self.tensors[info.name] = tensor


def _together(tensors: Sequence[Tensor], most_bytes: int) -> list[list[Tensor]]:
    """Tensors whose bytes can lie in memory as they lie in the file, each on a border that its type
    has, and all that its bytes are read as.
    """
    groups: list[list[Tensor]] = []
    for info in sorted(tensors, key=lambda info: info.offset_bytes):
        start = groups[-1][0].offset_bytes if groups else 0
        fits = info.offset_bytes + info.nbytes - start <= most_bytes
        if not groups or not fits or (info.offset_bytes - start) % gcd(info.nbytes, _VECTOR_BYTES):
            groups.append([])
        groups[-1].append(info)
    return groups


def _streamed(model: Model) -> Work:
    config = replace(preset("auto").config, deliver="streamed", chunk_bytes=_PASSING_BYTES)
    return work_for(model, config)


@contextlib.contextmanager
def _reading_ahead(work: Work) -> Iterator[None]:
    """Have the file come into the page cache meanwhile, of each reader's share as much.

    The import of torch and the first use of a GPU take seconds; of what they leave to read, the
    readers do the rest. No more is read than half of the free memory holds, where nothing drops it
    before it is used. What can't be read, or mapped, or not with one more thread, is for the load.
    """
    shard, over = work.model.shards[0], threading.Event()
    shares = [
        [piece for extent in share for piece in split(extent, _PIECE_BYTES)]
        for share in work.plan.readers
    ]
    pieces = filter(None, chain.from_iterable(zip_longest(*shares)))
    most = read_memory().usable_bytes // 2 // _PIECE_BYTES
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(LoadFailedError, OSError, RuntimeError):
            files = OpenFiles([shard.path], [shard.size_bytes], {0})
            stack.callback(files.close)
            descriptor, mapping = files.descriptors[0], map_files(files)[0]
            cached_pages = page_counter(descriptor)[0]

            def read(piece: Extent) -> None:
                start, nbytes = piece.offset_bytes, piece.nbytes
                is_cached = (
                    cached_pages is not None
                    and cached_pages(descriptor, start, nbytes) * mmap.PAGESIZE >= nbytes
                )
                if not over.is_set() and not is_cached:
                    # It is this function that keeps the map.
                    populate_by_kernel(address_of(mapping) + start, nbytes)

            pool = stack.enter_context(ThreadPoolExecutor(_READERS))
            stack.callback(over.set)
            for piece in islice(pieces, most):
                pool.submit(read, piece)
        yield


def _streams(device: torch.device, count: int) -> Sequence[Any]:
    """A context for each reader in which its copies wait for those of no other reader."""
    if device.type != "cuda":
        return [contextlib.nullcontext()] * count
    streams = [torch.cuda.Stream(device) for _ in range(count)]
    for stream in streams:
        # Memory that torch gives out again may still be in use by what was asked for before.
        stream.wait_stream(torch.cuda.current_stream(device))
    return [torch.cuda.stream(stream) for stream in streams]


@contextlib.contextmanager
def _pinned(destinations: Iterable[PassingDestination]) -> Iterator[None]:
    """Have the device read from these directly; where that is refused, torch copies once more."""
    cuda = torch.cuda.cudart()
    pinned = []
    try:
        for each in destinations:
            if not int(cuda.cudaHostRegister(each.buffer.address, len(each.buffer.view), 0)):
                pinned.append(each.buffer.address)
        yield
    finally:
        for address in pinned:
            cuda.cudaHostUnregister(address)
