"""How fast a model is read by a short look: bytes per second of sequential reads.

`python -m modelmon.core.probe.read_rate PATH BYTES [cold]` says it of a server's.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import EXIT_DONE, ModelmonError
from modelmon.core.limited_numbers import Duration
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.extents import split
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.planner import plan_load
from modelmon.core.machine.page_cache import evict
from modelmon.core.messages import packed
from modelmon.core.model.open import open_model
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.model.tensors import Model

_LOOK_NS = 10**9
_REQUEST_BYTES = 4 * MIB
COLD = "cold"
RATE_PROGRAM = "modelmon.core.probe.read_rate"


class ReadRate(msgspec.Struct, frozen=True):
    """What was seen."""

    bytes_per_s: Duration


def read_rate(model: Model, most_bytes: int, *, cold: bool) -> float:
    """Bytes per second from a few evenly spread places, for a second at the most; `cold` drops the
    file's cache before.
    """
    plan = plan_load(model, LoadConfig(chunk_bytes=_REQUEST_BYTES), most_bytes)
    files = OpenFiles(model.sized_files, {extent.shard for extent in plan.wanted})
    buffer = memoryview(bytearray(_REQUEST_BYTES))
    try:
        if cold:
            for descriptor in files.descriptors.values():
                evict(descriptor)
        start_ns = time.monotonic_ns()
        done = 0
        for extent in plan.wanted:
            for request in split(extent, _REQUEST_BYTES):
                files.read_into(buffer[: request.nbytes], request)
                done += request.nbytes
            if time.monotonic_ns() - start_ns > _LOOK_NS:
                break
        elapsed_ns = max(1, time.monotonic_ns() - start_ns)
    finally:
        files.close()
    return max(1.0, done * 1e9 / elapsed_ns)


def main(arguments: Sequence[str]) -> int:
    """Print the rate, or why there is none; returns the exit code."""
    path, most_bytes, *start = arguments
    try:
        rate = read_rate(open_model(path), int(most_bytes), cold=COLD in start)
        said: object = ReadRate(rate)
        code = EXIT_DONE
    except ModelmonError as error:
        said = {"error": {"message": packed(error.message), "remedy": packed(error.remedy)}}
        code = error.exit_code
    sys.stdout.write(msgspec.json.encode(said).decode() + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
