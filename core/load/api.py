"""load_model, lazy_model, stream_model: the measured engine, into the caller's own memory.

Bytes come as they are stored, or as floats that are decoded on their way. numpy is imported only
for the latter: other loads start without it.
"""

from __future__ import annotations

import math
import mmap
import threading
import warnings
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from modelmon.core.errors import ConfigError, NothingToLoadError, OutOfMemoryError
from modelmon.core.load.config import NO_LIBRARY, LoadConfig, is_strategy_name, preset, refusal
from modelmon.core.load.engine import Engine
from modelmon.core.load.files import OpenFiles, populate, touch
from modelmon.core.load.loaded import LoadedModel, TensorBytes, prepare_arrays
from modelmon.core.load.plan import STORED
from modelmon.core.load.planner import check_undivided, plan_load
from modelmon.core.load.rules import check_fits, check_possible
from modelmon.core.load.sources import MappedSource, map_files
from modelmon.core.load.subset import WHOLE, WHOLE_RANK, Subset, chosen_subset
from modelmon.core.load.threads import needed
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from modelmon.core.load.decode import Fill, FloatName, Room
    from modelmon.core.load.engine import Cached
    from modelmon.core.load.extents import Extent, Strided
    from modelmon.core.load.loaded import Held
    from modelmon.core.load.plan import Plan, TensorValues
    from modelmon.core.load.readers import Record
    from modelmon.core.load.subset import Patterns, Subset
    from modelmon.core.load.threads import RequestTimes
    from modelmon.core.model.tensors import Model, Tensor

    Progress = Callable[[int, int], None]
    """Told of a load: bytes that are loaded, and bytes of all of it."""


DEFAULT_STRATEGY = "auto"


def load_model(  # noqa: PLR0913  each by its name
    path: str | Path,
    config: LoadConfig | str | Path = DEFAULT_STRATEGY,
    *,
    tensors: Patterns = (),
    blocks: Patterns = (),
    rank: tuple[int, int] = WHOLE_RANK,
    decode: FloatName | None = None,
    progress: Progress | None = None,
) -> LoadedModel:
    """Load a model as `config` says: a LoadConfig, a strategy's name or an exported file.

    `tensors` and `blocks` choose by name or pattern, `rank` is one of a tensor-parallel group and
    how many there are: (1, 4) is the second of four. `decode` turns every float into that type on
    its way; with delivery decoded it is float32. What has scales in another tensor or is no float
    stays as it is stored: a warning says how much that is.

    `progress` is called with the bytes that are loaded and with all there are to load, from the
    readers' threads, one at a time. What it raises ends the load, and comes out of it; it is not
    called again.

    A strategy with worker processes or ranks runs as its in-process equivalent: the same ranges, a
    thread with a descriptor of its own each, since another process's memory cannot become the
    caller's. Returns when every byte is in memory; arrays are made when they are asked for. Threads
    may load at the same time. `auto` maps what is cached: a change of the file in place is seen,
    and one that is cut ends the process that touches it (SIGBUS), unless `owned` makes a copy.

    Raises ModelFileError, ConfigError, DoesNotFitError or LoadFailedError.
    """
    model = open_model(path)
    chosen = _resolve(config, model)
    subset = chosen_subset(tensors, blocks, rank)
    if chosen.deliver == "streamed":
        raise ConfigError(
            Message("Delivery streamed keeps nothing to return."), Message("Use stream_model.")
        )
    if chosen.deliver == "decoded":
        decode = decode or "float32"
    decoding = None
    if decode is not None:
        decoding = _Decoding(model, decode, subset)
        chosen = _decoding(chosen)
    try:
        work = work_for(model, chosen, subset)
    except NothingToLoadError:
        return lazy_model(path, tensors=subset.tensors, blocks=subset.blocks, decode=decode)
    if decoding is not None:
        return decoding.load(work, progress)
    check_fits(chosen, work.plan)
    load = load_owned if chosen.memory_kind == "owned" else load_mapped
    return load(work, progress)


