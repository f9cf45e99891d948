"""modelmon itself ahead of a program: the page cache is filled before that starts."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Form, Setting
from modelmon.core.export.forms import COMMAND, command_form
from modelmon.core.messages import Message, verbatim
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

_WORTH_SHARE = 0.7
"""Filling the cache takes about as long as a cold start: so much shorter a start has to become."""


def setting(found: Outcome) -> Setting | Message:
    """The cache filled beforehand, where starts from it were measured and are much shorter."""
    warm_ns = found.warm_ns
    if warm_ns is None:
        return Message("Starts with the model in the page cache weren't measured here.")
    if warm_ns > _WORTH_SHARE * found.median_ns:
        return Message("Starts with the model in the page cache are hardly shorter here.")
    words = ("modelmon", "warm", found.path)
    command = (_command(found), "warm", "--quiet", found.path)
    # A service starts also where the cache can't be filled.
    service = f"[Service]\nExecStartPre=-{' '.join(map(_systemd_word, command))}\n"
    return Setting(
        summary=verbatim(shlex.join(words)),
        forms=(
            command_form((), (words,), COMMAND),
            Form(Message("systemd"), "ini", service, "warm.conf", (1,)),
        ),
        effect=Message(
            "With the model in the page cache the fastest start took {warm} instead of {cold}."
            " Filling the cache takes about as long as a cold start."
            " Other programs weren't measured.",
            warm=duration_text(warm_ns),
            cold=duration_text(found.median_ns),
        ),
        source="systemd.service(5)",
        keep_in_mind=Message(
            "It helps programs that map the model or read it through the cache, as long as memory"
            " holds it; direct I/O doesn't use it."
        ),
    )


def _command(found: Outcome) -> str:
    """Where modelmon is on the machine of the model: systemd doesn't look in a user's folders."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    here = None if found.server else shutil.which("modelmon", path=places)
    return str(Path(here).absolute()) if here else "/PATH/TO/modelmon"


def _systemd_word(text: str) -> str:
    """A word of a unit's command line: specifiers, variables and quotation marks as they are."""
    text = text.replace("%", "%%").replace("$", "$$")
    if re.fullmatch(r"[\w@%+=:,./$-]+", text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


CONSUMER = Consumer("warm", "Page cache", (), setting)
