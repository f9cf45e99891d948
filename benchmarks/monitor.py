"""What watching a load costs: supervisor CPU ÷ wall, and the load's time with and without it.

Watched and bare loads alternate in fresh processes on the same file; the figure that counts
is the upper bound of the 95% interval of the paired ratio. Run: make bench
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.comparison.compare import interleaved
from modelmon.core.comparison.posterior import of_pairs
from modelmon.core.load.config import PRESETS
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.planner import plan_load
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import GIB, duration_text, parse_size, percent_text
from modelmon.core.worker.cache_state import CacheState
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job
from modelmon.core.worker.loaders import Loaders
from modelmon.core.worker.preparation import memory_need, touched_memory
from modelmon.core.worker.result import summarise
from modelmon.core.worker.streams import Inbox
from modelmon.core.worker.supervisor import IDLE_LOOK_S

if TYPE_CHECKING:
    from modelmon.core.comparison.spread import Ratio
    from modelmon.core.load.config import LoadConfig

# Where the aim lies: the upper bound of the ratio watched ÷ bare.
AIMS: dict[Cache, float] = {"cold": 1.01, "warm": 1.03}


class Cost(NamedTuple):
    """What watching one strategy from one cache state costs."""

    strategy: str
    cache: Cache
    bare_ns: float
    cpu_share: float
    ratio: Ratio


def bare_load_ns(path: Path, config: LoadConfig, cache: Cache) -> int:
    """One load by the same loaders without sampler, events or block timings."""
    model = open_model(path)
    plan = plan_load(model, config)
    files = OpenFiles(model.sized_files, range(len(model.shards)))
    loaders = Loaders(plan, Job(str(path), config), files)
    inbox = Inbox()
    try:
        loaders.listen(inbox)
        loaders.wait_ready(inbox)
        state = CacheState(files, plan.wanted)
        share = state.residency().share
        if cache == "cold":
            state.set(cache, lambda _progress: None, lambda: False)
        need = memory_need(config, cache, plan, share)
        held = touched_memory(need.load_bytes, lambda _done: None, lambda: False)
        # A watched load looks at the idle device for as long before it goes.
        time.sleep(IDLE_LOOK_S)
        if cache != "cold":
            state.set(cache, lambda _progress: None, lambda: False)
        if held is not None:
            held.close()
        start_ns = time.monotonic_ns()
        loaders.go()
        while not loaders.done:
            loaders.take(inbox.get(None))
        ends = [max(loaders.progress.times(reader, 0)) for reader in range(config.readers)]
        return max(ends) - start_ns
    finally:
        loaders.close()
        files.close()


def watched_load(path: Path, strategy: str, cache: Cache, hz: float) -> tuple[int, int]:
    """Wall time of one watched load and its supervisor's CPU time, in ns."""
    job = Job(str(path), PRESETS[strategy].config, strategy, cache, sample_hz=hz)
    record = run_job(job)
    result = summarise(record)
    if not result.counts:
        raise SystemExit(f"A run did not start as asked: {result.why_not}")
    assert record.finished is not None
    return result.wall_ns, record.finished.supervisor_cpu_ns


def measure(path: Path, strategy: str, cache: Cache, pairs: int, hz: float) -> Cost:
    """Watched and bare loads in turns; one unmeasured load of each kind first."""
    config = PRESETS[strategy].config
    bare: list[float] = []
    watched: list[float] = []
    cpu: list[float] = []
    watched_load(path, strategy, cache, hz)
    bare_load_ns(path, config, cache)
    for label in interleaved(pairs, seed=1):
        if label == "A":
            wall_ns, cpu_ns = watched_load(path, strategy, cache, hz)
            watched.append(wall_ns)
            cpu.append(cpu_ns / wall_ns)
        else:
            bare.append(bare_load_ns(path, config, cache))
    return Cost(strategy, cache, median(bare), median(cpu), of_pairs(watched, bare).ratio("A", "B"))


def main() -> int:
    """Measure, print a table and, if asked, save JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="model to load (default: a sample)")
    parser.add_argument("--size", type=parse_size, default=2 * GIB, help="of the sample")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--hz", type=float, default=20.0)
    parser.add_argument("--strategies", nargs="+", default=["sequential", "mmap", "parallel"])
    parser.add_argument("--out", type=Path, help="save the figures as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        path = options.model
        if path is None:
            path = Path(folder, "sample.safetensors")
            write_sample(path, "safetensors", options.size, layers=32, seed=0)
        costs = []
        for cache in AIMS:
            for strategy in options.strategies:
                costs.append(measure(path, strategy, cache, options.pairs, options.hz))
                show(costs[-1])
    if options.out is not None:
        rows = [cost._asdict() | {"ratio": cost.ratio._asdict()} for cost in costs]
        options.out.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


def show(cost: Cost) -> None:
    """One line of the table."""
    ratio = cost.ratio
    sure = percent_text(ratio.coverage_share) if ratio.coverage_share else "range"
    met = "met" if ratio.high <= AIMS[cost.cache] else "not shown"
    sys.stdout.write(
        f"{cost.cache:5} {cost.strategy:12} bare {duration_text(cost.bare_ns):>8}"
        f"  supervisor {percent_text(cost.cpu_share):>6} of a core"
        f"  watched/bare {ratio.ratio:.3f} ({sure}: {ratio.low:.3f}-{ratio.high:.3f})"
        f"  aim ≤ {AIMS[cost.cache]:.2f}: {met}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
