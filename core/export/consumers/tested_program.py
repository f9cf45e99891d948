"""The program that was tested here itself: its command, as it won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import PROGRAM_ID, Consumer, Form, Setting
from modelmon.core.export.forms import COMMAND
from modelmon.core.messages import NOTHING, Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation


def setting(found: Situation) -> Setting | Message:
    """The command, word for word."""
    if not found.is_program:
        return Message("What was tested is a strategy of modelmon, not a program.")
    if not found.program:
        return Message("Its command isn't in the result.")
    return Setting(
        summary=verbatim(found.strategy),
        forms=(Form(COMMAND, "shell", f"{found.program}\n", "load.sh"),),
        measured=True,
        keep_in_mind=Message("Its port was free when it was tested; choose your own.")
        if "--port" in found.program
        else NOTHING,
    )


CONSUMER = Consumer(PROGRAM_ID, "The tested program", (), setting)
