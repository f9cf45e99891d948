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


class _Option(click.Option):
    """An option that also has a name from before, which no help shows."""

    def __init__(self, *names: Any, earlier: str = "", **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        self._earlier = [earlier] if earlier else []

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Under both names."""
        shown, self.opts = self.opts, self.opts + self._earlier
        super().add_to_parser(parser, ctx)
        self.opts = shown


def option(*names: str, **attributes: Any) -> Any:
    """An option with these names, or its parameter's; the rest is as click.option takes it, and
    `earlier` is a name that still works.

    That of a bool is a flag, that of a tuple may be repeated, and a default is shown.
    """

    def declare(name: str, kind: str) -> Any:
        found: dict[str, Any] = {
            "cls": _Option,
            "show_default": attributes.get("default", "") != "",
        }
        if kind == "bool":
            found["is_flag"] = True
        elif kind.startswith("tuple"):
            found["multiple"] = True
        elif kind.startswith("int"):
            found["type"] = int
        spelled = names or (f"--{name.replace('_', '-')}",)
        return click.option(name, *spelled, **(found | attributes))

    return declare


def argument(**attributes: Any) -> Any:
    """An argument; the rest is as click.argument takes it."""
    return lambda name, _kind: click.argument(name, **attributes)


def declared(function: Function) -> Function:
    """The function with its parameters as options and arguments, in their order."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for name, declare in reversed(list(zip(names, function.__defaults__ or (), strict=True))):
        function = declare(name, function.__annotations__[name])(function)
    return function
