"""diffusers: a component from its folder, or a pipeline from a single file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import environment_form, python_form
from modelmon.core.export.outcome import UNOPENED
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, joined, verbatim
from modelmon.core.programs.forms import config_of
from modelmon.core.programs.hugging_face import Diffusers

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome
    from modelmon.core.programs.model_files import ModelFiles

CHECKED = Checked("2026-11-27", "diffusers", "0.42.1")
_SINGLE_FILE = "StableDiffusionPipeline"
"""A pipeline that takes single files; DiffusionPipeline itself doesn't."""
_MOST_AT_ONCE = 8
"""Not to be set."""


def setting(found: Outcome) -> Setting | Message:
    """Whether it maps, which variant it loads, and whether several files at once."""
    files, unmapped = found.files, found.reading.access != "mapped"
    if not files.names:
        return UNOPENED
    component = str(config_of(Path(files.folder)).get("_class_name", ""))
    at_once = 1
    if component.isidentifier():
        variant = files.variant(Diffusers.stem, index_first=True)
        if variant is None or any("/" in name for name in files.names):
            return files.not_chosen("diffusers", Message("{stem} files", stem=Diffusers.stem))
        name, loaded, at_once = "model", component, min(found.files_at_once, _MOST_AT_ONCE)
        call = f"from_pretrained({files.folder!r}" + (f", variant={variant!r}" if variant else "")
        note = Message("A whole pipeline takes disable_mmap too, and loads other components.")
    elif files.is_single and not _is_of_transformers(files):
        name, loaded, call = "pipeline", _SINGLE_FILE, f"from_single_file({files.paths[0]!r}"
        note = Message("Put your model's own pipeline in place of {pipeline}.", pipeline=loaded)
    else:
        return Message("This folder has no config.json that names a class of diffusers.")
    forms = [
        python_form(
            f"from diffusers import {loaded}\n\n"
            f"{name} = {loaded}.{call}, disable_mmap={unmapped})\n"
        )
    ]
    if at_once > 1:
        note = joined((note, Message("It loads up to 8 files at once; no variable changes that.")))
        forms.append(environment_form({"HF_ENABLE_PARALLEL_LOADING": "YES"}))
    return Setting(
        summary=verbatim(f"disable_mmap={unmapped}"),
        forms=tuple(forms),
        reading=Reading("buffered" if unmapped else "mapped", at_once),
        since=Message("disable_mmap of whole pipelines: December 2025"),
        source="huggingface/diffusers#12854, #10305, #12028",
        keep_in_mind=note,
    )


def _is_of_transformers(files: ModelFiles) -> bool:
    return not {"architectures", "model_type"}.isdisjoint(config_of(Path(files.folder)))


CONSUMER = Consumer("diffusers", "diffusers", ("safetensors",), setting, CHECKED)
