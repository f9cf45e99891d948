"""What a loader process is told: its share of a load, as one JSON line."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from modelmon.core.load.config import LoadConfig, config_from_dict
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import TensorValues
from modelmon.core.load.slices import Strided

if TYPE_CHECKING:
    from collections.abc import Sequence

Passing = Literal["dropped", "copied", "hashed"]

STANDBY = "--standby"
"""Starts a loader, or its supervisor, before there is work for it."""
AWAKE = b"awake\n"
"""What such a process says before all else, once it has imported everything and only waits."""


@dataclass(frozen=True, slots=True)
class LoaderWork:
    """What one loader does: which readers it runs of the whole load's.

    `readers` maps reader numbers to their extents; `requests` are the counts of all
    readers of the load, which fix the shared mapping's layout; `descriptors` are inherited
    ones by shard where all readers share them; `warmup` is what this loader reads before,
    empty if another does it or there is none. `passing` says what becomes of bytes that pass
    through a small buffer: to verify them, they are `copied` to be hashed after the load, or
    `hashed` on their way. `parts` tells by reader what is decoded from each extent;
    `slices` are what is wanted of the extents, empty if all of them is; `tensors` are the name and
    shard of each extent that a library is asked for.
    """

    config: LoadConfig
    paths: Sequence[str]
    sizes_bytes: Sequence[int]
    readers: dict[int, list[Extent]]
    chunk_bytes: int
    request_bytes: int
    requests: Sequence[int]
    progress: str
    parent_pid: int
    descriptors: dict[int, int] | None
    warmup: list[Extent]
    passing: Passing = "dropped"
    slices: Sequence[Strided] = ()
    parts: dict[int, list[list[TensorValues]]] = field(default_factory=dict)
    tensors: Sequence[tuple[str, int]] = ()

    def to_line(self) -> bytes:
        """The work as the line that starts a loader."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> LoaderWork:
        """The inverse of `to_line`."""
        values: dict[str, Any] = json.loads(line)
        inherited = values["descriptors"]
        values |= {
            "config": config_from_dict(values["config"]),
            "readers": {
                int(number): [Extent(*extent) for extent in extents]
                for number, extents in values["readers"].items()
            },
            "descriptors": inherited and {int(k): v for k, v in inherited.items()},
            "warmup": [Extent(*extent) for extent in values["warmup"]],
            "parts": {
                int(number): [[TensorValues(**part) for part in extent] for extent in extents]
                for number, extents in values["parts"].items()
            },
            "slices": [Strided(*part) for part in values["slices"]],
            "tensors": [(name, shard) for name, shard in values["tensors"]],
        }
        return cls(**values)
