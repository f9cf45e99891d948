"""The job of one worker: which load to do, and under which conditions."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import Amount, Integer, Number
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.messages import Message
from modelmon.core.worker.wire import PROTOCOL

Cache = Literal["cold", "warm", "as-is"]
SeeBy = Literal["auto", "trace", "residency", "counters"]
"""How a program's reads are to be seen (model_bytes.py); `auto` is the best way that works."""
DEFAULT_SAMPLE_HZ = 20.0


class WatchedProgram(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The program that is watched instead of a load of modelmon's own.

    `command` is text, for the record: none is started for it. `ready` tells when the model is
    loaded (readiness.py). `pid` is a process that runs already, and is joined; where somebody chose
    it, `began_ticks` (processes.py) tells it from a later one with its number. `see_by` is how
    its reads are seen.
    """

    command: str
    ready: str = ""
    pid: Integer | None = None
    see_by: SeeBy = "auto"
    began_ticks: Amount | None = None


def not_run(program: WatchedProgram) -> ConfigError:
    """What is said where a job alone asks for a program: it holds its command as text only."""
    return ConfigError(
        Message("A recorded command is text and isn't run: {command}", command=program.command),
        Message("Start it with modelmon watch."),
    )


class Job(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One load to watch: the first line of a worker's standard input.

    `subset` are the tensors, blocks or the slice that are wanted; `portion_bytes` None loads
    them whole, else a part that stands for them, from `portion_place` (0 to 1) of where it can lie.
    `allow_busy` goes ahead although another process has the file open or mapped; without
    `looks_for_users` it is not asked who does, which looks at all processes.
    `condition_memory` touches free memory first (conditioning.py); without it the load may
    meet memory that a virtual machine's host has to provide anew. `prepared_with` is the
    command that was run before this job, for the record: a worker runs no commands. A load that
    takes longer than `most_load_ns` is ended then, and does not count. Where a `program` is
    watched, the configuration's library is PROGRAM.
    """

    path: str
    config: LoadConfig
    strategy: str = "custom"
    cache: Cache = "as-is"
    verify: bool = False
    portion_bytes: Amount | None = None
    portion_place: Number = 0.0
    subset: Subset = WHOLE
    sample_hz: Number = DEFAULT_SAMPLE_HZ
    allow_busy: bool = False
    looks_for_users: bool = True
    condition_memory: bool = True
    prepared_with: str = ""
    most_load_ns: Amount | None = None
    program: WatchedProgram | None = None
    protocol: Integer = PROTOCOL
