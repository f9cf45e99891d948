"""`modelmon remote`: what is copied to a server that has no modelmon, and removed from it again."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import click
import msgspec

import modelmon
from modelmon.core.cli import argument, declared, measuring, option, options
from modelmon.core.cli.output import answer, print_json, tell
from modelmon.core.cli.servers import run_there
from modelmon.core.comparison.commands import found_settings
from modelmon.core.errors import EXIT_DONE
from modelmon.core.export.atomic import check_target, write_bytes_atomic
from modelmon.core.export.items import Column, facts, table
from modelmon.core.export.places import Target
from modelmon.core.model.found_models import folder_entries
from modelmon.core.model.open import open_model
from modelmon.core.programs.registry import start_command
from modelmon.core.remote import SCHEME, Place, connection, is_remote, server_of
from modelmon.core.units import size_text
from modelmon.core.worker.client import ask

_MOST_WRITTEN_BYTES = 256 * 1024**2


class Hello(msgspec.Struct, frozen=True):
    """What a server's modelmon says of itself."""

    version: str
    python: str
    host: str


def _server_of(text: str) -> str:
    """`host`, `user@host` or `ssh://user@host:port` as `ssh://...`."""
    server = "/".join((text if is_remote(text) else SCHEME + text).split("/")[:3])
    server_of(server)
    return server


_server = argument(type=options.Parsed("host", _server_of), metavar="HOST")
# Also what goes wrong is told as JSON, then.
_answers = click.option("--json", is_flag=True, expose_value=False)


@click.group("remote")
def command() -> None:
    """Set up a server for ssh://HOST/PATH.

    Copies the part that measures to ~/.cache/modelmon/remote there. It runs with the Python of an
    installed modelmon, or with python3 (3.11 or newer). Connects by ssh, or by the command in
    MODELMON_SSH_COMMAND.
    """


@command.command("check")
@declared
def check(server: str = _server, as_json: bool = options.as_json) -> None:
    """Show which modelmon a server has."""
    connection.reach(server)
    hello = ask(server, ["remote", "hello", "--json"], Hello)
    rows = ("Server", hello.host), ("modelmon", hello.version), ("Python", hello.python)
    answer(hello, [facts(rows)], as_json=as_json)


@command.command("install")
@declared
def install(
    server: str = _server,
    yes: bool = option(help="Copy without asking."),
) -> None:
    """Copy what measures to HOST.

    The copy is in ~/.cache/modelmon/remote.
    """
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("No terminal to ask in: add --yes.")
        click.confirm(f"Copy modelmon to ~/.cache/modelmon/remote on {server}?", abort=True)
    connection.install(server)
    hello = ask(server, ["remote", "hello", "--json"], Hello)
    tell(f"{server} has modelmon {hello.version} with Python {hello.python}.")


@command.command("remove")
@declared
def remove(server: str = _server) -> None:
    """Remove modelmon's copy from HOST.

    Removes ~/.cache/modelmon/remote with all that was measured there.
    """
    connection.remove(server)
    tell(f"Removed ~/.cache/modelmon/remote on {server}.")


@command.command("list")
@declared
def list_folder(
    place: Place = argument(type=options.place_type, metavar="FOLDER"),
    as_json: bool = options.as_json,
) -> int:
    """List the files in a folder of a server.

    FOLDER is ssh://host/models, or ssh://host/~/ for your home there.
    """
    if place.server:
        return run_there(place.server, place.path or ".")
    found = folder_entries(Path(place.path))
    shown = table(
        found.entries,
        Column(found.path, lambda entry: entry.name, "lead"),
        Column("Kind", lambda entry: entry.kind),
        Column(
            "Size",
            lambda entry: "" if entry.kind == "folder" else size_text(entry.size_bytes),
            "right",
        ),
    )
    answer(found, [shown], as_json=as_json)
    return EXIT_DONE


@command.command("hello", hidden=True)
@_answers
def say_hello() -> None:
    """What a modelmon elsewhere asks once it has a copy here."""
    print_json(Hello(modelmon.__version__, platform.python_version(), platform.node()))


@command.command("write", hidden=True)
@_answers
@declared
def write(
    path: Path = argument(type=click.Path(path_type=Path)),
    nbytes: int | None = option("--bytes", type=click.IntRange(0, _MOST_WRITTEN_BYTES)),
) -> None:
    """What a modelmon elsewhere asks to write results here: so many bytes of the standard input;
    without a number only whether they can be.
    """
    check_target(path)
    told = Target(str(path.absolute()), path.is_file())
    if nbytes is not None:
        content = sys.stdin.buffer.read(nbytes)
        if len(content) < nbytes:
            raise click.Abort
        write_bytes_atomic(path, content)
    print_json(told)


@command.command("program-command", hidden=True)
@_answers
@declared
def program_command(
    path: Path = argument(type=options.source_path),
    more: tuple[str, ...] = argument(nargs=-1, type=click.UNPROCESSED),
    program: str = measuring.program,
    load_setting: str = options.load_setting,
    at: Path | None = options.at,
) -> None:
    """What a modelmon elsewhere asks before it has a program watched here."""
    print_json(start_command(program, open_model(path), load_setting, at, more))


@command.command("program-settings", hidden=True)
@_answers
@declared
def program_settings(
    path: Path = argument(type=options.source_path),
    more: tuple[str, ...] = argument(nargs=-1, type=click.UNPROCESSED),
    program: str = measuring.program,
    at: Path | None = options.at,
    launched: bool = option(),
) -> None:
    """What a modelmon elsewhere asks before it tests the load settings of a program here."""
    print_json(found_settings(program, at, open_model(path), more, launched=launched))
