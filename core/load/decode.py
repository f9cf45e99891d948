"""Stored values turned into float32: by numpy, and by gguf's own decoder where quantised."""

from __future__ import annotations

from functools import cache, partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.errors import ConfigError
from modelmon.core.load.arrays import array_of
from modelmon.core.messages import Message, joined
from modelmon.core.model.ggml_types import GGML_TYPE_NUMBERS, GGML_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.decoding import Decode
    from modelmon.core.model.tensors import Model

    Decoder = Callable[[memoryview, NDArray[np.float32]], None]

BATCH_ELEMENTS = 1 << 16
"""Values decoded by one call, so that what numpy makes in between stays in the cache.

Measured in CPU time over seven types: with half as many each was 6 to 16% slower; with more,
some were faster (at most 23%, IQ4_XS) and others slower (22%, F8), for larger temporaries."""

_WITHOUT_VALUES = {
    "F4": Message("its values are packed below a byte"),
    "F6_E2M3": Message("its values are packed below a byte"),
    "F6_E3M2": Message("its values are packed below a byte"),
    "C64": Message("its values are complex"),
}


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


def check_decodable(model: Model) -> None:
    """Raise ConfigError if a type that the model stores cannot be decoded here."""
    if sentence := obstacle({tensor.dtype for tensor in model.tensors}):
        raise ConfigError(sentence, Message("Deliver streamed or owned instead."))


def decode_into(data: memoryview, dtype: str, out: NDArray[np.float32]) -> None:
    """Write the values in `data`, stored as `dtype`, to `out`: contiguous, one for each value.

    Temporaries stay below 4 MiB whatever the size. What float32 cannot hold becomes infinite
    or is rounded. Raises ConfigError for a type that `obstacle` names, and ValueError where
    data and `out` differ in length.
    """
    decode = _decoder(dtype)
    # Infinite scales and values beyond float32 are the file's own: no reason for a warning.
    with np.errstate(all="ignore"):
        decode(data, out)


def decode_and_drop() -> Decode:
    """A decoder for one reader: values are made, for their time alone, in memory used again."""
    scratch = np.empty(0, dtype=np.float32)

    def decode(data: memoryview, part: TensorValues) -> None:
        nonlocal scratch
        if scratch.size < part.elements:
            scratch = np.empty(part.elements, dtype=np.float32)
        decode_into(data, part.dtype, scratch[: part.elements])

    return decode


def _is_quantised(dtype: str) -> bool:
    number = GGML_TYPE_NUMBERS.get(dtype)
    return number is not None and GGML_TYPES[number].block_values > 1


def _reason(dtype: str) -> Message | None:
    if _is_quantised(dtype) and _gguf_class(dtype) is None:
        return Message(
            "gguf {version}, which is installed, has no decoder for it", version=version("gguf")
        )
    return _WITHOUT_VALUES.get(dtype)


def _gguf_class(dtype: str) -> Any:
    """The class of gguf.quants that decodes blocks of this type, or None."""
    # Not at the top: gguf takes a tenth of a second, and most files do not need it.
    from gguf import quants  # noqa: PLC0415  slow to import

    return getattr(quants, dtype, None)


@cache
def _decoder(dtype: str) -> Decoder:
    if sentence := obstacle((dtype,)):
        raise ConfigError(sentence, Message("Deliver streamed or owned instead."))
    if _is_quantised(dtype):
        kind = GGML_TYPES[GGML_TYPE_NUMBERS[dtype]]
        quants = _gguf_class(dtype)
        quants.init_grid()
        decode_blocks = quants.dequantize_blocks
        return partial(_decode_blocks, decode_blocks, kind.block_values, kind.block_bytes)
    if dtype.startswith("F8_"):
        every = memoryview(bytes(range(256)))
        return partial(_look_up, array_of(dtype, (256,), every).astype(np.float32))
    return partial(_convert, dtype)


def _decode_blocks(
    decode: Callable[[NDArray[np.uint8]], NDArray[np.float32]],
    block_values: int,
    block_bytes: int,
    data: memoryview,
    out: NDArray[np.float32],
) -> None:
    rows = out.reshape(-1, block_values)
    blocks = np.frombuffer(data, dtype=np.uint8).reshape(len(rows), block_bytes)
    step = BATCH_ELEMENTS // block_values
    for start in range(0, len(rows), step):
        rows[start : start + step] = decode(blocks[start : start + step])


def _look_up(values: NDArray[np.float32], data: memoryview, out: NDArray[np.float32]) -> None:
    """Take each byte's value from a table: several times as fast as converting each."""
    codes = np.frombuffer(data, dtype=np.uint8).reshape(out.shape)
    for start in range(0, out.size, BATCH_ELEMENTS):
        batch = slice(start, start + BATCH_ELEMENTS)
        # Without "clip" numpy decodes into a copy of `out`, to be able to undo it.
        np.take(values, codes[batch], out=out[batch], mode="clip")


def _convert(dtype: str, data: memoryview, out: NDArray[np.float32]) -> None:
    out[...] = array_of(dtype, out.shape, data)
