"""transformers, diffusers and safetensors: Hugging Face's libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.programs.preset import Variant
from modelmon.core.programs.python_package import FolderLibrary, PythonLibrary

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model

_DOCS = "https://huggingface.co/docs/transformers"
_PULLS = "https://github.com/huggingface"


class Transformers(FolderLibrary):
    """transformers' `from_pretrained`."""

    name = "transformers"
    title = "transformers"
    home = _DOCS
    formats = ("transformers",)
    stem = "model"
    distribution = "transformers"
    sources = ("transformers/modeling_utils.py", "transformers/core_model_loading.py")
    offers = (
        Variant(
            "no-mmap",
            "buffered",
            "5.10.1",
            f"{_PULLS}/transformers/pull/45547",
            ("disable_mmap=True",),
            needs=("disable_mmap",),
        ),
        Variant(
            "parallel",
            "parallel",
            "before 5.10.2",
            f"{_DOCS}/v5.10.2/reference/environment_variables",
            environment=(("HF_ENABLE_PARALLEL_LOADING", "true"),),
            needs=("HF_ENABLE_PARALLEL_LOADING",),
        ),
        Variant(
            "one-thread",
            "sequential",
            "before 5.17.0",
            f"{_DOCS}/v5.17.0/reference/environment_variables",
            environment=(("HF_DEACTIVATE_ASYNC_LOAD", "1"),),
            needs=("HF_DEACTIVATE_ASYNC_LOAD",),
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
    sources = ("diffusers/models/modeling_utils.py", "diffusers/utils/constants.py")
    offers = (
        Variant(
            "no-mmap",
            "buffered",
            "before December 2025",
            f"{_PULLS}/diffusers/pull/10305",
            ("disable_mmap=True",),
            needs=("disable_mmap",),
        ),
        Variant(
            "parallel",
            "parallel",
            "before December 2025",
            f"{_PULLS}/diffusers/pull/12028",
            environment=(("HF_ENABLE_PARALLEL_LOADING", "YES"),),
            needs=("HF_ENABLE_PARALLEL_LOADING",),
        ),
    )


class Safetensors(PythonLibrary):
    """safetensors' `safe_open` with every tensor taken, for torch or else for numpy."""

    name = "safetensors"
    title = "safetensors"
    home = "https://huggingface.co/docs/safetensors"
    formats = ("safetensors",)
    distribution = "safetensors"
    sources = ("safetensors/__init__.pyi",)
    offers = (
        Variant(
            "pread",
            "buffered",
            "0.8.0",
            f"{_PULLS}/safetensors/pull/760",
            ("backend=pread",),
            needs=("backend", "pread"),
        ),
    )

    def targets(self, model: Model) -> tuple[str, ...]:
        """All files: a set of shards is opened one by one."""
        return tuple(map(str, model.files))
