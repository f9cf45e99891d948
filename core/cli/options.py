"""Options that several subcommands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.output import tell
from modelmon.core.comparison.estimate import start_of
from modelmon.core.errors import ConfigError
from modelmon.core.load.config import CHOICES, LoadConfig, with_axis
from modelmon.core.load.planner import LEAST_PORTION_BYTES
from modelmon.core.load.strategies import read_config, strategy_names
from modelmon.core.load.strategies import strategy as strategy_called
from modelmon.core.load.subset import Subset
from modelmon.core.messages import Message
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.remote import Place, place_of
from modelmon.core.units import parse_size, request_text, whole_number

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Cache


_DASH = "- would be standard output, which has what this command says. Give a file's name."


class SizeType(click.ParamType[int]):
    """A number of bytes, written as 512MiB or 8GiB; not fewer than `least_bytes`."""

    name = "size"

    def __init__(self, least_bytes: int = 0) -> None:
        self._least_bytes = least_bytes

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Parse, or fail with the reason."""
        if isinstance(value, int):
            return value
        try:
            found = parse_size(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        if found < self._least_bytes:
            self.fail(
                f"{value} is too little: {request_text(self._least_bytes)} or more.", param, ctx
            )
        return found


class PlaceType(click.ParamType[Place]):
    """A path, or `ssh://host/path` on a server."""

    name = "path"

    def __init__(self, *, to_write: bool = False) -> None:
        self._to_write = to_write

    def convert(
        self, value: str | Place, param: click.Parameter | None, ctx: click.Context | None
    ) -> Place:
        """Parse, or fail with the reason."""
        if isinstance(value, Place):
            return value
        if self._to_write and value == "-":
            self.fail(_DASH, param, ctx)
        try:
            return place_of(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)


class _TargetPath(click.Path):
    """A file to write, here."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Take it, or fail with the reason."""
        if value == "-":
            self.fail(_DASH, param, ctx)
        return super().convert(value, param, ctx)


target_path = _TargetPath(path_type=Path)
target_place = PlaceType(to_write=True)
source_path = click.Path(readable=False, path_type=Path)
"""Of what is read: whoever opens it says why it cannot be, and what to do."""
place_argument = click.argument("place", type=PlaceType(), metavar="PATH")
place_if_given = click.argument("place", type=PlaceType(), required=False, metavar="[PATH]")
json_option = click.option(
    "as_json", "--json", is_flag=True, help="Print one JSON document on standard output."
)
strategy_choice = click.Choice(strategy_names())
cache_option = click.option(
    "--cache",
    type=click.Choice(("cold", "warm", "as-is")),
    help="State of the page cache before each run.  [default: cold; warm for files in memory]",
)
deliver_choice = click.Choice(CHOICES["deliver"])
DELIVER_HELP = (
    "What counts as loaded: usable (every byte in memory), owned (private copy), streamed"
    " (through a small buffer), decoded (as float32); untouched only for libraries."
)
deliver_option = click.option(
    "--deliver", type=deliver_choice, default="usable", show_default=True, help=DELIVER_HELP
)
portion_option = click.option(
    "portion_bytes",
    "--portion",
    type=SizeType(LEAST_PORTION_BYTES),
    help="Load only this much, in pieces of 256 MiB or more, and extrapolate the result.",
)
tensors_option = click.option(
    "tensors", "--tensors", multiple=True, metavar="PATTERN", help="Only tensors with this name."
)
blocks_option = click.option(
    "blocks", "--blocks", multiple=True, metavar="PATTERN", help="Only blocks with this name."
)
rank_option = click.option(
    "rank",
    "--rank",
    metavar="N/M",
    help="Only what tensor-parallel rank N of M needs; ranks count from 0.",
)
engine_option = click.option(
    "--engine",
    type=click.Choice(tuple(PROGRAMS)),
    help="Start this program; what follows -- is added to its command.",
)
variant_option = click.option(
    "--variant", metavar="NAME", help="Its load setting, as modelmon engines lists them."
)
at_option = click.option(
    "--at",
    type=click.Path(path_type=Path),
    help="The program, or the Python that has it.  [default: on the PATH]",
)
yes_option = click.option(
    "--yes", is_flag=True, help="Continue even if another process uses the model."
)
fresh_option = click.option(
    "fresh_memory",
    "--fresh-memory",
    is_flag=True,
    help="Don't prepare free memory first (the default on virtual machines).",
)
ready_option = click.option(
    "ready",
    "--ready",
    default="",
    metavar="SIGN",
    help=(
        "When a program is ready: exit, output:REGEX, listening[:PORT], http:PORT/PATH (this"
        " machine only), quiet[:SECONDS], or asked:PORT, when the command has asked the program at"
        " a port of this machine, which is watched.  [default: the engine's, or 2 seconds without"
        " reads once the model is in memory, 10 seconds of rest with a part of it, or exit]"
    ),
)
limit_option = click.option(
    "limit_s",
    "--limit",
    type=click.FloatRange(0, 86400, min_open=True),
    default=600.0,
    show_default=True,
    help="End a program after so many seconds if it isn't ready.",
)
hz_option = click.option(
    "sample_hz",
    "--hz",
    type=click.FloatRange(1, 50),
    default=20.0,
    show_default=True,
    help="Samples per second.",
)


def subset_of(tensors: tuple[str, ...], blocks: tuple[str, ...], rank: str | None) -> Subset:
    """The subset that `--tensors`, `--blocks` and `--rank` ask for."""
    before, _, behind = (rank or "0/1").partition("/")
    number, ranks = whole_number(before), whole_number(behind)
    if number is None or ranks is None:
        raise ConfigError(
            Message("{rank} isn't a rank.", rank=repr(rank)), Message("Write for example 0/4.")
        )
    return Subset(tensors, blocks, number, ranks)


def chosen_start(asked: Cache | None, storage: Storage) -> Cache:
    """The start that `--cache` asks for, or without it the one that is possible; says so if that
    is not a cold one.
    """
    found = start_of(asked, storage)
    if asked is None and found != "cold":
        what = f"files in memory ({storage.filesystem}) have no cold start"
        tell(f"Note: {what}, so this measures warm starts.")
    return found


def set_axes(config: LoadConfig, settings: Iterable[str]) -> LoadConfig:
    """`config` with `axis=value` settings applied in order."""
    for setting in settings:
        axis, equals, value = setting.partition("=")
        if not equals:
            raise ConfigError(
                Message("{setting} isn't SETTING=VALUE.", setting=repr(setting)),
                Message("Write for example readers=8."),
            )
        config = with_axis(config, axis.strip(), value.strip())
    return config


def warn_of_another_model(config_path: Path, model: Model) -> None:
    """Say so if an exported file was measured with another model than this one."""
    if told := read_config(config_path).of_another_model(config_path, model):
        tell(f"Note: {told}")


def chosen_config(
    strategy: str | None, config_path: Path | None, settings: Iterable[str], deliver: str | None
) -> tuple[str, LoadConfig]:
    """Name and configuration from --strategy or --config, then --deliver and --set."""
    if strategy is not None and config_path is not None:
        raise click.UsageError("Use --strategy or --config, not both.")
    if config_path is not None:
        exported = read_config(config_path)
        name, config = exported.strategy, exported.config
    else:
        name = strategy or "mmap"
        config = strategy_called(name).config
    if deliver is not None:
        config = with_axis(config, "deliver", deliver)
    changed = set_axes(config, settings)
    return (name if changed == config else f"{name}, changed"), changed
