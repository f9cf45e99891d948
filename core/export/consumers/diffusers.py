"""diffusers: a component from its folder, a pipeline from a folder or a single file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.engines.forms import config_of
from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import environment_form, python_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, joined, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation

_PIPELINE = "DiffusionPipeline"
_SINGLE_FILE = "StableDiffusionPipeline"
"""A pipeline that takes single files; DiffusionPipeline itself doesn't."""


def setting(found: Situation) -> Setting | Message:
    """Whether it maps, and how many files it loads at once."""
    unmapped = found.reading.access != "mapped"
    component = str(config_of(Path(found.folder)).get("_class_name", ""))
    single = found.path.endswith(".safetensors") and not component
    loaded = component if component.isidentifier() else _SINGLE_FILE if single else _PIPELINE
    call = f"from_single_file({found.path!r}" if single else f"from_pretrained({found.folder!r}"
    name = "model" if component else "pipeline"
    forms = [
        python_form(
            f"from diffusers import {loaded}\n\n"
            f"{name} = {loaded}.{call}, disable_mmap={unmapped})\n"
        )
    ]
    notes = []
    if single:
        notes.append(
            Message("Put your model's own pipeline in place of {pipeline}.", pipeline=_SINGLE_FILE)
        )
    elif found.files_at_once > 1:
        notes.append(
            Message('Several files at once take device_map="cuda" in from_pretrained besides.')
        )
        forms.append(
            environment_form(
                {
                    "HF_ENABLE_PARALLEL_LOADING": "YES",
                    "HF_PARALLEL_LOADING_WORKERS": str(found.files_at_once),
                }
            )
        )
    return Setting(
        summary=verbatim(f"disable_mmap={unmapped}"),
        forms=tuple(forms),
        reading=Reading("buffered" if unmapped else "mapped"),
        since=Message("disable_mmap of whole pipelines: December 2025"),
        source="huggingface/diffusers#12854, #10305",
        keep_in_mind=joined(notes),
    )


CONSUMER = Consumer("diffusers", "diffusers", ("safetensors",), setting)
