"""llama-cpp-python: llama.cpp as a library of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import python_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "abetlen/llama-cpp-python", "00c954ec7b79")


def setting(found: Outcome) -> Setting | Message:
    """Its constructor's `use_mmap`; it has no argument for direct I/O."""
    mapped = found.reading.access == "mapped"
    return Setting(
        summary=verbatim(f"use_mmap={mapped}"),
        forms=(
            python_form(
                "from llama_cpp import Llama\n\n"
                f"model = Llama(model_path={found.file!r}, use_mmap={mapped})\n"
            ),
        ),
        reading=Reading("mapped" if mapped else "buffered"),
        since=Message("before September 2026"),
        source="abetlen/llama-cpp-python: class Llama",
        keep_in_mind=Message("It turns mmap off by itself where a LoRA file is given."),
    )


CONSUMER = Consumer("llama-cpp-python", "llama-cpp-python", ("gguf",), setting, CHECKED)
