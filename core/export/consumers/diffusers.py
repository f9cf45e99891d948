"""diffusers: pipelines from a folder or a single file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import environment_form, python_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation


def setting(found: Situation) -> Setting | Message:
    """Whether it maps, and how many files it loads at once."""
    unmapped = found.reading.access != "mapped"
    single = found.path.endswith(".safetensors")
    call = f"from_single_file({found.path!r}" if single else f"from_pretrained({found.folder!r}"
    forms = [
        python_form(
            "from diffusers import DiffusionPipeline\n\n"
            f"pipeline = DiffusionPipeline.{call}, disable_mmap={unmapped})\n"
        )
    ]
    if found.readers > 1 and not single:
        forms.append(
            environment_form(
                {
                    "HF_ENABLE_PARALLEL_LOADING": "YES",
                    "HF_PARALLEL_LOADING_WORKERS": str(found.readers),
                }
            )
        )
    return Setting(
        summary=verbatim(f"disable_mmap={unmapped}"),
        forms=tuple(forms),
        reading=Reading("buffered" if unmapped else "mapped"),
        since=Message("disable_mmap of whole pipelines: December 2025"),
        source="huggingface/diffusers#12854, #10305",
        keep_in_mind=Message(
            'Several files at once take device_map="cuda" in from_pretrained besides.'
        ),
    )


CONSUMER = Consumer("diffusers", "diffusers", ("safetensors",), setting)
