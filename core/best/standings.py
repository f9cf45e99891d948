"""How all arms of a race stand against the best so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from modelmon.core.best.candidates import changed_axes
from modelmon.core.best.follow_up import left_cached_share
from modelmon.core.best.pick import by_speed, median_held_bytes, pick
from modelmon.core.best.result import Standing
from modelmon.core.compare.spread import (
    RatioInterval,
    mad,
    whole_median_of_known,
)
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.explain.figures import device_rate, limits_seen, raised_by
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.best.field import Field, RaceArm
    from modelmon.core.best.result import Objective
    from modelmon.core.probe.limits import Limits

_ABOUT_AS_FAST = 0.9
_ITSELF = RatioInterval(1.0, 1.0, 1.0, None, 0)


def standings_of(
    field: Field, objective: Objective, limits: Limits, after: Field
) -> tuple[Standing, ...]:
    """All arms: the best so far, the others by speed, those without a run that counts; with what
    the rounds `after` the race say of each.
    """
    measured = field.measured
    best = pick(field, measured, objective)
    first = [best] if best is not None else []
    other = {arm.label: arm for arm in after.measured}
    standings = []
    for arm in dict.fromkeys((*first, *by_speed(field, measured), *field.arms)):
        standing = Standing(
            label=arm.label,
            strategy=arm.strategy,
            config=arm.config,
            state="racing" if arm.active else "failed" if arm.failed else "dropped",
            runs=len(arm.kept),
            discarded=len(arm.discarded),
            changed=changed_axes(arm.strategy, arm.config),
            why=arm.why,
        )
        if best is not None and arm.measured:
            standing = _measured(standing, field, arm, best)
            seen = [run for each in measured for run in each.kept]
            bottleneck = typical_bottleneck(arm.kept, _limits_for(arm, measured, limits), seen)
            standing = replace(standing, bottleneck=bottleneck)
        if arm.label in other:
            standing = _with_other_start(standing, after, other[arm.label])
        standings.append(standing)
    return tuple(standings)


def _limits_for(arm: RaceArm, measured: Sequence[RaceArm], limits: Limits) -> Limits:
    """What the storage can do, by the probe or by faster runs here.

    Without a probe an arm's own rate is no limit, however fast it is: only what another strategy
    has reached, if that is about as much or more.
    """
    limits = limits_seen(limits, (run for each in measured for run in each.kept))
    if limits.device_bytes_per_s is not None:
        return limits
    others = (run for each in measured if each.strategy != arm.strategy for run in each.kept)
    seen = raised_by(limits, others)
    own = max((device_rate(run) or 0.0 for run in arm.kept), default=0.0)
    return seen if (seen.device_bytes_per_s or 0.0) >= _ABOUT_AS_FAST * own else limits


def _measured(standing: Standing, field: Field, arm: RaceArm, best: RaceArm) -> Standing:
    """With what its runs that count say."""
    times, expected = list(arm.times_ns.values()), field.posterior.time(arm.label)
    typical = middle_run(arm.kept)
    found = field.relation(arm, best) if arm is not best else _ITSELF
    return replace(
        standing,
        median_ns=arm.median_ns,
        mad_ns=mad(times),
        fastest_ns=min(times),
        slowest_ns=max(times),
        expected_ns=expected.middle_ns,
        expected_low_ns=expected.low_ns,
        expected_high_ns=expected.high_ns,
        against=best.label,
        ratio=found.ratio,
        ratio_low=found.low,
        ratio_high=found.high,
        coverage_share=found.coverage_share,
        pairs=found.pairs,
        peak_rss_bytes=whole_median_of_known(result.peak_rss_bytes for result in arm.kept),
        held_bytes=median_held_bytes(arm),
        io_wait_share=typical.io_wait_share if typical is not None else None,
        device_bytes=whole_median_of_known(result.device_bytes for result in arm.kept),
        left_cached_share=left_cached_share(arm),
    )


def _with_other_start(standing: Standing, after: Field, arm: RaceArm) -> Standing:
    """With what its runs from the cache's other state say."""
    expected = after.posterior.time(arm.label)
    return replace(
        standing,
        other_median_ns=arm.median_ns,
        other_runs=len(arm.kept),
        other_expected_ns=expected.middle_ns,
        other_low_ns=expected.low_ns,
        other_high_ns=expected.high_ns,
    )
