"""How good `modelmon best` is: races over made-up and recorded noise, where the truth is known.

`races.py --races 100 --budget 300` prints a line for each kind of noise; `--out` keeps each race.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import exp, log, log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from noise import Noise, all_noise

from modelmon.core.comparison.estimate import OVERHEAD_NS
from modelmon.core.find_best.contenders import WORTH_FACTOR
from modelmon.core.find_best.plan import SearchConditions
from modelmon.core.find_best.recommend import told_chance
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import verbatim
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord, record_of
from modelmon.core.worker.run_warnings import warned

if TYPE_CHECKING:
    from numpy.random import Generator

    from modelmon.core.load.config import LoadConfig

SECOND = 10**9
_BYTES = 10**9
_MOST_RUNS = 4000
# The arm that noise of one arm alone is given to.
_A = "parallel"
_BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01)
_NAMES = [name for name in PRESETS if name != "shared-fd"]


@dataclass
class Truth:
    """What loads take without noise: presets from 1 to 3 s, and how variants change that.

    The best number of readers is drawn from 1 to 32; each doubling away from it costs 2 to 15%
    times the square of the doublings. Request sizes cost up to 6%, likewise.
    """

    preset_s: dict[str, float]
    best_readers: int
    best_chunk: int
    readers_cost: float
    chunk_cost: float

    @classmethod
    def drawn(cls, draw: Generator) -> Truth:
        """One that a seed gives."""
        return cls(
            {name: exp(draw.uniform(0, log(3))) for name in _NAMES},
            int(draw.integers(0, 6)),
            int(draw.integers(20, 25)),
            draw.uniform(0.02, 0.15),
            draw.uniform(0, 0.06),
        )

    def seconds(self, label: str, config: LoadConfig) -> float:
        """Time of one load of an arm."""
        name = label.partition(",")[0]
        return self.preset_s[name] * self._shape(config) / self._shape(PRESETS[name].config)

    def _shape(self, config: LoadConfig) -> float:
        doublings = log2(config.readers) - self.best_readers
        quarters = (log2(config.chunk_bytes) - self.best_chunk) / 2
        return 1 + self.readers_cost * doublings**2 + self.chunk_cost * quarters**2


class Outcome(NamedTuple):
    """A race: true time of the recommended arm ÷ that of the best, the chance it claimed that this
    is within 3%, or 5% of what it keeps, and whether it `held`; what it took until it was decided;
    `ahead` is the same ratio of the arm that was ahead, also where `mmap` was kept without
    evidence.
    """

    recommended: float
    chance: float
    held: bool
    runs: int
    spent_s: float
    ahead: float


def race(noise: Noise, budget_s: float, seed: int) -> Outcome:
    """One race, simulated."""
    draw = np.random.default_rng(seed)
    truth = Truth.drawn(draw)
    factors = noise.times(draw, _MOST_RUNS)
    of_a = noise.only_a(draw, _MOST_RUNS) if noise.only_a else np.ones(_MOST_RUNS)
    now_ns = started = 0
    conditions = SearchConditions("/m", "cold", round(budget_s * SECOND), 2 * SECOND, seed=seed)
    arms = tuple(Entrant(name, name, PRESETS[name].config) for name in _NAMES)
    session = SearchSession(arms, conditions, clock_ns=lambda: now_ns)
    while (step := session.next_job()) is not None:
        label, job = step
        factor = factors[started] * (of_a[started] if label == _A else 1.0)
        started += 1
        wall_ns = round(truth.seconds(label, job.config) * factor * SECOND)
        most_ns = wall_ns if job.most_load_ns is None else job.most_load_ns
        now_ns += min(wall_ns, most_ns) + OVERHEAD_NS
        session.add(_record(job, started, min(wall_ns, most_ns), cut_off=wall_ns > most_ns))
        if session.ending != "running":
            break
    found = session.contenders()
    seconds = {each.label: truth.seconds(each.label, each.config) for each in found.all}
    best, ahead = found.chosen, found.best
    assert best is not None
    assert ahead is not None
    ratio = seconds[best.label] / min(seconds.values())
    return Outcome(
        round(ratio, 4),
        round(told_chance(1 - found.chance_of_better(best)), 4),
        ratio <= found.within(best),
        len(session.runs),
        round(now_ns / SECOND, 1),
        round(seconds[ahead.label] / min(seconds.values()), 4),
    )


def _record(job: ev.Job, started_unix_s: float, wall_ns: int, *, cut_off: bool) -> RunRecord:
    done = ev.Finished(
        wall_ns=wall_ns,
        warmup_ns=0,
        delivered_bytes=_BYTES,
        memory_kind=job.config.memory_kind,
        cache_state="cold",
        cache_evidence="verified",
        counts=True,
        samples=20,
        supervisor_cpu_ns=1,
        startup_ns=1,
    )
    planned = ev.Planned(
        "m", _BYTES, _BYTES, 9, 1, ("/m",), (_BYTES,), ("b",), (_BYTES,), "sda", "ext4"
    )
    hello = ev.Hello(ev.PROTOCOL, job, "0", started_unix_s, "Linux", 2)
    ended = warned("cut-off", verbatim("The load was ended."))
    begun = (hello, planned, ev.Ready(0.0, verbatim("cachestat"), 1), ev.Started())
    return record_of((*begun, *([ended] if cut_off else []), done))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=100)
    parser.add_argument("--budget", type=float, default=300.0, help="seconds")
    parser.add_argument("--out", type=Path, help="keep each race here, by its seed")
    given = parser.parse_args()
    sys.stdout.write(
        f"{'noise':28}{'within 3%':>11}{'5%':>6}{'ahead':>7}{'95th':>7}{'claimed':>9}{'runs':>6}"
        f"{'time':>7}{'over':>6}\n"
    )
    every: dict[str, list[Outcome]] = {}
    for number, noise in enumerate(all_noise()):
        # Each race has times of its own: claims that hold by luck would do so for every noise.
        seeds = range(number * given.races, (number + 1) * given.races)
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(partial(race, noise, given.budget), seeds))
        every[noise.name] = found
        ratios = np.array([one.recommended for one in found])
        sys.stdout.write(
            f"{noise.name:28}{np.mean(ratios <= WORTH_FACTOR):>11.0%}"
            f"{np.mean(ratios <= 1.05):>6.0%}"
            f"{np.mean([one.ahead <= WORTH_FACTOR for one in found]):>7.0%}"
            f"{np.quantile(ratios, 0.95):>7.2f}"
            f"{np.mean([one.chance for one in found]):>9.2f}"
            f"{np.mean([one.runs for one in found]):>6.0f}"
            f"{np.mean([one.spent_s for one in found]):>5.0f} s"
            f"{sum(one.spent_s > given.budget for one in found):>6}\n"
        )
        sys.stdout.flush()
    sys.stdout.write("\nchance claimed, its mean, and how often it held:\n")
    for low, high in pairwise(_BINS):
        told = [one for found in every.values() for one in found if low <= one.chance < high]
        if told:
            claim, held = (np.mean([one[at] for one in told]) for at in (1, 2))
            sys.stdout.write(f"{low:.2f} to {high:.2f}: {claim:.3f} {held:.3f} of {len(told)}\n")
    if given.out is not None:
        kept = {"budget_s": given.budget, "fields": Outcome._fields, "races": every}
        given.out.write_bytes(msgspec.json.encode(kept))


if __name__ == "__main__":
    main()
