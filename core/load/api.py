"""load_model: the measured engine as a library call, into the caller's own memory."""

from __future__ import annotations

import contextlib
import mmap
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelmon.core.load.arrays import array_of
from modelmon.core.load.buffers import Layout
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.fits import check_fits
from modelmon.core.load.plan import Plan, plan_load
from modelmon.core.load.presets import preset
from modelmon.core.load.readers import Reader, run_readers, warm_up
from modelmon.core.load.sources import make_source
from modelmon.core.load.touch import touch
from modelmon.core.machine.anonymous_memory import OwnedBuffer, address_of
from modelmon.core.model.fingerprint import fingerprint
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.extents import Extent
    from modelmon.core.model.tensors import Model, Tensor

_DEFAULT_STRATEGY = "parallel"


class LoadedModel(Mapping[str, "NDArray[Any]"]):
    """A loaded model: tensor names to numpy arrays, all views on the same loaded bytes.

    bf16 and fp8 come as ml_dtypes; types that numpy cannot represent as raw bytes, whose
    type `info` tells. Arrays of a mapped model are read-only. The memory lives as long as
    any array does.
    """

    def __init__(
        self, model: Model, config: LoadConfig, bytes_of: Callable[[Tensor], memoryview]
    ) -> None:
        self.model = model
        self.config = config
        self._tensors = {tensor.name: tensor for tensor in model.tensors}
        self._bytes_of = bytes_of

    def __getitem__(self, name: str) -> NDArray[Any]:
        tensor = self._tensors[name]
        return array_of(tensor, self._bytes_of(tensor))

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def info(self, name: str) -> Tensor:
        """The tensor's stored type, shape and place."""
        return self._tensors[name]


def load_model(
    path: str | Path, config: LoadConfig | str | Path = _DEFAULT_STRATEGY
) -> LoadedModel:
    """Load a model as `config` says: a LoadConfig, a strategy's name or an exported file.

    A strategy with worker processes runs as its in-process equivalent: the same ranges, a
    thread with a descriptor of its own each, since another process's memory cannot become
    the caller's. Returns when every byte is in memory. Raises ModelFileError, ConfigError,
    DoesNotFitError or LoadFailedError.
    """
    model = open_model(path)
    chosen = _resolve(config, model).in_process
    plan = plan_load(model, chosen)
    check_fits(chosen, plan.planned_bytes)
    if chosen.memory_kind == "owned":
        return LoadedModel(model, chosen, _load_owned(model, chosen, plan))
    return LoadedModel(model, chosen, _load_mapped(model, chosen, plan))


def _resolve(config: LoadConfig | str | Path, model: Model) -> LoadConfig:
    if isinstance(config, LoadConfig):
        return config
    if isinstance(config, str) and not config.endswith(".toml"):
        return preset(config).config
    exported = read_config(Path(config))
    if exported.model_digest not in ("", fingerprint(model)):
        warnings.warn(
            f"{config} was measured with {exported.model_name}, not with {model.name} as it is"
            " now; another strategy may be faster here.",
            stacklevel=3,
        )
    return exported.config


def _load_owned(model: Model, config: LoadConfig, plan: Plan) -> Callable[[Tensor], memoryview]:
    layout = Layout(plan.wanted)
    buffer = OwnedBuffer(layout.nbytes)
    _run(model, config, plan, (buffer, layout))

    def bytes_of(tensor: Tensor) -> memoryview:
        if not tensor.nbytes:
            return memoryview(b"")
        place = layout.place(tensor.shard, tensor.offset_bytes)
        return buffer.view[place : place + tensor.nbytes]

    return bytes_of


def _load_mapped(model: Model, config: LoadConfig, plan: Plan) -> Callable[[Tensor], memoryview]:
    """Each reader faults its ranges in through its own descriptor; the arrays' mapping of
    the then cached pages is touched last, so that no array access waits for storage.
    """
    _run(model, config, plan, None)
    with contextlib.closing(_open(model, plan.wanted)) as files:
        maps = {
            shard: mmap.mmap(descriptor, files.size_bytes[shard], access=mmap.ACCESS_READ)
            for shard, descriptor in files.descriptors.items()
        }
    for extent in plan.wanted:
        touch(address_of(maps[extent.shard]) + extent.offset_bytes, extent.nbytes)

    def bytes_of(tensor: Tensor) -> memoryview:
        if not tensor.nbytes:
            return memoryview(b"")
        start = tensor.offset_bytes
        return memoryview(maps[tensor.shard])[start : start + tensor.nbytes]

    return bytes_of


def _run(
    model: Model, config: LoadConfig, plan: Plan, owned: tuple[OwnedBuffer, Layout] | None
) -> None:
    opened: list[OpenFiles] = []
    try:
        if config.warmup != "none":
            opened.append(_open(model, plan.wanted))
            warm_up(opened[0], plan.wanted, config.chunk_bytes, lambda _done: None)
        readers: list[Reader] = []
        for number, extents in enumerate(plan.readers):
            if not extents:
                continue
            if config.descriptor == "own" or not readers:
                wanted = extents if config.descriptor == "own" else plan.wanted
                opened.append(_open(model, wanted))
            readers.append(Reader(number, extents, make_source(opened[-1], config, owned)))
        run_readers(readers, config.chunk_bytes, lambda *_: None, lambda _number: None)
    finally:
        for files in opened:
            files.close()


def _open(model: Model, extents: tuple[Extent, ...]) -> OpenFiles:
    return OpenFiles(
        [shard.path for shard in model.shards],
        [shard.size_bytes for shard in model.shards],
        {extent.shard for extent in extents},
    )
