"""vLLM: its loaders of safetensors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import command_form, environment_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation

_STRATEGY = "--safetensors-load-strategy"
_EXTRA = "--model-loader-extra-config"


def setting(found: Situation) -> Setting | Message:
    """Of its load formats and strategies, the one that reads most like it."""
    wanted = found.reading
    serve = [["vllm", "serve", found.folder]]
    if found.config.library == "fastsafetensors":
        return Setting(
            summary=verbatim("--load-format fastsafetensors"),
            forms=(command_form(serve, [["--load-format", "fastsafetensors"]]),),
            reading=Reading("buffered"),
            since=Message("In the documentation by 0.8.4"),
            source="docs.vllm.ai",
        )
    if wanted.access == "mapped":
        return _mapped(found, wanted, serve)
    if found.readers == 1 and wanted.access == "buffered" and found.config.library == "none":
        return Setting(
            summary=verbatim(f"{_STRATEGY} eager"),
            forms=(command_form(serve, [[_STRATEGY, "eager"]]),),
            reading=Reading("buffered"),
            since=Message("September 2025"),
            source="vllm-project/vllm#24469",
            keep_in_mind=Message("Each file is read whole into memory before it's used."),
        )
    return _streamed(found, wanted, serve)


def _mapped(found: Situation, wanted: Reading, serve: list[list[str]]) -> Setting:
    if wanted.ahead:
        threads = [["--safetensors-prefetch-num-threads", str(found.readers)]]
        more = threads if found.readers > 1 else []
        return Setting(
            summary=verbatim(f"{_STRATEGY} prefetch"),
            forms=(command_form(serve, [[_STRATEGY, "prefetch"], *more]),),
            reading=Reading("mapped", found.readers if more else None, ahead=True),
            since=Message("March 2026; the number of threads: May 2026"),
            source="vllm-project/vllm#36012, #41499",
        )
    if found.files_at_once < found.readers:
        return _streamed(found, wanted, serve)
    if found.readers > 1:
        extra = json.dumps({"enable_multithread_load": True, "num_threads": found.readers})
        return Setting(
            summary=Message("{readers} threads", readers=found.readers),
            forms=(command_form(serve, [[_EXTRA, extra]]),),
            reading=Reading("mapped", found.readers),
            since=Message("In the documentation by 0.10.2"),
            source="vllm-project/vllm#23928",
            keep_in_mind=Message(
                "Threads load several files at once, never parts of one. Together with a load"
                " strategy other than lazy it's refused (vllm-project/vllm#45196)."
            ),
        )
    return Setting(
        summary=verbatim(f"{_STRATEGY} lazy"),
        forms=(command_form(serve, [[_STRATEGY, "lazy"]]),),
        reading=Reading("mapped"),
        since=Message("September 2025"),
        source="vllm-project/vllm#24469",
    )


def _streamed(found: Situation, wanted: Reading, serve: list[list[str]]) -> Setting:
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


CONSUMER = Consumer("vllm", "vLLM", ("safetensors",), setting)
