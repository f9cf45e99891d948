"""`modelmon export`: a saved comparison or race as the file that loads the model."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.race.result import RACE_SCHEMA, Race
from modelmon.core.experiment.result import RESULT_SCHEMA, Comparison
from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.export.config_file import best_arm, render
from modelmon.core.export.race_config import render_race


@click.command("export")
@click.argument("result", type=click.Path(path_type=Path))
@click.option(
    "out_path",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("modelmon.toml"),
    show_default=True,
    help="File to write.",
)
@click.option(
    "--arm", type=click.Choice(("best", "A", "B")), default="best", help="[default: best]"
)
def command(result: Path, out_path: Path, arm: str) -> None:
    """Write modelmon.toml from RESULT, saved by `compare --out` or `best --record`."""
    check_target(out_path)
    race = read_race(result)
    if race is not None:
        if arm != "best":
            raise click.UsageError("A race has no A and B: leave out --arm.")
        write_text_atomic(out_path, render_race(race))
        click.echo(f"Wrote {race.recommendation.exported} to {out_path}.", err=True)
        return
    comparison = read_comparison(result)
    label = best_arm(comparison) if arm == "best" else "A" if arm == "A" else "B"
    write_text_atomic(out_path, render(comparison, label))
    click.echo(f"Wrote {label} to {out_path}.", err=True)


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
