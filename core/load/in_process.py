"""Loads of the engine into this process's own memory: into a buffer, or mapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.engine import Engine, Share
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.load.sources import MappedSource, map_files
from modelmon.core.load.touch import touch
from modelmon.core.load.warmup import warm_up
from modelmon.core.machine.anonymous_memory import address_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.pieces import TensorBytes
    from modelmon.core.load.plan import Plan
    from modelmon.core.model.tensors import Model


def engine_for(
    model: Model,
    config: LoadConfig,
    plan: Plan,
    consume: Callable[[int, Extent, memoryview], None] | None = None,
    decode: Callable[[memoryview, TensorValues], None] | None = None,
) -> Engine:
    """The engine that carries out a plan of one rank. Raises as `Engine` does."""
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


def run(
    engine: Engine, config: LoadConfig, plan: Plan, meanwhile: Callable[[], None] | None = None
) -> None:
    """Warm up as configured, load, and close the engine's files; `meanwhile` is done beside
    several readers. Raises LoadFailedError.
    """
    try:
        if config.warmup == "populate":
            engine.populate()
        elif config.warmup != "none":
            files = engine.open(plan.wanted)
            warm_up(config.warmup, files, plan.wanted, config.chunk_bytes, lambda _done: None)
        engine.run(lambda *_: None, lambda _number: None, meanwhile)
    finally:
        engine.close()


def load_owned(model: Model, config: LoadConfig, plan: Plan, places: TensorBytes) -> LoadedModel:
    """Load into a buffer that the arrays then share. Raises LoadFailedError."""
    engine = engine_for(model, config, plan)
    owned = engine.owned
    assert owned is not None

    def bytes_of(index: int) -> memoryview:
        start = owned.layout.place(*places.start(index))
        return owned.buffer.view[start : start + places.nbytes(index)]

    loaded = LoadedModel(model, config, places, bytes_of)
    # Where each tensor will lie is known: thousands of arrays need not wait for the bytes.
    run(engine, config, plan, loaded.make_arrays)
    return loaded


def load_mapped(model: Model, config: LoadConfig, plan: Plan, places: TensorBytes) -> LoadedModel:
    """Each reader faults its ranges in through its own descriptor. One reader's mapping is
    the arrays'; of several, one more of the then cached pages is touched last, so that no
    array access waits for storage.
    """
    engine = engine_for(model, config, plan)
    source = engine.readers[0].source
    alone = source.maps if isinstance(source, MappedSource) and len(engine.readers) == 1 else None
    maps = alone or map_files(engine.open(plan.wanted))
    run(engine, config, plan)
    if alone is None:
        for extent in plan.wanted:
            touch(address_of(maps[extent.shard]) + extent.offset_bytes, extent.nbytes)

    def bytes_of(index: int) -> memoryview:
        part = places.strided(index)
        mapping = maps[part.shard]
        if part.runs == 1:
            return memoryview(mapping)[part.offset_bytes : part.end_bytes]
        # The rows of a slice lie apart in the file; arrays have them together.
        from modelmon.core.load.arrays import rows_together  # noqa: PLC0415  imports numpy

        return rows_together(mapping, part)

    return LoadedModel(model, config, places, bytes_of)
