"""What one row of a race's ranking says. Pure text, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.experiment.race.confidence import lead_of
from modelmon.core.units import percent_text, three_figures
from modelmon.gui.look.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race.confidence import Lead
    from modelmon.core.experiment.race.result import Ending, Excluded, Standing

ABSENT = "–"
_MANY_TIMES = 2.0
_LEADS: dict[Lead, str] = {
    "too-few": mark("Too early to tell"),
    "best-so-far": mark("Best so far"),
    "best": mark("Best"),
}


@dataclass(frozen=True, slots=True)
class RaceRow:
    """One way to load: its place and standing, or with neither why it does not take part."""

    place: int
    label: str
    strategy: str
    standing: Standing | None = None
    why: str = ""
    running: bool = False
    ending: Ending = "running"
    lead: Lead = "too-few"

    @property
    def state(self) -> str:
        """Where it stands, in words."""
        standing = self.standing
        if standing is None:
            return tr("Not tested: {why}", why=self.why)
        if self.running:
            return tr("Running, run {number}", number=standing.runs + standing.discarded + 1)
        if standing.state == "failed":
            return tr("Can't run: {why}", why=standing.why)
        if self.leads:
            return tr(_LEADS[self.lead])
        # The first is recommended, even where it dropped out and nothing that went on beats it.
        if standing.state == "dropped" and self.place != 1:
            return tr("Ruled out: {why}", why=standing.why)
        return _racing_text(standing, self.ending)

    @property
    def leads(self) -> bool:
        """Whether it is the first of a ranking that says something."""
        return self.standing is not None and self.place == 1 and self.lead != "too-few"


def rows_of(
    standings: Sequence[Standing],
    excluded: Sequence[Excluded] = (),
    running: str = "",
    ending: Ending = "running",
) -> tuple[RaceRow, ...]:
    """All that race in their order, then those that do not."""
    lead = lead_of(standings, ending) if standings else "too-few"
    racing = [
        RaceRow(
            place,
            standing.label,
            standing.strategy,
            standing,
            running=standing.label == running,
            ending=ending,
            lead=lead,
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
    bounds = f"{three_figures(low)}–{three_figures(high)}"
    about = "" if standing.coverage_share is not None else "~"
    return f"{three_figures(standing.ratio)} ({about}{bounds})"


def against_tip(row: RaceRow) -> str:
    """The same in sentences: how sure the bounds are."""
    standing = row.standing
    if standing is None or standing.label == standing.against or standing.ratio is None:
        return row.label
    return _ratio_sentence(standing)


def _ratio_sentence(standing: Standing) -> str:
    if standing.coverage_share is None:
        return tr(
            "{times}× as long as {best}; a rough range from few rounds",
            times=against_text(standing),
            best=standing.against,
        )
    return tr(
        "{times}× as long as {best}; {sure} confidence, {rounds} rounds in common",
        times=against_text(standing),
        best=standing.against,
        sure=percent_text(standing.coverage_share),
        rounds=standing.pairs,
    )


def _racing_text(standing: Standing, ending: Ending) -> str:
    ratio, low, high = standing.ratio, standing.ratio_low, standing.ratio_high
    if not standing.runs:
        running = ending == "running"
        return tr("Not run yet") if running else tr("Ended before its turn")
    if ratio is None or low is None or high is None:
        return tr("Too early to tell")
    sure = standing.coverage_share is not None
    if low > 1:
        return _slower_text(ratio, sure=sure)
    if not sure:
        return tr("Too early to tell")
    return tr("Faster, but too early to tell") if high < 1 else tr("No clear difference")


def _slower_text(ratio: float, *, sure: bool) -> str:
    if ratio >= _MANY_TIMES:
        times = three_figures(ratio)
        if sure:
            return tr("{times}× as long", times=times)
        return tr("About {times}× as long", times=times)
    share = percent_text(ratio - 1)
    return tr("{share} longer", share=share) if sure else tr("About {share} longer", share=share)
