"""Ollama: the Modelfile and the same as an option of the API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Form, Setting
from modelmon.core.export.forms import command_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, joined, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "ollama/ollama", "fb3076099687")
_TIMEOUT_NS = 300e9
_NEAR = 0.5


def setting(found: Outcome) -> Setting | Message:
    """Its `use_mmap`; it has none for direct I/O."""
    if len(found.files.names) > 1:
        return Message(
            "Ollama takes a single file: merge them with llama-gguf-split --merge {first} OUTPUT.",
            first=found.file,
        )
    mapped = found.reading.access == "mapped"
    value = json.dumps(mapped)
    request = {"model": "MODEL", "options": {"use_mmap": mapped}}
    notes = [
        Message("Ollama loads its own copy in OLLAMA_MODELS: keep that on the disk measured."),
        Message(
            "Without a setting, Ollama doesn't map where no GPU is used or memory is short. Some"
            " models of its library are never mapped (ollama/ollama#17147): take those from"
            " Hugging Face. On integrated NVIDIA and AMD GPUs it uses direct I/O, whatever is set."
        ),
    ]
    if found.median_ns > _TIMEOUT_NS * _NEAR:
        notes.append(
            Message("Set OLLAMA_LOAD_TIMEOUT: Ollama gives up after 5 minutes without progress.")
        )
    return Setting(
        summary=verbatim(f"use_mmap {value}"),
        forms=(
            Form(
                verbatim("Modelfile"),
                "text",
                f"FROM {found.file}\nPARAMETER use_mmap {value}\n",
                "Modelfile",
                (1,),
            ),
            command_form(
                [["curl", "http://localhost:11434/api/generate"]],
                [["--data", json.dumps(request)]],
                Message("API"),
            ),
        ),
        reading=Reading("mapped" if mapped else "buffered"),
        since=Message("before December 2024"),
        source="ollama/ollama: docs/api.md, llm/llama_server.go, server/sched.go",
        keep_in_mind=joined(notes),
    )


CONSUMER = Consumer("ollama", "Ollama", ("gguf",), setting, CHECKED)
