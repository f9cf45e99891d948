"""How good `modelmon best` is on real storage: what it recommends, timed beside all the rest.

Each bed gets one race with its time limit, then interleaved runs of every strategy that was not
plainly slower, each round in another order; whose median is far from the least after some rounds is
timed no more. Regret is the median of the recommended one's time ÷ that of the best: 1.00 or less
is the best there was. The best by the odd rounds is timed by the even ones, and the other way
round: by the same rounds the best of many is partly the luckiest. Whole loads are timed, also
where the race took a part of the model. Slow storage is a FUSE server, a server's folder
that `rclone` or `sshfs` mounts, or this disk throttled by a control group; latency and bandwidth
are drawn anew from `--seed`. It takes root; what cannot be made here is left out with the reason.

`regret.py --limit 60 --times 3` prints a line for each race.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.system.beds import remote_mount, throttle

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.find_best.plan import plan_search
from modelmon.core.find_best.session import search_session
from modelmon.core.messages import to_text
from modelmon.core.model.sample import write_sample
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost, Per
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB, rate_text
from modelmon.core.worker.client import Standby, run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from modelmon.core.find_best.result import SearchResult

SECOND = 10**9
_PLAINLY_SLOWER = 1.5
# Times the least median, after so many rounds: no more of them make that the best.
_FAR = {1: 1.5, 5: 1.15, 10: 1.08}
# Loads from slow storage are to take about so long.
_LOAD_S = 1.5
_LEAST_BYTES = 16 * MIB


class Bed(NamedTuple):
    """Storage to race on: what it is, and the model there."""

    name: str
    path: Path


# Waits: before the first byte of a stream, wherever a read does not go on, and for each request.
_SERVED: dict[str, tuple[str, Callable[[random.Random], tuple[float, float, Per]]]] = {
    "object": ("object store", lambda draw: (draw.uniform(0.005, 0.05), 0.0, "handle")),
    "disk": ("disk with seeks", lambda draw: (draw.uniform(0.005, 0.015), 0.0, "device")),
    "server": ("server", lambda draw: (0.0, draw.uniform(0.001, 0.01), "handle")),
}
# The round trip that a request takes.
_REMOTE: dict[str, tuple[remote_mount.Client, Callable[[random.Random], float]]] = {
    "rclone": ("rclone", lambda draw: draw.uniform(0.005, 0.05)),
    "sshfs": ("sshfs", lambda draw: draw.uniform(0.001, 0.02)),
}
_BEDS: dict[str, Callable[[], str]] = {
    **dict.fromkeys(_SERVED, mounts.why_not),
    **{name: partial(remote_mount.why_not, client) for name, (client, _) in _REMOTE.items()},
    "throttled": throttle.why_not,
    "here": lambda: "",
}
"""Beds, and what says why one cannot be made here."""


@contextmanager
def bed_of(name: str, folder: Path, draw: random.Random) -> Iterator[Bed]:
    """Storage by its name, with a model that it gives in about `_LOAD_S`; `here` is this disk."""
    rate = draw.uniform(20e6, 200e6)
    size = 512 * MIB if name == "here" else max(_LEAST_BYTES, round(rate * _LOAD_S))
    seed = draw.randrange(1000)
    shelf = folder / "models"
    shelf.mkdir()
    model = write_sample(shelf / "model.safetensors", "safetensors", size, layers=8, seed=seed)
    if name == "here":
        yield Bed("this disk", model)
    elif name == "throttled":
        with throttle.throttled(model, round(rate)) as held, held.joined():
            yield Bed(f"throttled disk, {rate_text(rate)}", model)
    elif name in _REMOTE:
        client, round_trip = _REMOTE[name]
        round_trip_s = round_trip(draw)
        with remote_mount.mounted(
            client, shelf, folder / "mounted", round_trip_s=round_trip_s, bytes_per_s=rate
        ) as mounted:
            title = f"{client}, {round_trip_s * 1e3:.0f} ms, {rate_text(rate)}"
            yield Bed(title, mounted / model.name)
    else:
        title, waits = _SERVED[name]
        first_byte_s, request_s, per = waits(draw)
        with served(
            model,
            folder / "mounted",
            Cost(first_byte_s=first_byte_s, request_s=request_s, bytes_per_s=rate, per=per),
        ) as store:
            wait_s = first_byte_s or request_s
            yield Bed(f"{title}, {wait_s * 1e3:.0f} ms, {rate_text(rate)}", store.path)


class Outcome(msgspec.Struct):
    """One race and what the timing after it said: `regret` as told above, `least_regret` against
    the least median of all rounds; the seconds of each load that counts in the race, and after it.
    """

    bed: str
    recommended: str
    chance: float | None
    regret: float
    least_regret: float
    best: str
    runs: dict[str, int]
    seconds_per_run: float
    share_in_loads: float
    seconds: float
    ending: str
    raced_s: dict[str, list[float]]
    timed_s: dict[str, list[float]]


def race_on(bed: Bed, limit_s: float, seed: int) -> SearchResult:
    """Find best with a time limit, nothing kept."""
    inspection = inspect_model(bed.path)
    plan = plan_search(inspection, "cold", budget_ns=round(limit_s * SECOND), seed=seed)
    session = search_session(inspection, plan.arms, plan.conditions, plan.excluded)
    with Standby() as standby:
        while (step := session.next_job()) is not None:
            record = run_job(step[1], most_s=session.run_left_ns / SECOND, standby=standby)
            if record.finished is None and session.run_left_ns < 0:
                session.stop()
                break
            session.add(record)
    return session.race(inspection)


def timed(bed: Bed, race: SearchResult, rounds: int, draw: random.Random) -> dict[str, list[float]]:
    """Seconds of each strategy that was not plainly slower, or never ran, by turns."""
    near = [
        standing
        for standing in race.standings
        if (standing.ratio or 1.0) < _PLAINLY_SLOWER and (standing.ratio or not standing.why)
    ]
    seconds: dict[str, list[float]] = {standing.label: [] for standing in near}
    medians: dict[str, float] = {}
    with Standby() as standby:
        for done in range(rounds):
            if done in _FAR:
                most_s = _FAR[done] * min(medians.values())
                near = [
                    standing
                    for standing in near
                    if standing.label == race.recommendation.label
                    or medians.get(standing.label, 0.0) <= most_s
                ]
            for standing in draw.sample(near, len(near)):
                job = Job(str(bed.path), standing.config, standing.label, cache=race.cache)
                run = summarise(run_job(job, standby=standby))
                if run.counts:
                    seconds[standing.label].append(run.wall_ns / SECOND)
            medians = {label: median(times) for label, times in seconds.items() if times}
    return {label: times for label, times in seconds.items() if times}


def regret_of(label: str, timed_s: dict[str, list[float]], rounds: int) -> float:
    """Median of `label` ÷ that of the best of the other half of the rounds, over both halves."""
    whole = {each: times for each, times in timed_s.items() if len(times) == rounds}
    halves = [{each: median(times[first::2]) for each, times in whole.items()} for first in (0, 1)]
    ratios = [
        told[label] / told[min(chosen, key=chosen.__getitem__)]
        for chosen, told in (halves, halves[::-1])
    ]
    return sqrt(ratios[0] * ratios[1])


def outcome(bed: Bed, limit_s: float, rounds: int, seed: int) -> Outcome:
    """One race on `bed`, and its regret."""
    race = race_on(bed, limit_s, seed)
    timed_s = timed(bed, race, rounds, random.Random(seed))
    label = race.recommendation.label
    if len(timed_s.get(label, ())) < rounds:
        raise SystemExit(f"Not all runs of {label} after the race count on {bed.name}.")
    medians = {each: median(times) for each, times in timed_s.items()}
    best = min(medians, key=medians.__getitem__)
    loads_ns = sum(run.result.wall_ns for run in race.runs)
    return Outcome(
        bed=bed.name,
        recommended=label,
        chance=race.recommendation.chance,
        regret=regret_of(label, timed_s, rounds),
        least_regret=medians[label] / medians[best],
        best=best,
        runs={arm.label: arm.runs for arm in race.standings},
        seconds_per_run=race.spent_ns / SECOND / len(race.runs),
        share_in_loads=loads_ns / race.spent_ns,
        seconds=race.spent_ns / SECOND,
        ending=race.ending,
        raced_s={
            arm.label: [
                run.result.wall_ns / SECOND
                for run in race.runs
                if run.label == arm.label
                and run.result.counts
                and run.result.cache_asked == race.cache
            ]
            for arm in race.standings
        },
        timed_s=timed_s,
    )


def main() -> None:
    """Print the table, and the raw results where they are wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each race")
    parser.add_argument("--times", type=int, default=1, help="races on each bed")
    parser.add_argument("--rounds", type=int, default=5, help="of timing after each race")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beds", default=",".join(_BEDS), help="of " + ", ".join(_BEDS))
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    found = []
    for _ in range(given.times):
        for name in given.beds.split(","):
            if why_not := _BEDS[name]():
                sys.stderr.write(f"{name} is left out: {why_not}\n")
                continue
            with (
                tempfile.TemporaryDirectory(dir=given.folder.resolve()) as folder,
                bed_of(name, Path(folder), draw) as bed,
            ):
                found.append(outcome(bed, given.limit, given.rounds, draw.randrange(1000)))
            sys.stdout.write(line(found[-1]) + "\n")
            sys.stdout.flush()
            if given.json:
                given.json.write_bytes(msgspec.json.encode(found, enc_hook=to_text))


def line(one: Outcome) -> str:
    """A race as a line of the table."""
    chance = "-" if one.chance is None else f"{one.chance:.2f}"
    runs = ", ".join(f"{label} {count}" for label, count in one.runs.items() if count)
    return (
        f"| {one.bed} | {one.recommended} | {one.regret:.2f} | {one.best} | {chance} |"
        f" {one.ending}, {one.seconds:.0f} s | {one.seconds_per_run:.2f} s |"
        f" {one.share_in_loads:.0%} | {runs} |"
    )


if __name__ == "__main__":
    main()
