"""Turns stored values into floats: GGUF's types, fp8, float16 and all that numpy converts.

The compiled kernels do it where `modelmon[decode]` is installed, else gguf's own decoder for what
is quantised, and numpy for the rest. Nothing here reads a file; codes of other formats stay as
stored (stored_codes.py).
"""

from __future__ import annotations

import threading
from functools import cache, partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import ml_dtypes
import numpy as np

from modelmon.core.errors import ConfigError
from modelmon.core.load.loaded import array_of
from modelmon.core.load.plan import STORED
from modelmon.core.load.subset import WHOLE, pieces_of
from modelmon.core.load.threads import imported
from modelmon.core.messages import Message, joined
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, UNKNOWN_TYPE, GgmlType, is_quantised
from modelmon.core.model.safetensors import WITHOUT_FLOATS
from modelmon.core.model.stored_codes import stored_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from modelmon.core.load.plan import TensorValues
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model

    Decoder = Callable[[memoryview, NDArray[np.float32]], None]

    Fill = Callable[[NDArray[Any]], None]
    """Writes the values of a part to an array of so many."""
    Room = Callable[[TensorValues, Fill], None]
    """Has the values of a part written to where they go."""

_AS_STORED = Message("Load what is stored instead, without decoding.")

FloatName = Literal["float32", "float16", "bfloat16"]
FLOATS: dict[str, np.dtype[Any]] = {
    "float32": np.dtype(np.float32),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
}
"""What values can be decoded to."""

COMPILED = frozenset(
    {"Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"}
    | {"Q2_0", "IQ4_NL", "IQ4_XS", "MXFP4", "F16", "F8_E4M3", "F8_E5M2"}
)
"""Types that `modelmon[decode]` has kernels for."""

BATCH_ELEMENTS = 1 << 16
"""Values decoded by one call, so that what numpy makes in between stays in the cache.

Measured in CPU time over seven types: with half as many each was 6 to 16% slower; with more,
some were faster (at most 23%, IQ4_XS) and others slower (22%, F8), for larger temporaries."""


def obstacle(dtypes: Iterable[str]) -> Message:
    """Which of these types cannot be decoded here, and why; empty if all can be.

    Imports gguf where one of them is quantised; decodes nothing.
    """
    reasons = {name: _reason(name) for name in sorted(set(dtypes))}
    return joined(
        Message("{name} can't be decoded: {why}.", name=name, why=why)
        for name, why in reasons.items()
        if why is not None
    )


def decoded_types(model: Model, subset: Subset = WHOLE) -> set[str]:
    """The types of what is wanted of a model, without what stays as it is stored.

    Raises ConfigError where one of them can't be decoded here.
    """
    wanted = {piece.tensor for piece in pieces_of(model, subset)} - stored_codes(model)
    dtypes = {model.tensors[index].dtype for index in wanted}
    if sentence := obstacle(dtypes):
        raise ConfigError(sentence, _AS_STORED)
    return dtypes


class SlowDecoder(NamedTuple):
    """What is decoded by none of the compiled kernels, and what can be done about it."""

    sentence: Message
    remedy: Message


def slow_decoder(dtypes: Iterable[str]) -> SlowDecoder | None:
    """What of these types is decoded slowly here; None if nothing is."""
    slow = {name for name in dtypes if is_quantised(name)}
    if kernels() is not None:
        slow -= COMPILED
    if not slow:
        return None
    sentence = Message(
        "Decoded by gguf's own decoder, which is many times slower than compiled code: {types}.",
        types=", ".join(sorted(slow)),
    )
    if not slow & COMPILED:
        return SlowDecoder(sentence, _OTHER_TYPE)
    problem = _found_kernels()[1]
    unusable = Message("numba can't be used here: {reason}.", reason=problem)
    return SlowDecoder(sentence, unusable if problem else INSTALL_KERNELS)


INSTALL_KERNELS = Message("Install the faster decoders: pip install numba.")
_OTHER_TYPE = Message(
    "Use the model in another type; modelmon doctor --decode shows how fast each decodes."
)


def kernels() -> Any:
    """The module of the compiled kernels; None where it or what it needs is not there."""
    return _found_kernels()[0]


@cache
def _found_kernels() -> tuple[Any, str]:
    """Them, or why they can't be used although numba is installed."""
    try:
        return imported("modelmon.core.load.kernels"), ""
    except ModuleNotFoundError:
        return None, ""
    # A library that isn't whole, or switched off, fails with anything; the load goes on without.
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def prepare_decoders(dtypes: Iterable[str], to: FloatName = "float32") -> None:
    """Have everything compiled that decoding these types to `to` takes, from earlier processes'
    code where that is kept.

    A decoder that was not prepared is, when it is first called.
    """
    for dtype in set(dtypes):
        decode_into(memoryview(b""), dtype, np.empty(0, FLOATS[to]))


def decode_into(data: memoryview, dtype: str, out: NDArray[Any]) -> None:
    """Write the values in `data`, stored as `dtype`, to `out`: contiguous, one for each value,
    of a type in FLOATS. What is STORED is copied, to an array of bytes.

    Values of other types than float32 are those of float32, rounded to nearest, ties to even.
    Temporaries stay below 4 MiB whatever the size. What a type cannot hold becomes infinite.
    Raises ConfigError for a type that `obstacle` names, and ValueError where data and `out`
    differ in length.
    """
    if dtype == STORED:
        if out.dtype == np.uint8:
            out[...] = np.frombuffer(data, np.uint8)
        return
    decode = _decoder(dtype)
    if out.dtype == np.float32:
        decode(data, out)
    else:
        _decode_rounded(decode, data, out)


