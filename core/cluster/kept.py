"""Cluster results in the history: entered when they are over, found again by reference."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import best_arm
from modelmon.core.errors import ConfigError
from modelmon.core.history.rows import ClusterRow, stored_value
from modelmon.core.messages import NOTHING, to_wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.cluster.result import Node
    from modelmon.core.history.history import History

_REFERENCE = re.compile(r"c(\d{1,18})")


def keep(history: History, result: ClusterResult) -> str:
    """Enter a result; returns its reference, such as `c12`. Raises HistoryError."""
    nodes = [node for node in result.nodes if not node.why_not]
    model, last_ns, rate = result.model, 0, 0.0
    try:
        last = best_arm(result).curve[-1]
        last_ns, rate = round(last.last_ns), last.bytes_per_s
    except ConfigError:
        pass
    row = ClusterRow(
        created_unix_s=result.created_unix_s,
        path=result.path,
        model_name=model.name if model is not None else PurePath(result.path).name,
        model_digest=model.digest if model is not None else "",
        cluster_id=cluster_id(nodes),
        nodes=len(nodes),
        machines=len(_machines(nodes)),
        ways=tuple(arm.way.name for arm in result.arms),
        last_ns=last_ns,
        bytes_per_s=rate,
        sentence=next(iter(result.recommendation), NOTHING),
    )
    return f"c{history.add_cluster(row, msgspec.json.encode(result, enc_hook=to_wire))}"


def number_called(reference: str) -> int | None:
    """The number that `c12` names; None for what is no reference to a cluster."""
    match = _REFERENCE.fullmatch(reference)
    return int(match[1]) if match is not None else None


def kept(history: History, number: int) -> ClusterResult:
    """A result of before. Raises HistoryError."""
    return stored_value(history.cluster_result(number).decode(), ClusterResult)


def cluster_id(nodes: Sequence[Node]) -> str:
    """What the same machines have in common, however their nodes are called."""
    return sha256("\0".join(sorted(_machines(nodes))).encode()).hexdigest()[:16]


def _machines(nodes: Sequence[Node]) -> set[str]:
    return {node.machine.id if node.machine is not None else node.name for node in nodes}
