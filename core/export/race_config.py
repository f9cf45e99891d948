"""Writes what a race recommends as `modelmon.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tomlkit

from modelmon.core.errors import ConfigError
from modelmon.core.export.config_file import config_text, seconds
from modelmon.core.messages import Message
from modelmon.core.units import duration_text, percent_text

if TYPE_CHECKING:
    from tomlkit.items import Table

    from modelmon.core.experiment.race.result import Race, Standing


def render_race(race: Race) -> str:
    """The text of `modelmon.toml` for what the race recommends.

    Where that takes worker processes or a library it is the best of those that load within
    one process. Raises ConfigError where there is none.
    """
    label = race.recommendation.exported
    if not label:
        raise ConfigError(
            Message("None of the strategies measured loads in one process with modelmon."),
            Message("Run Find best with a longer time limit."),
        )
    standing = race.standing(label)
    return config_text(race, standing.label, standing.config, _evidence(race, standing))


def _evidence(race: Race, stored: Standing) -> Table:
    found = race.recommendation
    table = tomlkit.table()
    table["sentence"] = found.sentence
    table["reason"] = " ".join(found.reasons)
    table["caveat"] = " ".join(found.contradictions)
    table["confidence"] = found.confidence
    table["objective"] = race.objective
    table["cache"] = race.cache
    if stored.label != found.label:
        table["caveat"].comment(f"what is stored is {stored.label}, not {found.label}")
    table["median_s"] = seconds(stored.median_ns or 0)
    table["fastest_s"] = seconds(stored.fastest_ns or 0)
    table["slowest_s"] = seconds(stored.slowest_ns or 0)
    table["runs"] = stored.runs
    if race.portion_bytes is not None:
        table["portion_bytes"] = race.portion_bytes
        table["portion_bytes"].comment("only this part was loaded; times are extrapolated")
    for number, standing in enumerate(race.standings, start=1):
        if standing.median_ns is not None:
            table[f"place_{number}"] = _place(standing)
    return table


def _place(standing: Standing) -> Table:
    table = tomlkit.table()
    table["strategy"] = standing.label
    table["median_s"] = seconds(standing.median_ns or 0)
    table["median_s"].comment(duration_text(standing.median_ns or 0))
    table["runs"] = standing.runs
    alone = standing.label == standing.against
    if not alone and standing.ratio_low is not None and standing.ratio_high is not None:
        table["ratio_to_best"] = [round(standing.ratio_low, 3), round(standing.ratio_high, 3)]
        sure = standing.coverage_share
        table["ratio_to_best"].comment(
            f"with {percent_text(sure)} confidence" if sure else "a guess, for want of runs"
        )
    if standing.why:
        table["dropped"] = standing.why
    return table
