"""llama.cpp: llama-server and its other programs, which share their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import command_form, environment_form
from modelmon.core.export.reading import Access, Reading
from modelmon.core.messages import NOTHING, Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation

_MODES: dict[Access, str] = {"mapped": "mmap", "buffered": "none", "direct": "dio"}
_OLDER: dict[Access, str] = {"mapped": "--mmap", "buffered": "--no-mmap", "direct": "--direct-io"}


def setting(found: Situation) -> Setting | Message:
    """One load mode for each way to read."""
    access = found.reading.access
    mode = _MODES[access]
    command = [["llama-server"], ["--model", found.file]]
    return Setting(
        summary=verbatim(f"--load-mode {mode}"),
        forms=(
            command_form(command, [["--load-mode", mode]]),
            environment_form({"LLAMA_ARG_LOAD_MODE": mode}),
            command_form(command, [[_OLDER[access]]], Message("Builds before July 2026")),
        ),
        reading=Reading(access),
        since=Message(
            "--load-mode: July 2026. --direct-io: December 2025. Older options: until September"
            " 2026"
        ),
        source="ggml-org/llama.cpp#20834, #18166, #28334",
        keep_in_mind=Message(
            "Direct I/O doesn't use the page cache, so a restart reads from the disk again."
        )
        if access == "direct"
        else NOTHING,
    )


CONSUMER = Consumer("llama.cpp", "llama.cpp", ("gguf",), setting)
