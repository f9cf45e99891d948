"""vLLM: its server, and its loaders of safetensors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.advice import (
    Checked,
    Option,
    Setting,
    command_form,
    environment_form,
)
from modelmon.core.programs.installed import (
    SOURCES,
    THREADS,
    PythonServer,
    offline,
    variable,
)
from modelmon.core.programs.known_program import Command, Found, ReadySign, Variant
from modelmon.core.programs.model_files import HUB_INDEX, SERVERS_LOAD
from modelmon.core.programs.outcome import ReadPattern
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.known_program import Access
    from modelmon.core.programs.outcome import Outcome
    from modelmon.core.worker.command_words import CommandWords

_PULLS = "https://github.com/vllm-project/vllm/pull"
_DOCS = "https://docs.vllm.ai/en"
_LOADER = "api/vllm/model_executor/model_loader/default_loader.html"
_EXTRA = "--model-loader-extra-config"
_ENVS = "configuration/env_vars.html"


def _strategy(name: str, access: Access, since: str, pull: str) -> Variant:
    arguments = ("--safetensors-load-strategy", name)
    needs = ("safetensors_load_strategy", name)
    return Variant(name, access, since, f"{_PULLS}/{pull}", arguments, needs=needs)


def _format(name: str, access: Access, since: str, source: str, package: str) -> Variant:
    """A format to load by a package of its own."""
    load_format = name.replace("-", "_")
    arguments = ("--load-format", load_format)
    return Variant(
        name, access, since, source, arguments, needs=(load_format,), packages=(package,)
    )


_LAZY_OFFER = _strategy("lazy", "mapped", "September 2025", "24469")
_EAGER_OFFER = _strategy("eager", "buffered", "September 2025", "24469")
_PREFETCH_OFFER = _strategy("prefetch", "prefetched", "March 2026", "36012")
_FAST_OFFER = _format(
    *("fastsafetensors", "parallel", "0.8.4", f"{_DOCS}/v0.8.4/serving/engine_args.html"),
    "fastsafetensors",
)
_INSTANT_OFFER = _format(
    "instanttensor", "direct", "March 2026", f"{_PULLS}/36139", "instanttensor"
)
_STREAMER_OFFER = _format(
    *("runai-streamer", "parallel", "0.6.6", f"{_DOCS}/v0.6.6/serving/engine_args.html"),
    "runai-model-streamer",
)

_STRATEGIES = (Message("September 2025"), "vllm-project/vllm#24469")
_LAZY = Option(_LAZY_OFFER.setting, "mapped", *_STRATEGIES)
_EAGER = Option(
    _EAGER_OFFER.setting,
    "buffered",
    *_STRATEGIES,
    Message("Each file is read whole into memory before it's used."),
)
_PREFETCH = Option(
    _PREFETCH_OFFER.setting,
    "mapped",
    Message("March 2026; the number of threads: May 2026"),
    "vllm-project/vllm#36012, #41499",
)
_FAST = Option(
    _FAST_OFFER.setting,
    "buffered",
    Message("In the documentation by 0.8.4"),
    "docs.vllm.ai",
    Message("It takes the package {package}.", package="fastsafetensors"),
)
_INSTANT = Option(
    _INSTANT_OFFER.setting,
    "direct",
    Message("March 2026"),
    "vllm-project/vllm#36139, #46868",
    Message(
        "It takes the package instanttensor and an NVIDIA GPU. Without one, --load-format"
        " runai_streamer has several readers, through the page cache."
    ),
)
_STREAMED_BYTES = 2 * MIB
"""What Run:ai's streamer requests from a filesystem at once by itself, and at least."""


