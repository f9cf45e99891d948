"""The latest Find best and the latest cluster of a window: under way, or what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.cluster.drive import Begun, Measured, Standing
from modelmon.core.cluster.summary import typical
from modelmon.core.cluster.ways import sizes_up_to
from modelmon.core.explain.evidence import limits_seen
from modelmon.core.probe.probe import UNKNOWN_LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.cluster.drive import LiveEvent
    from modelmon.core.cluster.result import ClusterArm, ClusterResult, ClusterRun, Node
    from modelmon.core.cluster.ways import Way
    from modelmon.core.find_best.result import (
        Excluded,
        Objective,
        SearchResult,
        SearchRun,
    )
    from modelmon.core.find_best.result import (
        Standing as StrategyStanding,
    )
    from modelmon.core.find_best.session import SearchSession
    from modelmon.core.worker.events import Cache
    from modelmon.gui.session.node_times import NodeTimes
    from modelmon.gui.session.notices import ArmLabel


class LiveCluster:
    """What a driver at work has told so far."""

    def __init__(self) -> None:
        self.begun: Begun | None = None
        self.standing: Standing | None = None
        self.arms: tuple[ClusterArm, ...] = ()
        self.starts_done = 0
        self.latest: dict[ArmLabel, ClusterRun] = {}
        """The last start of all nodes that were left, in each way."""
        self._standings: list[Standing] = []
        self._left = 0

    def take(self, event: LiveEvent) -> None:
        """Take in what it tells."""
        if isinstance(event, Begun):
            self.begun = event
            self._left = sum(not node.why_not for node in event.nodes)
        elif isinstance(event, Standing):
            self.standing = event
            if event.t_ns is None:
                self._standings.clear()
            else:
                self._standings.append(event)
        elif isinstance(event, Measured):
            self.arms = event.arms
            self.starts_done += 1
            nodes = event.run.nodes
            if event.run.label not in self.latest or len(nodes) >= self._left:
                self.latest[event.run.label] = event.run
            self._left -= sum(bool(node.problem) for node in nodes)
            self._standings.clear()

    @property
    def starts(self) -> int:
        """How many there will be, if no node is lost."""
        if self.begun is None:
            return 0
        nodes = sum(not node.why_not for node in self.begun.nodes)
        sizes = len(sizes_up_to(max(1, nodes)))
        each = sum(sizes if way.start.is_together else 1 for way in self.begun.ways)
        return self.begun.repeats * each

    @property
    def loading(self) -> NodeTimes | None:
        """The nodes of the start under way, from when the first one was due."""
        # numpy is a tenth of the time until the window is painted.
        from modelmon.gui.session.node_times import times_of_standings  # noqa: PLC0415

        return times_of_standings(self._standings) if self._standings else None


class Clusters(QObject):
    """Holds state and says when it changes, as the session does whose part it is.

    `live` is the measurement under way, `result` what came of the last one or was opened. `ticked`
    tells, while it is under way, that a driver has told more.
    """

    changed = Signal()
    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.live: LiveCluster | None = None
        self.result: ClusterResult | None = None

    @property
    def known(self) -> bool:
        """Whether there is anything to be shown."""
        return self.live is not None or self.result is not None

    @property
    def path(self) -> str:
        """Of the model, on the nodes."""
        if self.live is not None and self.live.begun is not None:
            return self.live.begun.path
        return self.result.path if self.result is not None else ""

    @property
    def ways(self) -> Sequence[Way]:
        """How the nodes load."""
        if self.live is not None:
            return self.live.begun.ways if self.live.begun is not None else ()
        return tuple(arm.way for arm in self.result.arms) if self.result is not None else ()

    @property
    def nodes(self) -> Sequence[Node]:
        """All that were asked."""
        if self.live is not None:
            return self.live.begun.nodes if self.live.begun is not None else ()
        return self.result.nodes if self.result is not None else ()

    @property
    def arms(self) -> Sequence[ClusterArm]:
        """What the ways came to, so far."""
        if self.live is not None:
            return self.live.arms
        return self.result.arms if self.result is not None else ()

    def run(self, label: ArmLabel) -> ClusterRun | None:
        """A start of all nodes: the latest while they load, else the one in the middle."""
        if self.live is not None:
            return self.live.latest.get(label)
        if self.result is None:
            return None
        return typical([run for run in self.result.runs if run.label == label])

    def times(self, label: ArmLabel) -> NodeTimes | None:
        """The nodes over time: in the start under way, where that is in this way."""
        if self.live is not None and self.live.standing is not None:
            loading = self.live.loading
            if loading is not None and self.live.standing.label == label:
                return loading
        run = self.run(label)
        from modelmon.gui.session.node_times import times_of_run  # noqa: PLC0415  likewise

        return times_of_run(run) if run is not None and run.nodes else None

    def begin(self) -> None:
        """Nodes are about to be asked; what came of those before may be shown again."""
        self.live = LiveCluster()
        self.changed.emit()

    def take(self, event: LiveEvent) -> None:
        """The driver tells something."""
        assert self.live is not None
        self.live.take(event)
        if isinstance(event, Standing):
            self.ticked.emit()
        else:
            self.changed.emit()

    def conclude(self, result: ClusterResult) -> None:
        """It is over, or one of before is shown."""
        self.live, self.result = None, result
        self.changed.emit()

    def give_up(self) -> None:
        """Nothing came of the one under way: the one before is shown again."""
        self.live = None
        self.changed.emit()

    def clear(self) -> None:
        """Another model is open."""
        self.live = self.result = None
        self.changed.emit()


class RaceState(QObject):
    """Holds state and says when it changes, as the session does whose part it is.

    `live` is the race under way or one that ended without a run that counts, `race` what is
    known of one that is over, `running` the label of the arm under way, `reference` what the
    history calls one that can go on. `limits` are those of the place that the race is in, by the
    probe or a faster run of it.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.live: SearchSession | None = None
        self.race: SearchResult | None = None
        self.running = ""
        self.reference = ""
        self.limits = UNKNOWN_LIMITS
        self.is_restored = False
        """Whether `race` was found at another time than in this session."""

    @property
    def known(self) -> bool:
        """Whether there is a race to be shown."""
        return self.live is not None or self.race is not None

    def standings(self) -> tuple[StrategyStanding, ...]:
        """How all arms stand now, the best first."""
        if self.live is not None:
            return self.live.standings()
        return self.race.standings if self.race is not None else ()

    @property
    def cache(self) -> Cache:
        """The state before the runs that are ranked."""
        if self.live is not None:
            return self.live.conditions.cache
        return self.race.cache if self.race is not None else "cold"

    @property
    def objective(self) -> Objective:
        """What is wanted."""
        if self.live is not None:
            return self.live.conditions.objective
        return self.race.objective if self.race is not None else "cold"

    @property
    def portion_bytes(self) -> int | None:
        """How much of the model is loaded to save time; None for all of it."""
        if self.live is not None:
            return self.live.conditions.portion_bytes
        return self.race.portion_bytes if self.race is not None else None

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """Who does not take part."""
        known = self.live or self.race
        return known.excluded if known is not None else ()

    def begin(self, live: SearchSession) -> None:
        """A race starts."""
        self.live, self.race, self.running = live, None, ""
        self.reference, self.limits = "", live.limits
        self.changed.emit()

    def run(self, label: str) -> None:
        """A run of this arm starts; empty where none is under way."""
        self.running = label
        if self.live is not None:
            self._see(self.live.runs)
        self.changed.emit()

    def conclude(self, race: SearchResult, reference: str = "", *, restored: bool = False) -> None:
        """The race is over, or was stopped, and recommends something."""
        self.reference, self.is_restored = reference, restored
        self._see(race.runs)
        self.live, self.race, self.running = None, race, ""
        self.changed.emit()

    def _see(self, runs: Iterable[SearchRun]) -> None:
        """What a run has reached can be done."""
        self.limits = limits_seen(self.limits, (run.result for run in runs))

    def clear(self) -> None:
        """Another model is open."""
        self.live = self.race = None
        self.running = self.reference = ""
        self.limits = UNKNOWN_LIMITS
        self.changed.emit()
