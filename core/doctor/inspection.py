"""What is known before anything is loaded: the model, its storage, memory and the page cache."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.doctor.diagnosis import Diagnosis, Fit, fits
from modelmon.core.errors import LoadFailedError, ModelFileError
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.machine.cgroup import CgroupLimit, cgroup_limits
from modelmon.core.machine.file_users import FileUser, users_of
from modelmon.core.machine.memory import Memory, read_memory
from modelmon.core.machine.origin import PlaceOrigin, place_origin
from modelmon.core.machine.page_cache import ResidencyMap, residency_map
from modelmon.core.machine.storage import Storage, storage_of, storage_stack_of
from modelmon.core.messages import Message
from modelmon.core.model.fingerprint import ModelFingerprint, model_fingerprint, told_by
from modelmon.core.model.ggml_types import UNKNOWN_TYPE
from modelmon.core.model.header import stop_readahead
from modelmon.core.model.open import open_model
from modelmon.core.model.safetensors import WITHOUT_FLOATS
from modelmon.core.model.stored_codes import kept_as_stored
from modelmon.core.model.tensors import Model, is_sound
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits, Probe, limits_of
from modelmon.core.probe.store import recent_probe
from modelmon.core.remote import Place
from modelmon.core.worker.client import ask

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Inspection(msgspec.Struct, frozen=True, omit_defaults=True):
    """One model on this machine, as `modelmon inspect --json` prints it.

    `cached_share` is the resident share of all shards' bytes, None where it cannot be
    known; `cached_source` says how it is known or why not, `cache_map` where in the files the
    cached pages lie. `fit` has a statement for each delivery. `limits` are those of the control
    groups, None where none is seen. `origin` is what runs here are known by later, `probe` the last
    one of this storage, if that is recent. `server` is where all of this is, as `ssh://host`; ""
    is this machine. `content` is that of the model's fingerprint.
    """

    model: Model
    storage: Storage
    memory: Memory
    cached_share: float | None
    cached_source: Message
    users: tuple[FileUser, ...] = ()
    schema: int = 1
    fit: tuple[Fit, ...] = ()
    cache_map: ResidencyMap | None = None
    limits: tuple[CgroupLimit, ...] | None = None
    origin: PlaceOrigin | None = None
    probe: Probe | None = None
    server: str = ""
    content: str = ""

    @property
    def fingerprint(self) -> ModelFingerprint:
        """Which model it is, by its layout and its content."""
        return model_fingerprint(self.model, self.content)

    @property
    def reference(self) -> str:
        """What opens the model again."""
        if self.server:
            return str(Place(self.model.path, self.server))
        return str(Path(self.model.path).absolute())

    @property
    def references(self) -> frozenset[str]:
        """All that may have been opened as these files: them, too, and their folder."""
        files = self.model.files
        paths = (*files, *(file.parent for file in files[:1]))
        return frozenset((self.reference, *(str(Place(str(path), self.server)) for path in paths)))

    @property
    def memory_elsewhere(self) -> Memory | None:
        """The memory of its server as it was; None of this machine, where it can be read anew."""
        return self.memory if self.server else None

    @property
    def fits(self) -> bool:
        """Whether the whole model can be in memory now."""
        return self.model.nbytes <= self.memory.usable_bytes

    def with_memory(self, memory: Memory) -> Inspection:
        """The same with the memory that was seen later."""
        fit = fits(self.model.nbytes, _decoded_values(self.model), memory, self.storage.kind)
        return msgspec.structs.replace(self, memory=memory, fit=fit)

    @property
    def parameters(self) -> int | None:
        """How many values the model has; None where integers are codes of some, whose shapes don't
        tell it.
        """
        return None if kept_as_stored(self.model) else self.model.parameter_count

    @property
    def can_stay(self) -> bool:
        """Whether all of it can be in memory once it is loaded: it fits, or lies there."""
        return self.fits or self.storage.kind == "memory"


def inspect_model(path: str | Path, ignored_pids: Collection[int] = ()) -> Inspection:
    """Open the model's headers and look at what it lies on; raises ModelFileError.

    Its users are all but this process and those of `ignored_pids`.
    """
    opened = open_model(path)
    # Written down as a whole, unlike what is opened to be loaded.
    model = msgspec.structs.replace(opened, blocks=tuple(opened.blocks))
    files = OpenFiles(model.sized_files, range(len(model.shards)))
    try:
        cached = residency_map(
            [(opened, files.size_bytes[shard]) for shard, opened in files.descriptors.items()]
        )
        content = _content(model, files)
    finally:
        files.close()
    memory, storage = read_memory(), storage_of(model.files[0])
    return Inspection(
        model=model,
        storage=storage,
        memory=memory,
        cached_share=cached.whole.share,
        cached_source=cached.whole.source,
        users=tuple(users_of(model.files, {os.getpid(), *ignored_pids})),
        fit=fits(model.nbytes, _decoded_values(model), memory, storage.kind),
        cache_map=cached,
        limits=cgroup_limits(storage_stack_of(model.files[0]).whole_devices()),
        origin=place_origin(storage),
        probe=recent_probe(storage),
        content=content,
    )


def _content(model: Model, files: OpenFiles) -> str:
    """The digest of the pages that tell it; "" where they can't be read, of which a load says why.
    A start with the cache as it is finds these pages in it, and no more.
    """
    digest = sha256()
    with suppress(LoadFailedError):
        for extent in map(Extent._make, told_by(model)):
            stop_readahead(files.descriptors[extent.shard])
            page = memoryview(bytearray(extent.nbytes))
            files.read_into(page, extent)
            digest.update(page)
        return digest.hexdigest()
    return ""


def known_limits(inspection: Inspection) -> Limits:
    """What the model's place can do at best by its last probe, if there is a recent one."""
    probe = inspection.probe if inspection.server else recent_probe(inspection.storage)
    return limits_of(probe) if probe is not None else UNKNOWN_LIMITS


