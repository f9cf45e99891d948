"""Loads into this process's memory, by the engine that measures: owned, mapped or lazily.

Values come as they are stored; decoded.py decodes them.
"""

from __future__ import annotations

import mmap
import threading
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.engine import Engine
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.loaded import LoadedModel, TensorBytes, prepare_arrays
from modelmon.core.load.planner import plan_load
from modelmon.core.load.sources import MappedSource, map_files
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.load.touch import populate, touch
from modelmon.core.machine.anonymous_memory import address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from modelmon.core.load.accounts import RequestTimes
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.decode import Room
    from modelmon.core.load.engine import Cached
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.plan import Plan
    from modelmon.core.load.readers import Record
    from modelmon.core.load.slices import Strided
    from modelmon.core.model.tensors import Model

    Progress = Callable[[int, int], None]
    """Told of a load: bytes that are loaded, and bytes of all of it."""


class Work(NamedTuple):
    """A load into this process: of what, how, by which plan, and where each tensor's bytes are."""

    model: Model
    config: LoadConfig
    plan: Plan
    places: TensorBytes


def work_for(model: Model, config: LoadConfig, subset: Subset = WHOLE) -> Work:
    """What `config` takes for a subset of a model. Raises ConfigError."""
    plan = plan_load(model, config, subset=subset)
    return Work(model, config, plan, TensorBytes(model, subset, plan.slices_of(0)))


def engine_for(
    work: Work,
    consume: Callable[[int, Extent, memoryview], None] | None = None,
    room: Room | None = None,
    *,
    cached: Cached = "mapped",
) -> Engine:
    """The engine that carries out a plan of one rank; `cached` as its own. Raises as `Engine`
    does.
    """
    paths = [shard.path for shard in work.model.shards]
    sizes_bytes = [shard.size_bytes for shard in work.model.shards]
    (share,) = work.plan.shares(paths, sizes_bytes)
    return Engine(work.config, share, consume, room, cached=cached)


def run(
    engine: Engine,
    work: Work,
    progress: Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> None:
    """Warm up as configured, and load; `meanwhile` is done beside several readers.

    `progress` is called from the readers' threads, by one at a time. What it raises ends the
    load, and is raised here; it is not called again. Raises LoadFailedError.
    """
    _, config, plan, _ = work
    if config.warmup == "populate":
        engine.populate()
    elif config.warmup != "none":
        from modelmon.core.load.warmup import warm_up  # noqa: PLC0415  few loads need it

        files = engine.open(plan.wanted)
        warm_up(config.warmup, files, plan.wanted, config.chunk_bytes, lambda _done: None)
    engine.run(_record(progress, plan.planned_bytes), meanwhile)


def _record(progress: Progress | None, total_bytes: int) -> Record:
    if progress is None:
        return lambda *_: None
    loaded_bytes = 0
    has_raised = False
    turn = threading.Lock()

    def record(
        _reader: int, _request: int, _times: RequestTimes, nbytes: int, _count: int = 1, /
    ) -> None:
        nonlocal loaded_bytes, has_raised
        with turn:
            # Other readers may end a request before they see that the load is over.
            if has_raised:
                return
            loaded_bytes += nbytes
            has_raised = True
            progress(loaded_bytes, total_bytes)
            has_raised = False

    return record


def owned_bytes(engine: Engine, places: TensorBytes) -> Callable[[int], tuple[memoryview, int]]:
    """The buffer that an engine loads into, and where in it each tensor begins, by its index."""
    owned = engine.owned
    assert owned is not None
    view, place = owned.buffer.view, owned.layout.place
    return lambda index: (view, place(*places.start(index)))


def load_owned(work: Work, progress: Progress | None = None) -> LoadedModel:
    """Load into a buffer that the arrays then share. Raises as `run` does."""
    with engine_for(work) as engine:
        run(engine, work, progress, partial(prepare_arrays, work.model))
        bytes_of = owned_bytes(engine, work.places)
    return LoadedModel(work.model, work.config, work.places, bytes_of)


def load_mapped(work: Work, progress: Progress | None = None) -> LoadedModel:
    """Each reader faults its ranges in through its own descriptor. One reader's mapping is
    the arrays'; of several, one more of the then cached pages is touched last, so that no
    array access waits for storage.
    """
    model, config, plan, places = work
    with engine_for(work) as engine:
        source, is_one = engine.readers[0].source, len(engine.readers) == 1
        alone = source.maps if isinstance(source, MappedSource) and is_one else None
        maps = alone or map_files(engine.open(plan.wanted))
        run(engine, work, progress)
    if alone is None:
        for extent in plan.wanted:
            touch(address_of(maps[extent.shard]) + extent.offset_bytes, extent.nbytes)

    def bytes_of(index: int) -> tuple[mmap.mmap | memoryview, int]:
        return mapped_bytes(maps, places.strided(index))

    # Of slices it would keep copies beside what is mapped.
    return LoadedModel(model, config, places, bytes_of, keeps=not plan.slices)


def private_maps(model: Model, shards: Iterable[int]) -> dict[int, mmap.mmap]:
    """These files of a model, mapped so that what is written stays in this process.

    Raises LoadFailedError.
    """
    files = OpenFiles([s.path for s in model.shards], [s.size_bytes for s in model.shards], shards)
    try:
        return map_files(files, writable=True)
    finally:
        files.close()


def lazy_bytes(
    model: Model, places: TensorBytes
) -> Callable[[int], tuple[mmap.mmap | memoryview, int]]:
    """Each tensor's bytes by its index, read in when they are asked for, as those of
    `mapped_bytes`. Raises LoadFailedError.
    """
    maps = private_maps(model, {model.tensors[index].shard for index in places.wanted})

    def bytes_of(index: int) -> tuple[mmap.mmap | memoryview, int]:
        part = places.strided(index)
        address = address_of(maps[part.shard]) + part.offset_bytes
        runs, nbytes = part.runs, part.run_bytes
        if part.stride_bytes - nbytes < mmap.PAGESIZE:
            runs, nbytes = 1, part.end_bytes - part.offset_bytes
        for number in range(runs):
            populate(address + number * part.stride_bytes, nbytes)
        return mapped_bytes(maps, part)

    return bytes_of


def mapped_bytes(
    maps: Mapping[int, mmap.mmap], part: Strided
) -> tuple[mmap.mmap | memoryview, int]:
    """A part of mapped files: what holds it, and where it begins there. Rows that lie apart are
    copied together, as in arrays.
    """
    if part.runs == 1:
        return maps[part.shard], part.offset_bytes
    from modelmon.core.load.arrays import rows_together  # noqa: PLC0415  imports numpy

    return rows_together(maps[part.shard], part), 0
