"""transformers: `from_pretrained`, and the variables that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import environment_form, python_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation


def setting(found: Situation) -> Setting | Message:
    """Whether it maps, and whether it loads several files at once."""
    unmapped = found.reading.access != "mapped"
    if found.files_at_once > 1:
        files_at_once = environment_form(
            {
                "HF_ENABLE_PARALLEL_LOADING": "true",
                "HF_PARALLEL_LOADING_WORKERS": str(found.files_at_once),
            },
            Message("Version 4 and early 5"),
        )
    else:
        files_at_once = environment_form({"HF_DEACTIVATE_ASYNC_LOAD": "1"})
    return Setting(
        summary=verbatim(f"disable_mmap={unmapped}"),
        forms=(
            python_form(
                "from transformers import AutoModel\n\n"
                f"model = AutoModel.from_pretrained({found.folder!r}, disable_mmap={unmapped})\n"
            ),
            files_at_once,
        ),
        reading=Reading("buffered" if unmapped else "mapped"),
        since=Message("disable_mmap: in 5.10.1, not in 4.57.1"),
        source="huggingface/transformers#45547",
        keep_in_mind=Message(
            "Several readers load several files at once, never parts of one. By version 5.17 that's"
            " the default, and HF_DEACTIVATE_ASYNC_LOAD=1 turns it off."
        ),
    )


CONSUMER = Consumer("transformers", "transformers", ("safetensors",), setting)
