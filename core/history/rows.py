"""Records that the history returns, and the filter of runs that it takes."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.history.file import HistoryError
from modelmon.core.limited_numbers import UNDECODABLE, Amount
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.strategies import strategy_text
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.worker.events import WatchedProgram
from modelmon.core.worker.result import RunFigures

_Value = TypeVar("_Value")

Kind = Literal["single", "compare", "best"]
State = Literal["running", "stopped", "done"]
IMPORTED = "imported-"
"""The ids of machine, disk and model of a recording begin with this."""
Sort = Literal["when", "time", "rate", "model", "strategy", "memory", "wait", "name"]


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One arm of an experiment: its label there, its strategy's name and its configuration.

    One that is a command of somebody else has the `program`, whose command is text here, too; a
    run of it that takes longer than `limit_ns` is ended. `to_set` tells what a person sets to have
    it, where that is known.
    """

    label: str
    strategy: str
    config: LoadConfig
    program: WatchedProgram | None = None
    limit_ns: Amount | None = None
    to_set: Message = NOTHING


class RunFilter(msgspec.Struct, frozen=True):
    """Which runs are wanted; None does not restrict.

    `model` is part of a name, or eight or more digits that a digest begins with; `strategy` is
    part of a name; `cache` is the state that a run started from, on this machine at least; `ids`
    are runs. `limit` counts after sorting.
    """

    model: str | None = None
    strategy: str | None = None
    cache: str | None = None
    since_unix_s: float | None = None
    machine_id: str | None = None
    storage_id: str | None = None
    experiment_id: int | None = None
    label: str | None = None
    starred: bool | None = None
    counts: bool | None = None
    ids: tuple[int, ...] | None = None
    sort: Sort = "when"
    limit: int = -1


class RunRow(RunFigures, frozen=True):
    """One run as a list shows it: its figures, and where it stands in the history.

    `position` is None for a run that its experiment does not use (it was stopped in the middle
    of a pair); `condition_memory` whether free memory that needs it was to be touched before;
    `verified` whether it was made to verify its bytes, so that it is no measurement; units are in
    the names.
    """

    id: int
    experiment_id: int
    kind: Kind
    state: State
    position: int | None
    label: str
    name: str
    starred: bool
    path: str
    model_name: str
    model_digest: str
    model_content: str
    config_json: str
    deliver: str
    bytes_per_s: float
    condition_memory: bool
    machine_id: str
    cpu_model: str
    ram_bytes: int
    storage_id: str
    storage_source: str
    device: str
    device_model: str
    filesystem: str
    kernel: str
    readahead_bytes: int | None
    mount_options: str
    modelmon_version: str
    events_file: str | None
    verified: bool

    @property
    def config(self) -> LoadConfig:
        """How it was loaded. Raises HistoryError where this version cannot load so."""
        return stored_value(self.config_json, LoadConfig)

    @property
    def strategy_text(self) -> str:
        """The strategy with what isn't its default, as far as this version knows its settings."""
        try:
            return strategy_text(self.strategy, self.config)
        except HistoryError:
            return self.strategy

    @property
    def experiment(self) -> str:
        """How the run's arm is referred to: `x12B`."""
        return f"x{self.experiment_id}{self.label}"

    @property
    def is_imported(self) -> bool:
        """Whether it was taken in from a recording, so that its machine is not known for sure."""
        return self.machine_id.startswith(IMPORTED)

    @property
    def storage_text(self) -> str:
        """The disk in a few characters: `nvme0n1p2 ext4`."""
        return f"{self.device or self.storage_source} {self.filesystem}".strip()


class ExperimentRow(msgspec.Struct, frozen=True):
    """One experiment: what was asked for, and how far it came. `model_content` is "" where nobody
    looked at it. On Linux `owner_started_unix_s` is in clock ticks since the boot, whatever the
    column was called before.
    """

    id: int
    kind: Kind
    state: State
    created_unix_s: float
    path: str
    model_digest: str
    model_content: str
    model_name: str
    machine_id: str
    storage_id: str
    arms_json: str
    conditions_json: str
    verdict_json: str | None
    runs: int
    owner_pid: int | None
    owner_started_unix_s: float | None

    @property
    def arms(self) -> tuple[Entrant, ...]:
        """What was compared. Raises HistoryError where this version cannot load so."""
        return stored_value(self.arms_json, tuple[Entrant, ...])


class ClusterRow(msgspec.Struct, frozen=True):
    """A measurement on so many `nodes` of a cluster, which are so many `machines`.

    Two have a `cluster_id` in common if the same machines took part. `last_ns` is when the last
    node was ready in the recommended way, `bytes_per_s` what all had together.
    """

    created_unix_s: float
    path: str
    model_name: str
    model_digest: str
    cluster_id: str
    nodes: int
    machines: int
    ways: tuple[str, ...]
    last_ns: int
    bytes_per_s: float
    sentence: Message
    id: int = 0

    @property
    def reference(self) -> str:
        """How it is called: `c12`."""
        return f"c{self.id}"


def stored_value(text: str, kind: type[_Value]) -> _Value:
    """A value that was stored as JSON. Raises HistoryError, also for axes not known any more."""
    try:
        return msgspec.json.decode(text, type=kind, dec_hook=from_wire)
    except (*UNDECODABLE, ConfigError) as error:
        raise HistoryError(
            Message("Couldn't read a stored value: {reason}", reason=error),
            Message("Use the version of modelmon that wrote it."),
        ) from error


def stored_text(value: object) -> str:
    """A value as the JSON that is stored of it."""
    return msgspec.json.encode(value, enc_hook=to_wire).decode()
