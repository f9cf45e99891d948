"""In which order the runs of a comparison take place."""

from __future__ import annotations

import random
from typing import Literal

Label = Literal["A", "B"]


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
