"""How fast quantised values become float32: compiled kernels, gguf's decoder, and ggml's own C.

Ratios count: the arms take turns, and medians are over rounds. On one thread a round counts the
thread's processor time, so that what else the machine does tilts nothing but the caches; on
several threads it counts wall time, which needs a quiet machine.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Literal

import numpy as np
from gguf import quants

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.system.beds import throttle

from modelmon.core.load import decode
from modelmon.core.load.api import engine_for, run, work_for
from modelmon.core.load.config import preset
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, is_quantised
from modelmon.core.model.open import open_model
from modelmon.core.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Decode = Callable[[NDArray[np.uint8], NDArray[np.float32]], None]

ROOT = Path(__file__).parents[1]
VALUES = 1 << 18
"""Of each call of an arm: stored bytes and values fit into a processor's cache together."""


def kernel_of(name: str) -> Decode:
    """modelmon's, or gguf's where the extra is missing."""
    return lambda stored, out: decode.decode_into(stored.data, name, out)


def gguf_of(name: str, block_bytes: int) -> Decode:
    """gguf's own, in the batches in which modelmon called it before there were kernels."""
    blocks_of = getattr(quants, name).dequantize_blocks

    def run(stored: NDArray[np.uint8], out: NDArray[np.float32]) -> None:
        blocks = stored.reshape(-1, block_bytes)
        rows = out.reshape(len(blocks), -1)
        step = decode.BATCH_ELEMENTS // rows.shape[1]
        for start in range(0, len(blocks), step):
            rows[start : start + step] = blocks_of(blocks[start : start + step])

    return run


@cache
def ggml() -> ctypes.CDLL | None:
    """ggml's C, from the library of xllamacpp: here, or where `make test-engines` installs it; None
    where it is not.
    """
    found = importlib.util.find_spec("xllamacpp")
    folders = [Path(found.origin).parent] if found and found.origin else []
    folders += ROOT.glob(".venv-engines/lib/python*/site-packages/xllamacpp")
    libraries = (path for folder in folders for path in folder.glob("*.so"))
    path = next(libraries, None)
    return None if path is None else ctypes.CDLL(str(path))


def ggml_of(name: str) -> Decode | None:
    """ggml's C function; None where there is none."""
    function = getattr(ggml(), f"dequantize_row_{name.lower().replace('_k', '_K')}", None)
    if function is None:
        return None
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    function.restype = None
    return lambda stored, out: function(stored.ctypes.data, out.ctypes.data, out.size)


def rates(name: str, threads: int, rounds: int) -> dict[str, float]:
    """GB of stored bytes a second by arm."""
    kind = GGML_TYPES_BY_NAME[name]
    draw = np.random.default_rng(0)
    size = VALUES // kind.block_values * kind.block_bytes
    # Random bytes: some scales are subnormal, infinite or NaN, for all arms alike.
    stored = draw.integers(0, 256, size, dtype=np.uint8)
    found = {
        "modelmon": kernel_of(name),
        "gguf": gguf_of(name, kind.block_bytes),
        "ggml": ggml_of(name),
    }
    arms = {arm: run for arm, run in found.items() if run is not None}
    outs = [np.zeros(VALUES, np.float32) for _ in range(threads)]
    clock = time.thread_time_ns if threads == 1 else time.perf_counter_ns
    taken: dict[str, list[int]] = {arm: [] for arm in arms}
    with ThreadPoolExecutor(threads) as pool:
        for number in range(rounds + 1):
            for arm, run in arms.items():
                repeats = 4 if arm == "gguf" else 40
                before = clock()
                if threads == 1:
                    _repeat(run, repeats, stored, outs[0])
                else:
                    calls = [pool.submit(_repeat, run, repeats, stored, out) for out in outs]
                    for call in calls:
                        call.result()
                # The first round compiles, and fills the caches.
                if number:
                    taken[arm].append((clock() - before) // (repeats * threads))
    return {arm: size / median(times) for arm, times in taken.items()}


def load_rates(path: Path, rounds: int) -> dict[str, float]:
    """Bytes per ns of whole cold loads by `auto`, and per ns of processor time: through a small
    buffer, and decoded to values that are dropped. Turns alternate; medians are over rounds.
    """
    model = open_model(path)
    decode.prepare_decoders({tensor.dtype for tensor in model.tensors})
    ways: tuple[Literal["streamed", "decoded"], ...] = ("streamed", "decoded")
    found: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        for way in ways:
            for shard in model.shards:
                with Path(shard.path).open("rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            work = work_for(model, replace(preset("auto").config, deliver=way))
            begun_ns, used_ns = time.monotonic_ns(), time.process_time_ns()
            run(engine_for(work), work)
            took_ns, used_ns = time.monotonic_ns() - begun_ns, time.process_time_ns() - used_ns
            if number:  # the first imports
                found.setdefault(way, []).append(model.nbytes / took_ns)
                found.setdefault(f"{way}, CPU", []).append(model.nbytes / used_ns)
    return {way: median(each) for way, each in found.items()}


def _repeat(run: Decode, repeats: int, stored: NDArray[np.uint8], out: NDArray[np.float32]) -> None:
    # Each thread has warnings settings of its own.
    with np.errstate(all="ignore"):
        for _ in range(repeats):
            run(stored, out)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Print a table of rates and ratios; with --json, write them too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--loads", type=Path, nargs="+", default=[], help="whole loads of models instead"
    )
    parser.add_argument(
        "--disk", type=parse_size, help="bytes a second that it gives to --loads; root"
    )
    options = parser.parse_args()
    if decode.kernels() is None:
        parser.exit(2, f"{decode.INSTALL_KERNELS}\n")
    _say("GB of stored bytes a second\n")
    if options.loads:
        _say("| model, cold | streamed | decoded | decoded ÷ streamed | decoded, per core |")
        _say("|---|---|---|---|---|")
        for path in options.loads:
            with ExitStack() as stack:
                if options.disk:
                    held = stack.enter_context(throttle.throttled(path, options.disk))
                    stack.enter_context(held.joined())
                found = load_rates(path, options.rounds)
            read, decoded, used = (found[each] for each in ("streamed", "decoded", "decoded, CPU"))
            _say(
                f"| {path.name} | {read:.2f} | {decoded:.2f} | {decoded / read:.2f} | {used:.2f} |"
            )
        return
    _say("| threads | type | modelmon | gguf | ggml | ÷ gguf | ÷ ggml |")
    _say("|---|---|---|---|---|---|---|")
    rows = []
    for threads in options.threads:
        for name in filter(is_quantised, sorted(decode.COMPILED & set(dir(quants)))):
            found = rates(name, threads, options.rounds)
            ours, gguf, ggml = found["modelmon"], found["gguf"], found.get("ggml")
            c_rate, c_ratio = (f"{ggml:.2f}", f"{ours / ggml:.2f}") if ggml else ("", "")
            figures = f"{ours:.2f} | {gguf:.3f} | {c_rate} | {ours / gguf:.1f} | {c_ratio}"
            _say(f"| {threads} | {name} | {figures} |")
            rows.append({"threads": threads, "type": name, "bytes_per_ns": found})
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
