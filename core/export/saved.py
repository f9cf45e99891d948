"""Results that were saved as JSON, read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.race.result import RACE_SCHEMA, Race
from modelmon.core.experiment.result import RESULT_SCHEMA, Comparison

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
    except (OSError, msgspec.DecodeError):
        return None  # read_comparison says what is wrong
    try:
        race = msgspec.json.decode(content, type=Race)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{path} is not a saved race: {error}.", "Race anew.") from error
    if race.schema != RACE_SCHEMA:
        raise ConfigError(
            f"{path} has schema {race.schema}; this version reads {RACE_SCHEMA}.",
            "Race again with this version.",
        )
    return race


def read_comparison(path: Path) -> Comparison:
    """The comparison saved in `path`; raises ConfigError that says what is wrong."""
    try:
        comparison = msgspec.json.decode(path.read_bytes(), type=Comparison)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise ConfigError(
            f"{path} is not a saved comparison: {error}.", "Save one with modelmon compare --out."
        ) from error
    if comparison.schema != RESULT_SCHEMA:
        raise ConfigError(
            f"{path} has schema {comparison.schema}; this version reads {RESULT_SCHEMA}.",
            "Compare again with this version.",
        )
    return comparison
