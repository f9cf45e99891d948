"""transformers: `from_pretrained`, which takes a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import python_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.hugging_face import Transformers

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "transformers", "5.24.0")
_THREADS = 4
"""So many read by themselves, a single file too."""


def setting(found: Outcome) -> Setting | Message:
    """Whether it maps, and which variant it loads."""
    files = found.files
    variant = files.variant(Transformers.stem)
    if variant is None:
        loads = Message("model.safetensors or what an index next to it names")
        return files.not_chosen("transformers", loads)
    unmapped = found.reading.access != "mapped"
    chosen = f", variant={variant!r}" if variant else ""
    return Setting(
        summary=verbatim(f"disable_mmap={unmapped}"),
        forms=(
            python_form(
                "from transformers import AutoModel\n\n"
                f"model = AutoModel.from_pretrained(\n    {files.folder!r}{chosen},"
                f" disable_mmap={unmapped}\n)\n"
            ),
        ),
        reading=Reading("buffered" if unmapped else "mapped", _THREADS),
        since=Message("disable_mmap: in 5.10.1, not in 4.57.1"),
        source="huggingface/transformers#45547",
        keep_in_mind=Message(
            "Since version 5 it reads with up to 4 threads and ignores HF_ENABLE_PARALLEL_LOADING."
            " HF_DEACTIVATE_ASYNC_LOAD=1 leaves one thread: less memory, more time."
        ),
    )


CONSUMER = Consumer("transformers", "transformers", ("safetensors",), setting, CHECKED)