def _decode_rounded(decode: Decoder, data: memoryview, out: NDArray[Any]) -> None:
    """In batches, whose float32 values stay in the processor's cache."""
    compiled = kernels()
    batches = max(1, -(-out.size // BATCH_ELEMENTS))
    batch_bytes = len(data) * BATCH_ELEMENTS // max(1, out.size)
    scratch = _scratch(min(out.size, BATCH_ELEMENTS))
    for number in range(batches):
        part = out[number * BATCH_ELEMENTS : (number + 1) * BATCH_ELEMENTS]
        values = scratch[: part.size]
        decode(data[number * batch_bytes : (number + 1) * batch_bytes], values)
        if compiled is not None:
            compiled.ROUNDED[out.dtype.name](values.view(np.uint32), part.view(np.uint16))
        else:
            with _no_warnings():
                part[...] = values


_own = threading.local()


def _scratch(elements: int) -> NDArray[np.float32]:
    """This thread's memory for so many values, used again."""
    values: NDArray[np.float32] | None = getattr(_own, "values", None)
    if values is None or values.size < elements:
        values = _own.values = np.empty(elements, np.float32)
    return values


def dropped(part: TensorValues, fill: Fill) -> None:
    """Decode into memory that this thread uses again: a load that is measured keeps no values."""
    values = _scratch(part.elements)
    fill((values.view(np.uint8) if part.dtype == STORED else values)[: part.elements])


def _reason(dtype: str) -> Message | None:
    if dtype in COMPILED and kernels() is not None:
        return None
    if is_quantised(dtype) and _gguf_class(dtype) is None:
        return Message(
            "gguf {version}, which is installed, has no decoder for it", version=version("gguf")
        )
    if dtype.startswith(UNKNOWN_TYPE):
        return Message("its layout isn't known")
    return WITHOUT_FLOATS.get(dtype)


def _gguf_class(dtype: str) -> Any:
    """The class of gguf.quants that decodes blocks of this type, or None."""
    # Not at the top: gguf takes a tenth of a second, and most files do not need it.
    from gguf import quants  # noqa: PLC0415  slow to import

    return getattr(quants, dtype, None)


@cache
def _decoder(dtype: str) -> Decoder:
    if sentence := obstacle((dtype,)):
        raise ConfigError(sentence, _AS_STORED)
    if dtype in COMPILED and (compiled := kernels()) is not None:
        kind = GGML_TYPES_BY_NAME.get(dtype) or GgmlType(dtype, 1, 1)
        return partial(_decode_compiled, compiled.KERNELS[dtype], kind)
    if is_quantised(dtype):
        quants = _gguf_class(dtype)
        quants.init_grid()
        return partial(_decode_blocks, quants.dequantize_blocks, GGML_TYPES_BY_NAME[dtype])
    if dtype != "F16" and not dtype.startswith("F8_"):
        return partial(_convert, dtype)
    codes = np.dtype("<u2" if dtype == "F16" else "u1")
    every = np.arange(1 << 8 * codes.itemsize, dtype=codes)
    values = array_of(dtype, every.shape, every.data.cast("B"))
    return partial(_look_up, codes, values.astype(np.float32))


def _decode_compiled(
    kernel: Callable[[NDArray[np.uint8], NDArray[np.float32]], None],
    kind: GgmlType,
    data: memoryview,
    out: NDArray[np.float32],
) -> None:
    # Kernels trust their arguments.
    blocks, rest = divmod(out.size, kind.block_values)
    if rest or len(data) != blocks * kind.block_bytes:
        raise ValueError(f"buffer size {len(data)} doesn't hold {out.size} values")
    stored = np.frombuffer(data, np.uint8) if len(data) else np.empty(0, np.uint8)
    # Mapped bytes cannot be written to; for others the kernel would be compiled once more.
    stored.flags.writeable = False
    kernel(stored, out)


def _decode_blocks(
    decode: Callable[[NDArray[np.uint8]], NDArray[np.float32]],
    kind: GgmlType,
    data: memoryview,
    out: NDArray[np.float32],
) -> None:
    rows = out.reshape(-1, kind.block_values)
    blocks = np.frombuffer(data, dtype=np.uint8).reshape(len(rows), kind.block_bytes)
    step = BATCH_ELEMENTS // kind.block_values
    with _no_warnings():
        for start in range(0, len(rows), step):
            rows[start : start + step] = decode(blocks[start : start + step])


def _look_up(
    codes_as: np.dtype[Any], values: NDArray[np.float32], data: memoryview, out: NDArray[np.float32]
) -> None:
    """Take each value from a table: two to several times as fast as converting each."""
    codes = np.frombuffer(data, dtype=codes_as).reshape(out.shape)
    for start in range(0, out.size, BATCH_ELEMENTS):
        batch = slice(start, start + BATCH_ELEMENTS)
        # Without "clip" numpy decodes into a copy of `out`, to be able to undo it.
        np.take(values, codes[batch], out=out[batch], mode="clip")


def _convert(dtype: str, data: memoryview, out: NDArray[np.float32]) -> None:
    with _no_warnings():
        out[...] = array_of(dtype, out.shape, data)


def _no_warnings() -> np.errstate:
    """Infinite scales and values beyond float32 are the file's own: no reason for a warning."""
    return np.errstate(all="ignore")
