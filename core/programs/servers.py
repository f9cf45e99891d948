"""Servers that are Python programs: vLLM and SGLang, and what is built on them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.messages import Message
from modelmon.core.programs.model_files import files_of
from modelmon.core.programs.preset import Command, Found, Variant
from modelmon.core.programs.python_package import PythonPackage

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.preset import Access

_VLLM = "https://github.com/vllm-project/vllm/pull"
_SGLANG = "https://github.com/sgl-project/sglang"
_SGLANG_DOCS = f"{_SGLANG}/blob/main/docs_new/docs/advanced_features/model_loading.mdx"
_THREADS = '{"enable_multithread_load": true, "num_threads": 8}'


class PythonServer(PythonPackage):
    """A server that is installed as a package; ready when its `/health` answers."""

    formats = ("transformers",)

    def named(self, model: Model) -> tuple[str, ...]:
        """The folder, and what makes it load this model of it."""
        files = files_of(model)
        return (files.folder, *chain(*(files.load_format or ())))

    def options(self, port: int) -> tuple[str, ...]:
        """Where it listens."""
        return ("--host", "127.0.0.1", "--port", str(port))


def _strategy(name: str, access: Access, since: str, pull: str) -> Variant:
    return Variant(
        name,
        access,
        since,
        f"{_VLLM}/{pull}",
        ("--safetensors-load-strategy", name),
        needs=("safetensors_load_strategy", name),
    )


class Vllm(PythonServer):
    """`vllm serve`."""

    name = "vllm"
    title = "vLLM"
    home = "https://docs.vllm.ai"
    distribution = "vllm"
    sources = (
        "vllm/config/load.py",
        "vllm/config.py",
        "vllm/config/__init__.py",
        "vllm/model_executor/model_loader/__init__.py",
        "vllm/model_executor/model_loader/default_loader.py",
    )
    offers = (
        _strategy("lazy", "mapped", "September 2025", "24469"),
        _strategy("eager", "buffered", "September 2025", "24469"),
        _strategy("prefetch", "prefetched", "March 2026", "36012"),
        Variant(
            "multithread",
            "parallel",
            "0.10.2",
            "https://docs.vllm.ai/en/v0.10.2/api/vllm/model_executor/model_loader/default_loader.html",
            ("--model-loader-extra-config", _THREADS),
            needs=("enable_multithread_load",),
        ),
        Variant(
            "fastsafetensors",
            "parallel",
            "0.8.4",
            "https://docs.vllm.ai/en/v0.8.4/serving/engine_args.html",
            ("--load-format", "fastsafetensors"),
            needs=("fastsafetensors",),
            packages=("fastsafetensors",),
        ),
        Variant(
            "instanttensor",
            "direct",
            "March 2026",
            f"{_VLLM}/36139",
            ("--load-format", "instanttensor"),
            needs=("instanttensor",),
            packages=("instanttensor",),
        ),
        Variant(
            "runai-streamer",
            "parallel",
            "0.6.6",
            "https://docs.vllm.ai/en/v0.6.6/serving/engine_args.html",
            ("--load-format", "runai_streamer"),
            needs=("runai_streamer",),
            packages=("runai-model-streamer",),
        ),
    )

    def load(self, found: Found, model: Model, port: int) -> Command:
        """By the script that pip puts beside the Python."""
        program = str(Path(found.path).with_name("vllm"))
        started = (program, "serve", *self.named(model), *self.options(port))
        return Command(started, f"http:{port}/health")


class Sglang(PythonServer):
    """`python -m sglang.launch_server`."""

    name = "sglang"
    title = "SGLang"
    home = _SGLANG_DOCS
    distribution = "sglang"
    sources = ("sglang/srt/server_args.py", "sglang/srt/arg_groups/fields/model.py")
    offers = (
        Variant(
            "no-mmap",
            "buffered",
            "June 2025",
            f"{_SGLANG}/pull/7469",
            ("--weight-loader-disable-mmap",),
            needs=("weight_loader_disable_mmap",),
        ),
        Variant(
            "prefetch",
            "prefetched",
            "March 2026",
            f"{_SGLANG}/pull/20843",
            ("--weight-loader-prefetch-checkpoints",),
            needs=("weight_loader_prefetch_checkpoints",),
        ),
        Variant(
            "multithread",
            "parallel",
            "June 2025",
            f"{_SGLANG}/pull/7277",
            ("--model-loader-extra-config", _THREADS),
            needs=("model_loader_extra_config",),
        ),
    )

    def load(self, found: Found, model: Model, port: int) -> Command:
        """By its module."""
        module = (found.path, "-m", "sglang.launch_server", "--model-path", *self.named(model))
        return Command((*module, *self.options(port)), f"http:{port}/health")


class Ktransformers(PythonServer):
    """SGLang with experts on the processor, which come from a second folder of weights."""

    name = "ktransformers"
    title = "ktransformers"
    home = "https://github.com/kvcache-ai/ktransformers"
    distribution = "kt-kernel"
    offers = ()
    unstartable = Message(
        "ktransformers takes two folders of weights: give its whole command to modelmon watch."
    )
