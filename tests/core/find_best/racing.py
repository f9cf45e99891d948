"""Races whose runs never take place: times follow from a truth, noise from a seed."""

import random
from math import exp, log2

from tests.endings import load_ended

from modelmon.core.find_best.plan import SearchConditions
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.core.worker.run_warnings import warned

MS = 10**6
SECOND = 10**9
OVERHEAD_NS = 500 * MS
SIZE = 10**9

# Times of the presets in ms; a variant of parallel gains by more readers, up to eight.
TIMES_MS = {
    "mmap": 900,
    "sequential": 700,
    "parallel": 400,
    "direct": 650,
    "auto": 640,
    "prefetch": 950,
}


class Clock:
    """A clock that only runs while a load does."""

    def __init__(self):
        self.now_ns = 0

    def __call__(self):
        return self.now_ns


def candidates(names=tuple(TIMES_MS)):
    return tuple(Entrant(name, name, PRESETS[name].config) for name in names)


def true_ms(label, config, times_ms=TIMES_MS):
    """What a load takes without noise."""
    name = label.partition(",")[0]
    base = PRESETS[name].config
    if config == base or name != "parallel":
        return times_ms[name]
    steps = log2(config.readers) - 3
    return times_ms[name] * (1 + 0.1 * steps**2) / 1.1


def conditions(budget_s=300, objective="cold", seed=0):
    return SearchConditions("/m", objective, round(budget_s * SECOND), 2 * SECOND, seed=seed)


def finished(job, wall_ns, started_unix_s, **changed):
    """The record of a load that ended well."""
    mapped = job.config.memory_kind == "mapped"
    values = {
        "memory_kind": job.config.memory_kind,
        "cache_state": job.cache,
        "device_bytes": SIZE,
        "io_wait_share": 0.8,
        "peak_rss_bytes": SIZE + (30 if mapped else 40) * 10**6,
        "residency_after_share": 0.0 if job.config.access == "direct" else 1.0,
    }
    done = load_ended(round(wall_ns), SIZE, **(values | changed))
    return record_of((*_start(job, started_unix_s), done))


def cut_off(job, wall_ns, started_unix_s):
    """The record of a load that was ended for its time."""
    record = finished(job, wall_ns, started_unix_s, counts=False)
    record.warnings.append(warned("cut-off", "Not counted: the load was ended."))
    return record


def failed(job, kind, message):
    """The record of a load that could not be made."""
    return record_of((_start(job, 1.0)[0], ev.Failed(kind, message)))


def _start(job, started_unix_s):
    read_bytes = job.portion_bytes or SIZE
    return (
        ev.Hello(ev.PROTOCOL, job, "0", started_unix_s, "Linux", 2),
        ev.Planned(
            "m", SIZE, read_bytes, 9, 1, ("/m",), (SIZE,), ("b",), (SIZE,), "sda", "ext4",
            file_bytes=read_bytes,
        ),
        ev.Ready(0.0, "cachestat", 1),
        ev.Started(),
    )  # fmt: skip


class Racetrack:
    """Drives a session with loads that take `true_ms` times noise of `spread`."""

    def __init__(
        self,
        session_conditions=None,
        *,
        spread=0.02,
        seed=0,
        times_ms=TIMES_MS,
        admit=lambda _config: "",
        limits=UNKNOWN_LIMITS,
    ):
        self.clock = Clock()
        self.spread, self.seed, self.times_ms = spread, seed, times_ms
        self.session = SearchSession(
            candidates(tuple(times_ms)),
            session_conditions or conditions(seed=seed),
            admit,
            limits,
            clock_ns=self.clock,
        )
        self.jobs = []
        self.warm_ms = {}
        self.before_share = None
        self.slow_runs = ()
        # What becomes of a run in place of a load, by its label.
        self.instead = {}

    def record(self, label, job):
        """The load that the job asks for; its noise depends on its number alone."""
        if label in self.instead:
            self.clock.now_ns += OVERHEAD_NS
            return self.instead[label](job)
        draw = random.Random(f"{self.seed}/{len(self.session.runs)}")
        wall_ns = true_ms(label, job.config, self.times_ms) * MS * exp(draw.gauss(0, self.spread))
        if len(self.session.runs) in self.slow_runs:
            wall_ns *= 1.6
        if job.cache == "warm":
            wall_ns = self.warm_ms[label] * MS if label in self.warm_ms else wall_ns * 0.1
        if job.portion_bytes is not None:
            wall_ns = wall_ns * job.portion_bytes / SIZE
        started_unix_s = 1e9 + self.clock.now_ns / SECOND
        if job.most_load_ns is not None and wall_ns > job.most_load_ns:
            self.clock.now_ns += job.most_load_ns + OVERHEAD_NS
            return cut_off(job, job.most_load_ns, started_unix_s)
        self.clock.now_ns += round(wall_ns) + OVERHEAD_NS
        parts = {}
        if self.before_share is not None:
            parts = {
                "first_byte_ns": round(wall_ns * self.before_share),
                "last_byte_ns": round(wall_ns),
            }
        return finished(job, wall_ns, started_unix_s, **parts)

    def go(self, most_runs=10**6):
        """Make runs until the race is over."""
        while len(self.jobs) < most_runs and (step := self.session.next_job()) is not None:
            self.jobs.append(step)
            self.session.add(self.record(*step))
        return self.session


def best_of(session):
    """The label of the arm that is ahead."""
    return session.standings()[0].label
