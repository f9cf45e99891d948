"""The runs of one arm, summed up, and which of them are outliers."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.comparison.result import ArmSummary
from modelmon.core.comparison.spread import (
    MIN_PAIRS_FOR_INTERVAL,
    OUTLIER_SCORE,
    mad,
    median_of_known,
    modified_z_scores,
    whole_median_of_known,
)
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from modelmon.core.comparison.schedule import Label
    from modelmon.core.explain.figures import Bottleneck
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult


def scored(results: tuple[RunResult, ...]) -> tuple[RunResult, ...]:
    """The same runs with their modified Z-scores, where five or more count."""
    kept = [result for result in results if result.counts]
    if len(kept) < MIN_PAIRS_FOR_INTERVAL:
        return results
    scores = iter(modified_z_scores([result.timed_ns for result in kept]))
    return tuple(
        msgspec.structs.replace(result, modified_z=next(scores)) if result.counts else result
        for result in results
    )


def outliers(results: tuple[RunResult, ...]) -> tuple[RunResult, ...]:
    """Those of the scored runs that lie far from the others."""
    return tuple(run for run in results if abs(run.modified_z or 0.0) > OUTLIER_SCORE)


def summarise_arm(
    label: Label,
    strategy: str,
    config: LoadConfig,
    results: tuple[RunResult, ...],
    bottleneck: Bottleneck | None = None,
) -> ArmSummary | None:
    """Median and spread of an arm's runs that count; None if there are none. Its `bottleneck` is
    by these runs alone where none is given.
    """
    kept = [result for result in results if result.counts]
    if not kept:
        return None
    walls = [result.timed_ns for result in kept]
    middle = median(walls)
    programs = [result for result in kept if result.is_program]
    typical = middle_run(kept)
    read = [result for result in programs if result.first_byte_ns is not None]
    return ArmSummary(
        label=label,
        strategy=strategy,
        config=config,
        runs=len(kept),
        discarded=len(results) - len(kept),
        median_ns=middle,
        mad_ns=mad(walls),
        fastest_ns=min(walls),
        slowest_ns=max(walls),
        bytes_per_s=kept[0].load_bytes * 1e9 / middle if middle else 0.0,
        ready_ns=median_of_known(r.wall_ns for r in programs),
        reading_ns=median_of_known(r.reading_ns for r in read),
        outliers=len(outliers(scored(results))),
        peak_rss_bytes=whole_median_of_known(r.peak_rss_bytes for r in kept),
        # Of the run that the bottleneck is of: the two are read side by side.
        io_wait_share=typical.io_wait_share if typical is not None else None,
        device_bytes=whole_median_of_known(r.device_bytes for r in kept),
        bottleneck=bottleneck or typical_bottleneck(kept),
    )
