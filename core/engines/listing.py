"""All programs as a list shows them: which are here, and what can be set."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.engines.python_package import PythonPackage
from modelmon.core.engines.registry import ENGINES
from modelmon.core.engines.start import free_port

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.engines.engine import Access, Engine, Found, Variant
    from modelmon.core.engines.forms import Form
    from modelmon.core.messages import Message
    from modelmon.core.model.tensors import Model


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
class ListedEngine:
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


def listed(model: Model | None = None, python: Path | None = None) -> list[ListedEngine]:
    """Every program, and whether it can load `model` here, or anything; takes seconds at most.
    Packages are looked for in the environment of `python`, if one is given.
    """
    # Each is asked for its version, and some take their time.
    with ThreadPoolExecutor(len(ENGINES)) as pool:
        return list(pool.map(lambda each: _listed(each, model, python), ENGINES.values()))


def _listed(engine: Engine, model: Model | None, python: Path | None) -> ListedEngine:
    found = engine.find(python if isinstance(engine, PythonPackage) else None)
    if found.obstacle:
        variants = tuple({each.name: each for each in reversed(engine.offers)}.values())[::-1]
    else:
        variants = engine.variants(found)
    obstacle = engine.obstacle(found, model)
    loads = None if obstacle else model
    return ListedEngine(
        engine.name,
        engine.title,
        found.path,
        found.version,
        engine.formats,
        obstacle,
        engine.has_place and not engine.unstartable and (model is None or engine.takes(model)),
        tuple(_variant(each, engine, found, loads) for each in variants),
    )


def _variant(each: Variant, engine: Engine, found: Found, model: Model | None) -> ListedVariant:
    told = (each.name, each.setting, each.access, each.meaning, each.since, each.source)
    if model is None:
        return ListedVariant(*told)
    command = engine.command(found, model, free_port(), each)
    return ListedVariant(*told, command.text, command.ready)
