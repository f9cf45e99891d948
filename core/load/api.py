"""load_model: the measured engine as a library call, into the caller's own memory."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
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
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.load.pieces import TensorBytes
from modelmon.core.load.presets import preset
from modelmon.core.load.rules import check_possible
from modelmon.core.load.subset import WHOLE_RANK, chosen_subset
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
    how many there are: (1, 4) is the second of four. `decode` turns every value into that type on
    its way; with delivery decoded it is float32. A weight that several tensors make up (NF4, GPTQ,
    AWQ, MXFP4, fp8 with scales) is then one array.

    `progress` is called with the bytes that are loaded and with all there are to load, from the
    readers' threads, one at a time. What it raises ends the load, and comes out of it.

    A strategy with worker processes or ranks runs as its in-process equivalent: the same ranges, a
    thread with a descriptor of its own each, since another process's memory cannot become the
    caller's. Returns when every byte is in memory. Threads may load at the same time.

    Raises ModelFileError, ConfigError, DoesNotFitError or LoadFailedError.
    """
    model = open_model(path)
    chosen = _resolve(config, model)
    subset = chosen_subset(tensors, blocks, rank)
    if chosen.deliver == "streamed":
        raise ConfigError(
            Message("Delivery streamed keeps nothing to return."), Message("Use stream_model.")
        )
    if decode is not None:
        chosen = replace(chosen, deliver="decoded", prefetch_bytes=0)
    if chosen.deliver == "decoded":
        # Loads of stored bytes start sooner without it.
        from modelmon.core.load.decoded import load_decoded, prepare_decoding  # noqa: PLC0415
        from modelmon.core.model.packed_weights import with_packed_weights  # noqa: PLC0415

        to = decode or "float32"
        model = with_packed_weights(model)
        prepare_decoding(model, to)
        return load_decoded(work_for(model, chosen, subset), to, progress)
    work = work_for(model, chosen, subset)
    check_fits(chosen, work.plan)
    load = load_owned if chosen.memory_kind == "owned" else load_mapped
    return load(work, progress)


def lazy_model(
    path: str | Path,
    *,
    tensors: Patterns = (),
    blocks: Patterns = (),
    rank: tuple[int, int] = WHOLE_RANK,
) -> LoadedModel:
    """Open a model whose tensors are read in, each as a whole, when they are first asked for.

    For programs that need some of them, or each for a moment: the files stay mapped, and pages
    of tensors that nobody holds can be dropped. `load_model` is faster for all of them.
    Parameters are those of `load_model`. Raises ModelFileError, ConfigError or LoadFailedError,
    and LoadFailedError from whichever tensor storage fails to give.
    """
    model = open_model(path)
    places = TensorBytes(model, chosen_subset(tensors, blocks, rank))
    return LoadedModel(model, LoadConfig(access="mmap"), places, lazy_bytes(model, places))


def stream_model(  # noqa: PLR0913  each by its name
    path: str | Path,
    consume: Callable[[Tensor, int, memoryview], None],
    config: LoadConfig | str | Path = DEFAULT_STRATEGY,
    *,
    tensors: Patterns = (),
    blocks: Patterns = (),
    rank: tuple[int, int] = WHOLE_RANK,
    progress: Progress | None = None,
) -> None:
    """Let a model pass through a small buffer, for what does not fit or goes elsewhere.

    `consume` gets a tensor, the position of the data in its stored bytes, and the data,
    which is valid until it returns. It is called from the readers' threads, each piece once;
    memory is bounded by readers times chunk. Of tensors that share bytes, the first gets
    them. The other parameters are those of `load_model`. Raises as it does, and whatever
    `consume` raises.
    """
    model = open_model(path)
    chosen = replace(_resolve(config, model), deliver="streamed")
    work = work_for(model, chosen, chosen_subset(tensors, blocks, rank))
    check_fits(chosen, work.plan)

    def take(_reader: int, request: Extent, view: memoryview) -> None:
        for tensor, position, start, nbytes in work.places.parts(request):
            consume(tensor, position, view[start : start + nbytes])

    run(engine_for(work, take), work, progress)


def _resolve(config: LoadConfig | str | Path, model: Model) -> LoadConfig:
    if isinstance(config, LoadConfig):
        chosen = config
    elif isinstance(config, str) and not config.endswith(".toml"):
        chosen = preset(config).config
    else:
        # None is needed where a strategy is named.
        from pathlib import Path  # noqa: PLC0415

        from modelmon.core.load.config_file import read_config  # noqa: PLC0415
        from modelmon.core.model.fingerprint import fingerprint  # noqa: PLC0415

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
