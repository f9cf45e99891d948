"""The man page, made of what `--help` says: python -m modelmon.core.cli.man_page > modelmon.1."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

import modelmon
from modelmon.core.cli.main import GROUPS, cli

if TYPE_CHECKING:
    from collections.abc import Iterator


def man_page() -> str:
    """In roff, with each command and its options."""
    context = click.Context(cli, info_name="modelmon", **cli.context_settings)
    lines = [
        f'.TH MODELMON 1 "" "modelmon {modelmon.__version__}" "User commands"',
        *(".SH NAME", f"modelmon \\- {_text((cli.help or '').rstrip('.').lower())}"),
        *(".SH SYNOPSIS", ".B modelmon", "[PATH]", ".br"),
        *(".B modelmon", ".I COMMAND", "[OPTIONS] [ARGS]..."),
        *(".SH DESCRIPTION", _text(cli.epilog or "")),
    ]
    for title, names in GROUPS.items():
        lines.append(f".SH {title.upper()}")
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            lines += _command(command, click.Context(command, context, name))
    return "\n".join(lines) + "\n"


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_text(context.command_path)}"
    yield f".B {_text(context.command_path)}"
    yield _text(usage)
    yield from _paragraphs(command.help or "")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record and "--help" not in record[0]:
            yield from (".TP", f".B {_text(record[0])}", _text(record[1]))
    if command.epilog:
        yield from _paragraphs(command.epilog)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            if each is not None and not each.hidden:
                yield from _command(each, click.Context(each, context, name))


def _paragraphs(text: str) -> Iterator[str]:
    for part in re.split(r"\n\s*\n", text):
        yield from (".PP", _text(part))


def _text(text: str) -> str:
    """Words that roff takes as they are, in one line."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    sys.stdout.write(man_page())
