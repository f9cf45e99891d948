"""All tensors of a safetensors file: mapped, in a private buffer, or on a device."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors import SafetensorError

from modelmon.core.errors import DoesNotFitError, ModelFileError
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import engine_for, run, work_for
from modelmon.core.load.presets import preset
from modelmon.core.load.touch import populate
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.model.open import open_file
from modelmon.core.torch.device import load_onto, moved, other_device, passing_work, ready_device
from modelmon.core.torch.mapped import map_file
from modelmon.core.torch.tensors import by_name, tensor_over

if TYPE_CHECKING:
    from modelmon.core.load.config import Deliver
    from modelmon.core.load.in_process import Work
    from modelmon.core.model.open import FileModel
    from modelmon.core.model.tensors import Model
    from modelmon.core.torch.lazy import torch

_DELIVER: dict[str, Deliver] = {"mmap": "usable", "pread": "owned"}
"""What the backends of safetensors give."""


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


def check_backend(backend: str) -> None:
    """Raises SafetensorError for what is none."""
    if backend not in _DELIVER:
        raise SafetensorError(f"backend {backend!r} is invalid: mmap and pread are possible")


def load_tensors(
    model: Model, device: str | int | torch.device | None, backend: str
) -> dict[str, torch.Tensor]:
    """By name and in the order of the file."""
    if not model.nbytes:
        to = other_device(device)
        return {name: moved(tensor_over(info, b"", 0), to) for name, info in by_name(model).items()}
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
