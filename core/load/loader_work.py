"""What a loader process gets to do: its share of a load, as one line of JSON.

The loader starts with the standard library alone, so nothing here needs another package.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from modelmon.core.load.config import LoadConfig, config_from_dict
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import Share, TensorValues
from modelmon.core.load.slices import Slices, Strided

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Read = TypeVar("Read")
Passing = Literal["dropped", "copied", "hashed"]

STANDBY = "--standby"
"""Starts a loader, or its supervisor, before there is work for it."""
AWAKE = b"awake\n"
"""What such a process says before all else, once it has imported everything and only waits."""


class LoaderWork(NamedTuple):
    """What one loader does: its share of the whole load.

    `requests` are the counts of all readers of the load, which fix the shared mapping's layout;
    `warmup` is what this loader reads before, empty if another does it or there is none. `passing`
    says what becomes of bytes that pass through a small buffer: to verify them, they are `copied`
    to be hashed after the load, or `hashed` on their way. `tensors` are the name and shard of each
    extent that a library is asked for.
    """

    config: LoadConfig
    share: Share
    requests: Sequence[int]
    progress: str
    parent_pid: int
    warmup: Sequence[Extent] = ()
    passing: Passing = "dropped"
    tensors: Sequence[tuple[str, int]] = ()

    def to_line(self) -> bytes:
        """The work as the line that starts a loader."""
        slices = self.share.slices and self.share.slices.parts
        share = self.share._replace(slices=None, parts=dict(self.share.parts))._asdict()
        values = self._asdict() | {"config": asdict(self.config), "share": share, "slices": slices}
        return json.dumps(values).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> LoaderWork:
        """The inverse of `to_line`."""
        values: dict[str, Any] = json.loads(line)
        share, slices = values["share"], values.pop("slices")
        values["share"] = Share(**share)._replace(
            readers=_by_number(share["readers"], _extents),
            slices=Slices(Strided(*part) for part in slices) if slices else None,
            inherited=share["inherited"] and _by_number(share["inherited"], int),
            parts=_by_number(share["parts"], _parts),
        )
        values["config"] = config_from_dict(values["config"])
        values["warmup"] = _extents(values["warmup"])
        values["tensors"] = [(name, shard) for name, shard in values["tensors"]]
        return cls(**values)


def _by_number(values: dict[str, Any], read: Callable[[Any], Read]) -> dict[int, Read]:
    return {int(number): read(value) for number, value in values.items()}


def _extents(values: list[list[int]]) -> list[Extent]:
    return [Extent(*value) for value in values]


def _parts(values: list[list[list[Any]]]) -> list[list[TensorValues]]:
    return [[TensorValues(*part) for part in extent] for extent in values]
