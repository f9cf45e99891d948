"""What is asked of a cluster, as the window's question and the command line have it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from modelmon.core.cluster.ways import CopyPer
    from modelmon.core.worker.events import Cache

ALL_NODES = 0


class WantedWay(NamedTuple):
    """A strategy, who loads a copy, and when nodes start, as it is typed."""

    strategy: str
    copy_per: CopyPer = "node"
    start: str = "together"
    local: bool = False

    @property
    def text(self) -> str:
        """As `--compare` takes it."""
        parts = [self.strategy]
        if self.copy_per != "node":
            parts.append(self.copy_per)
        if self.start != "together":
            parts.append(self.start)
        if self.local:
            parts.append("local")
        return "/".join(parts)


@dataclass(frozen=True, slots=True)
class WantedCluster:
    """`ways` are one or two; `nodes` may be ALL_NODES, `cache` None for the start that is possible
    there.
    """

    path: str
    address: str
    ways: tuple[WantedWay, ...]
    nodes: int = ALL_NODES
    ranks: int = 1
    cache: Cache | None = None
    repeats: int = 3
    local: str = ""

    @property
    def arguments(self) -> list[str]:
        """Of `modelmon`."""
        said = ["cluster", self.path, "--address", self.address]
        if self.nodes != ALL_NODES:
            said += ["--nodes", str(self.nodes)]
        if self.ranks > 1:
            said += ["--ranks-per-node", str(self.ranks)]
        if len(self.ways) > 1:
            said += ["--compare", ",".join(way.text for way in self.ways)]
        else:
            said += ["--strategy", *(way.text for way in self.ways)]
        if self.local:
            said += ["--local-disk", self.local]
        if self.cache is not None:
            said += ["--cache", self.cache]
        return [*said, "--repeats", str(self.repeats)]

    @property
    def command(self) -> str:
        """The same in a terminal."""
        return shlex.join(["modelmon", *self.arguments])
