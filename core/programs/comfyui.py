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
        """It maps safetensors; nothing makes it read them."""
        files = found.files
        if len(files.names) > 1:
            return Message(
                "ComfyUI loads single files, and this model has {count}.", count=len(files.names)
            )
        if found.reading.access != "mapped":
            return Message(
                "As of October 2026 ComfyUI maps safetensors with any setting: --disable-mmap only"
                " copies them afterwards (Comfy-Org/ComfyUI#15438). Nearest: fill the page cache"
                " before it starts, or raise the readahead."
            )
        notes = (
            Message("Choose {file} in the node that loads it.", file=files.names[0])
            if files.names
            else NOTHING,
            Message(
                "Since September 2026 it reads weights that don't fit the GPU from a fast NVMe disk"
                " at each step: --disable-fast-disk keeps them in memory"
                " (Comfy-Org/ComfyUI#16415)."
            ),
        )
        return Setting(
            summary=verbatim("mmap"),
            forms=(command_form([["python", "main.py"]]),),
            reading=ReadPattern("mapped"),
            since=Message("before September 2026"),
            source="Comfy-Org/ComfyUI: comfy/utils.py",
            keep_in_mind=joined(filter(None, notes)),
        )
