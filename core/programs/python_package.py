"""Presets of Python packages, each in the Python that has it.

With a library, a script of ours (load_with.py) loads as its users do.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.programs.model_files import files_of
from modelmon.core.programs.preset import Command, Found, Preset
from modelmon.core.programs.python_environment import PythonEnvironment, pythons
from modelmon.core.watch.readiness import ANSWERED

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model

_SCRIPT = str(Path(__file__).with_name("load_with.py"))
LOADED = f"output:{ANSWERED}"


class PythonPackage(Preset):
    """A package that is found in a Python environment.

    distribution: its name for pip. sources: its files that name its settings.
    """

    elsewhere = Message("Install it there, or give the Python that has it (--at).")
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
