"""Whether the verdicts of comparisons can be trusted.

`--simulate` shows how often they would be wrong over noise, `--histories N` how often a change
over time would be, `--aa N` lets N real comparisons
judge an arm against itself, `--record FILE` records the noise of real loads.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from noise import Recorded, Series, all_noise, normal
from simulation import (
    POWER,
    Days,
    Later,
    changes_called,
    held_share,
    pairs_until_right,
    rates,
)

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.decision import DEFAULT_PAIRS, MOST_PAIRS
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import to_text
from modelmon.core.model.sample import write_sample
from modelmon.core.units import parse_size
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.comparison.result import Comparison

CACHES: tuple[Cache, ...] = ("cold", "warm")
STRATEGIES = ("parallel", "mmap")
AIM = 0.02
_RATIOS = (1.05, 1.1, 1.2, 1.5)
_SMALL = 1.02
_POWER_RATIOS = (1.03, 1.05, 1.1, 1.2)
_SCATTERS = (0.02, 0.05, 0.1)
# Days of the last two resemble their neighbors.
_DAYS = (Days(0.0), Days(0.05), Days(0.15), Days(0.05, 0.3), Days(0.05, 0.6))
_CHANGES = (1.1, 1.2, 1.5, 2.0)
_LATER_RUNS = (3, 5, 10)


def say(text: str) -> None:
    """Write a line now, so that a long run can be followed."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def simulate(comparisons: int, seed: int) -> None:
    """Print how often winners are wrong or right, how often ranges hold, and pairs needed."""
    fewer = max(1, comparisons // 5)
    say(f"wrong: of 100 comparisons of an arm with itself, up to {DEFAULT_PAIRS} and {MOST_PAIRS}")
    say(f"pairs, how many name a winner; of arms {_SMALL:g} apart, the slower one")
    say(f"of 100, {comparisons} each")
    say(f"1.05 ...: for a true ratio, how many of {fewer} name the right arm, and mean pairs")
    say("range: how often it holds the true ratio after 5, 7 and 11 pairs\n")
    heads = "".join(f"{ratio:>6g} {'pairs':>5}" for ratio in _RATIOS)
    say(f"{'noise':28}{'wrong':>7}{MOST_PAIRS:>6}{_SMALL:>6}{heads}{'range':>15}")
    with ProcessPoolExecutor() as pool:
        lines = partial(_line, comparisons=comparisons, fewer=fewer, seed=seed)
        for line in pool.map(lines, range(len(all_noise()))):
            say(line)
        say(f"\nPairs until {POWER:.0%} of {fewer} comparisons name the right arm\n")
        say(f"{'scatter of a run':28}" + "".join(f"{ratio:>8g}" for ratio in _POWER_RATIOS))
        for scatter, cells in zip(
            _SCATTERS, pool.map(partial(_power, comparisons=fewer), _SCATTERS), strict=True
        ):
            say(f"{f'{scatter:.0%}':28}{cells}")


def _line(number: int, comparisons: int, fewer: int, seed: int) -> str:
    noise = all_noise()[number]
    null = rates(noise, 1.0, comparisons, seed, MOST_PAIRS)
    slower = rates(noise, _SMALL, comparisons, seed + 2).a
    found = [rates(noise, ratio, fewer, seed + 3) for ratio in _RATIOS]
    cells = "".join(f"{each.b:>6.0%} {each.mean_pairs:>5.1f}" for each in found)
    held = "".join(f"{held_share(noise, pairs, fewer, seed + 4):>5.0%}" for pairs in (5, 7, 11))
    wrong = f"{100 * null.early:>7.1f}{100 * null.called:>6.1f}{100 * slower:>6.1f}"
    return f"{noise.name:28}{wrong}{cells}{held}"


def _power(scatter: float, comparisons: int) -> str:
    needed = (
        pairs_until_right(normal(scatter), ratio, comparisons, seed=3) for ratio in _POWER_RATIOS
    )
    return "".join(f"{pairs or f'>{MOST_PAIRS}':>8}" for pairs in needed)


def simulate_history(histories: int, seed: int) -> None:
    """Print how often `modelmon history changes` calls what is none, and finds what is one."""
    fewer = max(1, histories // 5)
    say(f"\nShare of {histories} histories, 3 runs on each of 10 days, that call a change;")
    say("by spread of the days' levels, and correlation with the day before\n")
    heads = (f"{days.spread:.0%}, {days.correlation:g}" for days in _DAYS)
    say(f"{'noise':28}" + "".join(f"{head:>10}" for head in heads))
    for noise in all_noise():
        called = (changes_called(noise, days, histories, seed) for days in _DAYS)
        say(f"{noise.name:28}" + "".join(f"{share:>10.2%}" for share in called))
    for runs in (1, 3):
        say(f"\nShare of {fewer} that find a change after so many runs, {runs} a day; days: 5%\n")
        heads = (f"{factor:g} {later}" for factor in _CHANGES for later in _LATER_RUNS)
        say(f"{'noise':28}" + "".join(f"{head:>8}" for head in heads))
        for noise in all_noise():
            shares = (
                changes_called(noise, Days(0.05, runs=runs), fewer, seed + 4, Later(later, factor))
                for factor in _CHANGES
                for later in _LATER_RUNS
            )
            say(f"{noise.name:28}" + "".join(f"{share:>8.0%}" for share in shares))


def compare_with_itself(path: Path, strategy: str, cache: Cache, seed: int) -> Comparison:
    """One comparison of a strategy with itself, ended early where it is decided."""
    config = PRESETS[strategy].config
    arms = Entrant("A", strategy, config), Entrant("B", strategy, config)
    session = CompareSession(*arms, Conditions(str(path), cache, seed=seed, allow_busy=True))
    while (step := session.next_job()) is not None:
        session.add(run_job(step[1]))
    return session.comparison(inspect_model(path))


def against_itself(path: Path, comparisons: int, out: Path | None) -> int:
    """Count how many real comparisons of an arm with itself call a difference."""
    done: list[Comparison] = []
    calls = 0
    kinds = list(product(CACHES, STRATEGIES))
    for number in range(comparisons):
        cache, strategy = kinds[number % len(kinds)]
        done.append(compare_with_itself(path, strategy, cache, seed=number))
        verdict = done[-1].verdict
        calls += verdict.winner in ("A", "B")
        say(f"{number + 1:3} {cache} {strategy:9} {verdict.pairs:2} pairs  {verdict.sentence}")
        if out is not None:
            out.write_bytes(msgspec.json.format(msgspec.json.encode(done, enc_hook=to_text)))
    met = "met" if calls <= AIM * comparisons else "missed"
    say(f"{calls} of {comparisons} call a difference; aim: at most {AIM:.0%}, {met}")
    return 0 if calls <= AIM * comparisons else 1


def loads(path: Path, strategy: str, cache: Cache) -> Iterator[int]:
    """Wall times in ns of loads without end, one after the other; those that count."""
    while True:
        result = summarise(run_job(Job(str(path), PRESETS[strategy].config, strategy, cache)))
        if result.counts:
            yield result.wall_ns


def record(path: Path, runs: int, out: Path) -> None:
    """Save the wall times of `runs` loads in a row of each kind."""
    series = [
        Series(strategy, cache, tuple(islice(loads(path, strategy, cache), runs)))
        for cache, strategy in product(CACHES, STRATEGIES)
    ]
    about = f"Wall times of {runs} loads in a row each, of {path.stat().st_size} bytes."
    kept = Recorded(about, tuple(series))
    out.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")


@contextmanager
def model_file(path: Path | None, size_bytes: int) -> Iterator[Path]:
    """The model, or a sample that is gone afterwards."""
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        sample = Path(folder, "sample.safetensors")
        write_sample(sample, "safetensors", size_bytes, layers=32, seed=0)
        yield sample


def main() -> int:
    """Do what was asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--histories", type=int, metavar="N", help="histories to simulate")
    parser.add_argument("--comparisons", type=int, default=2000, help="to simulate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--aa", type=int, metavar="N", help="real comparisons")
    parser.add_argument("--out", type=Path, help="save the real comparisons as JSON")
    parser.add_argument("--record", type=Path, metavar="FILE", help="record noise to FILE")
    parser.add_argument("--runs", type=int, default=48, help="of each kind, to record")
    parser.add_argument("--model", type=Path, help="model to load (default: a sample)")
    parser.add_argument("--size", type=parse_size, default=300_000_000, help="of the sample")
    options = parser.parse_args()
    if options.simulate:
        simulate(options.comparisons, options.seed)
    if options.histories:
        simulate_history(options.histories, options.seed)
    if options.record is None and options.aa is None:
        return 0
    with model_file(options.model, options.size) as path:
        if options.record is not None:
            record(path, options.runs, options.record)
        return against_itself(path, options.aa, options.out) if options.aa else 0


if __name__ == "__main__":
    sys.exit(main())
