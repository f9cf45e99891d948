"""How fast stored values become float32 here, and how long a model would take as another type.

Decoders run in this process, on all processors, over data that is drawn: no file is read. It
imports numpy and the decoders, which takes a while.
"""

from __future__ import annotations

import time
from collections import Counter
from functools import lru_cache
from math import floor, inf, prod
from statistics import quantiles
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np

from modelmon.core.doctor.diagnosis import DecodedAs
from modelmon.core.errors import ConfigError
from modelmon.core.load.decode import COMPILED, decode_into, decoded_types, kernels, obstacle
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, is_quantised
from modelmon.core.model.stored_codes import kept_as_stored, stored_codes
from modelmon.core.probe.probe import DecodeRate, best_times
from modelmon.core.probe.reads import together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import Probe

    Floats = NDArray[np.float32]

MEASURED_TYPES = (
    *("F16", "BF16", "Q8_0", "Q6_K", "Q5_K", "Q5_1", "Q5_0", "Q4_K", "Q4_1", "Q4_0"),
    *("IQ4_NL", "IQ4_XS", "MXFP4", "Q3_K", "Q2_K"),
)
"""What models are usually stored as, the largest first."""

_VALUES = 1 << 18
"""Of each call: stored bytes and values fit into a processor's cache together."""
_ROUNDS = 11
_TURN_NS = 8_000_000
_MATRIX_DIMENSIONS = 2
_FALLBACKS = {
    **dict.fromkeys(("Q2_K", "Q3_K", "IQ4_XS"), "IQ4_NL"),
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
}
"""What rows become that don't divide into a type's 256 values, but into 32. Source: llama.cpp's
quantiser, tensor_type_fallback() in src/llama-quant.cpp.
"""


def with_decoding(found: Diagnosis, model: Model | None) -> Diagnosis:
    """The diagnosis with the rates of the decoders here, and `model` as each type."""
    cpu = found.cpu
    threads = max(1, floor(min(cpu.usable or cpu.logical, cpu.quota or inf)))
    if model is None:
        return msgspec.structs.replace(found, decode_rates=decode_rates(MEASURED_TYPES, threads))
    why_not = kept_as_stored(model)
    try:
        decoded_types(model)
    except ConfigError as error:
        why_not = error.message
    its_own = (name for name in model.dtype_bytes() if is_quantised(name))
    rates = decode_rates((*MEASURED_TYPES, *its_own), threads)
    in_each = decoded_as(model, rates, found.probe)
    return msgspec.structs.replace(
        found,
        decode_rates=rates,
        decoded_as=tuple(one for one in in_each if one.dtype) if why_not else in_each,
        no_decoding=why_not,
    )


def decode_rates(names: Iterable[str], threads: int) -> tuple[DecodeRate, ...]:
    """The rates of those types that can be decoded here, in their order; about 0.1 s for each.

    What has to be compiled first is, before the clock starts. Types take turns, so that a slow
    moment of the machine falls on all of them.
    """
    draw = np.random.default_rng(0)
    works = {name: _work(name, draw) for name in dict.fromkeys(names) if not obstacle((name,))}
    for work in works.values():
        # What is not kept compiled yet.
        work.decode(np.empty(_VALUES, np.float32))
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(_ROUNDS):
        for name, work in works.items():
            rates[name].append(_rate(work, threads))
    return tuple(_of_rounds(name, threads, found) for name, found in rates.items())


class _Work(NamedTuple):
    """What decodes so many stored bytes by one call, to memory that is used again."""

    nbytes: int
    decode: Callable[[Floats], None]


