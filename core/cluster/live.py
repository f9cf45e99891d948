"""What the driver tells while it is at work, as lines of JSON for whoever shows it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.cluster.result import ClusterArm, ClusterResult, ClusterRun, Node, Way
from modelmon.core.cluster.summary import cluster_result
from modelmon.core.comparison.decision import Label
from modelmon.core.limited_numbers import Amount
from modelmon.core.messages import from_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEAST_BETWEEN_S = 0.25
"""From one standing to the next: nobody follows a thousand nodes faster."""


class Begun(msgspec.Struct, frozen=True, tag_field="event", tag="begun"):
    """Those nodes are going to load in these ways, each way `repeats` times."""

    path: str
    nodes: tuple[Node, ...]
    ways: tuple[Way, ...]
    repeats: Amount


class Standing(msgspec.Struct, frozen=True, tag_field="event", tag="standing", omit_defaults=True):
    """How far a start of several nodes is: `t_ns` after the first was due, None before that.

    `delivered` are the bytes that each has, in the order of `names`; `ready` are the places in it
    of those that have all of theirs: slices are not all of one size.
    """

    label: Label
    way: str
    round: Amount
    repeats: Amount
    names: tuple[str, ...]
    delivered: tuple[Amount, ...]
    planned_bytes: Amount
    ready: tuple[Amount, ...]
    t_ns: Amount | None = None

    @property
    def text(self) -> str:
        """For the terminal."""
        place = f"Round {self.round + 1} of {self.repeats}: {self.way}"
        return f"{place}, {len(self.ready)} of {len(self.names)} nodes ready"


class Measured(msgspec.Struct, frozen=True, tag_field="event", tag="measured"):
    """A start is over; `arms` is what all until now come to."""

    run: ClusterRun
    arms: tuple[ClusterArm, ...]


class Ended(msgspec.Struct, frozen=True, tag_field="event", tag="ended", omit_defaults=True):
    """All that came of it. `reference` is what the history calls it, "" where it isn't there."""

    result: ClusterResult
    reference: str = ""


LiveEvent = Begun | Standing | Measured | Ended

decode_live = msgspec.json.Decoder(LiveEvent, dec_hook=from_wire).decode


class Telling:
    """Follows `measure` (drive.py), and tells of it by `tell`."""

    def __init__(self, path: str, ways: Sequence[Way], tell: Callable[[LiveEvent], object]) -> None:
        self._path, self._ways, self._tell = path, ways, tell
        self._runs: list[ClusterRun] = []
        self._told_s = 0.0

    def __call__(self, event: Standing | ClusterRun) -> None:
        """Hand on a standing if the last one is a while ago, and each start that is over."""
        if isinstance(event, ClusterRun):
            self._runs.append(event)
            so_far = cluster_result(self._path, (), self._ways, self._runs)
            self._tell(Measured(event, so_far.arms))
        elif time.monotonic() - self._told_s >= LEAST_BETWEEN_S:
            self._told_s = time.monotonic()
            self._tell(event)
