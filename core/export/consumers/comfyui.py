"""ComfyUI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import command_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import NOTHING, Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation


def setting(found: Situation) -> Setting | Message:
    """Whether it maps safetensors."""
    mapped = found.reading.access == "mapped"
    command = [["python", "main.py"]]
    return Setting(
        summary=Message("its default") if mapped else verbatim("--disable-mmap"),
        forms=(command_form(command, [] if mapped else [["--disable-mmap"]]),),
        reading=Reading("mapped" if mapped else "buffered"),
        since=Message("before September 2026"),
        source="comfy/cli_args.py",
        keep_in_mind=NOTHING
        if mapped
        else Message(
            "Some versions copied from a map instead of reading, which takes more memory"
            " (Comfy-Org/ComfyUI#13609)."
        ),
    )


CONSUMER = Consumer("comfyui", "ComfyUI", ("safetensors",), setting)
