"""Tensors of torch over the bytes that a file has for them, and on other devices.

Files are mapped for the first; what goes to a device is copied from pinned memory beside the reads.

Nothing here imports torch before one of its names is asked for, which takes a second: the module
`torch` below is a stand-in until then. Programs put functions of their own in the place of torch's
for a while, so none may be kept.
"""

from __future__ import annotations

import contextlib
import mmap
import sys
import threading
from bisect import bisect_right
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import chain, islice, zip_longest
from math import gcd
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.api import engine_for, private_maps, run, work_for
from modelmon.core.load.config import preset
from modelmon.core.load.extents import split
from modelmon.core.load.files import OpenFiles, populate, populate_by_kernel
from modelmon.core.load.rules import check_fits
from modelmon.core.load.sources import map_files
from modelmon.core.load.threads import imported
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.cached_pages import page_counter
from modelmon.core.machine.memory import read_memory
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import torch

    from modelmon.core.load.api import Work
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import PassingDestination
    from modelmon.core.model.tensors import Model, Tensor
else:

    class _Torch:
        def __getattr__(self, name: str) -> Any:
            global torch  # noqa: PLW0603  this was all that it's for
            try:
                torch = imported("torch")
            except AttributeError as error:
                # As it is, it would be taken for a name that torch lacks.
                raise ImportError(f"torch can't be imported: {error}") from error
            return getattr(torch, name)

    torch = _Torch()


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


@cache
def dtype_of(name: str) -> torch.dtype:
    """Raises SafetensorError for a type that torch lacks."""
    dtype = getattr(torch, _TYPES.get(name, ""), None)
    if dtype is None:
        raise SafetensorError(f"Dtype not understood: {name}")
    found: torch.dtype = dtype
    return found


def shape_of(info: Tensor) -> tuple[int, ...]:
    """As torch counts, which takes pairs of F4 for one. Raises SafetensorError for an odd number of
    them in a row.
    """
    if info.dtype != "F4":
        return info.shape
    if not info.shape or info.shape[-1] % 2:
        raise SafetensorError(f"tensor {info.name} has an odd number of F4 values in a row")
    return (*info.shape[:-1], info.shape[-1] // 2)


def tensor_over(info: Tensor, data: mmap.mmap | memoryview | bytes, start: int) -> torch.Tensor:
    """A tensor over its bytes from `start` on, which alone are its storage."""
    dtype, shape = dtype_of(info.dtype), shape_of(info)
    if not info.nbytes:
        return torch.empty(shape, dtype=dtype, device="cpu")
    # It holds `data` itself: a view for each of 20,000 would take as long as the tensors.
    count = info.nbytes // dtype.itemsize
    tensor = torch.frombuffer(data, dtype=dtype, count=count, offset=start)
    # It has as many values already: no other tensor is made, as by `reshape`.
    return tensor if len(shape) == 1 else tensor.resize_(shape)


def map_file(model: Model) -> mmap.mmap | bytes:
    """The file; of one without values there is no map."""
    return private_maps(model, {0})[0] if model.nbytes else b""


def read_in(tensor: Any) -> Any:
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


_PASSING_BYTES = 8 * MIB
"""What a reader copies to a device at a time: for less, calls take longer than the bytes."""
_TOGETHER_BYTES = 2 * MIB
_AHEAD_READERS, _AHEAD_BYTES = 4, 16 * MIB
_VECTOR_BYTES = 16


def other_device(device: str | int | torch.device | None) -> torch.device | None:
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


def ready_device(device: str | int | torch.device, work: Work) -> torch.device | None:
    """Another device than the processor, or None, once it can be used."""
    if "torch" in sys.modules and torch.cuda.is_initialized():
        return other_device(device)
    with _reading_ahead(work):
        to = other_device(device)
        if to is not None:
            torch.empty(1, device=to)
        return to


def moved(tensor: torch.Tensor, to: torch.device | None) -> torch.Tensor:
    """On another device, if there is one."""
    return tensor if to is None else tensor.to(to)


def load_onto(device: torch.device, work: Work) -> dict[str, torch.Tensor]:
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
        engine_for(work, take, cached="copied") as engine,
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
        return torch.empty(shape_of(info), dtype=dtype_of(info.dtype), device=self._device)

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
                tensor = torch.empty(0, dtype=dtype_of(info.dtype), device=self._device)
                tensor.set_(storage[place : place + info.nbytes], 0, shape_of(info))
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


def passing_work(model: Model) -> Work:
    """To read the file through buffers, of which each piece is copied from."""
    config = replace(preset("auto").config, deliver="streamed", chunk_bytes=_PASSING_BYTES)
    return work_for(model, config)


@contextlib.contextmanager
def _reading_ahead(work: Work) -> Iterator[None]:
    """Have the file come into the page cache meanwhile, of each reader's share as much.

    The import of torch and the first use of a GPU take seconds; of what they leave to read, the
    readers do the rest. No more is read than half of the free memory holds, where nothing drops it
    before it is used. What can't be read, or mapped, or not with one more thread, is for the load.
    """
    over = threading.Event()
    shares = [
        [piece for extent in reader.extents for piece in split(extent, _AHEAD_BYTES)]
        for reader in work.plan.readers
    ]
    pieces = filter(None, chain.from_iterable(zip_longest(*shares)))
    most = read_memory().usable_bytes // 2 // _AHEAD_BYTES
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(LoadFailedError, OSError, RuntimeError):
            files = OpenFiles(work.model.sized_files, {0})
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

            pool = stack.enter_context(ThreadPoolExecutor(_AHEAD_READERS))
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
