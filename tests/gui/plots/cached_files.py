"""Made-up files, what of them was cached, and runs that looked at that."""

from tests.endings import load_ended

from modelmon.core.load.config import preset
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of

PAGE = 4096
BUCKET = 4 * PAGE
SIZES = (64 * BUCKET, 32 * BUCKET - 100)
PATHS = tuple(f"/data/m-0000{at}-of-00002.safetensors" for at in (1, 2))


def model():
    """Three blocks: one in each half of the first shard, one in the second."""
    half = SIZES[0] // 2
    tensors = (
        Tensor("a.w", "U8", (half,), 0, 0, half),
        Tensor("b.v", "U8", (10,), 0, half, 10),
        Tensor("b.w", "U8", (half - 10,), 0, half + 10, half - 10),
        Tensor("c.w", "U8", (SIZES[1],), 1, 0, SIZES[1]),
    )
    blocks = (Block("a", (0,), half), Block("b", (1, 2), half), Block("c", (3,), SIZES[1]))
    shards = tuple(Shard(path, size, 0) for path, size in zip(PATHS, SIZES, strict=True))
    return Model("m", "/data", "safetensors", shards, tensors, blocks, {})


def cached(share, source="cachestat", sizes=SIZES):
    """The first `share` of each file's buckets is cached whole."""
    files = []
    for size in sizes:
        count = -(-size // BUCKET)
        pages = tuple(4 if at < share * count else 0 for at in range(count))
        files.append(FileResidency(size, source, pages))
    return ResidencyMap(BUCKET, PAGE, tuple(files))


UNKNOWN = ResidencyMap(
    BUCKET,
    PAGE,
    tuple(FileResidency(size, "unknown: the file belongs to another user") for size in SIZES),
)


def run(*maps, ends=True, share=0.0, sizes=SIZES):
    job = ev.Job("/data", preset("sequential").config)
    total = sum(sizes)
    stream = [
        ev.Hello(ev.PROTOCOL, job, "0.1.0", 1e9, "Linux", 4),
        ev.Planned(
            *("m", total, total, 1, 1, PATHS[: len(sizes)], tuple(sizes)),
            *(("a",), (total,), None, "ext4"),
        ),
    ]
    looks = [ev.CacheMap(moment, round(t_s * 1e9), 700_000, of) for moment, t_s, of in maps]
    stream += [each for each in looks if each.moment == "before"]
    stream += [ev.Ready(share, "cachestat", 0), ev.Started()]
    stream += [each for each in looks if each.moment != "before"]
    if ends:
        stream.append(load_ended(2_000_000_000, total, residency_after_share=1.0))
    return record_of(stream)


WATCHED = (
    ("before", 0.0, cached(0.0)),
    ("during", 0.5, cached(0.25)),
    ("during", 1.0, cached(0.5)),
    ("after", 2.0, cached(1.0)),
)
