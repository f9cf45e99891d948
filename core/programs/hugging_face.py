"""transformers and diffusers: Hugging Face's libraries that load a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, joined, verbatim
from modelmon.core.programs.advice import Checked, Setting, environment_form, python_form
from modelmon.core.programs.installed import (
    SOURCES,
    FolderLibrary,
    keyword,
    offline,
    one_thread,
    variable,
)
from modelmon.core.programs.known_program import config_of
from modelmon.core.programs.outcome import UNOPENED, ReadPattern

if TYPE_CHECKING:
    from modelmon.core.programs.model_files import ModelFiles
    from modelmon.core.programs.outcome import Outcome

_DOCS = "https://huggingface.co/docs/transformers"
_VARIABLES = "reference/environment_variables"
_TRANSFORMERS = "https://github.com/huggingface/transformers/pull"
_DIFFUSERS = "https://github.com/huggingface/diffusers/pull"
_BY_DECEMBER = "before December 2025"
_PIPELINE = "StableDiffusionPipeline"
"""A pipeline that takes single files; DiffusionPipeline itself doesn't."""
_MOST_AT_ONCE = 8
"""Of diffusers; not to be set."""


class Transformers(FolderLibrary):
    """transformers' `from_pretrained`."""

    name = "transformers"
    title = "transformers"
    home = _DOCS
    formats = ("transformers",)
    stem = "model"
    distribution = "transformers"
    sources = (
        "transformers/modeling_utils.py",
        "transformers/core_model_loading.py",
        *SOURCES,
    )
    offers = (
        keyword("no-mmap", "buffered", "5.10.1", f"{_TRANSFORMERS}/45547", "disable_mmap=True"),
        variable(
            *("parallel", "parallel", "before 5.10.2", f"{_DOCS}/v5.10.2/{_VARIABLES}"),
            "HF_ENABLE_PARALLEL_LOADING=true",
        ),
        variable(
            *("one-thread", "sequential", "before 5.17.0", f"{_DOCS}/v5.17.0/{_VARIABLES}"),
            "HF_DEACTIVATE_ASYNC_LOAD=1",
        ),
        one_thread(),
        offline(),
    )
    advised = ("safetensors",)
    checked = Checked("2026-11-27", "transformers", "5.24.0")
    maps_with = 4

    def setting(self, found: Outcome) -> Setting | Message:
        """Whether it maps, and which variant it loads."""
        files = found.files
        variant = files.variant(self.stem)
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
            # So many map by themselves, a single file too; files are read one after another.
            reading=ReadPattern("buffered", 1)
            if unmapped
            else ReadPattern("mapped", self.maps_with),
            since=Message("disable_mmap: in 5.10.1, not in 4.57.1"),
            source="huggingface/transformers#45547",
            keep_in_mind=Message(
                "One thread reads all files, and keeps them in memory until the model is loaded."
            )
            if unmapped
            else Message(
                "Since version 5 it reads with up to 4 threads and ignores"
                " HF_ENABLE_PARALLEL_LOADING. HF_DEACTIVATE_ASYNC_LOAD=1 leaves one thread: less"
                " memory, more time."
            ),
        )


class Diffusers(FolderLibrary):
    """diffusers' `from_pretrained` of one component: the weights of a pipeline lie in several."""

    name = "diffusers"
    title = "diffusers"
    home = "https://huggingface.co/docs/diffusers"
    formats = ("diffusers",)
    stem, index_first = "diffusion_pytorch_model", True
    distribution = "diffusers"
    sources = ("diffusers/models/modeling_utils.py", "diffusers/utils/constants.py", *SOURCES)
    offers = (
        keyword("no-mmap", "buffered", _BY_DECEMBER, f"{_DIFFUSERS}/10305", "disable_mmap=True"),
        variable(
            *("parallel", "parallel", _BY_DECEMBER, f"{_DIFFUSERS}/12028"),
            "HF_ENABLE_PARALLEL_LOADING=YES",
        ),
        one_thread(),
        offline(),
    )
    advised = ("safetensors",)
    checked = Checked("2026-11-27", "diffusers", "0.42.1")
    maps_with = 1

    def setting(self, found: Outcome) -> Setting | Message:
        """Whether it maps, which variant it loads, and whether several files at once."""
        files, unmapped = found.files, found.reading.access != "mapped"
        if not files.names:
            return UNOPENED
        component = str(config_of(Path(files.folder)).get("_class_name", ""))
        at_once = 1
        if component.isidentifier():
            variant = files.variant(self.stem, index_first=True)
            if variant is None or any("/" in name for name in files.names):
                return files.not_chosen("diffusers", Message("{stem} files", stem=self.stem))
            name, loaded, at_once = "model", component, min(found.files_at_once, _MOST_AT_ONCE)
            chosen = f", variant={variant!r}" if variant else ""
            call = f"from_pretrained({files.folder!r}{chosen}"
            note = Message("A whole pipeline takes disable_mmap too, and loads other components.")
        elif files.is_single and not _is_of_transformers(files):
            name, loaded, call = "pipeline", _PIPELINE, f"from_single_file({files.paths[0]!r}"
            note = Message("Replace {pipeline} with your model's own pipeline.", pipeline=loaded)
        else:
            return Message("This folder has no config.json that names a class of diffusers.")
        forms = [
            python_form(
                f"from diffusers import {loaded}\n\n"
                f"{name} = {loaded}.{call}, disable_mmap={unmapped})\n"
            )
        ]
        if at_once > 1:
            more = Message("It loads up to 8 files at once; no variable changes that.")
            note = joined((note, more))
            forms.append(environment_form({"HF_ENABLE_PARALLEL_LOADING": "YES"}))
        return Setting(
            summary=verbatim(f"disable_mmap={unmapped}"),
            forms=tuple(forms),
            reading=ReadPattern("buffered" if unmapped else "mapped", at_once),
            since=Message("disable_mmap of whole pipelines: December 2025"),
            source="huggingface/diffusers#12854, #10305, #12028",
            keep_in_mind=note,
        )


def _is_of_transformers(files: ModelFiles) -> bool:
    return not {"architectures", "model_type"}.isdisjoint(config_of(Path(files.folder)))
