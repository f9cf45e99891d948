"""`python -m modelmon.core.probe.process PATH SECONDS`: a probe in its own process.

A mount that hangs must hang neither window nor terminal. It writes a line of JSON (client.py)
to standard output; the end of its standard input, or SIGTERM, stops it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import (
    EXIT_CANCELLED,
    EXIT_DONE,
    CancelledError,
    ConfigError,
    LoadFailedError,
    ModelmonError,
)
from modelmon.core.load.threads import start
from modelmon.core.machine.cgroup import throttles
from modelmon.core.machine.host import read_cpu
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.origin import storage_origin, this_machine
from modelmon.core.machine.storage import device_limit, storage_of, storage_stack_of
from modelmon.core.messages import Message, to_wire
from modelmon.core.model.open import files_of
from modelmon.core.probe.client import ProbeAnswer
from modelmon.core.probe.disk import DiskProbe
from modelmon.core.probe.memory import measure_copies
from modelmon.core.probe.probe import SCHEMA, Probe, classify, storage_hints
from modelmon.core.probe.reads import ProbeFiles
from modelmon.core.probe.store import keep_probe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# Enough to end the present request and to drop what was read; a request that hangs does neither.
_GRACE_S = 2.0


def take_probe(paths: Sequence[Path], seconds: float, should_stop: Callable[[], bool]) -> Probe:
    """Probe the files of one model for about `seconds`.

    Once `should_stop` says so it returns soon, with what there is. Raises LoadFailedError where
    a file cannot be opened or read.
    """
    begun_unix_s, begun_ns = time.time(), time.monotonic_ns()
    duration_ns = round(seconds * 1e9)
    place, stack = storage_of(paths[0]), storage_stack_of(paths[0])
    try:
        with closing(ProbeFiles(paths, place.readahead_bytes, stack.bottom_devices())) as files:
            storage = DiskProbe(files, duration_ns, should_stop).measure()
    except OSError as error:
        raise LoadFailedError(
            Message(
                "Couldn't read {filename}: {reason}.",
                filename=error.filename or paths[0],
                reason=error.strerror,
            ),
            Message("Check its rights, the disk or the network mount, then try again."),
        ) from error
    left_ns = duration_ns - (time.monotonic_ns() - begun_ns)
    cpu, usable_bytes = read_cpu(), read_memory().usable_bytes
    most_ns = max(left_ns, duration_ns // 10)
    memory = measure_copies(usable_bytes, cpu.usable or cpu.logical, most_ns, should_stop)
    fastest = storage.best_reads
    kind, evidence = classify(
        storage_hints(place, stack),
        storage.latency.p50_ns if storage.latency is not None else None,
        fastest.bytes_per_s if fastest is not None else None,
        storage.readers_gain,
        shared=storage.met_others,
    )
    model_bytes = sum(path.stat().st_size for path in paths)
    machine = this_machine()
    return Probe(
        schema=SCHEMA,
        path=str(paths[0]),
        model_bytes=model_bytes,
        machine_id=machine.id,
        storage_id=storage_origin(place, machine).id,
        probed_unix_s=begun_unix_s,
        duration_ns=time.monotonic_ns() - begun_ns,
        storage=storage,
        memory=memory,
        storage_class=kind,
        class_evidence=evidence,
        device_limit_bytes_per_s=device_limit(stack),
        throttles=throttles(stack.whole_devices()),
        mounting=place.mounting,
    )


def main(path: str, seconds: str) -> int:
    """Take one probe and print it, or why there is none; returns the exit code."""
    # The answer goes out on the original standard output; whatever prints goes to stderr.
    output = os.dup(1)
    os.dup2(2, 1)
    stop = threading.Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    start(threading.Thread(target=_watch_input, args=(stop,), daemon=True))
    answer: object
    try:
        answer, code = _probe(Path(path), float(seconds), stop), EXIT_DONE
    except CancelledError as error:
        return error.exit_code
    except ModelmonError as error:
        answer = {"error": {"message": error.message, "remedy": error.remedy}}
        code = error.exit_code
    os.write(output, msgspec.json.encode(answer, enc_hook=to_wire) + b"\n")
    return code


def _probe(path: Path, seconds: float, stop: threading.Event) -> ProbeAnswer:
    try:
        files = files_of(path)
        if not files:
            raise ConfigError(
                Message("{path} is neither a file nor a model folder.", path=path),
                Message("Name a file to measure."),
            )
        probe = take_probe(files, seconds, stop.is_set)
        if stop.is_set():
            raise CancelledError(Message("The measurement was stopped."))
        return ProbeAnswer(probe, keep_probe(probe))
    except OSError as error:
        text = Message("Couldn't measure the disk: {reason}.", reason=error)
        raise LoadFailedError(text, Message("Check the path and its rights.")) from error
    except MemoryError as error:
        text = Message("Too little free memory to measure it.")
        raise LoadFailedError(text, Message("Free memory, then measure again.")) from error


def _watch_input(stop: threading.Event) -> None:
    """Whoever started the probe keeps its input open; at its end all is over, hanging or not."""
    while os.read(0, 4096):
        pass
    stop.set()
    time.sleep(_GRACE_S)
    os._exit(EXIT_CANCELLED)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
