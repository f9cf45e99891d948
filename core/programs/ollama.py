"""Ollama, which runs first and loads a model on a request; by its Modelfile and its API.

It is asked by a script of ours (ask.py), on this machine, while its own processes are watched.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, joined, verbatim
from modelmon.core.model.caches import ollama_models
from modelmon.core.programs.advice import Checked, Form, Setting, command_form
from modelmon.core.programs.installed import RunningProgram
from modelmon.core.programs.known_program import Command, Found, ReadySign, Variant
from modelmon.core.programs.outcome import ReadPattern
from modelmon.core.terminal_safe import one_line
from modelmon.core.watch.ready import ports_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.outcome import Outcome

_MAPPING = ("before December 2024", "https://github.com/ollama/ollama/blob/main/docs/api.md")
_ASK = str(Path(__file__).with_name("ask.py"))
_TIMEOUT_NS = 300e9
_NEAR = 0.5


class Ollama(RunningProgram):
    """Ollama's server, which loads a model of its store by its name, and is asked to unload it."""

    name = "ollama"
    title = "Ollama"
    home = "https://docs.ollama.com"
    formats = ("gguf",)
    process = r"^\S* (?:\S*/)?ollama serve\b"
    shows_ready = ReadySign("ollama (serve|start)", prints="(llama runner|llama-server) started in")
    program = "ollama"
    version = "--version"
    offers = (
        Variant("mmap", "mapped", *_MAPPING, ("options.use_mmap=true",)),
        Variant("no-mmap", "buffered", *_MAPPING, ("options.use_mmap=false",)),
    )
    advised = ("gguf",)
    checked = Checked("2026-11-27", "ollama/ollama", "fb3076099687")

    def processes(self) -> Iterator[int]:
        """Of several the one that the variable names by which its own client finds it."""
        named = re.search(r":(\d+)/?$", os.environ.get("OLLAMA_HOST", ""))
        for pid in super().processes():
            if named is None or int(named[1]) in ports_of(pid):
                yield pid

    def running(self, pid: int, version: str) -> Found:
        """It as this process, at the port where it listens."""
        path = f"/proc/{pid}"
        for port in ports_of(pid):
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
        return Message("Ollama loads only models from its own store: open one of those.")

    def load(self, found: Found, model: Model, port: int) -> Command:
        """A request without a prompt loads, and one that keeps the model for no time unloads."""
        del port
        body = {"model": _name_in_store(model), "stream": False}
        bodies = (json.dumps(body), json.dumps({**body, "keep_alive": 0}))
        # Without what it doesn't need, its start takes little of the time.
        script = (sys.executable, "-I", "-S", _ASK)
        return Command((*script, str(found.port), "/api/generate", *bodies), f"asked:{found.port}")

    def setting(self, found: Outcome) -> Setting | Message:
        """Its `use_mmap`; it has none for direct I/O."""
        paths = found.files.paths or (found.file,)
        for path in paths:
            if one_line(path) != path:
                return Message("A Modelfile can't name {path}: rename it.", path=path)
        mapped = found.reading.access == "mapped"
        value = json.dumps(mapped)
        model_file = "".join(f"FROM {path}\n" for path in paths) + f"PARAMETER use_mmap {value}\n"
        request = {"model": "MODEL", "options": {"use_mmap": mapped}}
        curl = [["curl", "http://localhost:11434/api/generate"]]
        notes = [
            Message("Ollama loads its own copy in OLLAMA_MODELS: keep that on the disk measured."),
            Message(
                "Without a setting, Ollama doesn't map where no GPU is used or memory is short."
                " Some models of its library are never mapped (ollama/ollama#17147): take those"
                " from Hugging Face. On integrated NVIDIA and AMD GPUs it uses direct I/O,"
                " with any setting."
            ),
        ]
        if "-of-" in Path(found.file).stem:
            notes.append(
                Message("ollama create takes all parts of a split model, since 0.30 (May 2026).")
            )
        if found.median_ns > _TIMEOUT_NS * _NEAR:
            notes.append(
                Message(
                    "Set OLLAMA_LOAD_TIMEOUT: Ollama gives up after 5 minutes without progress."
                )
            )
        return Setting(
            summary=verbatim(f"use_mmap {value}"),
            forms=(
                Form(verbatim("Modelfile"), "text", model_file, "Modelfile", (len(paths),)),
                command_form(curl, [["--data", json.dumps(request)]], Message("API")),
            ),
            reading=ReadPattern("mapped" if mapped else "buffered"),
            since=Message("before December 2024"),
            source="ollama/ollama: docs/api.md, llm/llama_server.go, server/sched.go",
            keep_in_mind=joined(notes),
        )


def _name_in_store(model: Model) -> str:
    """What Ollama calls a model; empty where it isn't in a store of its."""
    blob = model.files[0]
    store = blob.parent.parent
    try:
        return next((each.name for each in ollama_models(store) if each.path == blob), "")
    except OSError:
        return ""