def _decoded_values(model: Model) -> int | None:
    """How many values it has once they are decoded; None where not all of it can be."""
    types = {tensor.dtype for tensor in model.tensors}
    if types & WITHOUT_FLOATS.keys() or any(name.startswith(UNKNOWN_TYPE) for name in types):
        return None
    return None if kept_as_stored(model) else model.parameter_count


def inspect_at(place: Place, ignored_pids: Collection[int] = ()) -> Inspection:
    """Open a model's headers and look at what it lies on; raises ModelFileError, and ModelmonError
    where a server can't be asked. Of a model here `ignored_pids` are no users.
    """
    if not place.server:
        return inspect_model(place.path, ignored_pids)
    return from_server(
        ask(place.server, ["inspect", "--json", "--", place.path], Inspection), place
    )


def from_server(said: Inspection, place: Place) -> Inspection:
    """What a server said of a model. Raises ModelFileError where it cannot be so."""
    cached = said.cache_map
    known = cached is None or (cached.is_sound and len(cached.files) == len(said.model.shards))
    if not (is_sound(said.model) and said.memory.is_sound and known) or said.origin is None:
        raise _cannot_be(place)
    return msgspec.structs.replace(
        said, server=place.server, origin=said.origin.seen_from_elsewhere()
    )


def diagnose_at(place: Place, options: Sequence[str] = ()) -> Diagnosis:
    """What `modelmon doctor` with these options finds on a server; raises ModelmonError."""
    path = [place.path] if place.path else []
    said = ask(place.server, ["doctor", *options, "--json", "--", *path], Diagnosis)
    if not said.memory.is_sound:
        raise _cannot_be(place)
    return said


def _cannot_be(place: Place) -> ModelFileError:
    return ModelFileError(
        Message(
            "What {server} says about {path} can't be right.", server=place.server, path=place.path
        ),
        Message("Copy this version there: modelmon remote install {server}", server=place.server),
    )
