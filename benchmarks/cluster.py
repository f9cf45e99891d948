"""What the driver of a cluster takes with many nodes: processor time, memory, size of the result.

The nodes are made up, with the lines of a load of 60 samples each, and answer at once: what is left
is decoding, keeping and judging them, without Ray.

Run: .venv/bin/python benchmarks/cluster.py
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.core.cluster.simulated import GB, SimulatedFleet
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import Asked, measure
from modelmon.core.messages import to_text
from modelmon.core.units import duration_text, size_text

_SAMPLES = 60
_SHARED_BYTES_PER_S = 200 * GB


def main() -> None:
    """One line for each number of nodes; the most memory is of all lines until then."""
    for nodes in (10, 100, 1000):
        fleet = SimulatedFleet(nodes, GB, _SHARED_BYTES_PER_S, samples=_SAMPLES)
        began_ns = time.process_time_ns()
        result = measure(fleet, [way()], Asked("/models/m.safetensors", repeats=1))
        took_ns = time.process_time_ns() - began_ns
        document = msgspec.json.encode(result, enc_hook=to_text)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        sys.stdout.write(
            f"{nodes} nodes, {len(result.runs)} starts: {duration_text(took_ns)} of a processor,"
            f" {size_text(len(document))} of JSON, {size_text(most)} of memory\n"
        )


if __name__ == "__main__":
    main()
