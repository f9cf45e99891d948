"""Finds programs on this machine: executables on the PATH, packages in Python environments (without
importing them), and running processes.

Has the base classes of known programs by how one is found. A library is loaded by a script of ours
(load_with.py), with the call that its users make.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import psutil

from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.messages import Message
from modelmon.core.programs.known_program import Command, Found, KnownProgram, Variant
from modelmon.core.programs.model_files import files_of
from modelmon.core.watch.ready import ANSWERED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.known_program import Access

ANSWER_S = 10.0
"""An answer takes milliseconds, or seconds where a program looks at graphics cards first."""
_KILLED_S = 1.0
_MOST_ANSWER_BYTES = 1 << 20
_MOST_SOURCE_BYTES = 1 << 20
_MOST_SHEBANG_BYTES = 4096
_ASKED = "import json, sys; print(json.dumps([sys.executable, sys.path]))"
_asking = threading.Lock()
_SCRIPT = str(Path(__file__).with_name("load_with.py"))
THREADS = '{"enable_multithread_load": true, "num_threads": 8}'
"""An extra setting of loaders that are told how many threads they have."""
LOADED = f"output:{ANSWERED}"


def executable(name: str, at: Path | None) -> str:
    """The path of a program: `at` a place if one is given, else on PATH; empty if not there."""
    return shutil.which(str(at) if at is not None else name) or ""


def answer(*command: str, patience_s: float = ANSWER_S) -> str:
    """What a program prints when it is asked; raises ConfigError where that comes to nothing.

    It is ended with all that it started in its session. Its output goes into a file: what it
    leaves behind may keep a pipe open for ever.
    """
    with tempfile.TemporaryFile() as output:
        try:
            asked = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise ConfigError(
                Message("{program} can't be run: {reason}.", program=command[0], reason=error)
            ) from error
        try:
            code = asked.wait(patience_s)
        except subprocess.TimeoutExpired:
            raise ConfigError(
                Message(
                    "{program} doesn't answer {question}.",
                    program=command[0],
                    question=" ".join(command[1:]),
                ),
                Message("Run it alone until it does."),
            ) from None
        finally:
            _end(asked)
        output.seek(0)
        said = output.read(_MOST_ANSWER_BYTES).decode(errors="replace")
    if code or not said.strip():
        lines = said.strip().splitlines() or [""]
        raise ConfigError(
            Message(
                "{program} ended with exit code {code} when asked for {question}: {said}",
                program=command[0],
                code=code,
                question=" ".join(command[1:]),
                said=lines[-1],
            )
            if code
            else Message(
                "{program} says nothing when asked for {question}.",
                program=command[0],
                question=" ".join(command[1:]),
            )
        )
    return said


def _end(asked: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        asked.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(asked.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        asked.wait(_KILLED_S)


class PythonEnvironment(NamedTuple):
    """A Python, and the folders in which it looks for packages."""

    path: str
    folders: tuple[str, ...]

    def version(self, distribution: str) -> str:
        """The version of an installed distribution; empty where it is not installed."""
        from importlib import metadata  # noqa: PLC0415  every worker would import it, for this alone

        found = metadata.distributions(name=distribution, path=list(self.folders))
        return next((each.version for each in found), "")

    def has(self, distributions: Sequence[str]) -> frozenset[str]:
        """Those that are installed."""
        return frozenset(each for each in distributions if self.version(each))

    def source(self, *names: str) -> str:
        """The text of source files, as `package/module.py`; without those that are not there."""
        texts = []
        for name in names:
            for folder in self.folders:
                file = Path(folder, name)
                if file.is_file():
                    texts.append(file.read_bytes()[:_MOST_SOURCE_BYTES].decode(errors="replace"))
                    break
        return "\n".join(texts)


def python_of(environment: Path) -> Path:
    """The Python of a virtual environment, which is named by its folder or by that Python."""
    with suppress(OSError, RuntimeError):  # can't be looked at, or nobody is called so
        environment = environment.expanduser()
        if environment.is_dir():
            return environment / "bin" / "python"
    return environment


def pythons(at: Path | None = None) -> list[PythonEnvironment]:
    """The Python that is meant by `at`; else that of the environment in use, and modelmon's own.

    Raises ConfigError where `at` is none; others that do not answer are left out.
    """
    if at is not None:
        place = str(python_of(at))
        path = shutil.which(place) or place
        return [_asked(_interpreter(path) or path)]
    environment = os.environ.get("VIRTUAL_ENV") or os.environ.get("CONDA_PREFIX")
    of_environment = shutil.which("python", path=f"{environment}/bin") if environment else None
    on_path = shutil.which("python3") or shutil.which("python")
    found: dict[str, PythonEnvironment] = {}
    for path in filter(None, (of_environment, on_path, sys.executable)):
        with suppress(ConfigError):
            each = _asked(path)
            found.setdefault(each.path, each)
    return list(found.values())


def _interpreter(path: str) -> str:
    """The Python that runs a script, as those that pip puts beside it; empty of anything else."""
    with suppress(OSError, UnicodeDecodeError), Path(path).open("rb") as file:
        found = re.match(r"#!(/\S*/python[\d.]*)\n", file.readline(_MOST_SHEBANG_BYTES).decode())
        return found[1] if found else ""
    return ""


def _asked(path: str) -> PythonEnvironment:
    with _asking:  # a list of programs looks for all of them at once
        return _answer_of(path)


@cache
def _answer_of(path: str) -> PythonEnvironment:
    """As it says itself: what is on PATH may be a script that leads to one of several."""
    try:
        line = answer(path, "-c", _ASKED).splitlines()[-1]
        path_there, folders = msgspec.json.decode(line, type=tuple[str, tuple[str | None, ...]])
    except (ConfigError, IndexError, *UNDECODABLE) as error:
        raise ConfigError(
            Message("{path} doesn't answer as a Python.", path=path),
            Message("Give the Python that has the packages, such as .venv/bin/python."),
        ) from error
    return PythonEnvironment(path_there, tuple(filter(None, folders)))


class PythonPackage(KnownProgram):
    """A package that is found in a Python environment.

    distribution: its name for pip. sources: its files that name its settings.
    """

    elsewhere = Message(
        "Install it there, or give the Python that has it{terminal}.", terminal=" (--at)"
    )
    distribution: str
    sources: tuple[str, ...] = ()

    def find(self, at: Path | None = None) -> Found:
        """In the Python `at` a place, that of the environment in use, or modelmon's own."""
        try:
            environments = pythons(at)
        except ConfigError as error:
            return Found(obstacle=error.message)
        for each in environments:
            if version := each.version(self.distribution):
                packages = [package for variant in self.offers for package in variant.packages]
                try:
                    says = self.says(each)
                except ConfigError as error:
                    return Found(each.path, version, obstacle=error.message)
                return Found(each.path, version, says, each.has(packages))
        return Found(
            obstacle=Message(
                "{package} isn't installed in {pythons}.",
                package=self.distribution,
                pythons=", ".join(each.path for each in environments),
            )
        )

    def says(self, environment: PythonEnvironment) -> str:
        """What tells its settings."""
        return environment.source(*self.sources)


