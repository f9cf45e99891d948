"""Comparisons whose runs never take place: their times are given."""

from tests.endings import load_ended

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.core.worker.run_warnings import RunWarning

MS = 10**6


def arm(label, strategy):
    return Entrant("A" if label == "A" else "B", strategy, PRESETS[strategy].config)


def session(a="mmap", b="parallel", pairs=5, limits=None, **conditions):
    shared = Conditions("/m", "cold", max_pairs=pairs, **conditions)
    return CompareSession(arm("A", a), arm("B", b), shared, *([limits] if limits else []))


def record(job, wall_ns, *, counts=True, wait=0.8, started_unix_s=1.0, **changed):
    size = 10**9
    warnings = (
        [] if counts else [RunWarning("cache-not-cold", "Not counted: the start wasn't cold.")]
    )
    values = {
        "cache_state": "cold" if counts else "mixed",
        "counts": counts,
        "device_bytes": size,
        "io_wait_share": wait,
        "cpu_system_ns": wall_ns // 10,
    }
    return record_of(
        (
            ev.Hello(ev.PROTOCOL, job, "0", started_unix_s, "Linux", 2),
            ev.Planned("m", size, size, 9, 1, ("/m",), (size,), ("b",), (size,), "sda", "ext4"),
            ev.Ready(0.0, "cachestat", 1),
            ev.Started(),
            *warnings,
            load_ended(round(wall_ns), size, **(values | changed)),
        )
    )


def next_run(comparing):
    """Label and job of the next run; there is one."""
    step = comparing.next_job()
    assert step is not None
    return step


def run_all(comparing, ms, most=10**6, **told):
    """The results of the runs that are left, at most so many, a second apart. `ms` are their times,
    by label or made of label and number, and so is what else is `told` of each.
    """
    made = []
    while len(made) < most and (step := comparing.next_job()) is not None:
        label, job = step
        number = len(made)
        wall_ns = (ms(label, number) if callable(ms) else ms[label]) * MS
        more = {name: of(label, number) for name, of in told.items()}
        made.append(
            comparing.add(record(job, wall_ns, **({"started_unix_s": number + 1.0} | more)))
        )
    return made


def play(times, inspection, a="mmap", b="parallel"):
    comparing = session(a, b, pairs=len(times["A"]))
    left = {label: iter(values) for label, values in times.items()}
    run_all(comparing, lambda label, _: next(left[label], 500 * MS) / MS)
    return comparing.comparison(inspection)
