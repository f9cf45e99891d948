"""Which files a program loads when it is given a folder, and whether they are those opened."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from os.path import commonpath, relpath
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from modelmon.core.model.tensors import Model

HUB_INDEX = "model.safetensors.index.json"
SERVERS_LOAD = Message(
    "all .safetensors files of the folder, or the ones that {index} names",
    index=HUB_INDEX,
)
"""What vLLM and SGLang do with a folder."""
_MISTRAL_INDEX = "consolidated.safetensors.index.json"
_MISTRAL = "consolidated"
_SUFFIX = ".safetensors"
_MOST_INDEX_BYTES = 100_000_000


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files that were opened, by their `names` below `folder`, in order; none where they
    aren't in sight.

    `weights` are the names of all safetensors files in that folder itself, and `indices` what each
    index in it names, word for word.
    """

    folder: str
    names: tuple[str, ...] = ()
    weights: frozenset[str] = frozenset()
    indices: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """Where they are."""
        return tuple(str(Path(self.folder, name)) for name in self.names)

    @property
    def is_single(self) -> bool:
        """Whether it is one file whose name says that it is safetensors."""
        return len(self.names) == 1 and self.names[0].endswith(_SUFFIX)

    def are(self, names: Collection[str]) -> bool:
        """Whether these are exactly the ones; also where they aren't in sight."""
        return not self.names or set(names) == set(self.names)

    def listed(self, index: str = HUB_INDEX, begins: str = "") -> frozenset[str]:
        """What servers load: of all safetensors files whose name begins so, those that the index
        names, if it is there.
        """
        found = frozenset(name for name in self.weights if name.startswith(begins))
        return found & self.indices.get(index, found)

    @property
    def load_format(self) -> list[list[str]] | None:
        """What vLLM and SGLang need besides the folder to load exactly these; None where nothing
        makes them.

        Both guess where a folder has files as Mistral names them.
        """
        native = self.listed(_MISTRAL_INDEX, _MISTRAL)
        if native and self.are(native):
            return [["--load-format", "mistral"]]
        if self.are(self.listed()):
            return [["--load-format", "safetensors"]] if native else []
        return None

    def variant(self, stem: str, *, index_first: bool = False) -> str | None:
        """The variant by which `from_pretrained` finds exactly these, "" for the plain files, or
        None. A single file goes before an index, unless that comes `index_first`.
        """
        if not self.names:
            return ""
        marks = {_between(name, stem, _SUFFIX) for name in self.weights}
        marks |= {_between(name, f"{stem}{_SUFFIX}.index", ".json") for name in self.indices}
        for mark in sorted(mark for mark in marks if mark is not None):
            single = f"{stem}{mark}{_SUFFIX}"
            found = [
                {single} & self.weights,
                _normal(self.indices.get(f"{stem}{_SUFFIX}.index{mark}.json", ())),
            ]
            taken = found[::-1] if index_first else found
            if next(filter(None, taken), None) == set(self.names):
                return mark.removeprefix(".")
        return None

    def not_chosen(self, title: str, loads: Message) -> Message:
        """What is said where a program, which `loads` something by itself, can't be given these."""
        return Message(
            "{title} can't choose {file} in this folder: it loads {loads}. Give the model a"
            " folder of its own, with names as {title} expects.",
            title=title,
            file=self.names[0],
            loads=loads,
        )


def files_of(model: Model, *, in_sight: bool = True) -> ModelFiles:
    """The files of a model, and what lies in their folder where that is `in_sight`."""
    paths = [Path(shard.path) for shard in model.shards]
    place = Path(commonpath([path.parent for path in paths]))
    top = Path(model.path) if model.is_folder else Path(model.path).parent
    # An index may name files in folders below its own.
    above = (each for each in place.parents if each.is_relative_to(top))
    found = [_found_in(folder, paths, in_sight=in_sight) for folder in (place, *above)]
    indexed = (
        each
        for each in found
        if any(_normal(named) == set(each.names) for named in each.indices.values())
    )
    return next(indexed, found[0])


def _found_in(folder: Path, paths: Collection[Path], *, in_sight: bool) -> ModelFiles:
    names = tuple(Path(relpath(path, folder)).as_posix() for path in paths)
    try:
        present = list(folder.iterdir()) if in_sight else []
    except OSError:
        present = []
    weights = frozenset(each.name for each in present if each.suffix == _SUFFIX)
    indices = {each.name: _named_by(each) for each in present if each.suffix == ".json"}
    known = {name: named for name, named in indices.items() if named}
    return ModelFiles(str(folder), names, weights if present else frozenset(names), known)


def _named_by(index: Path) -> frozenset[str]:
    """The files that an index names; none where it can't be read, as then no program can."""
    if f"{_SUFFIX}.index" not in index.name:
        return frozenset()
    try:
        with index.open("rb") as file:
            found = msgspec.json.decode(file.read(_MOST_INDEX_BYTES), type=_Index)
    except (OSError, ValueError, RecursionError):
        return frozenset()
    return frozenset(found.weight_map.values())


def _normal(names: Collection[str]) -> frozenset[str]:
    return frozenset(map(posixpath.normpath, names))


def _between(name: str, before: str, after: str) -> str | None:
    """What is between a name's beginning and its end: "" or a mark with a dot; None of others."""
    if not (name.startswith(before) and name.endswith(after)):
        return None
    mark = name.removeprefix(before).removesuffix(after)
    return mark if not mark or mark.startswith(".") else None
