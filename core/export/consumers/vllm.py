"""vLLM: its loaders of safetensors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.forms import Option, command_form, environment_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.model_files import HUB_INDEX

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "vllm-project/vllm", "00b5ad071262")
LOADS = Message(
    "all .safetensors files of the folder itself, or those of them that {index} names",
    index=HUB_INDEX,
)
"""What it does with a folder, and SGLang too."""
_EXTRA = "--model-loader-extra-config"
_STRATEGY = "--safetensors-load-strategy"
_STRATEGIES = (Message("September 2025"), "vllm-project/vllm#24469")
_LAZY = Option(f"{_STRATEGY} lazy", "mapped", *_STRATEGIES)
_EAGER = Option(
    f"{_STRATEGY} eager",
    "buffered",
    *_STRATEGIES,
    Message("Each file is read whole into memory before it's used."),
)
_PREFETCH = Option(
    f"{_STRATEGY} prefetch",
    "mapped",
    Message("March 2026; the number of threads: May 2026"),
    "vllm-project/vllm#36012, #41499",
)
_FAST = Option(
    "--load-format fastsafetensors",
    "buffered",
    Message("In the documentation by 0.8.4"),
    "docs.vllm.ai",
)
_INSTANT = Option(
    "--load-format instanttensor",
    "direct",
    Message("March 2026"),
    "vllm-project/vllm#36139, #46868",
    Message(
        "It takes the package instanttensor and an NVIDIA GPU. Without one, --load-format"
        " runai_streamer has several readers, through the page cache."
    ),
)


def setting(found: Outcome) -> Setting | Message:
    """Of its load formats and strategies, the one that reads most like it."""
    wanted, files, library = found.reading, found.files, found.config.library
    chosen = files.load_format
    if chosen is None:
        return files.not_chosen("vLLM", LOADS)
    folder = [["vllm", "serve", files.folder]]
    serve = [*folder, *chosen]
    wants = {_FAST: library == "fastsafetensors", _INSTANT: wanted.access == "direct"}
    for option in filter(wants.get, wants):
        if files.are(files.listed()):
            return option.on(folder)
    # It streams all files of a folder, Mistral's own too (vllm-project/vllm#40765).
    streams = files.are(files.weights)
    at_once = found.files_at_once if wanted.access == "mapped" else 1
    if wanted.access == "mapped" and wanted.ahead:
        readers = found.readers if found.readers > 1 else None
        threads = [["--safetensors-prefetch-num-threads", str(readers)]] if readers else []
        return _PREFETCH.on(serve, *threads, readers=readers, ahead=True)
    if streams and (at_once < found.readers or library == "runai-model-streamer"):
        return _streamed(found, folder)
    if at_once == 1:
        return (_LAZY if wanted.access == "mapped" else _EAGER).on(serve)
    extra = json.dumps({"enable_multithread_load": True, "num_threads": at_once})
    return Setting(
        summary=Message("{readers} threads", readers=at_once),
        forms=(command_form(serve, [[_EXTRA, extra]]),),
        reading=Reading("mapped", at_once),
        since=Message("In the documentation by 0.10.2"),
        source="vllm-project/vllm#23928",
        keep_in_mind=Message(
            "Threads load several files at once, never parts of one. Together with a load"
            " strategy other than lazy it's refused (vllm-project/vllm#45196)."
        ),
    )


def _streamed(found: Outcome, serve: list[list[str]]) -> Setting:
    wanted = found.reading
    streamer = [["--load-format", "runai_streamer"]]
    variables = {}
    if found.readers > 1:
        streamer.append([_EXTRA, json.dumps({"concurrency": found.readers})])
        variables["RUNAI_STREAMER_CONCURRENCY"] = str(found.readers)
    if wanted.request_bytes is not None:
        variables["RUNAI_STREAMER_CHUNK_BYTESIZE"] = str(wanted.request_bytes)
    size = {name: value for name, value in variables.items() if name.endswith("BYTESIZE")}
    return Setting(
        summary=verbatim("--load-format runai_streamer"),
        forms=(
            command_form(serve, streamer, environment=size),
            *((environment_form(variables),) if variables else ()),
        ),
        reading=Reading("buffered", found.readers, wanted.request_bytes),
        since=Message("In the documentation by 0.6.6"),
        source="docs.vllm.ai; run-ai/runai-model-streamer: env-vars.md",
        keep_in_mind=Message(
            "It takes the package runai-model-streamer. Variables alone change nothing: the"
            " command's --load-format makes vLLM use it."
        ),
    )


CONSUMER = Consumer("vllm", "vLLM", ("safetensors",), setting, CHECKED)
