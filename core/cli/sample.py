"""`modelmon sample`: writes a realistic model to try things on."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.output import print_json, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.model.sample import write_sample
from modelmon.core.model.sample_layout import SampleFormat
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from pathlib import Path


@click.command("sample")
@declared
def command(
    out: Path = argument(type=options.target_path),
    kind: SampleFormat | None = option(
        "--format",
        type=click.Choice(get_args(SampleFormat)),
        help="Kind of files.  [default: gguf where OUT ends in .gguf, else safetensors]",
    ),
    size_bytes: int = option(
        "--size",
        type=options.size_type,
        default=512 * MIB,
        show_default=False,
        help="Its size.  [default: 512MiB]",
    ),
    layers: int = option(type=click.IntRange(1, 1000), default=32, help="How many layers."),
    seed: int = option(type=click.IntRange(0), default=0, help="Seed for its values."),
    force: bool = option(help="Overwrite OUT."),
    as_json: bool = options.as_json,
) -> None:
    """Write a test model.

    OUT gets the layout and types of a real model.
    """
    kind = kind or ("gguf" if out.suffix.lower() == ".gguf" else "safetensors")
    with ProgressBar() as bar:

        def report(done_bytes: int, total_bytes: int) -> None:
            if as_json:
                print_json({"done_bytes": done_bytes, "total_bytes": total_bytes})
            else:
                bar.show("writing", done_bytes, total_bytes)

        path = write_sample(out, kind, size_bytes, layers, seed, force=force, progress=report)
    if as_json:
        print_json({"path": str(path)})
    else:
        tell(f"Wrote {path}.")
