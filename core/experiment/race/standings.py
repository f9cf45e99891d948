"""How all arms of a race stand against the best so far."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.experiment.bottleneck.bottleneck import typical_bottleneck
from modelmon.core.experiment.bottleneck.figures import device_rate, limits_seen, raised_by
from modelmon.core.experiment.race.candidates import changed_axes
from modelmon.core.experiment.race.field import Field
from modelmon.core.experiment.race.follow_up import left_cached_share
from modelmon.core.experiment.race.pick import by_speed, median_held_bytes, pick
from modelmon.core.experiment.race.result import Standing
from modelmon.core.experiment.statistics.spread import mad, median_of_known, whole_median_of_known
from modelmon.core.probe.limits import UNKNOWN_LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race.field import RaceArm
    from modelmon.core.experiment.race.result import Objective, StandingState

_ABOUT_AS_FAST = 0.9


def standings_of(
    field: Field, objective: Objective, limits: Limits = UNKNOWN_LIMITS, after: Field | None = None
) -> tuple[Standing, ...]:
    """All arms: the best so far, the others by speed, those without a run that counts; with what
    the rounds `after` the race say of each.
    """
    measured = field.measured
    best = pick(field, measured, objective)
    ordered = [arm for arm in by_speed(field, measured) if arm is not best]
    first = [best] if best is not None else []
    ranked = [
        *first,
        *ordered,
        *(arm for arm in field.arms if not arm.measured),
    ]
    after = after or Field()
    return tuple(
        _with_other_start(_standing(field, arm, best, _limits_for(arm, measured, limits)), after)
        for arm in ranked
    )


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


def _standing(field: Field, arm: RaceArm, best: RaceArm | None, limits: Limits) -> Standing:
    state: StandingState = "racing" if arm.active else "failed" if arm.failed else "dropped"
    if not arm.measured or best is None:
        return Standing(
            arm.label,
            arm.strategy,
            arm.config,
            state,
            len(arm.kept),
            len(arm.discarded),
            changed=changed_axes(arm.strategy, arm.config),
            why=arm.why,
        )
    times, expected = list(arm.times_ns.values()), field.posterior.time(arm.label)
    found = field.relation(arm, best) if arm is not best else None
    one = 1.0 if arm is best else None
    return Standing(
        label=arm.label,
        strategy=arm.strategy,
        config=arm.config,
        state=state,
        runs=len(arm.kept),
        discarded=len(arm.discarded),
        changed=changed_axes(arm.strategy, arm.config),
        why=arm.why,
        median_ns=median(times),
        mad_ns=mad(times),
        fastest_ns=min(times),
        slowest_ns=max(times),
        expected_ns=expected.middle_ns,
        expected_low_ns=expected.low_ns,
        expected_high_ns=expected.high_ns,
        against=best.label,
        ratio=found.ratio if found else one,
        ratio_low=found.low if found else one,
        ratio_high=found.high if found else one,
        coverage_share=found.coverage_share if found else None,
        pairs=found.pairs if found else 0,
        peak_rss_bytes=whole_median_of_known(result.peak_rss_bytes for result in arm.kept),
        held_bytes=median_held_bytes(arm),
        io_wait_share=median_of_known(result.io_wait_share for result in arm.kept),
        device_bytes=whole_median_of_known(result.device_bytes for result in arm.kept),
        left_cached_share=left_cached_share(arm),
        bottleneck=typical_bottleneck(arm.kept, limits),
    )


def _with_other_start(standing: Standing, after: Field) -> Standing:
    """With what its runs from the cache's other state say."""
    arm = next((arm for arm in after.measured if arm.label == standing.label), None)
    if arm is None:
        return standing
    expected = after.posterior.time(arm.label)
    return msgspec.structs.replace(
        standing,
        other_median_ns=arm.median_ns,
        other_runs=len(arm.kept),
        other_expected_ns=expected.middle_ns,
        other_low_ns=expected.low_ns,
        other_high_ns=expected.high_ns,
    )
