"""load_model: the measured engine as a library call, into the caller's own memory."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.load.decode import (
    FLOATS,
    INSTALL_KERNELS,
    FloatName,
    check_decodable,
    decode_into,
    prepare_decoders,
    slow_decoder,
)
from modelmon.core.load.engine import Engine, Share
from modelmon.core.load.fits import check_fits
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.load.pieces import TensorBytes
from modelmon.core.load.planner import plan_load
from modelmon.core.load.presets import preset
from modelmon.core.load.rules import check_possible
from modelmon.core.load.sources import MappedSource, map_files
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.load.touch import touch
from modelmon.core.load.warmup import warm_up
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.messages import Message
from modelmon.core.model.fingerprint import fingerprint
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.plan import Plan
    from modelmon.core.model.tensors import Model, Tensor

DEFAULT_STRATEGY = "auto"


def load_model(
    path: str | Path,
    config: LoadConfig | str | Path = DEFAULT_STRATEGY,
    *,
    subset: Subset = WHOLE,
    decode: FloatName | None = None,
) -> LoadedModel:
    """Load a model as `config` says: a LoadConfig, a strategy's name or an exported file.

    `decode` turns every value into that type on its way; with delivery decoded it is float32.
    `subset` chooses tensors, blocks, or one tensor-parallel rank's slices. A strategy with
    worker processes or ranks runs as its in-process equivalent: the same ranges, a thread
    with a descriptor of its own each, since another process's memory cannot become the
    caller's. Returns when every byte is in memory. Raises ModelFileError, ConfigError,
    DoesNotFitError or LoadFailedError.
    """
    model = open_model(path)
    chosen = _resolve(config, model)
    if chosen.deliver == "streamed":
        raise ConfigError(
            Message("Delivery streamed keeps nothing to return."), Message("Use stream_model.")
        )
    if decode is not None:
        if decode not in FLOATS:
            raise ConfigError(
                Message("decode can't be {value}.", value=repr(decode)),
                Message("Choose one of: {choices}.", choices=", ".join(FLOATS)),
            )
        chosen = replace(chosen, deliver="decoded", prefetch_bytes=0)
    to = decode or "float32"
    if chosen.deliver == "decoded":
        check_decodable(model)
        dtypes = {tensor.dtype for tensor in model.tensors}
        prepare_decoders(dtypes, to)
        if slow := slow_decoder(dtypes):
            warnings.warn(f"{slow} {INSTALL_KERNELS}", stacklevel=2)
    plan = plan_load(model, chosen, subset=subset)
    places = TensorBytes(model, subset, plan.slices_of(0))
    if chosen.deliver == "decoded":
        check_fits(chosen, plan, kept_bytes=_decoded_bytes(model, places, to))
        return LoadedModel(model, chosen, places, _decoded(model, chosen, plan, places, to))
    check_fits(chosen, plan)
    if chosen.memory_kind == "owned":
        return _owned(model, chosen, plan, places)
    return LoadedModel(model, chosen, places, _mapped(model, chosen, plan, places))


def stream_model(
    path: str | Path,
    consume: Callable[[Tensor, int, memoryview], None],
    config: LoadConfig | str | Path = DEFAULT_STRATEGY,
    *,
    subset: Subset = WHOLE,
) -> None:
    """Let a model pass through a small buffer, for what does not fit or goes elsewhere.

    `consume` gets a tensor, the position of the data in its stored bytes, and the data,
    which is valid until it returns. It is called from the readers' threads, each piece once;
    memory is bounded by readers times chunk. Of tensors that share bytes, the first gets
    them. Raises as `load_model` does, and whatever `consume` raises.
    """
    model = open_model(path)
    chosen = replace(_resolve(config, model), deliver="streamed")
    plan = plan_load(model, chosen, subset=subset)
    check_fits(chosen, plan)
    places = TensorBytes(model, subset, plan.slices_of(0))

    def take(_reader: int, request: Extent, view: memoryview) -> None:
        for tensor, position, start, nbytes in places.parts(request):
            consume(tensor, position, view[start : start + nbytes])

    _run(_engine(model, chosen, plan, take), chosen, plan)


def _resolve(config: LoadConfig | str | Path, model: Model) -> LoadConfig:
    if isinstance(config, LoadConfig):
        chosen = config
    elif isinstance(config, str) and not config.endswith(".toml"):
        chosen = preset(config).config
    else:
        exported = read_config(Path(config))
        chosen = exported.config
        if exported.model_digest not in ("", fingerprint(model)):
            warnings.warn(
                Message(
                    "{config} was measured with {model_name}, not with {name} as it is now."
                    " Another strategy may be faster here.",
                    config=config,
                    model_name=exported.model_name,
                    name=model.name,
                ),
                stacklevel=3,
            )
    if chosen.library != NO_LIBRARY:
        raise ConfigError(
            Message("{library} is a baseline to measure against.", library=chosen.library),
            Message("Call the library itself, or choose a strategy of modelmon."),
        )
    check_possible(chosen)
    return chosen.in_process


def _engine(
    model: Model,
    config: LoadConfig,
    plan: Plan,
    consume: Callable[[int, Extent, memoryview], None] | None = None,
    decode: Callable[[memoryview, TensorValues], None] | None = None,
) -> Engine:
    share = Share(
        paths=[shard.path for shard in model.shards],
        sizes_bytes=[shard.size_bytes for shard in model.shards],
        readers={number: extents for number, extents in enumerate(plan.readers) if extents},
        chunk_bytes=plan.chunk_bytes,
        request_bytes=plan.request_bytes,
        slices=plan.slices_of(0),
        parts=dict(enumerate(plan.parts)),
    )
    return Engine(config, share, consume, decode)


def _run(
    engine: Engine, config: LoadConfig, plan: Plan, meanwhile: Callable[[], None] | None = None
) -> None:
    try:
        if config.warmup == "populate":
            engine.populate()
        elif config.warmup != "none":
            files = engine.open(plan.wanted)
            warm_up(config.warmup, files, plan.wanted, config.chunk_bytes, lambda _done: None)
        engine.run(lambda *_: None, lambda _number: None, meanwhile)
    finally:
        engine.close()


def _owned(model: Model, config: LoadConfig, plan: Plan, places: TensorBytes) -> LoadedModel:
    engine = _engine(model, config, plan)
    owned = engine.owned
    assert owned is not None

    def bytes_of(index: int) -> memoryview:
        start = owned.layout.place(*places.start(index))
        return owned.buffer.view[start : start + places.nbytes(index)]

    loaded = LoadedModel(model, config, places, bytes_of)
    # Where each tensor will lie is known: thousands of arrays need not wait for the bytes.
    _run(engine, config, plan, loaded.make_arrays)
    return loaded


def _mapped(
    model: Model, config: LoadConfig, plan: Plan, places: TensorBytes
) -> Callable[[int], memoryview]:
    """Each reader faults its ranges in through its own descriptor. One reader's mapping is
    the arrays'; of several, one more of the then cached pages is touched last, so that no
    array access waits for storage.
    """
    engine = _engine(model, config, plan)
    source = engine.readers[0].source
    alone = source.maps if isinstance(source, MappedSource) and len(engine.readers) == 1 else None
    maps = alone or map_files(engine.open(plan.wanted))
    _run(engine, config, plan)
    if alone is None:
        for extent in plan.wanted:
            touch(address_of(maps[extent.shard]) + extent.offset_bytes, extent.nbytes)

    def bytes_of(index: int) -> memoryview:
        part = places.strided(index)
        mapping = maps[part.shard]
        if part.runs == 1:
            return memoryview(mapping)[part.offset_bytes : part.end_bytes]
        shape, strides = (part.runs, part.run_bytes), (part.stride_bytes, 1)
        rows: NDArray[np.uint8] = np.ndarray(shape, np.uint8, mapping, part.offset_bytes, strides)
        # The rows of a slice lie apart in the file; arrays have them together.
        return rows.reshape(-1).data.toreadonly()

    return bytes_of


def _decoded_bytes(model: Model, places: TensorBytes, to: FloatName) -> int:
    return FLOATS[to].itemsize * sum(
        math.prod(model.tensors[index].shape) for index in places.wanted
    )


def _decoded(
    model: Model, config: LoadConfig, plan: Plan, places: TensorBytes, to: FloatName
) -> Callable[[int], NDArray[Any]]:
    values = {
        index: np.empty(math.prod(model.tensors[index].shape), dtype=FLOATS[to])
        for index in places.wanted
    }

    def decode(data: memoryview, part: TensorValues) -> None:
        out = values[part.tensor][part.first_element : part.first_element + part.elements]
        decode_into(data, part.dtype, out)

    _run(_engine(model, config, plan, decode=decode), config, plan)
    return values.__getitem__