def _work(dtype: str, draw: np.random.Generator) -> _Work:
    kind = GGML_TYPES_BY_NAME[dtype]
    data = memoryview(draw.bytes(_VALUES // kind.block_values * kind.block_bytes))
    return _Work(len(data), lambda out: decode_into(data, dtype, out))


def _of_rounds(name: str, threads: int, rates: list[float]) -> DecodeRate:
    low, middle, high = quantiles(rates, n=4)
    decoder: Literal["compiled", "gguf", "numpy"] = (
        "compiled"
        if name in COMPILED and kernels() is not None
        else "gguf"
        if is_quantised(name)
        else "numpy"
    )
    return DecodeRate(name, decoder, threads, middle, low, high)


def _rate(work: _Work, threads: int) -> float:
    """Bytes per second while all threads are at it."""
    done_bytes, taken_ns = [0] * threads, [0] * threads

    def decode(number: int) -> None:
        out = np.empty(_VALUES, np.float32)
        started_ns = now_ns = time.monotonic_ns()
        while now_ns - started_ns < _TURN_NS:
            work.decode(out)
            done_bytes[number] += work.nbytes
            now_ns = time.monotonic_ns()
        taken_ns[number] = now_ns - started_ns

    together(threads, decode)
    return sum(each * 1e9 / ns for each, ns in zip(done_bytes, taken_ns, strict=True))


def decoded_as(
    model: Model, rates: Sequence[DecodeRate], probe: Probe | None
) -> tuple[DecodedAs, ...]:
    """The model as it is, then as each of these types, the largest first.

    What has one dimension stays as it is stored, and so do rows that don't divide into blocks of a
    type or of what llama.cpp takes then. What stays is decoded as well; a type without a rate takes
    no time. A type that no matrix can have is left out.

    Of a model that isn't decoded as a whole there are none, since only values have a size. As it
    is, one that has a quantised type without a rate is left out.
    """
    if kept_as_stored(model):
        return ()
    by_dtype = {rate.dtype: rate for rate in rates}
    found = []
    for dtype in by_dtype:
        changed, kept = _sizes(model, dtype)
        if dtype in changed:
            found.append(_decoded(dtype, changed + kept, by_dtype, probe))
    found.sort(key=lambda one: -one.model_bytes)
    stored = model.dtype_bytes()
    if all(name in by_dtype for name in stored if is_quantised(name)):
        found.insert(0, _decoded("", stored, by_dtype, probe))
    return tuple(found)


def _decoded(
    dtype: str, sizes: Mapping[str, int], rates: Mapping[str, DecodeRate], probe: Probe | None
) -> DecodedAs:
    known = [(size * 1e9, rates[name]) for name, size in sizes.items() if name in rates]
    fast_ns = round(sum(size / rate.high_bytes_per_s for size, rate in known))
    slow_ns = round(sum(size / rate.low_bytes_per_s for size, rate in known))
    size_bytes = sum(sizes.values())
    read_ns = best_times(size_bytes, probe.storage, probe.memory).cold_ns if probe else None
    return DecodedAs(
        dtype=dtype,
        model_bytes=size_bytes,
        decode_ns=round(sum(size / rate.bytes_per_s for size, rate in known)),
        least_ns=None if read_ns is None else max(read_ns, fast_ns),
        most_ns=None if read_ns is None else read_ns + slow_ns,
    )


def _sizes(model: Model, name: str) -> tuple[Counter[str], Counter[str]]:
    """Bytes by their type: of what is stored otherwise as `name`, and of what stays."""
    changed, kept = Counter[str](), Counter[str]()
    codes = stored_codes(model)
    for index, tensor in enumerate(model.tensors):
        found = None if index in codes else _stored_as(name, tensor.shape)
        if found is None:
            kept[tensor.dtype] += tensor.nbytes
        else:
            changed[found[0]] += found[1]
    return changed, kept


@lru_cache
def _stored_as(name: str, shape: tuple[int, ...]) -> tuple[str, int] | None:
    """The type that a tensor of this shape gets, and its bytes; None where it stays."""
    if len(shape) < _MATRIX_DIMENSIONS or 0 in shape:
        return None
    for dtype in (name, _FALLBACKS.get(name, name)):
        kind = GGML_TYPES_BY_NAME[dtype]
        if shape[-1] % kind.block_values == 0:
            return dtype, prod(shape) // kind.block_values * kind.block_bytes
    return None
