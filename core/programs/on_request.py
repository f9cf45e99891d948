"""Programs that run first and load a model on a request: Ollama, LM Studio, ComfyUI.

Ollama is asked by a script of ours (ask.py), on this machine, while its own processes are watched.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.model.caches import ollama_models
from modelmon.core.programs.executable import answer, executable
from modelmon.core.programs.preset import Command, Found, Preset, Variant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.model.tensors import Model

_COMFYUI = "https://github.com/Comfy-Org/ComfyUI"
_LM_STUDIO = "https://github.com/lmstudio-ai/lmstudio-js"
_OLLAMA_API = "https://github.com/ollama/ollama/blob/main/docs/api.md"
_ASK = str(Path(__file__).with_name("ask.py"))


class OnRequest(Preset):
    """Found as a process that runs, or as a command on PATH.

    process: a pattern of its command line, with its folder before it. version: what its program is
    asked for.
    """

    has_place = False
    process: str
    version: str = ""

    def find(self, at: Path | None = None) -> Found:
        """The process that runs, else the command."""
        path = executable(self.program, at) if self.program else ""
        running = next(self.processes(), None)
        if running is None:
            obstacle = Message("{title} isn't running here.", title=self.title)
            return Found(path, obstacle=obstacle)
        try:
            said = answer(path, self.version) if path and self.version else ""
        except ConfigError:
            said = ""  # it is the process that loads
        number = re.search(r"\d+(?:\.\d+)+", said)
        return self.running(running, number[0] if number else "")

    def running(self, pid: int, version: str) -> Found:
        """It as this process, which modelmon doesn't ask to load."""
        obstacle = Message(
            "{why} Watch it with --pid {pid}, and load the model there.",
            why=self.unstartable,
            pid=pid,
        )
        return Found(f"/proc/{pid}", version, obstacle=obstacle)

    def processes(self) -> Iterator[int]:
        """Those whose command line is its; those of others may not be seen."""
        pattern = re.compile(self.process)
        for process in psutil.process_iter(["cmdline", "cwd"]):
            line = " ".join([process.info["cwd"] or "", *(process.info["cmdline"] or ())])
            if pattern.search(line):
                yield process.pid


class Ollama(OnRequest):
    """Ollama's server, which loads a model of its store by its name, and is asked to unload it."""

    name = "ollama"
    title = "Ollama"
    home = "https://docs.ollama.com"
    formats = ("gguf",)
    process = r"^\S* (?:\S*/)?ollama serve\b"
    program = "ollama"
    version = "--version"
    offers = (
        Variant("mmap", "mapped", "before December 2024", _OLLAMA_API, ("options.use_mmap=true",)),
        Variant(
            "no-mmap", "buffered", "before December 2024", _OLLAMA_API, ("options.use_mmap=false",)
        ),
    )

    def processes(self) -> Iterator[int]:
        """Of several the one that the variable names by which its own client finds it."""
        named = re.search(r":(\d+)/?$", os.environ.get("OLLAMA_HOST", ""))
        for pid in super().processes():
            if named is None or int(named[1]) in _ports(pid):
                yield pid

    def running(self, pid: int, version: str) -> Found:
        """It as this process, at the port where it listens."""
        path = f"/proc/{pid}"
        for port in _ports(pid):
            return Found(path, version, port=port)
        return Found(
            path,
            version,
            obstacle=Message(
                "{title} runs as process {pid}, and its port can't be seen: watch it as the user"
                " who runs it, or as root.",
                title=self.title,
                pid=pid,
            ),
        )

    def obstacle(self, found: Found, model: Model | None = None) -> Message:
        """It loads what is in its store, and nothing else."""
        obstacle = super().obstacle(found, model)
        if obstacle or model is None or _name_in_store(model):
            return obstacle
        return Message("Ollama loads models of its own store only: open one of them.")

    def load(self, found: Found, model: Model, port: int) -> Command:
        """A request without a prompt loads, and one that keeps the model for no time unloads."""
        del port
        body = {"model": _name_in_store(model), "stream": False}
        bodies = (json.dumps(body), json.dumps({**body, "keep_alive": 0}))
        # Without what it doesn't need, its start takes little of the time.
        script = (sys.executable, "-I", "-S", _ASK)
        return Command((*script, str(found.port), "/api/generate", *bodies), f"asked:{found.port}")


def _ports(pid: int) -> list[int]:
    """Where a process listens, as far as that is seen."""
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return []
    return [each.laddr.port for each in connections if each.status == psutil.CONN_LISTEN]


def _name_in_store(model: Model) -> str:
    """What Ollama calls a model; empty where it isn't in a store of its."""
    blob = model.files[0]
    store = blob.parent.parent
    try:
        return next((each.name for each in ollama_models(store) if each.path == blob), "")
    except OSError:
        return ""


class LmStudio(OnRequest):
    """LM Studio, by its window or its service."""

    name = "lm-studio"
    title = "LM Studio"
    home = "https://lmstudio.ai/docs"
    formats = ("gguf",)
    unstartable = Message(
        "What LM Studio calls a model doesn't follow from its file, so modelmon doesn't ask it to"
        " load."
    )
    process = r"^\S* (?:\S*/)?(?:LM[ -]Studio|lm-studio|llmster)\S*"
    program = "lms"
    offers = (
        Variant("no-mmap", "buffered", "before September 2026", _LM_STUDIO, ("tryMmap=false",)),
        Variant("dio", "direct", "February 2026", f"{_LM_STUDIO}/pull/548", ("tryDirectIO=true",)),
        Variant("keep", "locked", "before September 2026", _LM_STUDIO, ("keepModelInMemory=true",)),
    )


class ComfyUi(OnRequest):
    """ComfyUI, by the folder in which it runs."""

    name = "comfyui"
    title = "ComfyUI"
    home = f"{_COMFYUI}/blob/master/comfy/cli_args.py"
    formats = ("safetensors",)
    unstartable = Message(
        "ComfyUI answers a request before it loads, so modelmon doesn't ask it to load."
    )
    process = r"(?i)^\S*comfyui\S* \S*python\S* .*\bmain\.py\b|python\S* \S*comfyui\S*/main\.py\b"
    offers = (
        Variant("no-mmap", "buffered", "July 2025", f"{_COMFYUI}/pull/8928", ("--disable-mmap",)),
        Variant(
            "fast-disk",
            "disk-backed",
            "before June 2026",
            f"{_COMFYUI}/pull/16333",
            ("--fast-disk",),
        ),
        Variant(
            "no-fast-disk",
            "buffered",
            "September 2026",
            f"{_COMFYUI}/pull/16424",
            ("--disable-fast-disk",),
        ),
    )
