"""The two runs a live plot shows, and what of them it has yet to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.worker.run_warnings import FEW_SAMPLES
from modelmon.gui.language import tr
from modelmon.gui.plots.timeline import Timeline, timeline_of
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.notices import ArmLabel

ARMS: tuple[ArmLabel, ArmLabel] = ("A", "B")


class Arms:
    """Records of A and B with their samples as columns."""

    def __init__(self) -> None:
        self.records: dict[ArmLabel, RunRecord | None] = {"A": None, "B": None}
        self.timelines = {label: Timeline() for label in ARMS}
        self._seen: dict[ArmLabel, object] = {}
        self.stale: set[ArmLabel] = set()

    def put(self, label: ArmLabel, record: RunRecord | None) -> bool:
        """Make `record` the run of an arm; whether that is a change."""
        if record is self.records[label]:
            return False
        self.records[label] = record
        self.timelines[label] = Timeline() if record is None else timeline_of(record)
        self._seen.pop(label, None)
        self.stale.add(label)
        return True

    def take_in(self) -> bool:
        """Read what the records have gained; whether an arm waits to be drawn."""
        for label, record in self.records.items():
            if record is None:
                continue
            timeline = self.timelines[label]
            timeline.take(record.samples)
            if (seen := (timeline.seen_ns, record.state)) != self._seen.get(label):
                self._seen[label] = seen
                self.stale.add(label)
        return bool(self.stale)

    def has_data(self, label: ArmLabel) -> bool:
        """Whether there is anything to draw."""
        record = self.records[label]
        return record is not None and (bool(record.samples) or record.finished is not None)

    def end_s(self) -> float:
        """The time that the longer run covers."""
        ends = [record.t_ns / 1e9 for record in self.records.values() if record is not None]
        return max(ends, default=0.0)

    def is_earlier(self, label: ArmLabel) -> bool:
        """Whether the arm is done while the other one is loading."""
        mine, other = self.records[label], self.records["B" if label == "A" else "A"]
        done = mine is not None and mine.done
        return done and other is not None and other.state == "loading"

    def has_few_samples(self, label: ArmLabel) -> bool:
        """Whether single values must be told apart."""
        return len(self.timelines[label]) < FEW_SAMPLES

    def few_samples_note(self, shown: Collection[ArmLabel]) -> str:
        """Which finished runs of the shown arms have so few samples that it must be said."""
        few = [
            f"{manager().arm_text(label)} {len(record.samples)}"
            for label, record in self.records.items()
            if label in shown
            and record is not None
            and record.done
            and len(record.samples) < FEW_SAMPLES
        ]
        return tr("few samples: {runs}", runs=", ".join(few)) if few else ""