def lazy_model(
    path: str | Path,
    *,
    tensors: Patterns = (),
    blocks: Patterns = (),
    rank: tuple[int, int] = WHOLE_RANK,
    decode: FloatName | None = None,
) -> LoadedModel:
    """Open a model whose tensors are read in, each as a whole, when they are first asked for.

    For programs that need some of them, or each for a moment: the files stay mapped, and pages
    of tensors that nobody holds can be dropped. `load_model` is faster for all of them.
    Parameters are those of `load_model`. With `decode` an array is decoded by the thread that
    asks for it, and again by the next that asks once nobody holds it. There is no `progress`:
    nothing is left to wait for once a tensor is there.

    Raises ModelFileError, ConfigError or LoadFailedError, and LoadFailedError from whichever
    tensor storage fails to give.
    """
    model = open_model(path)
    subset = chosen_subset(tensors, blocks, rank)
    config = LoadConfig(access="mmap")
    if decode is None:
        places = TensorBytes(model, subset)
        return LoadedModel(model, config, places, lazy_bytes(model, places), keeps=False)
    check_undivided(subset)
    decoding = _Decoding(model, decode, subset)
    places = TensorBytes(model, subset)
    values_of = decoding.lazy(model, places)
    return LoadedModel(
        model, _decoding(config), places, values_of, decoding.value_bytes, keeps=False
    )


def stream_model(  # noqa: PLR0913  each by its name
    path: str | Path,
    consume: Callable[[Tensor, int, Any], None],
    config: LoadConfig | str | Path = DEFAULT_STRATEGY,
    *,
    tensors: Patterns = (),
    blocks: Patterns = (),
    rank: tuple[int, int] = WHOLE_RANK,
    decode: FloatName | None = None,
    progress: Progress | None = None,
) -> None:
    """Let a model pass through a small buffer, for what does not fit or goes elsewhere.

    `consume` gets a tensor, the position of the data in its stored bytes, and the data, a
    memoryview that is valid until it returns, and not to be written to. It is called from the
    readers' threads, each piece once; memory is bounded by readers times chunk. Of tensors that
    share bytes, the first gets them. `mmap` and `auto` hand on what is cached as it lies in the
    cache: a file that is cut meanwhile ends the process (SIGBUS). Access `read` and `direct` copy.

    With `decode` the data is a one-dimensional array of that type, valid as long, and the position
    counts values; what stays as it is stored comes as its bytes. Threads that decode beside the
    readers call `consume`; memory is bounded by their number times the values of a chunk.

    The other parameters are those of `load_model`. Raises as it does, and whatever `consume`
    raises.
    """
    model = open_model(path)
    chosen = _resolve(config, model)
    if chosen.deliver == "decoded":
        decode = decode or "float32"
    chosen = replace(chosen, deliver="streamed")
    subset = chosen_subset(tensors, blocks, rank)
    decoding = None
    if decode is not None:
        decoding = _Decoding(model, decode, subset)
        chosen = _decoding(chosen)
    try:
        work = work_for(model, chosen, subset)
    except NothingToLoadError:
        return
    check_fits(chosen, work.plan)
    if decoding is not None:
        decoding.stream(work, consume, progress)
        return

    def take(_reader: int, request: Extent, view: memoryview) -> None:
        for tensor, position, start, nbytes in work.places.parts(request):
            consume(tensor, position, view[start : start + nbytes])

    with engine_for(work, take) as engine:
        run(engine, work, progress)


def _decoding(config: LoadConfig) -> LoadConfig:
    return replace(config, deliver="decoded", prefetch_bytes=0)


def _resolve(config: LoadConfig | str | Path, model: Model) -> LoadConfig:
    if isinstance(config, LoadConfig):
        chosen = config
    elif is_strategy_name(config):
        chosen = preset(config).config
    else:
        # Not needed where a strategy is named.
        from modelmon.core.load.config_file import read_config  # noqa: PLC0415

        exported = read_config(config)
        chosen = exported.config
        if told := exported.of_another_model(config, model):
            warnings.warn(told, stacklevel=3)
    if chosen.library != NO_LIBRARY:
        raise ConfigError(
            Message("{library} is a baseline to measure against.", library=chosen.library),
            Message("Call the library itself, or choose a strategy of modelmon."),
        )
    check_possible(chosen)
    return chosen.in_process


class Work(NamedTuple):
    """A load into this process: of what, how, by which plan, and where each tensor's bytes are."""

    model: Model
    config: LoadConfig
    plan: Plan
    places: TensorBytes


def work_for(model: Model, config: LoadConfig, subset: Subset = WHOLE) -> Work:
    """What `config` takes for a subset of a model. Raises ConfigError."""
    plan = plan_load(model, config, subset=subset)
    return Work(model, config, plan, TensorBytes(model, subset, plan.readers[0].slices))


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
    (plan,) = work.plan.for_processes(work.config, work.model.sized_files)
    return Engine(plan, consume, room, cached=cached)


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
        warm_up(files, plan.wanted, config.chunk_bytes, lambda _done: None)
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


