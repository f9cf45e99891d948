"""Options that several subcommands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from modelmon.core.cli import argument, option
from modelmon.core.errors import ConfigError
from modelmon.core.export.atomic import check_target
from modelmon.core.remote import place_of
from modelmon.core.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable


def given_options() -> dict[str, str]:
    """What the command line gives: names of parameters, and as what they were typed."""
    context = click.get_current_context()
    return {
        each.name: each.opts[0]
        for each in context.command.params
        if each.name and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    }


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

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Names of files, where it is a path."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")] if self.name == "path" else []


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


def _report_path(text: str) -> Path:
    from modelmon.core.export.report_page import check_name  # noqa: PLC0415  others start sooner

    check_name(text)
    return _result_path(text)


size_type = Parsed("size", parse_size)
"""Bytes, written as 512MiB or 8GiB."""
place_type = Parsed("path", place_of)
"""A path, or `ssh://host/path` on a server."""
target_place = Parsed("path", lambda text: place_of(_no_dash(text)))
target_path = Parsed("path", lambda text: Path(_no_dash(text)))
result_path = Parsed("path", _result_path)
"""Where results can be written: WriteError says that they can't before anything is measured."""
words = click.Path(readable=False)
"""Words of which some may be paths."""
report_path = Parsed("path", _report_path)
source_path = click.Path(readable=False, path_type=Path)
"""Of what is read: whoever opens it says why it cannot be, and what to do."""

place = argument(type=place_type, metavar="PATH")
place_if_given = argument(type=place_type, required=False, metavar="[PATH]")
as_json = option("--json", help="Print one JSON document on standard output.")
as_json_lines = option("--json", help="Print each event as a line of JSON.")
cache = option(
    type=click.Choice(("cold", "warm", "as-is")),
    help="State of the page cache before each run.  [default: cold; warm for files in memory]",
)
tensors = option(metavar="PATTERN", help="Only tensors with this name.")
blocks = option(metavar="PATTERN", help="Only blocks with this name.")
rank = option(
    metavar="N/M", help="Only what tensor-parallel rank N of M needs; ranks count from 0."
)
load_setting = option(
    metavar="NAME", earlier="--variant", help="Its load setting; see `modelmon programs`."
)
at = option(
    type=click.Path(path_type=Path),
    help="The program, or the Python that has it.  [default: on the PATH]",
)
ready = option(
    default="",
    metavar="SIGN",
    help="When the program is ready; see below.  [default: the program's, or quiet, or exit]",
)
READY_SIGNS = (
    "SIGN is exit, output:REGEX, listening[:PORT], http:[PORT]/PATH (this machine only),"
    " first-token:PORT (it answered with one token), quiet[:SECONDS], or asked:PORT (the command"
    " asked the program at a port of this machine, which is watched). The default is the program's"
    " own sign, else 2 seconds without reads once the model is in memory, 10 seconds with a part of"
    " it, or its exit."
)
"""What `--ready` takes, below the help of a command."""
limit_s = option(
    "--limit",
    type=click.FloatRange(0, 86400, min_open=True),
    default=600.0,
    help="Seconds after which a program that isn't ready is ended.",
)
sample_hz = option("--hz", type=click.FloatRange(1, 50), default=20.0, help="Samples per second.")
resume = option(metavar="ID|last", help="Resume what was stopped, with its options; takes no PATH.")
everything = option("--all", help="Also show facts and notes for experts.")
no_history = option(help="Don't save this in the history.")
