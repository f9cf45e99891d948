"""The models in a folder, each a set of files: by an index, by their numbers, or a file alone.

Which of them is opened, and what to say where there is none or there are several, is here as well.
Names and indices decide: no header is read.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.limited_numbers import Amount
from modelmon.core.messages import Message
from modelmon.core.model.header import HeaderFile, unreadable, wrong
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


_MAX_INDEX_BYTES = 100_000_000
# A variant's name is behind that of the index; older versions of diffusers wrote it before.
_NAME = r"(?i:(.+)\.safetensors(\.[\w-]+)?\.index(\.[\w-]+)?\.json)"
_BOM = b"\xef\xbb\xbf"

INDEX_SUFFIX = ".safetensors.index.json"

Format = Literal["safetensors", "gguf"]

_FORMATS: dict[str, Format] = {
    ".safetensors": "safetensors",
    ".sft": "safetensors",
    ".gguf": "gguf",
}
# A variant's name is before the number (diffusers) or behind it (transformers).
_NUMBERED = r"(.+)-([0-9]{1,6})-of-([0-9]{1,6})((?:\.[\w-]+)?\.\w+)"
# What transformers and diffusers load from a folder.
_LOADED_BY_NAME = ("model", "diffusion_pytorch_model")
_MOST_NAMED = 5
# The most that were seen are about 2,000: names of a larger set aren't made for each of its files.
_MOST_FILES = 9_999
# The same weights for another program, and what is made of a model or while it is trained.
_NEVER_THE_MODEL = r"(?i:consolidated|adapter_model|optimizer)"

PIPELINE = "model_index.json"
"""What a folder of diffusers has whose folders are the parts of one pipeline."""

_REPOSITORY = "models--"
_PICKLES = (".bin", ".pt", ".pth", ".ckpt")
_MOST_SHOWN = 10


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


_decode = msgspec.json.Decoder(_Index).decode


def stem_of_index(name: str) -> str:
    """What an index and its files are called, a variant included; "" where it is no index."""
    match = re.fullmatch(_NAME, name) if ".index." in name.lower() else None
    return match[1] + (match[2] or match[3] or "") if match else ""


def read_index(path: str) -> dict[str, str]:
    """The file of each tensor, as the index has it; raises ModelFileError where it is none."""
    with HeaderFile(path) as file:
        if file.size_bytes > _MAX_INDEX_BYTES:
            raise wrong(
                "the index has {size} bytes; at most {max_index} are possible.",
                file,
                size=file.size_bytes,
                max_index=_MAX_INDEX_BYTES,
            )
        try:
            weight_map = _decode(file.read(0, file.size_bytes).removeprefix(_BOM)).weight_map
        except (ValueError, RecursionError) as error:
            from modelmon.core.model.foreign import no_index  # noqa: PLC0415  most loads need none

            raise no_index(file, error) from error
        if not weight_map:
            raise wrong("weight_map is empty.", file)
        for name in set(weight_map.values()):
            if not _is_below(os.path.dirname(path), name):
                raise wrong(
                    "weight_map names {name}; only .safetensors files in the index's folder or"
                    " below it are possible.",
                    file,
                    remedy=Message("Choose the index of the safetensors files."),
                    name=repr(name),
                )
    return weight_map


def _is_below(folder: str, name: str) -> bool:
    """Whether this names a safetensors file in `folder` or below. The file may be a link to
    elsewhere, as all are in the hub's cache; a folder on the way there may not.
    """
    if not name.lower().endswith((".safetensors", ".sft")) or "\\" in name or "\0" in name:
        return False
    within = os.path.dirname(os.path.normpath(name))
    if os.path.isabs(name) or within.split(os.sep)[0] == os.pardir:
        return False
    if not within:
        return True
    top = os.path.realpath(folder)
    return os.path.realpath(os.path.join(top, within)).startswith(f"{top}{os.sep}")


class ShardSet(msgspec.Struct, frozen=True):
    """The files of one model, in order, and how that is known.

    `start` opens it: its index, or its first file. Files in `missing` belong to it, but aren't
    there. `index` has the file of each tensor as it is written there, `failure` says why it can't
    be used. `others` are those that it names and that aren't loaded; `notes` say what a person
    should know of the choice.
    """

    start: str
    paths: tuple[str, ...]
    missing: tuple[str, ...] = ()
    index: dict[str, str] | None = None
    failure: ModelFileError | None = None
    others: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()

    @property
    def stem(self) -> str:
        """What the names of its files have in common, that of a variant included."""
        return stem_of(os.path.basename(self.start))

    @property
    def size_bytes(self) -> int | None:
        """Bytes of all its files; None where some can't be seen."""
        if self.missing or self.failure is not None:
            return None
        try:
            return sum(map(os.path.getsize, self.paths))
        except OSError:
            return None

    def indexed_path(self, tensor: str) -> str:
        """The file that has a tensor by the index; "" where it names none."""
        name = (self.index or {}).get(tensor)
        return os.path.join(os.path.dirname(self.start), os.path.normpath(name)) if name else ""

    def missing_error(self) -> ModelFileError:
        """What to say where the files that are missing are needed."""
        count = len(set(self.index.values()) if self.index else (*self.paths, *self.missing))
        figures = {"path": self.missing[0], "more": len(self.missing) - 1, "count": count}
        return ModelFileError(
            Message("{path} and {more} more of the model's {count} files are missing.", **figures)
            if len(self.missing) > 1
            else Message("{path} of the model's {count} files is missing.", **figures),
            Message("Finish the download, or move all files of the model into one folder."),
        )


