"""`modelmon completion`: words that the Tab key completes, in bash, zsh and fish."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.shell_completion import get_completion_class

from modelmon.core.cli import declared, option
from modelmon.core.cli.output import print_document, print_items, tell
from modelmon.core.errors import ConfigError
from modelmon.core.export.atomic import WriteError, write_text_atomic
from modelmon.core.export.items import Code
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

Shell = Literal["bash", "zsh", "fish"]

_BASH_LOADERS = ("/usr/share/bash-completion/bash_completion", "/etc/bash_completion")
_SHELLS: dict[str, Shell] = {"bash": "bash", "zsh": "zsh", "fish": "fish"}
_shell = option(
    type=click.Choice(tuple(_SHELLS)), help="Which shell.  [default: yours]", show_default=False
)


@click.group("completion")
def command() -> None:
    """Complete words in your shell by Tab.

    For bash, zsh and fish: commands, options, choices and paths.
    """


@command.command("install")
@declared
def install(shell: Shell | None = _shell) -> None:
    """Install completion for your user.

    Writes one file in your home folder; a second time changes nothing. Prints the line that your
    shell's own file lacks, if any.
    """
    shell = shell or _own_shell()
    path = _PLACES[shell]()
    text = script(shell)
    if _text_of(path) == text:
        tell(f"Completion for {shell} is installed already: {path}")
    else:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(
                Message("Couldn't write {path}: {reason}.", path=path, reason=error.strerror),
                Message("Print it instead: modelmon completion show."),
            ) from error
        write_text_atomic(path, text)
        tell(f"Installed completion for {shell}: {path}")
    if line := _line_lacking(shell, path):
        tell(f"Add this line to {_startup_file(shell)}:")
        print_items(Code(line))
    tell("It works in new shells.")


@command.command("show")
@declared
def show(shell: Shell | None = _shell) -> None:
    """Print the completion script.

    For packages, and for shells that read it from another place.
    """
    print_document(script(shell or _own_shell()))


def script(shell: Shell) -> str:
    """What makes a shell ask modelmon for completions."""
    from modelmon.core.cli.main import VARIABLE, cli  # noqa: PLC0415  it lists this command

    made = get_completion_class(shell)
    assert made is not None
    asking = made(cli, {}, "modelmon", VARIABLE)
    # Its own `source` starts bash to ask for its version.
    return asking.source_template % asking.source_vars()


def _own_shell() -> Shell:
    name = Path(os.environ.get("SHELL", "")).name
    if name in _SHELLS:
        return _SHELLS[name]
    raise ConfigError(
        Message("Unsupported shell {name}.", name=repr(name)),
        Message("Name one: --shell bash, zsh or fish."),
    )


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise ConfigError(
            Message("This user has no home folder."),
            Message("Print it instead: modelmon completion show --shell bash."),
        ) from error


def _folder(variable: str, usual: str) -> Path:
    """One of the folders that the XDG specification names."""
    named = os.environ.get(variable, "")
    return Path(named) if os.path.isabs(named) else _home() / usual  # noqa: PTH117


def _data() -> Path:
    return _folder("XDG_DATA_HOME", ".local/share")


_PLACES: dict[Shell, Callable[[], Path]] = {
    "bash": lambda: _data() / "bash-completion" / "completions" / "modelmon",
    "zsh": lambda: _data() / "zsh" / "site-functions" / "_modelmon",
    "fish": lambda: (
        _folder("XDG_CONFIG_HOME", ".config") / "fish" / "completions" / "modelmon.fish"
    ),
}


def _startup_file(shell: Shell) -> Path:
    if shell == "zsh":
        return _folder("ZDOTDIR", "") / ".zshrc"
    return _home() / f".{shell}rc"


def _line_lacking(shell: Shell, path: Path) -> str:
    """What the shell's own file has to have for the script to be found; "" where that is so."""
    if shell == "fish" or (shell == "bash" and any(map(os.path.exists, _BASH_LOADERS))):
        return ""
    wanted = f"source '{path}'" if shell == "bash" else f"fpath+=('{path.parent}')"
    if shell == "zsh":
        wanted += "; autoload -Uz compinit; compinit"
    return "" if wanted in _text_of(_startup_file(shell)) else wanted


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
