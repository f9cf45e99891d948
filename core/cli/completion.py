"""`modelmon completion`: words that the Tab key completes, in bash, zsh and fish."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from modelmon.core.cli import argument, declared
from modelmon.core.cli.output import print_document


@click.command("completion")
@declared
def command(shell: str = argument(type=click.Choice(("bash", "zsh", "fish")))) -> None:
    """Complete words in your shell by Tab.

    Prints a script that completes commands, options, choices and paths.

    bash: write it to ~/.local/share/bash-completion/completions/modelmon

    zsh: write it to _modelmon in a folder of fpath

    fish: write it to ~/.config/fish/completions/modelmon.fish
    """
    print_document(script(shell))


def script(shell: str) -> str:
    """What makes a shell ask modelmon for completions."""
    from modelmon.core.cli.main import VARIABLE, cli  # noqa: PLC0415  it lists this command

    made = get_completion_class(shell)
    assert made is not None
    asking = made(cli, {}, "modelmon", VARIABLE)
    # Its own `source` starts bash to ask for its version.
    return asking.source_template % asking.source_vars()