class PythonLibrary(PythonPackage):
    """A library that loads a model when our script tells it to."""

    def load(self, found: Found, model: Model, port: int) -> Command:
        """The script with the model; variants add keyword arguments of the library's call."""
        del port
        started = (found.path, _SCRIPT, self.distribution, *self.targets(model))
        return Command(started, LOADED)

    def targets(self, model: Model) -> tuple[str, ...]:
        """What the library is given: the model's first file."""
        return (str(model.files[0]),)


class FolderLibrary(PythonLibrary):
    """A library that takes the folder of a model. stem: how its files begin there. index_first: an
    index goes before a single file.
    """

    stem: str
    index_first: bool = False

    def targets(self, model: Model) -> tuple[str, ...]:
        """The folder with the config.json, and the variant where it isn't the plain files."""
        files = files_of(model)
        variant = files.variant(self.stem, index_first=self.index_first)
        return (files.folder, *([f"variant={variant}"] if variant else ()))


class PythonServer(PythonPackage):
    """A server that is installed as a package; ready when its `/health` answers."""

    formats = ("transformers",)
    advised: tuple[str, ...] = ("safetensors",)

    def named(self, model: Model) -> tuple[str, ...]:
        """The folder, and what makes it load this model of it."""
        files = files_of(model)
        return (files.folder, *chain(*(files.load_format or ())))

    def options(self, port: int) -> tuple[str, ...]:
        """Where it listens."""
        return ("--host", "127.0.0.1", "--port", str(port))


class RunningProgram(KnownProgram):
    """One that runs first and loads a model on a request: found as a process, or as a command on
    PATH.

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
            "{why} Watch process {pid}{terminal}, and load the model there.",
            why=self.unstartable,
            pid=pid,
            terminal=" (--pid)",
        )
        return Found(f"/proc/{pid}", version, obstacle=obstacle)

    def processes(self) -> Iterator[int]:
        """Those whose command line is its; those of others may not be seen."""
        pattern = re.compile(self.process)
        for process in psutil.process_iter(["cmdline", "cwd"]):
            line = " ".join([process.info["cwd"] or "", *(process.info["cmdline"] or ())])
            if pattern.search(line):
                yield process.pid


def keyword(name: str, access: Access, since: str, source: str, text: str) -> Variant:
    """A keyword argument of a library's call, as `NAME=VALUE`, that its sources name."""
    return Variant(name, access, since, source, (text,), needs=(text.partition("=")[0],))


SOURCES = ("huggingface_hub/constants.py", "torch/distributed/run.py")
"""Of packages that many libraries use: these name their variables."""


def offline() -> Variant:
    """Without look-ups on the Hub."""
    source = "https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables"
    return variable("offline", "offline", "before 2022", source, "HF_HUB_OFFLINE=1")


def one_thread() -> Variant:
    """One thread of OpenMP: many get in each other's way on few processors."""
    source = "https://docs.pytorch.org/docs/stable/threading_environment_variables.html"
    since = "before torch 2.0"
    return variable("one-omp-thread", "one-thread", since, source, "OMP_NUM_THREADS=1")


def variable(name: str, access: Access, since: str, source: str, text: str) -> Variant:
    """A variable of the environment, as `NAME=VALUE`, that a package's sources name."""
    key = text.partition("=")[0]
    return Variant(name, access, since, source, (text,), needs=(key,))
