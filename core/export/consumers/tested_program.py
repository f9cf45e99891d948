"""The program that was tested here itself: its command, as it won."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from modelmon.core.export.advice import PROGRAM_ID, Consumer, Setting
from modelmon.core.export.forms import command_form, option_lines
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.programs.preset import DEFAULT
from modelmon.core.watch.launched import recorded_words

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

_OF_PATHS = ("/", "./", "../")


def setting(found: Outcome) -> Setting | Message:
    """The command, word for word, but for the model's path, which is told in full."""
    if not found.is_program:
        return Message("What was tested is a strategy of modelmon, not a program.")
    if not found.program:
        return Message("Its command isn't in the result.")
    return Setting(
        summary=verbatim(found.strategy),
        forms=(command_form(option_lines(_from_anywhere(found))),),
        measured=True,
        is_default=found.strategy.endswith(f" {DEFAULT}"),
        keep_in_mind=Message("Its port was free when it was tested; choose your own.")
        if "--port" in found.program
        else NOTHING,
    )


def _from_anywhere(found: Outcome) -> list[str]:
    """The command as it works from any folder: where it was run nobody knows, but the model that it
    names lies where it did.
    """
    program, *arguments = recorded_words(found.program)
    models = (found.path, found.file)
    named = {at: full for at, each in enumerate(arguments) if (full := _in_full(each, models))}
    # A name that the model is to have can be the same: paths are sure, else the first counts.
    sure = [at for at in named if _place(arguments[at]).startswith(_OF_PATHS)] or [*named][:1]
    told = [named[at] if at in sure else each for at, each in enumerate(arguments)]
    return [program, *told]


def _in_full(argument: str, models: tuple[str, ...]) -> str:
    """An argument, or what an option is set to, where it is the end of a model's path; else ""."""
    place = _place(argument)
    steps = [step for step in PurePath(place).parts if step != ".."]
    for model in models:
        if steps and PurePath(model).parts[-len(steps) :] == tuple(steps):
            return argument.removesuffix(place) + model
    return ""


def _place(argument: str) -> str:
    """An argument, or what an option is set to."""
    return argument.partition("=")[2] if argument[:1] == "-" else argument


CONSUMER = Consumer(PROGRAM_ID, "The tested program", (), setting)