class Vllm(PythonServer):
    """`vllm serve`."""

    name = "vllm"
    title = "vLLM"
    home = "https://docs.vllm.ai"
    distribution = "vllm"
    shows_ready = ReadySign(
        r"vllm serve|vllm\.entrypoints\.openai\.api_server",
        *("8000", "health", ""),
        ("--config", "--uds", "--headless", "--ssl-keyfile", "--ssl-certfile"),
    )
    names_itself = ("--model", "--host", "--port")
    sources = (
        "vllm/config/load.py",
        "vllm/config.py",
        "vllm/config/__init__.py",
        "vllm/engine/arg_utils.py",
        "vllm/model_executor/model_loader/__init__.py",
        "vllm/model_executor/model_loader/default_loader.py",
        "vllm/envs.py",
        *SOURCES,
    )
    offers = (
        _LAZY_OFFER,
        _EAGER_OFFER,
        _PREFETCH_OFFER,
        Variant(
            *("multithread", "parallel", "0.10.2", f"{_DOCS}/v0.10.2/{_LOADER}"),
            (_EXTRA, THREADS),
            needs=("enable_multithread_load",),
        ),
        _FAST_OFFER,
        _INSTANT_OFFER,
        _STREAMER_OFFER,
        Variant(
            *("enforce-eager", "ungraphed", "before 0.6.6"),
            f"{_DOCS}/v0.6.6/serving/engine_args.html",
            ("--enforce-eager",),
            needs=("enforce_eager",),
        ),
        variable(
            *("no-compile-cache", "recompiled", "before July 2025", f"{_DOCS}/v0.10.0/{_ENVS}"),
            "VLLM_DISABLE_COMPILE_CACHE=1",
        ),
        variable(
            *("no-kernel-tuning", "untuned", "before September 2026", f"{_DOCS}/latest/{_ENVS}"),
            "VLLM_DEEP_GEMM_WARMUP=skip",
        ),
        offline(),
    )
    checked = Checked("2026-11-27", "vllm-project/vllm", "00b5ad071262")
    maps_with = 1
    # There it decides by the filesystem and the memory.
    maps_on_networks = False

    def load(self, found: Found, model: Model, port: int) -> Command:
        """By the script that pip puts beside the Python."""
        program = str(Path(found.path).with_name("vllm"))
        started = (program, "serve", *self.named(model), *self.options(port))
        return Command(started, f"http:{port}/health")

    def options_of(self, command: CommandWords) -> list[list[str]]:
        """The model may follow the one value of an option: `vllm serve --dtype half MODEL`."""
        lines = super().options_of(command)
        if lines[:1] == [["serve"]] and all(
            each[0].partition("=")[0] != "--model" for each in lines
        ):
            before = [each for each in lines if len(each) == 3 - ("=" in each[0])]
            for each in before[-1:]:
                del each[-1]
        return lines

    def setting(self, found: Outcome) -> Setting | Message:
        """Of its load formats and strategies, the one that reads most like it."""
        wanted, files, library = found.reading, found.files, found.config.library
        chosen = files.load_format
        # Newer ones look in folders below as well, of November 2026 at the latest; others refuse.
        if chosen is None and not files.weights and files.are(files.indices.get(HUB_INDEX, ())):
            chosen = []
        if chosen is None:
            return files.not_chosen("vLLM", SERVERS_LOAD)
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
            reading=ReadPattern("mapped", at_once),
            since=Message("In the documentation by 0.10.2"),
            source="vllm-project/vllm#23928",
            keep_in_mind=Message(
                "Threads load several files at once, never parts of one. Together with a load"
                " strategy other than lazy it's refused (vllm-project/vllm#45196)."
            ),
        )


def _streamed(found: Outcome, serve: list[list[str]]) -> Setting:
    wanted = found.reading
    streamer = [list(_STREAMER_OFFER.words)]
    variables = {}
    if found.readers > 1:
        streamer.append([_EXTRA, json.dumps({"concurrency": found.readers})])
        variables["RUNAI_STREAMER_CONCURRENCY"] = str(found.readers)
    request_bytes = max(wanted.request_bytes or 0, _STREAMED_BYTES)
    if request_bytes > _STREAMED_BYTES:
        variables["RUNAI_STREAMER_CHUNK_BYTESIZE"] = str(request_bytes)
    size = {name: value for name, value in variables.items() if name.endswith("BYTESIZE")}
    return Setting(
        summary=verbatim(_STREAMER_OFFER.setting),
        forms=(
            command_form(serve, streamer, environment=size),
            *((environment_form(variables),) if variables else ()),
        ),
        reading=ReadPattern("buffered", found.readers, request_bytes),
        since=Message("In the documentation by 0.6.6"),
        source="docs.vllm.ai; run-ai/runai-model-streamer: env-vars.md",
        keep_in_mind=Message(
            "It takes the package runai-model-streamer. Variables alone change nothing: the"
            " command's --load-format makes vLLM use it."
        ),
    )
