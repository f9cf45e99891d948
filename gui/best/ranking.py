"""The ranking of Find best in rows of text and figures. No widgets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from modelmon.core.find_best.recommend import lead_of
from modelmon.core.units import duration_text, percent_text, size_text, three_figures
from modelmon.gui.language import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.find_best.recommend import Lead
    from modelmon.core.find_best.result import Ending, Excluded, Standing
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache
    from modelmon.gui.session.measured import RaceState

FigureOf = Literal["cold", "warm", "memory"]
FIGURES: dict[FigureOf, str] = {
    "cold": mark("Cold start"),
    "warm": mark("Warm start"),
    "memory": mark("Memory"),
}
"""What a strategy is measured by."""
FIGURE_HELP: dict[FigureOf, str] = {
    "cold": mark("Time for the whole model with nothing cached"),
    "warm": mark("Time for the whole model with the file in the page cache"),
    "memory": mark("Peak memory the system can't reclaim"),
}

ABSENT = "–"
_MANY_TIMES = 2.0
_LEADS: dict[Lead, str] = {
    "too-few": mark("For now: too few runs"),
    "kept": mark("Keep"),
    "best-so-far": mark("Best so far"),
    "best": mark("Recommended"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A time in ns with its likely range, or bytes, of which the median is all there is."""

    value: float
    low: float
    high: float

    def text(self, of: FigureOf) -> str:
        """With its unit."""
        return size_text(self.value) if of == "memory" else duration_text(self.value)


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A strategy: how it compares with the first, or why it has no place.

    `place` is 0 without one, `reader_count` where it isn't known. `leads` is the one to use;
    `is_out` was ruled out. `lowest` are the columns in which no other has less.
    """

    label: str
    readers: str = ""
    reader_count: int = 0
    figures: Mapping[FigureOf, Figure] = field(default_factory=dict)
    compared: str = ""
    tool_tip: str = ""
    place: int = 0
    leads: bool = False
    is_out: bool = False
    running: bool = False
    is_used_by_a: bool = False
    lowest: frozenset[FigureOf] = frozenset()

    def text(self, of: FigureOf) -> str:
        """A figure with its unit, or a dash."""
        return self.figures[of].text(of) if of in self.figures else ABSENT


@dataclass(frozen=True, slots=True)
class Ranking:
    """All strategies: those with a place, the one to use first where it is known, then those ruled
    out, then those that were not tested. Times are for the whole model; the memory is that of a
    part of `portion_bytes`, where no more was loaded. `own` is the column that decided.
    """

    own: FigureOf = "cold"
    best: str = ""
    rows: tuple[RankingRow, ...] = ()
    portion_bytes: int | None = None


def ranking_of(races: RaceState, used_by_a: LoadConfig | None = None) -> Ranking:
    """How all stand now."""
    race = races.race
    ranking = rank(
        races.standings(),
        races.cache,
        excluded=races.excluded,
        running=races.running,
        ending=race.ending if race is not None else "running",
        used_by_a=used_by_a,
    )
    return replace(ranking, portion_bytes=races.portion_bytes)


def rank(  # noqa: PLR0913  all that rows show
    standings: Sequence[Standing],
    cache: Cache = "cold",
    *,
    excluded: Sequence[Excluded] = (),
    running: str = "",
    ending: Ending = "running",
    used_by_a: LoadConfig | None = None,
) -> Ranking:
    """The ranking of `standings`, which were measured from `cache` and have the best first."""
    own: FigureOf = "warm" if cache == "warm" else "cold"
    if not standings:
        return Ranking(own)
    lead = lead_of(standings, ending)
    # What was recommended stands first, however few runs speak for it.
    best = standings[0] if lead != "too-few" or ending != "running" else None
    word = lead if ending == "running" or lead in {"too-few", "kept"} else "best"
    placed: list[RankingRow] = []
    out: list[RankingRow] = []
    untested: list[RankingRow] = []
    for standing in standings:
        row = _row(standing, cache, ending, running=standing.label == running)
        row = replace(row, is_used_by_a=standing.config == used_by_a)
        if standing is best:
            placed.append(replace(row, leads=True, compared=tr(_LEADS[word])))
        elif standing.state == "failed":
            why_not = tr("can't run: {why}", why=_clause(standing.why))
            untested.append(RankingRow(row.label, compared=why_not))
        elif standing.state == "dropped":
            out.append(replace(row, is_out=True))
        elif own in row.figures or ending == "running":
            placed.append(row)
        else:
            why_not = _clause(standing.why) or tr("ended before its turn")
            untested.append(replace(row, compared=why_not))
    untested += [RankingRow(each.strategy, compared=_clause(each.why)) for each in excluded]
    placed.sort(key=lambda row: row.figures[own].value if own in row.figures else float("inf"))
    placed = [
        replace(row, place=place if own in row.figures else 0)
        for place, row in enumerate(placed, start=1)
    ]
    placed.sort(key=lambda row: not row.leads)
    rows = (*placed, *out, *untested)
    lowest = {of: _lowest(rows, of) for of in FIGURES}
    return Ranking(
        own,
        standings[0].label if best is not None else "",
        tuple(
            replace(row, lowest=frozenset(of for of in FIGURES if row.text(of) == lowest[of]))
            for row in rows
        ),
    )


def span_text(low_ns: float, high_ns: float) -> str:
    """Between two durations: `5.18–5.28 s`; one of them where both read the same."""
    low, high = duration_text(low_ns), duration_text(high_ns)
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    first = number if high.endswith(f" {unit}") and " " not in unit else low
    return f"{first}–{high}"


def compared_heading(ranking: Ranking) -> str:
    """What stands over the last column."""
    return tr("Compared with {best}", best=ranking.best) if ranking.best else tr("Status")


def memory_name(portion_bytes: int | None) -> str:
    """What the memory is called: with the part that was loaded, if not the whole."""
    if portion_bytes is None:
        return tr("Private memory")
    return tr("Memory of {size}", size=size_text(portion_bytes))


def figures_of(standing: Standing, cache: Cache) -> dict[FigureOf, Figure]:
    """What is known of a strategy that was tested from `cache`."""
    own: FigureOf = "warm" if cache == "warm" else "cold"
    other: FigureOf = "cold" if own == "warm" else "warm"
    held = standing.held_bytes
    known = {
        own: (standing.expected_ns, standing.expected_low_ns, standing.expected_high_ns),
        other: (standing.other_median_ns,) * 3,
        "memory": (held, held, held),
    }
    return {
        of: Figure(value, low if low is not None else value, high if high is not None else value)
        for of, (value, low, high) in known.items()
        if value is not None
    }


def compared_text(standing: Standing, ending: Ending) -> str:
    """How a strategy compares with the first, by what decides."""
    ratio, low, high = standing.ratio, standing.ratio_low, standing.ratio_high
    if ratio is None or low is None or high is None:
        if standing.why:
            return said(standing.why)
        if standing.runs or standing.discarded:
            return tr("Too early to tell")
        return tr("Not run yet") if ending == "running" else tr("Ended before its turn")
    sure = standing.coverage_share is not None
    if low > 1:
        return _slower_text(ratio, sure=sure)
    if not sure:
        return tr("Too early to tell")
    return tr("Faster, but too early to tell") if high < 1 else tr("No clear difference")


def _row(standing: Standing, cache: Cache, ending: Ending, *, running: bool) -> RankingRow:
    config = standing.config
    count = config.readers * config.ranks
    threads = tr("1 thread") if count == 1 else tr("{count} threads", count=count)
    processes = tr("1 process") if count == 1 else tr("{count} processes", count=count)
    several = config.reader_kind == "process" or config.ranks > 1
    compared = compared_text(standing, ending)
    if running:
        number = standing.runs + standing.discarded + 1
        compared = tr("Running, run {number}", number=number)
    return RankingRow(
        label=standing.label,
        readers=ABSENT if config.library != "none" else processes if several else threads,
        reader_count=count if config.library == "none" else 0,
        figures=figures_of(standing, cache),
        compared=compared,
        tool_tip=_tool_tip(standing),
        running=running,
    )


def _tool_tip(standing: Standing) -> str:
    """How sure its place is."""
    runs = tr("1 run") if standing.runs == 1 else tr("{count} runs", count=standing.runs)
    if standing.discarded:
        runs = tr("{runs}, {count} not counted", runs=runs, count=standing.discarded)
    lines = [standing.label, runs]
    ratio, low, high = standing.ratio, standing.ratio_low, standing.ratio_high
    if ratio is None or low is None or high is None:
        lines.append(said(standing.why))
    elif standing.label != standing.against:
        times = f"{three_figures(ratio)} ({three_figures(low)}–{three_figures(high)})"
        sure = standing.coverage_share
        lines.append(
            tr(
                "{times}× as long as {best}; a rough range from few rounds",
                times=times,
                best=standing.against,
            )
            if sure is None
            else tr(
                "{times}× as long as {best}; {sure} confidence, {rounds} rounds in common",
                times=times,
                best=standing.against,
                sure=percent_text(sure),
                rounds=standing.pairs,
            )
        )
    return "\n".join(filter(None, lines))


def _slower_text(ratio: float, *, sure: bool = True) -> str:
    if ratio >= _MANY_TIMES:
        times = three_figures(ratio)
        if sure:
            return tr("{times}× as long", times=times)
        return tr("About {times}× as long", times=times)
    share = percent_text(ratio - 1)
    return tr("{share} longer", share=share) if sure else tr("About {share} longer", share=share)


def _clause(why: str) -> str:
    """A sentence as it stands in brackets."""
    return said(why).rstrip(".。")


def _lowest(rows: Sequence[RankingRow], of: FigureOf) -> str:
    """The text of the lowest figure of a column; none where most have as little."""
    known = [row for row in rows if of in row.figures]
    if not known:
        return ""
    lowest = min(known, key=lambda row: row.figures[of].value).text(of)
    return lowest if 2 * sum(row.text(of) == lowest for row in known) <= len(known) else ""
