"""What is known of a model before it is loaded, wherever it lies: here, or on a server.

What a server says is trusted no more than a stranger's file: it is decoded into the same records,
and what they say of one another is checked before anything is computed from it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.diagnose.diagnosis import Diagnosis
from modelmon.core.diagnose.inspection import Inspection, inspect_model
from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.sound import is_sound
from modelmon.core.remote.address import Place
from modelmon.core.worker.ask import ask

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


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


def diagnose_model(inspection: Inspection) -> Diagnosis:
    """The machine that a model lies on, and what is likely to slow its loads."""
    if not inspection.server:
        from modelmon.core.diagnose.doctor import diagnose  # noqa: PLC0415  one load needs none

        return diagnose(Path(inspection.model.path))
    return diagnose_at(Place(inspection.model.path, inspection.server))


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
