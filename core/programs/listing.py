"""All programs as a list shows them: which are here, and what can be set."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.programs.python_package import PythonPackage
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.programs.start import free_port

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.messages import Message
    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.forms import Form
    from modelmon.core.programs.preset import Access, Found, Preset, Variant


@dataclass(frozen=True, slots=True)
class ListedVariant:
    """A load setting as a list shows it; `setting` is what is written to have it.

    `command` loads the model with it, and `ready` is the sign that it has (`watch --ready`); both
    are empty where no model was named, or it can't be loaded.
    """

    name: str
    setting: str
    access: Access
    meaning: Message
    since: str
    source: str
    command: str = ""
    ready: str = ""


@dataclass(frozen=True, slots=True)
class ListedProgram:
    """A program as a list shows it; `obstacle` is empty where it can load the model here.

    `movable`: whether one at another place could load the model, if that is named. `variants` are
    those that the program here knows; of one that can't be asked, all there can be.
    """

    name: str
    title: str
    path: str
    version: str
    formats: tuple[Form, ...]
    obstacle: Message
    movable: bool
    variants: tuple[ListedVariant, ...]


def listed(model: Model | None = None, python: Path | None = None) -> list[ListedProgram]:
    """Every program, and whether it can load `model` here, or anything; takes seconds at most.
    Packages are looked for in the environment of `python`, if one is given.
    """
    # Each is asked for its version, and some take their time.
    with ThreadPoolExecutor(len(PROGRAMS)) as pool:
        return list(pool.map(lambda each: _listed(each, model, python), PROGRAMS.values()))


def _listed(program: Preset, model: Model | None, python: Path | None) -> ListedProgram:
    found = program.find(python if isinstance(program, PythonPackage) else None)
    if found.obstacle:
        variants = tuple({each.name: each for each in reversed(program.offers)}.values())[::-1]
    else:
        variants = program.variants(found)
    obstacle = program.obstacle(found, model)
    loads = None if obstacle else model
    return ListedProgram(
        program.name,
        program.title,
        found.path,
        found.version,
        program.formats,
        obstacle,
        program.has_place and not program.unstartable and (model is None or program.takes(model)),
        tuple(_variant(each, program, found, loads) for each in variants),
    )


def _variant(each: Variant, program: Preset, found: Found, model: Model | None) -> ListedVariant:
    told = (each.name, each.setting, each.access, each.meaning, each.since, each.source)
    if model is None:
        return ListedVariant(*told)
    command = program.command(found, model, free_port(), each)
    return ListedVariant(*told, command.text, command.ready)
