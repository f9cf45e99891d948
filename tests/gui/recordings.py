"""Made-up runs that hang together: events as a worker would have written them.

`events(Fake(...))` is a whole stream; `record(Fake(...))` the record that it gives. With
`until_s` the stream stops there, as a run that is still loading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.endings import load_ended
from tests.gui.recorded_requests import GB, MIB, blocks_of, requests_of, samples_of

from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.page_cache import (
    FileResidency,
    ResidencyMap,
    bucket_bytes_for,
    bucket_lengths,
)
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord


@dataclass(frozen=True)
class Fake:
    """One run. `rate_bytes_per_s` is constant but for a little noise, seeded."""

    model_bytes: int = 16_060_556_376
    rate_bytes_per_s: float = 1.94 * GB
    readers: int = 1
    chunk_bytes: int = 16 * MIB
    layers: int = 32
    shards: int = 4
    sample_hz: float = 20.0
    until_s: float | None = None
    memory: Literal["anon", "file"] = "file"
    psi_io_share: float | None = 0.6
    iowait_share: float | None = 0.53
    io_wait_share: float | None = 0.6
    device_share: float | None = 1.0
    stalls: int = 3
    counts_faults: bool = True
    has_device: bool = True
    decode_share: float | None = None
    shared_descriptor: bool = False
    failure: ev.Failed | None = None
    strategy: str = "mmap"
    name: str = "Meta-Llama-3-8B"
    seed: int = 1

    @property
    def wall_s(self):
        return self.model_bytes / self.rate_bytes_per_s

    @property
    def shard_bytes(self):
        each = self.model_bytes // self.shards
        return (*([each] * (self.shards - 1)), self.model_bytes - each * (self.shards - 1))

    @property
    def block_names(self):
        return ("embeddings", *(f"layers.{i}" for i in range(self.layers)), "output")

    @property
    def block_bytes(self):
        ends = self.model_bytes // (self.layers * 0.42 + 2) if self.layers < 100 else 0
        ends = int(ends or self.model_bytes // self.layers)
        layer = (self.model_bytes - 2 * ends) // self.layers
        last = self.model_bytes - ends - layer * self.layers
        return (ends, *([layer] * self.layers), last)


SLOW = Fake()
FAST = Fake(
    rate_bytes_per_s=3.07 * GB,
    readers=4,
    memory="anon",
    psi_io_share=0.94,
    iowait_share=0.82,
    io_wait_share=0.94,
    stalls=0,
    strategy="auto",
    seed=2,
)


def record(fake):
    made = RunRecord()
    for event in events(fake):
        made.feed(event)
    return made


def events(fake):
    """The run's events in order; a stopped or running one ends early."""
    yield _hello(fake)
    planned = _planned(fake)
    yield planned
    yield _cache_map(fake, "before", 0, 0.0)
    yield ev.Ready(0.0, "cachestat", 41_000_000)
    yield ev.Started()
    chunks = requests_of(fake)
    stop_ns = fake.wall_s * 1e9 if fake.until_s is None else fake.until_s * 1e9
    for reader in range(fake.readers):
        mine = (chunks["reader"] == reader) & (chunks["end_ns"] <= stop_ns)
        columns = (
            tuple(chunks[name][mine].tolist())
            for name in ("shard", "offset_bytes", "nbytes", "start_ns", "end_ns")
        )
        yield ev.Chunks(reader, *columns)
    samples = list(samples_of(fake, chunks, stop_ns))
    yield from samples
    blocks = blocks_of(fake, planned, chunks, stop_ns)
    yield blocks
    if fake.failure is not None:
        yield fake.failure
    elif fake.until_s is None:
        yield _cache_map(fake, "after", int(stop_ns), 1.0)
        yield _finished(fake, len(samples))


def _cache_map(fake, moment, t_ns, share):
    """All of the files are cached to the same share."""
    sizes = fake.shard_bytes
    bucket = bucket_bytes_for(sizes)
    files = []
    for size in sizes:
        pages = [-(-length // 4096) for length in bucket_lengths(size, bucket)]
        counts = tuple(round(count * share) for count in pages)
        files.append(FileResidency(size, "cachestat", counts))
    return ev.CacheMap(moment, t_ns, 700_000, ResidencyMap(bucket, 4096, tuple(files)))


def _hello(fake):
    config = LoadConfig(
        readers=fake.readers,
        descriptor="shared" if fake.shared_descriptor else "own",
    )
    job = ev.Job("/data/model", config, strategy=fake.strategy, cache="cold")
    return ev.Hello(ev.PROTOCOL, job, "0.1.0", 1_763_000_000.0, "Linux 6.18, x86-64", 16)


def _planned(fake):
    paths = tuple(
        f"/data/model-{index + 1:05}-of-{fake.shards:05}.safetensors"
        for index in range(fake.shards)
    )
    return ev.Planned(
        fake.name,
        fake.model_bytes,
        fake.model_bytes,
        -(-fake.model_bytes // fake.chunk_bytes),
        fake.readers,
        paths,
        fake.shard_bytes,
        fake.block_names,
        fake.block_bytes,
        "nvme0n1p2",
        "ext4",
    )


def _finished(fake, samples):
    return load_ended(
        int(fake.wall_s * 1e9),
        fake.model_bytes,
        memory_kind="owned" if fake.memory == "anon" else "mapped, evictable",
        samples=samples,
        supervisor_cpu_ns=90_000_000,
        startup_ns=120_000_000,
        device_bytes=int(fake.model_bytes * (fake.device_share or 0)),
        io_wait_share=fake.io_wait_share,
        peak_rss_bytes=fake.model_bytes + 40_000_000,
        decode_ns=None if fake.decode_share is None else int(fake.wall_s * fake.decode_share * 1e9),
    )
