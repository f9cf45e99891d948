"""What `warm` and `launch` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.load.presets import PRESETS, preset
from modelmon.core.load.warming import Warming
from modelmon.core.machine.memory import read_memory
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from pathlib import Path

strategy_option = click.option(
    "--strategy",
    type=click.Choice([name for name, each in PRESETS.items() if each.config.access == "read"]),
    help="Strategy.  [default: as many readers as turn out to be fastest]",
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Say nothing but errors.")


def warming_of(path: Path, strategy: str | None) -> Warming:
    """The warming of a model; raises ModelFileError and LoadFailedError."""
    readers = preset(strategy).config.readers if strategy else None
    return Warming(open_model(path), read_memory(), readers)
