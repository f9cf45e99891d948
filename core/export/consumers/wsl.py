"""Windows Subsystem for Linux: where the model lies, and how much memory it has."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Form, Setting
from modelmon.core.export.forms import COMMAND
from modelmon.core.messages import Message, verbatim
from modelmon.core.units import GIB

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

_ROOM = 1.5
"""As much memory as the model is large, and half of it more: a rule of thumb."""


def setting(found: Outcome) -> Setting | Message:
    """Off the Windows drive; else more memory, where the model needs it."""
    if "microsoft" not in found.measured.machine.platform.lower():
        return Message("This isn't Linux on Windows (WSL).")
    mount = found.lowest
    if mount is not None and mount.network is not None and mount.network.is_windows_drive:
        return Setting(
            summary=Message("move the model off the Windows drive"),
            forms=(Form(COMMAND, "shell", f"cp -rL {shlex.quote(found.path)} ~/\n", "copy.sh"),),
            effect=Message(
                "Measured elsewhere: 7 s instead of 113 s (oobabooga/textgen#2607). Not measured"
                " here."
            ),
        )
    needed_gib = -(-int(found.nbytes * _ROOM) // GIB)
    if found.measured.machine.ram_bytes >= needed_gib * GIB:
        return Message("WSL has memory enough for this model.")
    text = f"[wsl2]\nmemory={needed_gib}GB\n"
    return Setting(
        summary=verbatim(f"memory={needed_gib}GB"),
        forms=(Form(verbatim(".wslconfig"), "ini", text, ".wslconfig", (1,)),),
        effect=Message("The model stays in the page cache for the next start. Not measured here."),
        source="learn.microsoft.com: wsl-config",
        keep_in_mind=Message(
            "It goes into your Windows user folder. Run wsl --shutdown, then start WSL again."
        ),
    )


CONSUMER = Consumer("wsl", "WSL", (), setting)