def weights_format(name: str) -> Format | None:
    """The format of a weight file by its name; None for other files."""
    return _FORMATS.get(os.path.splitext(name)[1].lower())


def is_of_model(name: str) -> bool:
    """Whether a file is called like one that opens a model: weights or an index."""
    return bool(weights_format(name) or stem_of_index(name))


def stem_of(name: str) -> str:
    """A file's name without its ending, its number in a set, and what makes it an index."""
    # Most names are of no set: their loads need not compile the pattern.
    match = re.fullmatch(_NUMBERED, name) if "-of-" in name else None
    name = match[1] + match[4] if match else name
    return stem_of_index(name) or os.path.splitext(name)[0]


def names_in(folder: str) -> list[str]:
    """The names in a folder, sorted; raises ModelFileError where it can't be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unreadable(folder, error) from error


def set_of(path: str) -> ShardSet:
    """The files of the model that a file is of: by an index that names it, else by its own name."""
    folder, name = os.path.split(path)
    if name.endswith(".json"):
        # Of a folder's index that is broken a note tells; this one was asked for.
        read_index(path)
        return _indexed(folder, name, names_in(folder))
    names = [name]
    if "-of-" in name or weights_format(name) == "safetensors":
        # Files can be read in a folder that may not be listed.
        with contextlib.suppress(ModelFileError):
            names = names_in(folder)
    found = _numbered(folder, name, names)
    for index in filter(stem_of_index, names):
        indexed = _indexed(folder, index, names)
        if path in indexed.paths and indexed.failure is None:
            # A file without a number can be opened before the others are there.
            is_single = found.paths == (path,) and not found.missing
            return _alone(found) if indexed.missing and is_single else indexed
    return found


def models_in(folder: str, names: Iterable[str]) -> list[ShardSet]:
    """The models among the files `names` of a folder, complete or not.

    What an index names is one model, whatever the files are called. Each other file is by its name
    one of a set or a model of its own, unless it only accompanies one, whose notes name it then.
    """
    shown = sorted(name for name in names if not name.startswith("."))
    found = [_indexed(folder, name, shown) for name in shown if stem_of_index(name)]
    known = {path for each in found for path in (*each.paths, *each.others)}
    for name in shown:
        if weights_format(name) and os.path.join(folder, name) not in known:
            found.append(_numbered(folder, name, shown))
            known.update(found[-1].paths)
    # Two indices may be of the same files.
    unique = {each.paths or each.start: each for each in found}
    return _without_companions(tuple(unique.values()))


def _numbered(folder: str, name: str, names: Collection[str]) -> ShardSet:
    """The set that a file belongs to by its number, or the file alone."""
    match = re.fullmatch(_NUMBERED, name) if "-of-" in name else None
    path = os.path.join(folder, name)
    if match is None or not 1 <= int(match[2]) <= int(match[3]) <= _MOST_FILES:
        return ShardSet(path, (path,))
    stem, written, count, ending = match.groups()
    numbers = (f"{number:0{len(written)}}" for number in range(1, int(count) + 1))
    paths, missing = _present(folder, [f"{stem}-{n}-of-{count}{ending}" for n in numbers], names)
    found = ShardSet(paths[0] if paths else path, paths, missing)
    # Shards are written with zeros before their numbers: others may be those of epochs.
    return found if len(paths) > 1 or not missing or written[0] == "0" else _alone(found)


def _alone(found: ShardSet) -> ShardSet:
    """A file by itself that belongs to others, which are missing."""
    file = os.path.basename(found.start)
    note = Message("{file} was opened alone: other files of its model are missing.", file=file)
    return ShardSet(found.start, found.paths, notes=(note,))


def _indexed(folder: str, index: str, names: Collection[str]) -> ShardSet:
    """The model of an index. Where files that it names are missing, transformers loads the one file
    of that name, if there is one; other programs load all files that are called so.
    """
    path, stem = os.path.join(folder, index), stem_of(index)
    weight_map = failure = None
    wanted: set[str] = set()
    try:
        weight_map = read_index(path)
        wanted = {os.path.normpath(name) for name in set(weight_map.values())}
    except ModelFileError as error:
        failure = error
    paths, missing = _present(folder, sorted(wanted), names)
    if failure is None and not missing:
        return ShardSet(path, paths, index=weight_map)
    of_stem = [
        name
        for name in names
        if weights_format(name) == "safetensors" and stem_of(name) == stem and name not in wanted
    ]
    more = tuple(os.path.join(folder, name) for name in of_stem)
    single = next((name for name in of_stem if os.path.splitext(name)[0] == stem), None)
    if single is not None:
        note = Message(
            "{index} doesn't fit the files here: {file} was opened, as transformers does.",
            index=index,
            file=single,
        )
        start = os.path.join(folder, single)
        return ShardSet(start, (start,), others=(*paths, *more), notes=(note,))
    note = Message(
        "{index} names missing files ({count}). The other files have all its tensors.",
        index=index,
        count=len(missing),
    )
    return ShardSet(path, (*paths, *more), missing, weight_map, failure, notes=(note,))


def _present(
    folder: str, wanted: Iterable[str], names: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths of the files that are there, and of those that aren't; `names` are the folder's."""
    known = frozenset(names)
    there: list[str] = []
    missing: list[str] = []
    for name in wanted:
        path = os.path.join(folder, name)
        is_there = os.path.lexists(path) if os.sep in name else name in known
        (there if is_there else missing).append(path)
    return tuple(there), tuple(missing)


