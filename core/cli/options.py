"""Options that several subcommands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modelmon.core.cli import argument, option
from modelmon.core.cli.output import tell
from modelmon.core.comparison.estimate import start_of
from modelmon.core.errors import ConfigError
from modelmon.core.export.atomic import check_target
from modelmon.core.load.config import CHOICES, LoadConfig, with_axis
from modelmon.core.load.planner import LEAST_PORTION_BYTES
from modelmon.core.load.strategies import read_config, strategy_names
from modelmon.core.load.strategies import strategy as strategy_called
from modelmon.core.load.subset import Subset
from modelmon.core.messages import Message
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.remote import place_of
from modelmon.core.units import parse_size, request_text, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Cache


class Parsed(click.ParamType[Any]):
    """What `parse` makes of the text; what it raises says what is wrong with that."""

    def __init__(self, name: str, parse: Callable[[str], object]) -> None:
        self.name = name
        self._parse = parse

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Parse, or fail with the reason; a default is what it is."""
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except (ConfigError, ValueError) as error:
            self.fail(str(error), param, ctx)


def _no_dash(text: str) -> str:
    """The name of a file to write."""
    if text == "-":
        raise ValueError(
            "- would be standard output, which has what this command says. Give a file's name."
        )
    return text


def _result_path(text: str) -> Path:
    path = Path(_no_dash(text))
    check_target(path)
    return path


def _portion_bytes(text: str) -> int:
    found = parse_size(text)
    if found < LEAST_PORTION_BYTES:
        raise ValueError(f"{text} is too little: {request_text(LEAST_PORTION_BYTES)} or more.")
    return found


size_type = Parsed("size", parse_size)
"""Bytes, written as 512MiB or 8GiB."""
place_type = Parsed("path", place_of)
"""A path, or `ssh://host/path` on a server."""
target_place = Parsed("path", lambda text: place_of(_no_dash(text)))
target_path = Parsed("path", lambda text: Path(_no_dash(text)))
result_path = Parsed("path", _result_path)
"""Where results can be written: WriteError says that they can't before anything is measured."""
source_path = click.Path(readable=False, path_type=Path)
"""Of what is read: whoever opens it says why it cannot be, and what to do."""
strategy_choice = click.Choice(strategy_names())
deliver_choice = click.Choice(CHOICES["deliver"])
DELIVER_HELP = (
    "What counts as loaded: usable (every byte in memory), owned (private copy), streamed"
    " (through a small buffer), decoded (as float32); untouched only for libraries."
)

place = argument(type=place_type, metavar="PATH")
place_if_given = argument(type=place_type, required=False, metavar="[PATH]")
as_json = option("--json", help="Print one JSON document on standard output.")
cache = option(
    type=click.Choice(("cold", "warm", "as-is")),
    help="State of the page cache before each run.  [default: cold; warm for files in memory]",
)
deliver = option(type=deliver_choice, default="usable", help=DELIVER_HELP)
portion_bytes = option(
    "--portion",
    type=Parsed("size", _portion_bytes),
    help="Load only this much, in pieces of 256 MiB or more, and extrapolate the result.",
)
tensors = option(metavar="PATTERN", help="Only tensors with this name.")
blocks = option(metavar="PATTERN", help="Only blocks with this name.")
rank = option(
    metavar="N/M", help="Only what tensor-parallel rank N of M needs; ranks count from 0."
)
engine = option(
    type=click.Choice(tuple(PROGRAMS)),
    help="Start this program; what follows -- is added to its command.",
)
variant = option(metavar="NAME", help="Its load setting, as modelmon engines lists them.")
at = option(
    type=click.Path(path_type=Path),
    help="The program, or the Python that has it.  [default: on the PATH]",
)
yes = option(help="Continue even if another process uses the model.")
fresh_memory = option(help="Don't prepare free memory first (the default on virtual machines).")
ready = option(
    default="",
    metavar="SIGN",
    help=(
        "When a program is ready: exit, output:REGEX, listening[:PORT], http:PORT/PATH (this"
        " machine only), first-token:PORT, when it has answered with one token, quiet[:SECONDS],"
        " or asked:PORT, when the command has asked the program at"
        " a port of this machine, which is watched.  [default: the engine's, or 2 seconds without"
        " reads once the model is in memory, 10 seconds of rest with a part of it, or exit]"
    ),
)
limit_s = option(
    "--limit",
    type=click.FloatRange(0, 86400, min_open=True),
    default=600.0,
    help="End a program after so many seconds if it isn't ready.",
)
sample_hz = option("--hz", type=click.FloatRange(1, 50), default=20.0, help="Samples per second.")
resume = option(
    metavar="ID|last", help="Resume what was stopped, with the options it had; takes no PATH."
)
prepare = option(
    metavar="CMD",
    default="",
    help="Run this shell command before each run, before the cache is set and checked.",
)
no_history = option(help="Don't save this in the history.")


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
