"""How readily the kernel swaps memory of programs out rather than drop cached files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Form, Setting
from modelmon.core.export.consumers.readahead import NOW, PERMANENT
from modelmon.core.export.forms import root_form
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "Linux", "6.18")
_VALUE = 10


def setting(found: Outcome) -> Setting | Message:
    """Less, where a run swapped."""
    if not found.swapped:
        return Message("No run swapped, so there's nothing to gain.")
    line = f"vm.swappiness={_VALUE}"
    return Setting(
        summary=verbatim(line),
        forms=(
            root_form(NOW, f"sysctl {line}"),
            Form(PERMANENT, "ini", f"{line}\n", "60-swappiness.conf", (0,)),
        ),
        effect=Message("The machine swapped in these runs. What this brings wasn't measured."),
        source="sysctl.d(5), Documentation/admin-guide/sysctl/vm.rst",
        keep_in_mind=Message(
            "It's for the whole machine. More memory or a smaller model is surer."
        ),
    )


CONSUMER = Consumer("swappiness", "Swappiness", (), setting, CHECKED)
