"""What made-up runs read and when, and what samples and blocks follow from it."""

import numpy as np

from modelmon.core.worker import events as ev

GB = 1_000_000_000
MIB = 1024**2


def requests_of(fake):
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
    firsts = np.concatenate([[0], np.cumsum(fake.shard_bytes)])
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


def samples_of(fake, chunks, stop_ns):
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


def _activity(fake, bytes_per_s, random):
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


def _noisy(share, random, sigma=0.03):
    return None if share is None else float(np.clip(random.normal(share, sigma), 0.0, 1.0))


def blocks_of(fake, planned, chunks, stop_ns):
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
                _arrivals(chunks, touched),
            )
        )
    return ev.Blocks(tuple(timings))


def _arrivals(chunks, touched):
    """From the first to the last of each reader's requests; readers that overlap as one."""
    found = []
    readers = chunks["reader"][touched]
    for reader in np.unique(readers):
        mine = touched[readers == reader]
        found.append((int(chunks["start_ns"][mine].min()), int(chunks["end_ns"][mine].max())))
    joined = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)
