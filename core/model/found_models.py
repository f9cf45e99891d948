"""The models on this machine: what lies in the usual caches, with what its headers say.

Each place is looked through in a thread of its own, so that a mount that hangs keeps only its
own models away. Whoever must not hang at all does this in a process of its own. What a folder
holds, for somebody who looks for a model in it, is listed here as well.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.errors import ModelFileError, ModelmonError
from modelmon.core.limited_numbers import UNDECODABLE, Amount
from modelmon.core.machine.storage import Storage, storage_of
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.caches import models_at
from modelmon.core.model.hub_folders import small_file
from modelmon.core.model.open import open_model
from modelmon.core.model.sharded import stem_of_index, weights_format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from modelmon.core.model.caches import FoundFile


HUGGING_FACE, LM_STUDIO, OLLAMA = "Hugging Face", "LM Studio", "Ollama"
LLAMA_CPP, COMFYUI, OWN = "llama.cpp", "ComfyUI", "Own folder"

SOURCES = (HUGGING_FACE, LM_STUDIO, OLLAMA, LLAMA_CPP, COMFYUI)
"""Programs whose models are looked for, as people call them."""

PATIENCE_S = 10.0
"""How long one place may bring nothing before it counts as not answering."""

MOST_ENTRIES = 5_000
"""Of a folder with more the first are shown, by name."""

Answer = Literal["read", "absent", "refused", "no-answer"]
Kind = Literal["folder", "safetensors", "gguf", "index", "other"]


class FoundModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model in a cache. `size_bytes` are those of its files.

    `format`, `blocks`, `main_dtype` (which has most bytes) are None where its headers cannot be
    read, which `problem` explains.
    """

    name: str
    source: str
    path: str
    size_bytes: int | None = None
    format: str | None = None
    blocks: int | None = None
    main_dtype: str | None = None
    storage: Storage | None = None
    problem: Message = NOTHING


class SearchedPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A folder that was looked through; `refused` is one that may not be read."""

    source: str
    folder: str
    answer: Answer
    models: int = 0


class Search:
    """One look through `places`; iterating brings the models as they are found.

    A file that lies in several places is brought once. `searched` is complete when the iteration
    has ended.
    """

    def __init__(self, places: Iterable[Place], patience_s: float = PATIENCE_S) -> None:
        self.searched: list[SearchedPlace] = []
        self._places = list(places)
        self._patience_s = patience_s
        self._news: queue.SimpleQueue[tuple[Place, FoundModel | Answer]] = queue.SimpleQueue()
        self._met: set[tuple[int, int]] = set()
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[FoundModel]:
        counts = dict.fromkeys(self._places, 0)
        waiting = set(self._places)
        for place in self._places:
            # A daemon: one that hangs in the kernel must not keep the program from ending.
            threading.Thread(target=self._look, args=(place,), daemon=True).start()
        while waiting:
            try:
                place, news = self._news.get(timeout=self._patience_s)
            except queue.Empty:
                break
            if isinstance(news, FoundModel):
                counts[place] += 1
                yield news
            else:
                waiting.discard(place)
                self._note(place, news, counts[place])
        for place in self._places:
            if place in waiting:
                self._note(place, "no-answer", counts[place])

    def _note(self, place: Place, answer: Answer, models: int) -> None:
        self.searched.append(SearchedPlace(place.source, str(place.folder), answer, models))

    def _look(self, place: Place) -> None:
        answer: Answer = "read"
        try:
            for found in models_at(place.folder):
                if self._is_new(found.path):
                    self._news.put((place, read_found(found, place.source)))
        except (FileNotFoundError, NotADirectoryError):
            answer = "absent"
        except OSError:
            answer = "refused"
        self._news.put((place, answer))

    def _is_new(self, path: Path) -> bool:
        try:
            file = path.stat()
        except OSError:
            # A link to nothing: what is missing is told when it is opened.
            return True
        identity = (file.st_dev, file.st_ino)
        with self._lock:
            new = identity not in self._met
            self._met.add(identity)
        return new


def read_found(found: FoundFile, source: str) -> FoundModel:
    """A found model with what its headers say, or why they cannot be read."""
    path, problem = found.path, found.problem
    try:
        model = None if problem else open_model(path, found.files)
    except ModelmonError as error:
        model, problem = None, error.text
    if model is None:
        # A name need not be text, and what is told of it must be.
        name, text = (str(one).encode("utf-8", "replace").decode() for one in (path.name, path))
        # Ollama's layers are files of safetensors each.
        kind = "safetensors" if found.problem else None
        return FoundModel(found.name or name, source, text, found.size_bytes, kind, problem=problem)
    return FoundModel(
        name=found.name or model.name,
        source=source,
        path=str(path),
        size_bytes=sum(shard.size_bytes for shard in model.shards),
        format=model.format,
        blocks=len(model.blocks),
        main_dtype=next(iter(model.dtype_bytes()), None),
        storage=storage_of(Path(os.path.realpath(path))),
    )


class Place(NamedTuple):
    """A folder to look in, and whose it is."""

    source: str
    folder: Path


def usual_places(
    environment: Mapping[str, str], home: Path, own_folders: Iterable[str | Path] = ()
) -> list[Place]:
    """All places to look in, each folder once, whether it exists or not.

    A variable replaces a program's default, yet models of before it was set are still on disk. A
    folder that the user names comes last, so that what lies in a program's is that program's.
    """

    def named(*names: str) -> Iterator[Path]:
        for value in (environment.get(name, "").strip() for name in names):
            if value:
                yield home / value[2:] if value.startswith("~/") else Path(value).absolute()

    cache = next(named("XDG_CACHE_HOME"), home / ".cache")
    caches = {
        "darwin": home / "Library" / "Caches",
        "win32": next(named("LOCALAPPDATA"), home / "AppData" / "Local"),
    }
    # The home folder of the user that the service runs as.
    service = [Path("/usr/share/ollama/.ollama/models")] if sys.platform == "linux" else []
    folders = {
        HUGGING_FACE: [
            *named("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"),
            *(folder / "hub" for folder in named("HF_HOME")),
            cache / "huggingface" / "hub",
        ],
        LM_STUDIO: _lm_studio(home),
        OLLAMA: [*named("OLLAMA_MODELS"), home / ".ollama" / "models", *service],
        LLAMA_CPP: [*named("LLAMA_CACHE"), caches.get(sys.platform, cache) / "llama.cpp"],
        COMFYUI: [folder / "models" for folder in (*named("COMFYUI_PATH"), home / "ComfyUI")],
        # Path.expanduser raises where nobody is called so.
        OWN: [Path(os.path.expanduser(folder)) for folder in own_folders],  # noqa: PTH111
    }
    places: dict[Path, Place] = {}
    for source, found in folders.items():
        for folder in found:
            places.setdefault(folder, Place(source, folder))
    return list(places.values())


class _LmStudioSettings(msgspec.Struct):
    downloads_folder: str = msgspec.field(name="downloadsFolder", default="")


def _lm_studio(home: Path) -> Iterator[Path]:
    """Its own folder, which a file in the home folder names, or where its settings there say."""
    pointed = small_file(home / ".lmstudio-home-pointer").decode("utf-8", "replace").strip()
    for own in (*_absolute(pointed), home / ".lmstudio", home / ".cache" / "lm-studio"):
        with suppress(*UNDECODABLE):
            found = msgspec.json.decode(small_file(own / "settings.json"), type=_LmStudioSettings)
            yield from _absolute(found.downloads_folder)
        yield own / "models"


def _absolute(text: str) -> list[Path]:
    """It as a path, if it is one that doesn't depend on where modelmon runs."""
    return [Path(text)] if "\0" not in text and Path(text).is_absolute() else []


class FolderEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file or folder by its name; the size of a file only."""

    name: str
    kind: Kind
    size_bytes: Amount = 0


class FolderEntries(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lies in the folder at `path`; `more` where it is not all."""

    path: str
    entries: tuple[FolderEntry, ...]
    more: bool = False


def folder_entries(path: Path, *, follows_links: bool = True) -> FolderEntries:
    """The folder's entries, folders first, without those whose names begin with a dot.

    Raises ModelFileError where it can't be read. What links lead to may be on storage that hangs.
    """
    folder = path.absolute()
    try:
        with os.scandir(folder) as found:
            shown = sorted((each for each in found if _is_shown(each.name)), key=attrgetter("name"))
    except OSError as error:
        raise ModelFileError(
            Message("Couldn't read {path}: {reason}.", path=folder, reason=error.strerror)
        ) from error
    entries = [_entry(each, follows_links) for each in shown[:MOST_ENTRIES]]
    entries.sort(key=lambda entry: entry.kind != "folder")
    return FolderEntries(str(folder), tuple(entries), more=len(shown) > MOST_ENTRIES)


def _is_shown(name: str) -> bool:
    # A name that is no text can't be said, and no model is opened by it.
    return not name.startswith(".") and name == name.encode(errors="replace").decode()


def _entry(found: os.DirEntry[str], follows_links: bool) -> FolderEntry:
    name, size = found.name, 0
    # A folder is not asked for its size: a mount that hangs may be on it.
    with suppress(OSError):
        if found.is_dir(follow_symlinks=follows_links):
            return FolderEntry(name, "folder")
        if follows_links or not found.is_symlink():
            size = found.stat().st_size
    kind: Kind = "index" if stem_of_index(name) else weights_format(name) or "other"
    return FolderEntry(name, kind, size)
