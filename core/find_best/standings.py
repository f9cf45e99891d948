"""How all strategies of a race stand against the one to use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from modelmon.core.comparison.spread import RatioInterval, median_of_known
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.explain.figures import device_rate, limits_seen, raised_by
from modelmon.core.find_best.candidates import changed_axes
from modelmon.core.find_best.result import Standing
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.find_best.contenders import Contender, Contenders
    from modelmon.core.probe.probe import Limits

_ABOUT_AS_FAST = 0.9
_ITSELF = RatioInterval(1.0, 1.0, 1.0, None, 0)


def standings_of(now: Contenders, limits: Limits, after: Contenders | None) -> tuple[Standing, ...]:
    """All strategies: the one to use, the others by speed, those without a run that counts; with
    what the runs `after` the race, from the cache's other state, say of each.
    """
    chosen = now.chosen
    first = [chosen] if chosen is not None else []
    standings = []
    for each in dict.fromkeys((*first, *now.by_speed(), *now.all) if first else now.all):
        why = each.failed or now.why_out(each)
        standing = Standing(
            label=each.label,
            strategy=each.told.strategy,
            config=each.config,
            state="failed" if each.failed else "dropped" if why else "racing",
            runs=len(each.kept),
            discarded=len(each.discarded),
            changed=changed_axes(each.told.strategy, each.config),
            why=why,
        )
        if chosen is not None and each.measured:
            standing = _measured(standing, now, each, chosen)
            standing = replace(standing, kept=each is chosen and each is not now.best)
            seen = [run for one in now.measured for run in one.kept]
            bottleneck = typical_bottleneck(
                each.kept, _limits_for(each, now.measured, limits), seen
            )
            standing = replace(standing, bottleneck=bottleneck)
        other = after.called(each.label) if after is not None else None
        if other is not None and other.kept:
            standing = replace(
                standing, other_median_ns=other.median_ns, other_runs=len(other.kept)
            )
        standings.append(standing)
    return tuple(standings)


def _limits_for(arm: Contender, measured: Sequence[Contender], limits: Limits) -> Limits:
    """What the storage can do, by the probe or by faster runs here.

    Without a probe a strategy's own rate is no limit, however fast it is: only what another one has
    reached, if that is about as much or more.
    """
    limits = limits_seen(limits, (run for each in measured for run in each.kept))
    if limits.device_bytes_per_s is not None:
        return limits
    others = (
        run for each in measured if each.told.strategy != arm.told.strategy for run in each.kept
    )
    seen = raised_by(limits, others)
    own = max((device_rate(run) or 0.0 for run in arm.kept), default=0.0)
    return seen if (seen.device_bytes_per_s or 0.0) >= _ABOUT_AS_FAST * own else limits


def _measured(standing: Standing, now: Contenders, each: Contender, chosen: Contender) -> Standing:
    """With what its runs that count say."""
    expected, typical = now.posterior.time(each.label), middle_run(each.kept)
    found = now.relation(each, chosen) if each is not chosen else _ITSELF
    return replace(
        standing,
        median_ns=each.median_ns,
        expected_ns=expected.middle_ns,
        expected_low_ns=expected.low_ns,
        expected_high_ns=expected.high_ns,
        against=chosen.label,
        ratio=found.ratio,
        ratio_low=found.low,
        ratio_high=found.high,
        coverage_share=found.coverage_share,
        pairs=found.pairs,
        held_bytes=each.held_bytes,
        io_wait_share=typical.io_wait_share if typical is not None else None,
        left_cached_share=median_of_known(run.residency_after_share for run in each.kept),
    )
