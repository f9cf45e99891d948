"""What loads should take by a probe, against what they take: on storage that is drawn at random.

The seed is printed; `MODELMON_SEED` sets it. Prints a row for each bed and strategy.
"""

import os
import random
import sys
from pathlib import Path
from statistics import median

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.regret import _BEDS as BEDS
from benchmarks.regret import bed_of

from modelmon.core.diagnose.inspection import inspect_model
from modelmon.core.explain.cost import predict, size_of
from modelmon.core.explain.expected import likeliest
from modelmon.core.explain.typical import limits_or_typical
from modelmon.core.load.presets import PRESETS
from modelmon.core.probe.client import run_probe
from modelmon.core.probe.limits import limits_of
from modelmon.core.worker.client import Standby, run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

pytestmark = [pytest.mark.system, pytest.mark.soak, pytest.mark.timeout(3600)]

STRATEGIES = tuple(name for name in PRESETS if name not in ("shared-fd", "processes"))
ROUNDS = 3
REMOTE = ("sshfs", "rclone")


def say(line):
    sys.stdout.write(f"{line}\n")


def measured(path, draw):
    """Median nanoseconds of cold loads by each strategy, by turns."""
    times = {name: [] for name in STRATEGIES}
    with Standby() as standby:
        for _ in range(ROUNDS):
            for name in draw.sample(STRATEGIES, len(STRATEGIES)):
                job = Job(str(path), PRESETS[name].config, name, cache="cold")
                run = summarise(run_job(job, standby=standby))
                if run.counts:
                    times[name].append(run.wall_ns)
    return {name: median(each) for name, each in times.items() if each}


def predicted(path):
    """What a probe has each strategy take, and the one that is likeliest to be fastest."""
    inspection = inspect_model(path)
    limits = limits_or_typical(limits_of(run_probe(path).probe), inspection.storage, None)
    size = size_of(inspection.model)
    said = {name: predict(PRESETS[name].config, size, limits, "cold") for name in STRATEGIES}
    configs = ((name, PRESETS[name].config) for name in STRATEGIES)
    return said, likeliest(configs, size, limits, "cold")[0]


def test_that_predictions_are_near_what_loads_take(tmp_path):
    seed = int(os.environ.get("MODELMON_SEED") or random.SystemRandom().randrange(10**6))
    draw = random.Random(seed)
    say(f"seed {seed}")
    errors, regrets, inside = [], [], []
    beds = [name for name in BEDS if not BEDS[name]()]
    if set(REMOTE) <= set(beds):
        beds.remove(draw.choice(REMOTE))
    for name in beds:
        folder = tmp_path / name
        folder.mkdir()
        with bed_of(name, folder, draw) as bed:
            # What the kernel still writes of the model would hold up what reads it.
            os.sync()
            (said, best), took = predicted(bed.path), measured(bed.path, draw)
        say(bed.name)
        for strategy, ns in took.items():
            one = said[strategy]
            errors.append(abs(one.ns / ns - 1))
            inside.append(one.low_ns <= ns <= one.high_ns)
            say(
                f"  {strategy:14} {ns / 1e9:6.2f} s, predicted {one.ns / 1e9:6.2f} s"
                f" ({one.low_ns / 1e9:.2f} to {one.high_ns / 1e9:.2f}), {one.largest.kind}"
            )
        regrets.append(took[best] / min(took.values()) - 1)
        say(f"  predicted best {best}: {regrets[-1]:.0%} longer than the true best")
    within = sum(error <= 0.3 for error in errors) / len(errors)
    say(f"median error {median(errors):.0%}, {within:.0%} within 30%, {sum(inside)} in range")
    assert median(errors) <= 0.15
    assert within >= 0.9
    assert max(regrets) <= 0.1
