"""The models on this machine: what lies in the usual caches, with what its headers say.

Each place is looked through in a thread of its own, so that a mount that hangs keeps only its
own models away. Whoever must not hang at all does this in a process of its own.
"""

from __future__ import annotations

import os
import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.storage import Storage, storage_of
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.caches.look import models_at
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.model.caches.places import Place
    from modelmon.core.model.caches.walk import FoundFile

PATIENCE_S = 10.0
"""How long one place may bring nothing before it counts as not answering."""

Answer = Literal["read", "absent", "refused", "no-answer"]


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
