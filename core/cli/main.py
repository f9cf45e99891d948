"""The command group; `modelmon` with a subcommand starts here."""

from __future__ import annotations

import errno
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from io import StringIO
from itertools import takewhile
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem
from rich.text import Text

import modelmon
from modelmon.core.cli.interrupts import heeded
from modelmon.core.cli.output import print_error, print_json, tell
from modelmon.core.crash_log import crash_log, note_error, shareable
from modelmon.core.errors import (
    EXIT_CANCELLED,
    EXIT_DONE,
    EXIT_LOAD_FAILED,
    EXIT_USAGE,
    ConfigError,
    ModelmonError,
)
from modelmon.core.messages import Message
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

GROUPS = {
    "Diagnose": ("inspect", "doctor", "watch"),
    "Fix": ("best", "export", "warm", "launch"),
    "Compare": ("run", "compare", "history", "replay", "report"),
    "More": (
        "models",
        "programs",
        "strategies",
        "sample",
        "demo",
        "simulate",
        "cluster",
        "remote",
        "completion",
    ),
}
"""The subcommands as `--help` shows them, each the `command` of the module of that name beside this
one, or of its name in another's.
"""

_KEPT_WITH = {"replay": "run"}
"""Subcommands that another one's module has, under their own names."""

EARLIER = {"tune": "best", "engines": "programs"}
"""Names from before, which no help shows."""

COMMANDS = tuple(name for names in GROUPS.values() for name in names)

_NAME_WIDTH = 10
"""As wide as the longest name, so that the groups stand below one another."""

VARIABLE = "_MODELMON_COMPLETE"
"""By which a shell asks for completions, as click has it of a program called modelmon."""

_NEAR = 0.5
"""How alike, of 1, a command has to be to be meant."""

_EPILOG = (
    "Without a command, modelmon opens its window; with PATH, it shows that model. "
    "A model on a server is ssh://[user@]host[:port]/path. "
    "Exit codes: 0 done, 1 load failed, 2 usage or unreadable model, 130 canceled."
)


class _Commands(click.Group):
    """Imports a subcommand's module when it is asked for: all together take half a second."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the help."""
        del ctx
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each group with its commands, a line for each."""
        for title, names in GROUPS.items():
            with formatter.section(title):
                commands = ((name, self.get_command(ctx, name)) for name in names)
                formatter.write_dl(
                    [
                        (name.ljust(_NAME_WIDTH), each.get_short_help_str())
                        for name, each in commands
                        if each
                    ]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Commands, options, or the path of a model for the window."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        # bash shows no help, for which all commands would be imported.
        silent = os.environ.get(VARIABLE, "").startswith("bash")
        names = [name for name in COMMANDS if name.startswith(incomplete)]
        found = [CompletionItem(name) for name in names]
        if not silent:
            found = super().shell_complete(ctx, incomplete)
        return found or [CompletionItem(incomplete, type="file")]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and what is left for it; for any other word the nearest is named."""
        if args[0] not in COMMANDS and args[0] not in EARLIER:
            near = get_close_matches(args[0], COMMANDS, n=1, cutoff=_NEAR)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"{args[0]} is neither a command nor a file here.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None where there is none."""
        del ctx
        name = EARLIER.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        module = import_module(f"modelmon.core.cli.{_KEPT_WITH.get(name, name)}")
        found: click.Command = getattr(module, name if name in _KEPT_WITH else "command")
        return found


@click.group(
    cls=_Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(modelmon.__version__, prog_name="modelmon")
def cli() -> None:
    """See why a model loads slowly, and load it faster."""


# Of what is written to a terminal, a file or a pipe; write(2). Any other is a fault of modelmon.
_OF_OUTPUT = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EBADF}
if sys.platform == "win32":  # a pipe whose reader has gone
    _OF_OUTPUT.add(errno.EINVAL)


def main(arguments: Sequence[str]) -> int:
    """Run a subcommand; returns the exit code. Errors are sentences, with --json also JSON."""
    own = list(takewhile("--".__ne__, arguments))  # what follows is another program's
    exports = " ".join(own).replace("=", " ") if own[:1] == ["export"] else ""
    as_json = "--json" in own or "--format json" in exports
    with heeded():
        return _run(arguments, as_json=as_json)


def _run(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        result = cli.main(list(arguments), prog_name="modelmon", standalone_mode=False)
    except ModelmonError as error:
        print_error(error, as_json=as_json)
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        tell("Stopped.")
        if as_json:
            print_json({"error": {"message": "Stopped.", "remedy": ""}})
        code = EXIT_CANCELLED
    except click.ClickException as error:
        shown, said = StringIO(), error.format_message()
        error.show(shown)
        tell(Text(shown.getvalue().rstrip().replace(said, one_line(said))))
        if as_json:
            print_json({"error": {"message": error.format_message(), "remedy": ""}})
        code = EXIT_USAGE if isinstance(error, click.UsageError) else error.exit_code
    except SystemExit:
        # click ends the program itself when a pipe's reader (head, less) has seen enough.
        code = EXIT_DONE
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OF_OUTPUT and not error.filename:
            tell(f"Couldn't write the output: {error.strerror}.")
            return EXIT_LOAD_FAILED
        odd = [word for word in arguments if word.encode(errors="ignore").decode() != word]
        if odd and isinstance(error, UnicodeEncodeError):
            refused = Message("{text} is not valid UTF-8.", text=repr(odd[0]))
            print_error(ConfigError(refused, Message("Write it in UTF-8.")), as_json=as_json)
            return EXIT_USAGE
        note_error(error)
        said = one_line(shareable(f"{type(error).__name__}: {error}"))
        told = ModelmonError(
            Message(
                "Something in modelmon went wrong: {error}. Details are in {path}.",
                error=said,
                path=crash_log(),
            ),
            Message("Collect all for an issue: modelmon doctor --bug-report bug.md"),
        )
        print_error(told, as_json=as_json)
        code = EXIT_LOAD_FAILED
    else:
        # click hands on the exit code of --help and the like, or what a command returned.
        code = result if isinstance(result, int) else EXIT_DONE
    return code
