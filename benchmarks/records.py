"""What the benchmark's processes tell each other, and what is kept of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.load.config import LoadConfig

Maker = Literal[
    "modelmon",
    "earlier",
    "library",
    "example",
    "map-limit",
    "read-limit",
    "plan",
]
Delivery = Literal["usable", "owned", "streamed", "none"]
State = Literal["cold", "warm", "half", "striped"]
STATES: tuple[State, ...] = ("cold", "warm", "half", "striped")


class Arm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to load, or a limit that loads are held against.

    `library` is the baseline's name where a library loads; `threads` is what a limit works
    with. With `every_array` all tensors become arrays within the time. `earlier` is the folder of
    an earlier version of modelmon that loads in this one's place. `obstacle` is the reason for
    which it cannot be measured here.
    """

    name: str
    maker: Maker
    delivery: Delivery
    config: LoadConfig = LoadConfig()
    library: str = ""
    version: str = ""
    threads: int = 1
    every_array: bool = False
    earlier: str = ""
    obstacle: str = ""


class Task(msgspec.Struct, frozen=True):
    """What a fresh process is to do: one arm on one model, whose files hold `nbytes`, from `state`
    of the page cache.
    """

    arm: Arm
    path: str
    nbytes: int
    state: State = "cold"


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a fresh process measured of its own task; None is *not available here*.

    `peak_rise_bytes` is the highest resident memory since the start signal, less what was
    resident then; `peak_bytes` is that height itself. `error` says why it failed.
    """

    wall_ns: int = 0
    cpu_ns: int = 0
    delivered_bytes: int = 0
    device_bytes: int | None = None
    peak_rise_bytes: int | None = None
    peak_bytes: int | None = None
    error: str = ""


class Run(msgspec.Struct, frozen=True, omit_defaults=True):
    """One measurement: which arm on which file, from which state, and the answer.

    `resident_share` is what was cached just before the start.
    """

    file: str
    state: State
    arm: str
    round: int
    model_bytes: int
    resident_share: float
    answer: Answer
