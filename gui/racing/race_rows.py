"""What one row of a race's ranking says. Pure text, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.experiment.verdict import times_text
from modelmon.core.units import percent_text
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race.result import Excluded, Standing

ABSENT = "–"


@dataclass(frozen=True, slots=True)
class RaceRow:
    """One way to load: its place and standing, or with neither why it does not take part."""

    place: int
    label: str
    strategy: str
    standing: Standing | None = None
    why: str = ""
    running: bool = False
    over: bool = False

    @property
    def state(self) -> str:
        """Where it stands, in words."""
        standing = self.standing
        if standing is None:
            return tr("Not in the race: {why}", why=self.why)
        if self.running:
            return tr("Running, run {number}", number=standing.runs + standing.discarded + 1)
        if standing.state == "dropped":
            return tr("Dropped: {why}", why=standing.why)
        if standing.state != "racing":
            return tr("Cannot run: {why}", why=standing.why)
        if self.leads:
            return tr("Best") if self.over else tr("Best so far")
        return _racing_text(standing)

    @property
    def leads(self) -> bool:
        """Whether it is the best so far."""
        return self.standing is not None and bool(self.standing.runs) and self.place == 1


def rows_of(
    standings: Sequence[Standing],
    excluded: Sequence[Excluded] = (),
    running: str = "",
    *,
    over: bool = False,
) -> tuple[RaceRow, ...]:
    """All that race in their order, then those that do not."""
    racing = [
        RaceRow(
            place, standing.label, standing.strategy, standing, "", standing.label == running, over
        )
        for place, standing in enumerate(standings, start=1)
    ]
    others = [
        RaceRow(0, left_out.strategy, left_out.strategy, None, left_out.why)
        for left_out in excluded
    ]
    return (*racing, *others)


def against_text(standing: Standing) -> str:
    """Its time ÷ that of the best, with bounds; `~` before those without a known confidence."""
    low, high = standing.ratio_low, standing.ratio_high
    if standing.ratio is None or low is None or high is None:
        return ABSENT
    if standing.label == standing.against:
        return "1"
    bounds = f"{times_text(low)}–{times_text(high)}"
    about = "" if standing.coverage_share is not None else "~"
    return f"{times_text(standing.ratio)} ({about}{bounds})"


def against_tip(standing: Standing) -> str:
    """The same in a sentence, with how sure the bounds are."""
    if standing.label == standing.against or standing.ratio is None:
        return standing.label
    if standing.coverage_share is None:
        return tr(
            "{times} times as long as {best}; too few rounds for more than a rough range",
            times=against_text(standing),
            best=standing.against,
        )
    return tr(
        "{times} times as long as {best}; the bounds hold with {sure} confidence,"
        " by {rounds} rounds",
        times=against_text(standing),
        best=standing.against,
        sure=percent_text(standing.coverage_share),
        rounds=standing.pairs,
    )


def _racing_text(standing: Standing) -> str:
    if standing.ratio is not None and standing.ratio_high is not None and standing.ratio_high < 1:
        return tr("Faster, but not decided")
    if not standing.runs:
        return tr("Has not run yet")
    if standing.ratio is None or standing.ratio_low is None or standing.ratio_low <= 1:
        return tr("No difference seen")
    return tr("{share} slower", share=percent_text(standing.ratio - 1))
