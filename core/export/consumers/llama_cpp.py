"""llama.cpp: llama-server and its other programs, which share their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import command_form, environment_form
from modelmon.core.export.reading import Access, Reading
from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.units import GIB, size_text

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "ggml-org/llama.cpp", "00dc8057ab28")
_MODES: dict[Access, str] = {"mapped": "mmap", "buffered": "none", "direct": "dio"}
_OLDER: dict[Access, str] = {"mapped": "--mmap", "buffered": "--no-mmap", "direct": "--direct-io"}
_NOTES: dict[Access, Message] = {
    "mapped": Message("Its default, --load-mode auto, maps too, unless a GPU can't."),
    "direct": Message(
        "Direct I/O doesn't use the page cache, so a restart reads from the disk again."
    ),
}
_TABLE = "per_layer_token_embd.weight"
_LAZY_FROM_BYTES = 4 * GIB


def setting(found: Outcome) -> Setting | Message:
    """One load mode for each way to read; and a table at once that llama.cpp would put off."""
    access = found.reading.access
    mode, notes = _MODES[access], [_NOTES.get(access, NOTHING)]
    options, variables = [["--load-mode", mode]], {"LLAMA_ARG_LOAD_MODE": mode}
    if table_bytes := _table_bytes(found):
        notes.append(
            Message(
                "With --lazy-mode on, the default above 4 GiB, {table} ({size}) is mapped whatever"
                " the load mode and read on demand. Here it was read whole.",
                table=_TABLE,
                size=size_text(table_bytes),
            )
        )
    if table_bytes > _LAZY_FROM_BYTES:
        options.append(["--lazy-mode", "off"])
        variables["LLAMA_ARG_LAZY_MODE"] = "off"
    command = [["llama-server"], ["--model", found.file]]
    return Setting(
        summary=verbatim(f"--load-mode {mode}"),
        forms=(
            command_form(command, options),
            environment_form(variables),
            command_form(command, [[_OLDER[access]]], Message("Builds before July 2026")),
        ),
        reading=Reading(access),
        since=Message(
            "--load-mode: July 2026. --lazy-mode: August 2026. --direct-io: December 2025. Older"
            " options: until September 2026"
        ),
        source="ggml-org/llama.cpp#20834, #26081, #27837, #18166, #28334",
        keep_in_mind=joined(filter(None, notes)),
    )


def _table_bytes(found: Outcome) -> int:
    tensors = found.model.tensors if found.model is not None else ()
    return sum(tensor.nbytes for tensor in tensors if tensor.name == _TABLE)


CONSUMER = Consumer("llama.cpp", "llama.cpp", ("gguf",), setting, CHECKED)
