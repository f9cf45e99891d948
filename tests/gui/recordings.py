"""Made-up runs that hang together: events as a worker would have written them.

`events(Fake(...))` is a whole stream; `record(Fake(...))` the record that it gives. With
`until_s` the stream stops there, as a run that is still loading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.residency_map import (
    FileResidency,
    ResidencyMap,
    bucket_bytes_for,
    bucket_lengths,
)
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.worker.samples import CacheMoment

GB = 1_000_000_000
MIB = 1024**2


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
    def wall_s(self) -> float:
        return self.model_bytes / self.rate_bytes_per_s

    @property
    def block_names(self) -> tuple[str, ...]:
        return ("embeddings", *(f"layers.{i}" for i in range(self.layers)), "output")

    @property
    def block_bytes(self) -> tuple[int, ...]:
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


def record(fake: Fake) -> RunRecord:
    made = RunRecord()
    for event in events(fake):
        made.feed(event)
    return made


def events(fake: Fake) -> Iterator[ev.AnyEvent]:
    """The run's events in order; a stopped or running one ends early."""
    yield _hello(fake)
    planned = _planned(fake)
    yield planned
    yield _cache_map(fake, "before", 0, 0.0)
    yield ev.Ready(0.0, "cachestat", 41_000_000)
    yield ev.Started()
    chunks = _chunks(fake)
    stop_ns = fake.wall_s * 1e9 if fake.until_s is None else fake.until_s * 1e9
    for reader in range(fake.readers):
        mine = (chunks["reader"] == reader) & (chunks["end_ns"] <= stop_ns)
        columns = (
            tuple(chunks[name][mine].tolist())
            for name in ("shard", "offset_bytes", "nbytes", "start_ns", "end_ns")
        )
        yield ev.Chunks(reader, *columns)
    samples = list(_samples(fake, chunks, stop_ns))
    yield from samples
    blocks = _blocks(fake, planned, chunks, stop_ns)
    yield blocks
    if fake.failure is not None:
        yield fake.failure
    elif fake.until_s is None:
        yield _cache_map(fake, "after", int(stop_ns), 1.0)
        yield _finished(fake, len(samples))


