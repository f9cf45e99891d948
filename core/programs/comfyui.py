"""ComfyUI, by the folder in which it runs; settings of its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.programs.advice import Checked, Setting, command_form
from modelmon.core.programs.installed import RunningProgram
from modelmon.core.programs.known_program import ReadySign, Variant
from modelmon.core.programs.outcome import ReadPattern

if TYPE_CHECKING:
    from modelmon.core.programs.outcome import Outcome

_COMFYUI = "https://github.com/Comfy-Org/ComfyUI"


class ComfyUi(RunningProgram):
    """ComfyUI."""

    name = "comfyui"
    title = "ComfyUI"
    home = f"{_COMFYUI}/blob/master/comfy/cli_args.py"
    formats = ("safetensors",)
    unstartable = Message(
        "ComfyUI answers a request before it loads, so modelmon doesn't ask it to load."
    )
    process = r"(?i)^\S*comfyui\S* \S*python\S* .*\bmain\.py\b|python\S* \S*comfyui\S*/main\.py\b"
    shows_ready = ReadySign(r"\S*comfyui\S*/main\.py", prints="Prompt executed in")
    offers = (
        Variant("no-mmap", "buffered", "July 2025", f"{_COMFYUI}/pull/8928", ("--disable-mmap",)),
        Variant(
            *("fast-disk", "disk-backed", "before June 2026", f"{_COMFYUI}/pull/16333"),
            ("--fast-disk",),
        ),
        Variant(
            *("no-fast-disk", "buffered", "September 2026", f"{_COMFYUI}/pull/16424"),
            ("--disable-fast-disk",),
        ),
    )
    advised = ("safetensors",)
    checked = Checked("2026-11-27", "Comfy-Org/ComfyUI", "03294572a556")
    maps_with = 1

    def setting(self, found: Outcome) -> Setting | Message:
        """Whether it maps safetensors."""
        files = found.files
        if len(files.names) > 1:
            return Message(
                "ComfyUI loads single files, and this model has {count}.", count=len(files.names)
            )
        mapped = found.reading.access == "mapped"
        notes = (
            Message("Choose {file} in the node that loads it.", file=files.names[0])
            if files.names
            else NOTHING,
            NOTHING
            if mapped
            else Message(
                "With dynamic VRAM, the default on many GPUs, it does nothing;"
                " --disable-dynamic-vram, which turned that off, is to be removed"
                " (Comfy-Org/ComfyUI#15285)."
            ),
            Message(
                "Since September 2026 it reads weights that don't fit the GPU from a fast NVMe disk"
                " at each step: --disable-fast-disk keeps them in memory"
                " (Comfy-Org/ComfyUI#16415)."
            ),
        )
        options = [] if mapped else [["--disable-mmap"]]
        return Setting(
            summary=verbatim("mmap" if mapped else "--disable-mmap"),
            forms=(command_form([["python", "main.py"]], options),),
            reading=ReadPattern("mapped" if mapped else "buffered"),
            since=Message("--disable-mmap: July 2025"),
            source="Comfy-Org/ComfyUI: comfy/cli_args.py"
            if mapped
            else "Comfy-Org/ComfyUI#8928, #12658",
            keep_in_mind=joined(filter(None, notes)),
        )
