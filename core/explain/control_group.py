"""Limits of control groups: which of them a load was held to, and when such a limit changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.explain.figures import HALF, cpu_ns, device_rate, is_shared, waiting_share
from modelmon.core.explain.memory import reread_bytes, stalled_share
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.machine.cgroup_limits import CgroupLimit
    from modelmon.core.worker.result import RunResult

AT_THE_LIMIT_SHARE = 0.85
ABOVE_THE_LIMIT_FACTOR = 1.3
"""Loads of 4 to 64 MiB under throttles of 10 to 200 MB/s read 0.85 to 1.18 times what these allow:
what comes at once in the beginning is more, and there are gaps. Others under a throttle that a
disk just reached read 0.4 times as much. Who reads much more was not held to it all the time."""


def felt_limit(run: RunResult) -> CgroupLimit | None:
    """The limit of a disk that readers waited for, since their group read as much as it may."""
    felt = (limit for limit in run.limits or () if limit.device and _is_felt(run, limit))
    return next(felt, None)


def changed_limit(
    slower: Sequence[RunResult], faster: Sequence[RunResult], *, slower_is_later: bool
) -> Message:
    """The limit that held back most of the `slower` runs, and for most of the `faster` ones was
    wider or not there; empty where there is none.
    """
    felt = Counter(
        msgspec.structs.replace(limit, counted=None)
        for run in slower
        for limit in run.limits or ()
        if _is_felt(run, limit)
    )
    for limit, times in felt.most_common():
        wider = Counter(
            other
            for run in faster
            if run.limits is not None and (other := _same_of(run, limit)) != limit
            if other is None or other.amount > limit.amount
        )
        if 2 * times > len(slower) and 2 * wider.total() > len(faster):
            other = wider.most_common(1)[0][0]
            one = other.amount_text if other is not None else Message("no limit")
            then, since = (one, limit.amount_text)[:: 1 if slower_is_later else -1]
            return Message(
                "The cause is a limit of the control group, {where}: {then} before, {since} since.",
                where=limit.where,
                then=then,
                since=since,
            )
    return NOTHING


def _same_of(run: RunResult, limit: CgroupLimit) -> CgroupLimit | None:
    """The limit of the same place as another run had it."""
    same = (one for one in run.limits or () if one.place == limit.place)
    return next((msgspec.structs.replace(one, counted=None) for one in same), None)


def _is_felt(run: RunResult, limit: CgroupLimit) -> bool:
    """Whether a run used what the limit allows, and waited for more."""
    if limit.kind == "memory":
        return stalled_share(run) > 0 or reread_bytes(run) > 0
    used: float | None
    if limit.kind == "processors":
        used = (cpu_ns(run) or 0) / run.wall_ns if run.wall_ns else None
    elif (waiting_share(run) or 0.0) < HALF:
        return False
    elif limit.counted is not None:
        # Of all that are in the group: what others of it take is not there for the load.
        used = limit.counted * 1e9 / run.wall_ns if run.wall_ns else None
    elif limit.kind == "read-rate":
        used = device_rate(run)
    else:
        used = run.device.reads_per_s if run.device and is_shared(run) is False else None
    if used is None:
        return False
    return AT_THE_LIMIT_SHARE * limit.amount <= used <= ABOVE_THE_LIMIT_FACTOR * limit.amount
