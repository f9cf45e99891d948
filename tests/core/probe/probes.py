"""A probe as tests change it."""

from modelmon.core.messages import NOTHING
from modelmon.core.probe.probe import MemoryFigures, Probe, Reads, StorageFigures


def reads(readers, bytes_per_s):
    return Reads(readers, 2**20, 100, 100 * 2**20, bytes_per_s, 1.0)


def probe_of(storage=None, **parts):
    figures = {
        "schema": 1,
        "path": "/m/a.gguf",
        "model_bytes": 10**9,
        "machine_id": "m",
        "storage_id": "s",
        "probed_unix_s": 0.0,
        "duration_ns": 5 * 10**9,
        "storage": storage or StorageFigures("direct"),
        "memory": MemoryFigures(),
        "storage_class": "nvme",
        "class_evidence": NOTHING,
    }
    return Probe(**figures | parts)