def _without_companions(found: Sequence[ShardSet]) -> list[ShardSet]:
    """Those that are models of their own, with notes that name what only accompanies them."""
    ggufs = [each for each in found if weights_format(each.start) == "gguf"]
    projectors = [each for each in ggufs if "mmproj" in each.stem.lower()]
    matrices = [each for each in ggufs if "imatrix" in each.stem.lower()]
    if len(projectors) + len(matrices) < len(ggufs):
        ggufs = [each for each in ggufs if each not in (*projectors, *matrices)]
    else:
        projectors = matrices = []
    rest = [each for each in found if weights_format(each.start) != "gguf"]
    indexed = {each.stem for each in rest if each.index is not None}
    loaded = [each for each in rest if _is_loaded_from_folder(each, indexed)]
    # Nothing else is loaded with what an index names.
    is_defined = len(loaded) == 1 and loaded[0].index is not None
    others = [
        each
        for each in rest
        if (loaded and each not in loaded)
        and (is_defined or each.stem in indexed or re.match(_NEVER_THE_MODEL, each.stem))
    ]
    if projectors:
        note = Message("Its projector isn't loaded with it: {files}.", files=_names(projectors))
        ggufs = [_with_note(each, note) for each in ggufs]
    if matrices:
        note = Message("Not part of this model: {files}.", files=_names(matrices))
        ggufs = [_with_note(each, note) for each in ggufs]
    rest = [each for each in rest if each not in (*loaded, *others)]
    if others:
        note = Message("Not part of this model: {files}.", files=_names(others))
        loaded = [_with_note(each, note) for each in loaded]
    return sorted([*ggufs, *loaded, *rest], key=lambda each: each.start)


def _with_note(found: ShardSet, note: Message) -> ShardSet:
    return msgspec.structs.replace(found, notes=(*found.notes, note))


def _names(found: Sequence[ShardSet]) -> str:
    shown = [os.path.basename(each.start) for each in found[:_MOST_NAMED]]
    return ", ".join([*shown, "…"] if len(found) > len(shown) else shown)


