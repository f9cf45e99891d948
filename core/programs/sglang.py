"""SGLang: its server, and its loaders of safetensors; ktransformers, which is built on it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.advice import Checked, Option, Setting, command_form
from modelmon.core.programs.installed import (
    SOURCES,
    THREADS,
    PythonServer,
    offline,
    variable,
)
from modelmon.core.programs.known_program import Command, Found, ReadySign, Variant
from modelmon.core.programs.model_files import SERVERS_LOAD
from modelmon.core.programs.outcome import ReadPattern

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.outcome import Outcome

_SGLANG = "https://github.com/sgl-project/sglang"
_UNMAPPED = "--weight-loader-disable-mmap"
_AHEAD = "--weight-loader-prefetch-checkpoints"
_EXTRA = "--model-loader-extra-config"
_GRAPHS = ("--cuda-graph-backend-decode", "--cuda-graph-backend-prefill")
_FORMATS = {"fastsafetensors": "fastsafetensors", "runai-model-streamer": "runai_streamer"}
_PREFETCH = Option(
    _AHEAD,
    "mapped",
    Message("March 2026"),
    "sgl-project/sglang#20843, #30146",
    Message("It turns loading with several threads off (July 2026)."),
)


class Sglang(PythonServer):
    """`python -m sglang.launch_server`."""

    name = "sglang"
    title = "SGLang"
    home = f"{_SGLANG}/blob/main/docs_new/docs/advanced_features/model_loading.mdx"
    distribution = "sglang"
    shows_ready = ReadySign(
        r"sglang\.launch_server|sglang serve",
        *("30000", "health", ""),
        ("--config", "--ssl-keyfile", "--ssl-certfile"),
    )
    names_itself = ("--model-path", "--model", "--host", "--port")
    sources = (
        "sglang/srt/server_args.py",
        "sglang/srt/arg_groups/fields/exec_.py",
        "sglang/srt/arg_groups/fields/model.py",
        "sglang/srt/arg_groups/fields/serving.py",
        "sglang/srt/environ.py",
        *SOURCES,
    )
    offers = (
        Variant(
            *("no-mmap", "buffered", "June 2025", f"{_SGLANG}/pull/7469"),
            (_UNMAPPED,),
            needs=("weight_loader_disable_mmap",),
        ),
        Variant(
            *("prefetch", "prefetched", "March 2026", f"{_SGLANG}/pull/20843"),
            (_AHEAD,),
            needs=("weight_loader_prefetch_checkpoints",),
        ),
        Variant(
            *("multithread", "parallel", "June 2025", f"{_SGLANG}/pull/7277"),
            (_EXTRA, THREADS),
            needs=("model_loader_extra_config",),
        ),
        Variant(
            *("no-warmup", "unwarmed", "before May 2025", _SGLANG),
            ("--skip-server-warmup",),
            needs=("skip_server_warmup",),
        ),
        Variant(
            *("no-cuda-graph", "ungraphed", "June 2026", f"{_SGLANG}/pull/23906"),
            tuple(f"{option}=disabled" for option in _GRAPHS),
            needs=("cuda_graph_backend_decode", "cuda_graph_backend_prefill"),
            others=("--disable-cuda-graph",),
        ),
        Variant(
            *("no-cuda-graph", "ungraphed", "before May 2025", _SGLANG),
            ("--disable-cuda-graph",),
            needs=("disable_cuda_graph",),
            others=_GRAPHS,
        ),
        variable(
            *("no-kernel-tuning", "untuned", "before September 2026", _SGLANG),
            "SGLANG_JIT_DEEPGEMM_PRECOMPILE=0",
        ),
        offline(),
    )
    checked = Checked("2026-11-27", "sglang", "0.5.23")

    def load(self, found: Found, model: Model, port: int) -> Command:
        """By its module."""
        module = (found.path, "-m", "sglang.launch_server", "--model-path", *self.named(model))
        return Command((*module, *self.options(port)), f"http:{port}/health")

    def setting(self, found: Outcome) -> Setting | Message:
        """Mapped or read, ahead or not, and with how many threads."""
        wanted, files = found.reading, found.files
        chosen = files.load_format
        if chosen is None:
            return files.not_chosen("SGLang", SERVERS_LOAD)
        folder = [["python", "-m", "sglang.launch_server"], ["--model-path", files.folder]]
        launch = [*folder, *chosen]
        if found.config.library in _FORMATS and files.are(files.listed()):
            text = f"--load-format {_FORMATS[found.config.library]}"
            since, source = Message("before September 2026"), "docs.sglang.ai: model loading"
            package = Message("It takes the package {package}.", package=found.config.library)
            return Option(text, "buffered", since, source, package).on(folder)
        mapped, at_once = wanted.access == "mapped", found.files_at_once
        if mapped and wanted.ahead:
            threads = [["--weight-loader-prefetch-num-threads", str(found.readers)]]
            more = threads if found.readers > 1 else []
            return _PREFETCH.on(launch, *more, readers=wanted.readers, ahead=True)
        options = [] if mapped else [[_UNMAPPED]]
        # Threads have a file each: of a single one there's nothing to say.
        if len(files.names) != 1:
            extra: dict[str, int] = {"enable_multithread_load": at_once > 1}
            extra |= {"num_threads": at_once} if at_once > 1 else {}
            options.append([_EXTRA, json.dumps(extra)])
        in_short = (
            Message("{readers} threads", readers=at_once) if at_once > 1 else Message("one thread")
        )
        return Setting(
            summary=in_short if mapped else verbatim(_UNMAPPED),
            forms=(command_form(launch, options),),
            reading=ReadPattern("mapped" if mapped else "buffered", at_once),
            since=Message("June 2025"),
            source="sgl-project/sglang#7469, #7277",
            keep_in_mind=Message(
                "Threads load several files at once, never parts of one; newer versions do by"
                " default (sgl-project/sglang#20289)."
            ),
        )


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
    advised = ("gguf", "safetensors")
    checked = Checked("2026-11-27", "kvcache-ai/ktransformers", "95009ea6856c")

    def setting(self, found: Outcome) -> Message:
        """None is known."""
        del found
        return Message(
            "No setting is known for how it reads. Nearest: fill the page cache before it starts,"
            " or raise the readahead."
        )
