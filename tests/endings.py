"""How a made-up load ends: well, unless a test says otherwise."""

from modelmon.core.worker.events import Finished


def load_ended(wall_ns, delivered_bytes, **changed):
    """A cold load into private memory that counts."""
    values = {
        "warmup_ns": 0,
        "memory_kind": "owned",
        "cache_state": "cold",
        "cache_evidence": "verified",
        "counts": True,
        "samples": 20,
        "supervisor_cpu_ns": 1,
        "startup_ns": 1,
    }
    return Finished(wall_ns=wall_ns, delivered_bytes=delivered_bytes, **(values | changed))
