"""The schedule of a comparison: two arms, what they share, and the order of their runs."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal, NamedTuple

from modelmon.core.comparison.decision import DEFAULT_PAIRS
from modelmon.core.history.rows import ArmOf as Arm
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.worker.events import Cache  # noqa: TC001  msgspec evaluates it
from modelmon.core.worker.result import Timed  # noqa: TC001  msgspec evaluates it

__all__ = ["Arm", "Conditions", "Label", "Step", "interleaved", "steps_of"]

Label = Literal["A", "B"]


class Step(NamedTuple):
    """One run of the order. An `equivalent` one repeats a process arm with threads: that is
    what another program can load into its own memory, and so what an export stores.
    """

    label: Label
    equivalent: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """What both arms of a comparison share.

    There are `max_pairs` pairs of runs; with `early_stop` fewer where they decide it.
    `prepared_with` is the command that whoever drives the session runs before each run. `timed` is
    the part of a program's run that is compared.
    """

    path: str
    cache: Cache
    max_pairs: int = DEFAULT_PAIRS
    early_stop: bool = True
    seed: int = 0
    portion_bytes: int | None = None
    allow_busy: bool = False
    condition_memory: bool = True
    sample_hz: float = 20.0
    prepared_with: str = ""
    timed: Timed = "ready"


def steps_of(arms: dict[Label, Arm], conditions: Conditions, pairs: int) -> tuple[Step, ...]:
    """The interleaved pairs, then the in-process equivalents of process arms."""
    paired = [Step(label) for label in interleaved(pairs, conditions.seed)]
    equivalents = [
        Step(label, equivalent=True)
        for label, arm in arms.items()
        if arm.config.processes > 1 and arm.config.library == NO_LIBRARY
        for _ in range(pairs)
    ]
    return (*paired, *equivalents)


def interleaved(pairs: int, seed: int) -> tuple[Label, ...]:
    """`pairs` pairs of runs, each pair one A and one B, as A B B A or B A A B.

    Neighbouring pairs mirror each other, so that a machine that slowly gets faster or slower
    favours neither arm; which of the two comes first is drawn for every two pairs.
    """
    draw = random.Random(seed)
    order: list[Label] = []
    while len(order) < 2 * pairs:
        first: Label = draw.choice(("A", "B"))
        second: Label = "B" if first == "A" else "A"
        order += [first, second, second, first]
    return tuple(order[: 2 * pairs])
