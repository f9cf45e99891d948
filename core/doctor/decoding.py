"""How fast stored values become float32 here.

Decoders run in this process, on all processors, over data that is drawn: no file is read. It
imports numpy and the decoders, which takes a while.
"""

from __future__ import annotations

import time
from math import floor, inf
from statistics import quantiles
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np

from modelmon.core.load.decode import COMPILED, decode_into, kernels, obstacle
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, is_quantised
from modelmon.core.probe.probe import DecodeRate
from modelmon.core.probe.reads import together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.model.tensors import Model

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


def with_decoding(found: Diagnosis, model: Model | None) -> Diagnosis:
    """The diagnosis with the rates of the decoders here, those of `model` included."""
    cpu = found.cpu
    threads = max(1, floor(min(cpu.usable or cpu.logical, cpu.quota or inf)))
    its_own = filter(is_quantised, model.dtype_bytes()) if model is not None else ()
    rates = decode_rates((*MEASURED_TYPES, *its_own), threads)
    return msgspec.structs.replace(found, decode_rates=rates)


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
