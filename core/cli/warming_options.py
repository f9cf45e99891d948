"""Options of `warm` and `launch`; imported in no time, for a launched program waits for it."""

from __future__ import annotations

import click

from modelmon.core.load.presets import PRESETS

strategy_option = click.option(
    "--strategy",
    type=click.Choice([name for name, each in PRESETS.items() if each.config.access == "read"]),
    help="Strategy.  [default: as many readers as turn out to be fastest]",
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Say nothing but errors.")
