"""ComfyUI, as its `comfy/cli_args.py` and `comfy/utils.py` were in September 2026."""

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
        summary=verbatim("mmap" if mapped else "--disable-mmap"),
        forms=(command_form(command, [] if mapped else [["--disable-mmap"]]),),
        reading=Reading("mapped" if mapped else "buffered"),
        since=Message("--disable-mmap: July 2025"),
        source="Comfy-Org/ComfyUI: comfy/cli_args.py"
        if mapped
        else "Comfy-Org/ComfyUI#8928, #12658",
        keep_in_mind=NOTHING
        if mapped
        else Message(
            "It copies what it maps, which takes more memory. With dynamic VRAM, the default of"
            " many GPUs since February 2026, it does nothing: add --disable-dynamic-vram."
        ),
    )


CONSUMER = Consumer("comfyui", "ComfyUI", ("safetensors",), setting)
