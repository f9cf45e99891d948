"""load_model: the measured engine as a library call, into the caller's own memory."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ConfigError, NothingToLoadError
from modelmon.core.load.config import NO_LIBRARY, LoadConfig
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import (
    engine_for,
    lazy_bytes,
    load_mapped,
    load_owned,
    run,
    work_for,
)
from modelmon.core.load.loaded import LoadedModel, TensorBytes
from modelmon.core.load.planner import check_undivided
from modelmon.core.load.presets import is_strategy_name, preset
from modelmon.core.load.rules import check_possible
from modelmon.core.load.subset import WHOLE_RANK, chosen_subset
from modelmon.core.load.threads import needed
from modelmon.core.messages import Message
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from modelmon.core.load.decode import FloatName
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.in_process import Progress
    from modelmon.core.load.subset import Patterns
    from modelmon.core.model.tensors import Model, Tensor

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
    its way; with delivery decoded it is float32. fp8 is multiplied by its scales, and what else has
    scales or is no float stays as it is stored: a warning says how much that is.

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
    if decode is not None:
        # Loads of stored bytes start sooner without it.
        needed("modelmon.core.load.decoded")
        from modelmon.core.load.decoded import load_decoded, prepare_decoding  # noqa: PLC0415

        prepare_decoding(model, decode, subset)
        chosen = _decoding(chosen)
    try:
        work = work_for(model, chosen, subset)
    except NothingToLoadError:
        return lazy_model(path, tensors=subset.tensors, blocks=subset.blocks, decode=decode)
    if decode is not None:
        return load_decoded(work, decode, progress)
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
    needed("modelmon.core.load.decoded")
    from modelmon.core.load.decoded import (  # noqa: PLC0415  as above
        lazy_values,
        prepare_decoding,
        value_bytes_of,
    )

    check_undivided(subset)
    prepare_decoding(model, decode, subset)
    places = TensorBytes(model, subset)
    values_of, value_bytes = lazy_values(model, places, decode), value_bytes_of(decode)
    return LoadedModel(model, _decoding(config), places, values_of, value_bytes, keeps=False)


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
    if decode is not None:
        needed("modelmon.core.load.decoded")
        from modelmon.core.load.decoded import prepare_decoding, stream_decoded  # noqa: PLC0415

        prepare_decoding(model, decode, subset)
        chosen = _decoding(chosen)
    try:
        work = work_for(model, chosen, subset)
    except NothingToLoadError:
        return
    check_fits(chosen, work.plan)
    if decode is not None:
        stream_decoded(work, decode, consume, progress)
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
