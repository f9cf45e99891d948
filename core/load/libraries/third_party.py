"""Baselines of other packages, found through the entry-point group `modelmon.strategies`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint

GROUP = "modelmon.strategies"
_ATTRIBUTES = ("when_it_wins", "distribution", "formats")


class Unusable(Baseline):
    """A baseline whose package cannot be used: it is listed, and its obstacle says why."""

    when_it_wins = Message("Not usable here.")
    formats = ("safetensors", "gguf")
    memory_kind = "owned"

    def __init__(self, name: str, distribution: str, reason: Message) -> None:
        self.name = name
        self.distribution = distribution
        self._reason = reason

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """Always the reason."""
        del dtypes, format
        return self._reason

    def prepare(self) -> None:
        """Refuse."""
        raise LoadFailedError(self._reason)

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Refuse."""
        del request
        raise LoadFailedError(self._reason)


def entry_points() -> dict[str, EntryPoint]:
    """Entry points of the group by name, none of them imported; the first of a name counts."""
    from importlib import metadata  # noqa: PLC0415  the window and loaders start sooner without it

    found: dict[str, EntryPoint] = {}
    for point in metadata.entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found


def load_entry_point(point: EntryPoint) -> Baseline:
    """The baseline that an entry point names; an `Unusable` one where it fails.

    The entry point leads to a class that derives from `Baseline`, made without arguments.
    Its name is the entry point's.
    """
    package = point.dist.name if point.dist is not None else point.value
    try:
        made = point.load()()
    except Exception as error:
        # Importing a package runs code of others: none of its errors may hide the other baselines.
        what = f"{type(error).__name__}: {error}"
        return Unusable(point.name, package, _sentence(point, package, what))
    if not isinstance(made, Baseline):
        what = Message("it does not derive from modelmon's Baseline")
        return Unusable(point.name, package, _sentence(point, package, what))
    lacking = [name for name in _ATTRIBUTES if not hasattr(made, name)]
    if lacking:
        what = Message("it lacks {lacking}", lacking=", ".join(lacking))
        return Unusable(point.name, package, _sentence(point, package, what))
    made.name = point.name
    return made


def _sentence(point: EntryPoint, package: str, what: str) -> Message:
    return Message(
        "Couldn't use {value} of the package {package}: {what}. Update {package} or remove it.",
        value=point.value,
        package=package,
        what=what,
    )
