"""`modelmon export`: a saved comparison or race as the file that loads the model."""

from __future__ import annotations

from pathlib import Path

import click

from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.export.config_file import best_arm, render, render_race
from modelmon.core.export.saved import read_comparison, read_race


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
            raise click.UsageError("Find best has no A and B: leave out --arm.")
        write_text_atomic(out_path, render_race(race))
        click.echo(f"Wrote {race.recommendation.exported} to {out_path}.", err=True)
        return
    comparison = read_comparison(result)
    label = best_arm(comparison) if arm == "best" else "A" if arm == "A" else "B"
    write_text_atomic(out_path, render(comparison, label))
    click.echo(f"Wrote {label} to {out_path}.", err=True)
