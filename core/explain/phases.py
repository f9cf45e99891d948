"""Where the time of a run went, from the headers to the last byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.explain.figures import at_once, decoders

if TYPE_CHECKING:
    from modelmon.core.worker.result import RunResult

PhaseLabel = Literal[
    "open",
    "plan",
    "start-up",
    "conditioning",
    "cache",
    "other",
    "warm-up",
    "read",
    "fault",
    "decode",
    "before-reading",
    "after-reading",
]


class PhaseTime(msgspec.Struct, frozen=True):
    """One phase: before the clock of the load, timed by it, or beside another timed one."""

    name: PhaseLabel
    duration_ns: int
    when: Literal["before", "timed", "beside"]


def phases_of(run: RunResult) -> tuple[PhaseTime, ...]:
    """The phases of a run that took any time, in order.

    Reading is called faulting where the file is mapped. Decoding goes on beside it; its time is
    the decoders' CPU time, shared by as many of them as there are processors. Of a watched program
    what comes before and after its reading is told as well; where that was not seen, all of its
    time counts as reading.
    """
    load_ns = run.reading_ns - run.warmup_ns
    decode_ns = min(load_ns, (run.decode_ns or 0) // at_once(run, decoders(run)))
    access = run.config.access
    all_mapped = access == "mmap" or (access == "auto" and run.memory_kind == "mapped")
    mapped = all_mapped and run.config.library == "none"
    phases = (
        PhaseTime("open", run.open_ns, "before"),
        PhaseTime("plan", run.plan_ns, "before"),
        PhaseTime("start-up", run.startup_ns, "before"),
        PhaseTime("conditioning", run.conditioning_ns, "before"),
        PhaseTime("cache", run.cache_ns, "before"),
        PhaseTime("other", run.other_setup_ns, "before"),
        PhaseTime("warm-up", run.warmup_ns, "timed"),
        PhaseTime("before-reading", run.first_byte_ns or 0, "timed"),
        PhaseTime("fault" if mapped else "read", load_ns, "timed"),
        PhaseTime("after-reading", run.wall_ns - (run.last_byte_ns or run.wall_ns), "timed"),
        PhaseTime("decode", decode_ns, "beside"),
    )
    return tuple(phase for phase in phases if phase.duration_ns > 0)
