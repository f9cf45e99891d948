"""ComfyUI: settings of its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import command_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import NOTHING, Message, joined, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "Comfy-Org/ComfyUI", "03294572a556")


def setting(found: Outcome) -> Setting | Message:
    """Whether it maps safetensors."""
    files = found.files
    if len(files.names) > 1:
        return Message(
            "ComfyUI loads single files, and this model has {count}.", count=len(files.names)
        )
    mapped = found.reading.access == "mapped"
    command = [["python", "main.py"]]
    notes = (
        Message("Choose {file} in the node that loads it.", file=files.names[0])
        if files.names
        else NOTHING,
        NOTHING
        if mapped
        else Message(
            "With dynamic VRAM, the default on many GPUs, it does nothing; --disable-dynamic-vram,"
            " which turned that off, is to be removed (Comfy-Org/ComfyUI#15285)."
        ),
        Message(
            "Since September 2026 it reads weights that don't fit the GPU from a fast NVMe disk at"
            " each step: --disable-fast-disk keeps them in memory (Comfy-Org/ComfyUI#16415)."
        ),
    )
    return Setting(
        summary=verbatim("mmap" if mapped else "--disable-mmap"),
        forms=(command_form(command, [] if mapped else [["--disable-mmap"]]),),
        reading=Reading("mapped" if mapped else "buffered"),
        since=Message("--disable-mmap: July 2025"),
        source="Comfy-Org/ComfyUI: comfy/cli_args.py"
        if mapped
        else "Comfy-Org/ComfyUI#8928, #12658",
        keep_in_mind=joined(filter(None, notes)),
    )


CONSUMER = Consumer("comfyui", "ComfyUI", ("safetensors",), setting, CHECKED)
