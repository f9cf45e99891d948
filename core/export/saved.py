"""Results that were saved as JSON, read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.race.result import RACE_SCHEMA, Race
from modelmon.core.experiment.result import RESULT_SCHEMA, Comparison
from modelmon.core.experiment.statistics.decision import paired_times
from modelmon.core.messages import Message, from_wire

if TYPE_CHECKING:
    from pathlib import Path


class _Kind(msgspec.Struct):
    """What tells a race from a comparison."""

    kind: str = ""


def read_race(path: Path) -> Race | None:
    """The race saved in `path`; None if it is something else or nothing."""
    try:
        content = path.read_bytes()
        if msgspec.json.decode(content, type=_Kind).kind != "race":
            return None
    except (OSError, msgspec.DecodeError, RecursionError):
        return None  # read_comparison says what is wrong
    try:
        race = msgspec.json.decode(content, type=Race, dec_hook=from_wire)
        _check_labels(race)
    except (msgspec.DecodeError, ConfigError) as error:
        raise ConfigError(
            Message("{path} isn't a saved Find best result: {reason}.", path=path, reason=error),
            Message("Run modelmon best again."),
        ) from error
    if race.schema != RACE_SCHEMA:
        raise ConfigError(
            Message(
                "{path} has schema {schema}; this version reads {race_schema}.",
                path=path,
                schema=race.schema,
                race_schema=RACE_SCHEMA,
            ),
            Message("Run modelmon best again with this version."),
        )
    return race


def _check_labels(race: Race) -> None:
    """Raise ValidationError where the recommendation is of none that ran."""
    known = {"", *(standing.label for standing in race.standings)}
    if not {race.recommendation.label, race.recommendation.exported} <= known:
        raise msgspec.ValidationError("it recommends what did not run")


def read_comparison(path: Path) -> Comparison:
    """The comparison saved in `path`; raises ConfigError that says what is wrong."""
    try:
        comparison = msgspec.json.decode(path.read_bytes(), type=Comparison, dec_hook=from_wire)
        _check_pairs(comparison)
    except OSError as error:
        raise ConfigError(
            Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror)
        ) from error
    except (msgspec.DecodeError, ConfigError, RecursionError) as error:
        raise ConfigError(
            Message("{path} isn't a saved comparison: {reason}.", path=path, reason=error),
            Message("Save one with modelmon compare --out."),
        ) from error
    if comparison.schema != RESULT_SCHEMA:
        raise ConfigError(
            Message(
                "{path} has schema {schema}; this version reads {result_schema}.",
                path=path,
                schema=comparison.schema,
                result_schema=RESULT_SCHEMA,
            ),
            Message("Compare again with this version."),
        )
    return comparison


def _check_pairs(comparison: Comparison) -> None:
    """Raise ValidationError where no verdict can rest on its runs."""
    arms = (comparison.runs_a, comparison.runs_b)
    timed = all(run.timed_ns for runs in arms for run in runs if run.counts)
    if not timed or not all(paired_times(*arms)):
        raise msgspec.ValidationError("no pair of its runs counts")