def _cache_map(fake: Fake, moment: CacheMoment, t_ns: int, share: float) -> ev.CacheMap:
    """All of the files are cached to the same share."""
    sizes = _shard_bytes(fake)
    bucket = bucket_bytes_for(sizes)
    files = []
    for size in sizes:
        pages = [-(-length // 4096) for length in bucket_lengths(size, bucket)]
        counts = tuple(round(count * share) for count in pages)
        files.append(FileResidency(size, "cachestat", counts))
    return ev.CacheMap(moment, t_ns, 700_000, ResidencyMap(bucket, 4096, tuple(files)))


def _hello(fake: Fake) -> ev.Hello:
    config = LoadConfig(
        readers=fake.readers,
        descriptor="shared" if fake.shared_descriptor else "own",
    )
    job = ev.Job("/data/model", config, strategy=fake.strategy, cache="cold")
    return ev.Hello(ev.PROTOCOL, job, "0.1.0", 1_763_000_000.0, "Linux 6.18, x86-64", 16)


def _shard_bytes(fake: Fake) -> tuple[int, ...]:
    each = fake.model_bytes // fake.shards
    return (*([each] * (fake.shards - 1)), fake.model_bytes - each * (fake.shards - 1))


def _planned(fake: Fake) -> ev.Planned:
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
        _shard_bytes(fake),
        fake.block_names,
        fake.block_bytes,
        "nvme0n1p2",
        "ext4",
    )


def _chunks(fake: Fake) -> dict[str, np.ndarray]:
    """Each reader takes a contiguous range; the wall time is shared out evenly."""
    start = np.arange(0, fake.model_bytes, fake.chunk_bytes, dtype=np.int64)
    size = np.minimum(fake.chunk_bytes, fake.model_bytes - start)
    reader = start * fake.readers // fake.model_bytes
    random = np.random.default_rng(fake.seed)
    begin_ns, end_ns = np.empty_like(start), np.empty_like(start)
    for which in range(fake.readers):
        mine = np.flatnonzero(reader == which)
        weight = size[mine] * random.normal(1.0, 0.08, len(mine)).clip(0.6, 1.5)
        if fake.stalls:
            slow = np.linspace(0, len(mine), fake.stalls + 1, endpoint=False)[1:].astype(int)
            for at in slow:
                weight[at : at + max(1, len(mine) // 60)] *= 1.7
        edges = np.concatenate([[0.0], np.cumsum(weight)]) / weight.sum() * fake.wall_s * 1e9
        begin_ns[mine], end_ns[mine] = edges[:-1].astype(np.int64), edges[1:].astype(np.int64)
    firsts = np.concatenate([[0], np.cumsum(_shard_bytes(fake))])
    shard = np.searchsorted(firsts, start, side="right") - 1
    return {
        "reader": reader,
        "shard": shard,
        "offset_bytes": start - firsts[shard],
        "position": start,
        "nbytes": size,
        "start_ns": begin_ns,
        "end_ns": end_ns,
    }


def _samples(fake: Fake, chunks: dict[str, np.ndarray], stop_ns: float) -> Iterator[ev.Sample]:
    random = np.random.default_rng(fake.seed + 100)
    order = np.argsort(chunks["end_ns"])
    ends, totals = chunks["end_ns"][order], np.cumsum(chunks["nbytes"][order])
    step_ns = 1e9 / fake.sample_hz
    device_bytes = 0.0
    for index in range(1, int(stop_ns // step_ns) + 1):
        t_ns = int(index * step_ns + abs(random.normal(0, 2e5)))
        if t_ns > stop_ns:
            break
        before = float(np.interp(t_ns - step_ns, ends, totals, left=0.0))
        delivered = float(np.interp(t_ns, ends, totals, left=0.0))
        device_bytes += (delivered - before) * max(0.0, random.normal(1.0, 0.12))
        resident = int(delivered) + 40_000_000
        share = fake.device_share
        yield ev.Sample(
            t_ns,
            int(abs(random.normal(0, 2e5))),
            int(delivered),
            device_bytes=None if share is None else int(min(device_bytes, delivered) * share),
            device=_activity(fake, (delivered - before) / step_ns * 1e9, random),
            minor_faults=int(delivered / 65_536) if fake.counts_faults else None,
            major_faults=int(delivered / MIB) if fake.counts_faults else None,
            cpu_user_ns=int(t_ns * 0.1),
            cpu_system_ns=int(t_ns * 0.3),
            iowait_share=_noisy(fake.iowait_share, random),
            psi_io_share=_noisy(fake.psi_io_share, random),
            waiting_share=_noisy(fake.io_wait_share, random, 0.1),
            rss_anon_bytes=resident if fake.memory == "anon" else 35_000_000,
            rss_file_bytes=5_000_000 if fake.memory == "anon" else resident - 35_000_000,
            rss_shared_bytes=0,
            available_bytes=56 * GB - resident,
        )


def _activity(
    fake: Fake, bytes_per_s: float, random: np.random.Generator
) -> ev.DeviceActivity | None:
    if not fake.has_device:
        return None
    size = 262_144.0
    reads_per_s = bytes_per_s / size
    await_ns = float(max(2e4, random.normal(4e5, 4e4)))
    return ev.DeviceActivity(
        reads_per_s,
        bytes_per_s,
        mean_request_bytes=size if reads_per_s else None,
        read_await_ns=await_ns if reads_per_s else None,
        queue_depth=reads_per_s * await_ns / 1e9,
        busy_share=_noisy(fake.io_wait_share, random),
    )


def _noisy(share: float | None, random: np.random.Generator, sigma: float = 0.03) -> float | None:
    return None if share is None else float(np.clip(random.normal(share, sigma), 0.0, 1.0))


def _blocks(
    fake: Fake, planned: ev.Planned, chunks: dict[str, np.ndarray], stop_ns: float
) -> ev.Blocks:
    edges = np.concatenate([[0], np.cumsum(planned.block_bytes)])
    start, size = chunks["position"], chunks["nbytes"]
    spent_ns = (chunks["end_ns"] - chunks["start_ns"]) / fake.readers
    timings = []
    for index, name in enumerate(planned.block_names):
        low, high = edges[index], edges[index + 1]
        overlap = np.minimum(start + size, high) - np.maximum(start, low)
        touched = np.flatnonzero((overlap > 0) & (chunks["end_ns"] <= stop_ns))
        wanted = np.count_nonzero(overlap > 0)
        complete = wanted == len(touched)
        timings.append(
            ev.BlockTiming(
                name,
                int(overlap[touched].sum()),
                int((spent_ns[touched] * overlap[touched] / size[touched]).sum()),
                len(touched),
                int(chunks["end_ns"][touched].max()) if complete and wanted else None,
            )
        )
    return ev.Blocks(tuple(timings))


def _finished(fake: Fake, samples: int) -> ev.Finished:
    return ev.Finished(
        wall_ns=int(fake.wall_s * 1e9),
        warmup_ns=0,
        delivered_bytes=fake.model_bytes,
        memory_kind="owned" if fake.memory == "anon" else "mapped, evictable",
        cache_state="cold",
        cache_evidence="verified",
        counts=True,
        samples=samples,
        dropped_samples=0,
        max_late_ns=1_400_000,
        supervisor_cpu_ns=90_000_000,
        startup_ns=120_000_000,
        device_bytes=int(fake.model_bytes * (fake.device_share or 0)),
        io_wait_share=fake.io_wait_share,
        peak_rss_bytes=fake.model_bytes + 40_000_000,
        decode_ns=None if fake.decode_share is None else int(fake.wall_s * fake.decode_share * 1e9),
    )
