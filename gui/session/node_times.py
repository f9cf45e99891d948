"""When the nodes of a cluster began, what they had when, and when they were ready, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from modelmon.core.cluster.drive import Standing
    from modelmon.core.cluster.result import ClusterRun

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NodeTimes:
    """Nodes with when each began and was ready, in seconds since the first was due (NaN: not), and
    what it had when, as pairs of arrays.
    """

    names: tuple[str, ...]
    began_s: Floats
    ready_s: Floats
    curves: tuple[tuple[Floats, Floats], ...]
    end_s: float
    failed: frozenset[str] = frozenset()
    live: bool = False
    _rates: dict[int, Floats] = field(default_factory=dict, compare=False, repr=False)

    def rates(self, columns: int) -> Floats:
        """Bytes per second of each node in so many equal parts of the time; NaN where it doesn't
        load.
        """
        if columns not in self._rates:
            self._rates.clear()
            self._rates[columns] = self._made(columns)
        return self._rates[columns]

    def _made(self, columns: int) -> Floats:
        edges = np.linspace(0.0, self.end_s, columns + 1)
        made = np.empty((len(self.names), columns))
        for row, (seconds, nbytes) in enumerate(self.curves):
            made[row] = np.diff(np.interp(edges, seconds, nbytes))
        made /= max(self.end_s / columns, 1e-9)
        ends = np.where(np.isnan(self.ready_s), self.end_s, self.ready_s)
        outside = (edges[1:] <= self.began_s[:, None]) | (edges[:-1] >= ends[:, None])
        made[outside] = np.nan
        return made


def times_of_run(run: ClusterRun) -> NodeTimes:
    """The nodes of a start that is over, the first ready first and those that failed last."""
    order = sorted(
        run.nodes, key=lambda node: (node.ready_ns is None, node.ready_ns or 0, node.node)
    )
    curves, began = [], []
    for node in order:
        points = list(node.delivered)
        start_ns = max(0, node.due_ns + (node.late_ns or 0))
        points = [(start_ns, 0), *(point for point in points if point[0] > start_ns)]
        if node.ready_ns is not None and node.result is not None:
            points = [point for point in points if point[0] < node.ready_ns]
            points.append((node.ready_ns, node.result.load_bytes))
        table = np.array(points, dtype=np.float64)
        curves.append((table[:, 0] / 1e9, np.maximum.accumulate(table[:, 1])))
        began.append(start_ns / 1e9)
    ready = np.array([node.ready_ns if node.ready_ns is not None else np.nan for node in order])
    last = max((float(seconds[-1]) for seconds, _ in curves), default=0.0)
    return NodeTimes(
        names=tuple(node.node for node in order),
        began_s=np.array(began),
        ready_s=ready / 1e9,
        curves=tuple(curves),
        end_s=max(last, 1e-3),
        failed=frozenset(node.node for node in order if node.problem),
    )


def times_of_standings(standings: Sequence[Standing]) -> NodeTimes:
    """The nodes of a start under way, in its order; who has all its bytes is ready."""
    last = standings[-1]
    seconds = np.array([0.0, *((each.t_ns or 0) / 1e9 for each in standings)])
    table = np.zeros((len(last.names), len(seconds)))
    table[:, 1:] = np.array([each.delivered for each in standings], dtype=np.float64).T
    table = np.maximum.accumulate(table, axis=1)
    whole = np.zeros(len(table), dtype=bool)
    whole[[at for at in last.ready if at < len(whole)]] = True
    first = np.argmax(table >= table[:, -1:], axis=1)
    moving = table > 0
    begun = np.where(moving.any(axis=1), np.maximum(np.argmax(moving, axis=1) - 1, 0), -1)
    end_s = max(float(seconds[-1]), 1e-3)
    return NodeTimes(
        names=last.names,
        began_s=np.where(begun >= 0, seconds[begun], end_s),
        ready_s=np.where(whole, seconds[first], np.nan),
        curves=tuple((seconds, row) for row in table),
        end_s=end_s,
        live=True,
    )