def load_owned(work: Work, progress: Progress | None = None) -> LoadedModel:
    """Load into a buffer that the arrays then share. Raises as `run` does."""
    places = work.places
    with engine_for(work) as engine:
        run(engine, work, progress, partial(prepare_arrays, work.model))
        assert engine.owned is not None
        view, place = engine.owned.buffer.view, engine.owned.layout.place
    return LoadedModel(
        work.model, work.config, places, lambda index: (view, place(*places.start(index)))
    )


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
    files = OpenFiles(model.sized_files, shards)
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
    from modelmon.core.load.loaded import rows_together  # noqa: PLC0415  imports numpy

    return rows_together(maps[part.shard], part), 0


class _Decoding:
    """Loads whose values become floats on the way: at once, streamed or lazily."""

    def __init__(self, model: Model, to: FloatName, subset: Subset) -> None:
        """Have ready what decodes the wanted tensors to `to`; warns where that is slow, and where
        much of the model stays as it is stored.

        Raises ConfigError where a type or `to` isn't possible.
        """
        # Loads of stored bytes start sooner without it.
        self._numpy: Any = needed("numpy")
        self._decode = decode = needed("modelmon.core.load.decode")
        codes = needed("modelmon.core.model.stored_codes")
        if not isinstance(to, str) or to not in decode.FLOATS:
            remedy = Message("Choose one of: {choices}.", choices=", ".join(decode.FLOATS))
            raise refusal("decode", repr(to), remedy)
        self._floats = decode.FLOATS[to]
        self.value_bytes: int = self._floats.itemsize
        self._codes: frozenset[int] = codes.stored_codes(model)
        dtypes = decode.decoded_types(model, subset)
        decode.prepare_decoders(dtypes, to)
        if slow := decode.slow_decoder(dtypes):
            warnings.warn(f"{slow.sentence} {slow.remedy}", stacklevel=3)
        if kept := codes.kept_as_stored(model, TensorBytes(model, subset).wanted):
            warnings.warn(kept, stacklevel=3)

    def load(self, work: Work, progress: Progress | None) -> LoadedModel:
        """Every wanted tensor as an array of floats, or of its own type where it stays as it is
        stored. Raises DoesNotFitError, and as `run` does.
        """
        model, config, plan, places = work
        sizes = {
            index: model.tensors[index].nbytes
            if index in self._codes
            else self.value_bytes * math.prod(model.tensors[index].shape)
            for index in places.wanted
        }
        check_fits(config, plan, kept_bytes=sum(sizes.values()))
        try:
            kept = {index: self._numpy.empty(size, "u1") for index, size in sizes.items()}
        except MemoryError as error:
            raise OutOfMemoryError(address_space_remedy()) from error
        values = {
            index: data if index in self._codes else data.view(self._floats)
            for index, data in kept.items()
        }

        def data_of(index: int) -> Held:
            return (kept[index].data, 0) if index in self._codes else values[index]

        def room(part: TensorValues, fill: Fill) -> None:
            fill(values[part.tensor][part.first_element : part.first_element + part.elements])

        with engine_for(work, room=room) as engine:
            run(engine, work, progress)
        return LoadedModel(model, config, places, data_of, self.value_bytes)

    def stream(
        self, work: Work, consume: Callable[[Tensor, int, Any], None], progress: Progress | None
    ) -> None:
        """Give the values of every wanted tensor to `consume` from the threads that decode them; of
        what stays as it is stored the bytes. Raises as `run` does, and whatever `consume` raises.
        """
        tensors = work.model.tensors
        own = threading.local()

        def room(part: TensorValues, fill: Fill) -> None:
            floats = self._numpy.dtype("u1") if part.dtype == STORED else self._floats
            nbytes = part.elements * floats.itemsize
            kept = getattr(own, "kept", None)
            if kept is None or kept.size < nbytes:
                kept = own.kept = self._numpy.empty(nbytes, "u1")
            values = kept[:nbytes].view(floats)
            fill(values)
            consume(tensors[part.tensor], part.first_element, values)

        with engine_for(work, room=room) as engine:
            run(engine, work, progress)

    def lazy(self, model: Model, places: TensorBytes) -> Callable[[int], Held]:
        """Each wanted tensor by its index, read in when it's asked for. The tensors are whole ones.
        Raises LoadFailedError, as what is returned does.
        """
        stored = lazy_bytes(model, places)

        def data_of(index: int) -> Held:
            tensor = model.tensors[index]
            held, start = stored(index)
            if index in self._codes:
                return held, start
            data = memoryview(held)[start : start + tensor.nbytes]
            values: NDArray[Any] = self._numpy.empty(math.prod(tensor.shape), self._floats)
            self._decode.decode_into(data, tensor.dtype, values)
            return values

        return data_of
