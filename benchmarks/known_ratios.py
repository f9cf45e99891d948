"""Whether comparisons find ratios that are set: on a disk that is throttled less for B than for A.

`known_ratios.py --comparisons 40` prints, for each ratio, how often B was named, beside how often
the simulation names it by the noise that these same loads showed. The kernel lets reads go on every
tenth of a second, so that loads come out at other ratios than their limits: those are what counts,
and are printed as well. It takes root.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from noise import Noise, shuffled
from simulation import rates
from tests.system.beds import throttle

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.client import Standby, run_job

if TYPE_CHECKING:
    from tests.system.beds.throttle import Throttle

    from modelmon.core.comparison.decision import Winner

_RATIOS = (1.05, 1.1, 1.2)
_STRATEGY = "direct"
_BYTES = 128 * MIB
_BYTES_PER_S = 100_000_000
_SIMULATED = 4000


class Outcome(NamedTuple):
    """One comparison: what was set, what came out, what it said, and each load's time ÷ the median
    of its arm, in the order in which they ran.
    """

    ratio: float
    came_out: float
    winner: Winner
    pairs: int
    noise: tuple[float, ...]


def compared(model: Path, held: Throttle, ratio: float, seed: int, standby: Standby) -> Outcome:
    """One comparison of a strategy with itself, whose reads are throttled less as B."""
    config = PRESETS[_STRATEGY].config
    arms = Entrant("A", "slower", config), Entrant("B", "faster", config)
    session = CompareSession(*arms, Conditions(str(model), "cold", seed=seed, allow_busy=True))
    walls: list[tuple[str, int]] = []
    while (step := session.next_job()) is not None:
        label, job = step
        held.allow(bytes_per_s=round(_BYTES_PER_S * (ratio if label == "B" else 1)))
        result = session.add(run_job(job, standby=standby))
        if result.counts:
            walls.append((label, result.wall_ns))
    verdict = session.comparison(inspect_model(model)).verdict
    medians = {arm: np.median([ns for label, ns in walls if label == arm]) for arm in "AB"}
    noise = tuple(round(float(ns / medians[label]), 4) for label, ns in walls)
    came_out = round(float(medians["A"] / medians["B"]), 4)
    return Outcome(ratio, came_out, verdict.winner, verdict.pairs, noise)


def main() -> None:
    """Print the table, and keep each comparison where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--comparisons", type=int, default=40, help="of each ratio")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"))
    parser.add_argument("--out", type=Path, help="keep the comparisons here")
    given = parser.parse_args()
    if why_not := throttle.why_not():
        raise SystemExit(f"No disk can be throttled here: {why_not}.")
    found: list[Outcome] = []
    with tempfile.TemporaryDirectory(dir=given.folder.resolve()) as folder:
        model = write_sample(
            Path(folder, "model.safetensors"), "safetensors", _BYTES, layers=8, seed=0
        )
        with throttle.throttled(model, _BYTES_PER_S) as held, held.joined(), Standby() as standby:
            for seed in range(given.comparisons):
                found += [compared(model, held, ratio, seed, standby) for ratio in _RATIOS]
                if given.out is not None:
                    given.out.write_bytes(msgspec.json.encode(found))
    seen = Noise("seen", partial(shuffled, walls=np.array([x for one in found for x in one.noise])))
    sys.stdout.write("ratio  came out  named B  named A  same  pairs  simulated: B  pairs\n")
    for ratio in _RATIOS:
        of_ratio = [one for one in found if one.ratio == ratio]
        share = {each: np.mean([one.winner == each for one in of_ratio]) for each in "AB"}
        same = np.mean([one.winner == "no-difference" for one in of_ratio])
        pairs = np.mean([one.pairs for one in of_ratio])
        came_out = float(np.median([one.came_out for one in of_ratio]))
        expected = rates(seen, came_out, _SIMULATED, seed=1)
        sys.stdout.write(
            f"{ratio:<6g}{came_out:>9.3f}{share['B']:>8.0%}{share['A']:>9.0%}{same:>6.0%}{pairs:>7.1f}"
            f"{expected.b:>14.0%}{expected.mean_pairs:>7.1f}\n"
        )


if __name__ == "__main__":
    main()
