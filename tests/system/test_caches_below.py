"""What is evicted above may still be cached below: images, images in images, served files."""

from contextlib import ExitStack, contextmanager

import pytest
from tests.page_cache import kept
from tests.system.beds import images
from tests.system.needs import needs_fuse

from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.page_cache import residency
from modelmon.core.probe.client import run_probe
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

pytestmark = pytest.mark.skipif(bool(images.why_not()), reason=images.why_not())


@contextmanager
def layered(sample, folder, how):
    """The sample as it is mounted, and the file that is read for it at the very bottom."""
    image = folder / "disk.img"
    with ExitStack() as held:
        if how == "server":
            store = served(sample, folder / "top", Cost(first_byte_s=0, bytes_per_s=2e9))
            yield held.enter_context(store).path, sample
            return
        path = held.enter_context(images.mounted(image, folder / "low", sample))
        if how == "image in image":
            held.pop_all().close()
            inner = folder / "inner.img"
            with images.mounted(inner, folder / "top", sample):
                pass
            held.enter_context(images.mounted(image, folder / "low", inner))
            held.enter_context(images.attached(folder / "low" / inner.name, folder / "top"))
            path = folder / "top" / sample.name
        elif how == "overlay":
            path = held.enter_context(images.overlaid(path.parent, folder / "top")) / path.name
        elif how == "server of an image":
            store = served(path, folder / "top", Cost(first_byte_s=0, bytes_per_s=2e9))
            path = held.enter_context(store).path
        yield path, image


LONG = pytest.mark.long
WAYS = ("image", "image in image", "overlay", "server", "server of an image")


def cached_bytes(path):
    """How much of a whole file is cached."""
    with path.open("rb") as file:
        return residency(file.fileno(), [(0, path.stat().st_size)]).resident_bytes


def run(path, cache, strategy="mmap"):
    record = run_job(Job(str(path), PRESETS[strategy].config, strategy, cache=cache))
    return summarise(record)


def cases(*rare):
    """The ways, some of them only where there is time."""
    return [
        pytest.param(
            how,
            marks=[*([needs_fuse] if "server" in how else ()), *([LONG] if how in rare else ())],
        )
        for how in WAYS
    ]


@pytest.mark.parametrize("strategy", ["mmap", pytest.param("direct", marks=LONG)])
@pytest.mark.parametrize("how", cases("overlay"))
def test_that_a_cold_start_is_cold_all_the_way_down(sample, tmp_path, how, strategy):
    left = []

    def look(event, _record):
        if isinstance(event, Ready):
            left.append(cached_bytes(below))

    with layered(sample, tmp_path, how) as (path, below):
        below.read_bytes()
        job = Job(str(path), PRESETS[strategy].config, strategy, cache="cold")
        result = summarise(run_job(job, look))
        assert left[0] < sample.stat().st_size / 100
        assert result.cache_state == ("cold-here" if "server" in how else "cold")
        assert result.counts


@pytest.mark.parametrize("how", cases(*WAYS[1:]))
def test_that_a_start_whose_bytes_stay_cached_below_is_no_cold_one(sample, tmp_path, how):
    with layered(sample, tmp_path, how) as (path, below), kept(below):
        result = run(path, "cold", "direct")
        assert (result.start, result.counts) == ("cached-below", False)
        assert result.why_not.startswith("Not counted: cold here, but 100% was cached below, in ")
        assert below.name in result.why_not
        # No speed of a disk.
        assert result.device_bytes is None
        assert bottleneck_of(result).kind not in ("device-bandwidth", "device-latency")
        as_is = run(path, "as-is", "direct")
        seen = "cold-here" if "server" in how else "cached-below"
        assert (as_is.start, as_is.counts) == (seen, True)
        probed = run_probe(path, 1.0).probe.storage
        assert (probed.way, probed.best_reads) == ("none", None)
        assert below.name in probed.way_reason


def test_that_an_image_that_is_out_of_sight_counts_as_cached(sample, tmp_path):
    with layered(sample, tmp_path, "image") as (path, image):
        image.unlink()
        result = run(path, "cold", "direct")
        assert (result.start, result.counts) == ("cached-below", False)
        assert "can't be checked" in result.why_not
