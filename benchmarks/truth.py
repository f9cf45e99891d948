"""How close modelmon's figures come to the truth: storage of known cost counts what it gives.

Delivered bytes and rate of cold loads beside those of a FUSE server that answers like an object
store, and of a disk that the kernel holds to a rate; root only. Run: make bench BENCH=truth
With --of probes: what the disk's measurement says of such storage, beside cold loads that follow.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.system.beds import throttle

from modelmon.core.doctor.doctor import diagnose
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.explain.expected import fastest_text, first_pair
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.client import run_probe
from modelmon.core.probe.probe import class_text
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import KIB, MIB, duration_text, rate_text, size_text
from modelmon.core.worker import client
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from modelmon.core.load.config import Access
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

STORE_BYTES_PER_S = 50e6
DISK_BYTES_PER_S = 20_000_000
OWN = LoadConfig(access="mmap", readers=4)
WAYS = {
    "in order": PRESETS["sequential"].config,
    "own descriptors": OWN,
    "processes": replace(OWN, reader_kind="process"),
    "shared descriptor": replace(OWN, descriptor="shared"),
}
ACCESSES: tuple[Access, ...] = ("direct", "read", "mmap")
# What is probed: an object store, servers, a disk that seeks, and the disk here.
PROBED: dict[str, Cost | None] = {
    "object store, 25 ms": Cost(first_byte_s=0.025, bytes_per_s=200e6),
    "server, 3 ms": Cost(first_byte_s=0.0, request_s=0.003, bytes_per_s=200e6),
    "server, 19 ms": Cost(first_byte_s=0.0, request_s=0.019, bytes_per_s=200e6),
    "disk, 10 ms a seek": Cost(first_byte_s=0.01, bytes_per_s=150e6, per="device"),
    "this disk": None,
}
PROBED_BYTES = (30_000_000, 128_000_000, 512_000_000)
LOADED = ("mmap", "sequential", "parallel", "direct", "auto")


class Seen(NamedTuple):
    """Bytes and bytes a second of one load, by modelmon and by its storage."""

    nbytes: int
    bytes_per_s: float
    true_bytes: int
    true_bytes_per_s: float


def load(path: Path, config: LoadConfig, at_start: Callable[[], object]) -> RunResult:
    """A cold load; `at_start` is called when all is prepared."""

    def watch(event: AnyEvent, _record: RunRecord) -> None:
        if isinstance(event, Ready):
            at_start()

    return summarise(run_job(Job(str(path), config, cache="cold"), watch))


def object_store(model: Path, point: Path) -> Iterator[tuple[str, Seen]]:
    """Each way to read from a server that takes 10 ms for a first byte."""
    with served(model, point, Cost(first_byte_s=0.01, bytes_per_s=STORE_BYTES_PER_S)) as store:
        for name, config in WAYS.items():
            run = load(store.path, config, store.counts)
            counts = store.counts()
            counted_bytes_per_s = counts.bytes / (counts.last_s - counts.first_s)
            seen = Seen(run.load_bytes, run.bytes_per_s, counts.bytes, counted_bytes_per_s)
            yield f"object store, {name}", seen


def held_disk(model: Path) -> Iterator[tuple[str, Seen]]:
    """Each way to read from a disk that is held to a rate."""
    for access in ACCESSES:
        with throttle.throttled(model, DISK_BYTES_PER_S) as held:
            yield f"throttled disk, {access}", held_load(model, access, held)


def held_load(model: Path, access: Access, held: throttle.Throttle) -> Seen:
    """A load by a worker that may read no faster."""
    before = 0

    def count() -> None:
        nonlocal before
        before = held.read_bytes()

    config = LoadConfig(access=access, chunk_bytes=256 * KIB)
    with patch.object(client, "worker_command", lambda: held.command(*worker_command())):
        run = load(model, config, count)
    passed_bytes = held.read_bytes() - before
    return Seen(run.load_bytes, run.bytes_per_s, passed_bytes, DISK_BYTES_PER_S)


def probe_row(name: str, nbytes: int, rounds: int, folder: Path) -> str:
    """What the doctor says of a model on one storage, and how long it then loads, as a row."""
    model = write_sample(folder / "model.safetensors", "safetensors", nbytes, 8, 1)
    # What is still being written would count as others' use of the disk.
    os.sync()
    cost = PROBED[name]
    with ExitStack() as stack:
        # What is probed here is of no use to the user later.
        stack.enter_context(patch.dict(os.environ, MODELMON_DATA_DIR=str(folder)))
        path = model
        if cost is not None:
            path = stack.enter_context(served(model, folder / "mounted", cost)).path
        found = diagnose(path, take_probe=lambda: run_probe(path).probe)
        guess = first_pair(inspect_model(path), found)
        ways = {way: PRESETS[way].config for way in (*LOADED, guess.b)}
        times: dict[str, list[int]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way in random.sample(list(ways), len(ways)):
                run = load(path, ways[way], lambda: None)
                if run.counts:
                    times[way].append(run.wall_ns)
    probe = found.probe
    assert probe is not None
    told = fastest_text(inspect_model(path).model, probe) or "-"
    loads = ", ".join(
        f"{way} {duration_text(median(each))} (from {duration_text(min(each))})"
        for way, each in times.items()
        if each
    )
    kind = class_text(probe.storage_class)
    return f"| {name}, {size_text(nbytes)} | {kind} | {told} | {guess.reason} | {loads} |\n"


def probe_table(rounds: int, folder: Path, names: list[str], sizes_bytes: list[int]) -> None:
    """Print a row for each storage and size."""
    for name in names:
        for nbytes in sizes_bytes:
            with tempfile.TemporaryDirectory(dir=folder) as own:
                sys.stdout.write(probe_row(name, nbytes, rounds, Path(own)))
                sys.stdout.flush()


def main() -> int:
    """Measure in rounds, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", choices=("loads", "probes"), default="loads")
    parser.add_argument("--storage", nargs="*", default=list(PROBED), help="that is probed")
    parser.add_argument("--bytes", nargs="*", type=int, default=list(PROBED_BYTES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="on a disk")
    options = parser.parse_args()
    if reason := mounts.why_not() or throttle.why_not():
        sys.stderr.write(f"{reason}\n")
        return 1
    if options.of == "probes":
        probe_table(options.rounds, options.folder, options.storage, options.bytes)
        return 0
    found: dict[str, list[Seen]] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        model = write_sample(Path(folder, "model.safetensors"), "safetensors", 64 * MIB, 8, 1)
        for _ in range(options.rounds):
            for beds in (object_store(model, Path(folder, "mounted")), held_disk(model)):
                for name, seen in beds:
                    found.setdefault(name, []).append(seen)
    for name, rounds in found.items():
        sys.stdout.write(
            f"{name:32} {rate_text(median(s.bytes_per_s for s in rounds)):>10}"
            f"  bytes ÷ true {median(s.nbytes / s.true_bytes for s in rounds):.3f}"
            f"  rate ÷ true {median(s.bytes_per_s / s.true_bytes_per_s for s in rounds):.3f}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
