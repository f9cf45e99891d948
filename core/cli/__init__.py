"""The terminal: one file per subcommand, named like it, and how its options are declared.

A subcommand is a function whose parameters are its options and arguments: each has in place of a
default what `option` or `argument` makes, and `declared` gives them to click.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = TypeVar("Function", bound=Callable[..., Any])


def option(*names: str, **attributes: Any) -> Any:
    """An option with these names; the rest is as click.option takes it."""
    return lambda parameter: click.option(parameter, *names, **attributes)


def argument(**attributes: Any) -> Any:
    """An argument; the rest is as click.argument takes it."""
    return lambda parameter: click.argument(parameter, **attributes)


def declared(function: Function) -> Function:
    """The function with its parameters as options and arguments, in their order."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for name, declare in reversed(list(zip(names, function.__defaults__ or (), strict=True))):
        function = declare(name)(function)
    return function
