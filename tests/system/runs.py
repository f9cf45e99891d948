"""Loads by real workers, as a test needs them, and waiting for what a process or thread does."""

import time

from modelmon.core.worker.client import run_job

_ATTEMPTS = 20


def started_as_asked(job, on_event=lambda *_: None):
    """A run that began with the cache its job asks for.

    The kernel may take pages back between filling the cache and the start; such a run says so,
    and is done again.
    """
    for _ in range(_ATTEMPTS):
        record = run_job(job, on_event)
        if record.finished is None or record.finished.counts:
            break
    return record


def sparse_model(path, nbytes):
    """A safetensors file of one tensor, which was never written. Raises OSError where the
    filesystem has no file of that size.
    """
    header = b'{"w":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (nbytes, nbytes)
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + nbytes)
    return path


def until(condition):
    """Look until it is so; what never comes to that is named when the test's own time is up."""
    while not condition():
        time.sleep(0.01)