def _is_loaded_from_folder(found: ShardSet, indexed: Collection[str]) -> bool:
    """Whether libraries load it when they are given the folder. Of the name of an index that may be
    one file, which transformers prefers, but no other shards.
    """
    if re.match(_NEVER_THE_MODEL, found.stem):
        return False
    is_single = os.path.splitext(os.path.basename(found.start))[0] == found.stem
    is_named_so = found.stem.partition(".")[0] in _LOADED_BY_NAME
    return found.index is not None or (is_named_so and (is_single or found.stem not in indexed))


class ModelChoice(msgspec.Struct, frozen=True):
    """One of several models: its name among them, what to open, and the bytes of its files, None
    where some are missing.
    """

    name: str
    path: str
    size_bytes: Amount | None = None


class SeveralModelsError(ModelFileError):
    """A folder holds several models; `choices` are all of them."""

    def __init__(self, message: Message, choices: tuple[ModelChoice, ...]) -> None:
        super().__init__(message, Message("Open one of them."))
        self.choices = choices


def snapshot_of(folder: str) -> str:
    """The snapshot that a repository's folder in a hub cache stands for; else the folder itself."""
    if not os.path.basename(folder).startswith(_REPOSITORY):
        return folder
    # Imported where it is needed: loads start sooner without pathlib.
    from pathlib import Path  # noqa: PLC0415

    from modelmon.core.model.hub_folders import snapshots  # noqa: PLC0415

    return next((str(each) for each in snapshots(Path(folder))), folder)


def only_model_in(folder: str) -> ShardSet:
    """The one model that a folder holds; raises SeveralModelsError if it holds more, with those of
    a pipeline's folders, and ModelFileError if it holds none.
    """
    names = names_in(folder)
    found = models_in(folder, names)
    choices = [*_choices(found)]
    if PIPELINE in names or not found:
        choices += _choices_below(folder, names)
    if not choices:
        raise _no_model(folder, names)
    if found and len(choices) == 1:
        return found[0]
    shown = [
        f"{each.name} ({size_text(each.size_bytes)})" if each.size_bytes is not None else each.name
        for each in choices[:_MOST_SHOWN]
    ]
    text = ", ".join(shown) + ("…" if len(choices) > len(shown) else "")
    raise SeveralModelsError(
        Message(
            "{folder} contains {count} models: {candidates}.",
            folder=folder,
            count=len(choices),
            candidates=text,
        )
        if len(choices) > 1
        else Message(
            "{folder} contains no weights, but these folders in it do: {inside}.",
            folder=folder,
            inside=text,
        ),
        tuple(choices),
    )


def _choices(found: Iterable[ShardSet], folder: str = "") -> Iterator[ModelChoice]:
    for each in found:
        name = os.path.join(folder, os.path.basename(each.start))
        yield ModelChoice(name, each.start, each.size_bytes)


def _choices_below(folder: str, names: Iterable[str]) -> Iterator[ModelChoice]:
    """What can be opened in the folders of this one: a folder that has one model, or its files."""
    for name in names:
        path = os.path.join(folder, name)
        inner = snapshot_of(path)
        if name.startswith(".") or not os.path.isdir(inner):
            continue
        # Others can be opened where one may not be looked into.
        with contextlib.suppress(ModelFileError):
            found = models_in(inner, names_in(inner))
            if len(found) == 1:
                yield ModelChoice(name, path, found[0].size_bytes)
            else:
                yield from _choices(found, name)


def _no_model(folder: str, names: Sequence[str]) -> ModelFileError:
    if any(name.endswith(_PICKLES) for name in names):
        return ModelFileError(
            Message("{folder} contains only PyTorch pickle files.", folder=folder),
            Message(
                "Download the model's .safetensors files, or convert it to safetensors or GGUF."
            ),
        )
    from modelmon.core.model.foreign import unfinished_in  # noqa: PLC0415  most loads need none

    return unfinished_in(folder, names) or ModelFileError(
        Message("{folder} contains no .safetensors or .gguf file.", folder=folder),
        Message("Choose the folder of a model."),
    )


def shard_names(paths: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """File names; of a set whose shards are counted, only the counts: `00002-of-00004`."""
    names = [os.path.basename(path) for path in paths]
    counts = [re.search(r"\d+-of-\d+", name) for name in names]
    if len(names) > 1 and all(counts):
        return tuple(found[0] for found in counts if found)
    return tuple(names)
