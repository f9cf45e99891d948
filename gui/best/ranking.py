"""The ranking of Find best in rows of text and figures, by any of its columns. No widgets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from modelmon.core.export.csv_tables import spreadsheet_cell
from modelmon.core.find_best.recommend import lead_of
from modelmon.core.units import duration_text, percent_text, size_text, three_figures
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.tables import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from modelmon.core.find_best.recommend import Lead
    from modelmon.core.find_best.result import Ending, Excluded, Standing
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache
    from modelmon.gui.session.measured import RaceState

RankBy = Literal["cold", "warm", "memory"]
RANKED_BY: dict[RankBy, str] = {
    "cold": mark("Cold start"),
    "warm": mark("Warm start"),
    "memory": mark("Memory"),
}
"""What a ranking can go by: also the columns of its figures."""
RANK_HELP: dict[RankBy, str] = {
    "cold": mark("Time for the whole model with nothing cached"),
    "warm": mark("Time for the whole model with the file in the page cache"),
    "memory": mark("Peak memory the system can't reclaim"),
}

ABSENT = "–"
_MANY_TIMES = 2.0
_SAME_MEMORY_SHARE = 0.05
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

    def text(self, of: RankBy) -> str:
        """With its unit."""
        return size_text(self.value) if of == "memory" else duration_text(self.value)


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A strategy, or a group of those that have no place in the ranking.

    `place` is 0 without one. `leads` is the one to use, `why` the reason in a line for that, or for
    not testing it. `lowest` are the columns in which no other has less.
    """

    label: str
    readers: str = ""
    figures: Mapping[RankBy, Figure] = field(default_factory=dict)
    compared: str = ""
    tool_tip: str = ""
    why: str = ""
    place: int = 0
    leads: bool = False
    running: bool = False
    is_used_by_a: bool = False
    lowest: frozenset[RankBy] = frozenset()
    members: tuple[RankingRow, ...] = ()

    def text(self, of: RankBy) -> str:
        """A figure with its unit, or a dash; of a group, where its figures begin."""
        if self.members:
            known = [row.figures[of] for row in self.members if of in row.figures]
            least = min(known, key=lambda figure: figure.value, default=None)
            return tr("from {least}", least=least.text(of)) if least is not None else ""
        return self.figures[of].text(of) if of in self.figures else ABSENT


@dataclass(frozen=True, slots=True)
class Ranking:
    """All strategies: those with a place, the best first where it is known, then the groups of the
    others. Times are for the whole model; the memory is that of a part of `portion_bytes`, where no
    more was loaded. `own` is the column that decided.
    """

    by: RankBy = "cold"
    own: RankBy = "cold"
    best: str = ""
    rows: tuple[RankingRow, ...] = ()
    measured: frozenset[RankBy] = frozenset()
    portion_bytes: int | None = None

    @property
    def every_row(self) -> tuple[RankingRow, ...]:
        """With the members of groups in the place of the groups."""
        return tuple(each for row in self.rows for each in (row.members or (row,)))


def ranking_of(races: RaceState, by: RankBy, used_by_a: LoadConfig | None = None) -> Ranking:
    """How all stand now, by the figures of a column."""
    race = races.race
    ranking = rank(
        races.standings(),
        by,
        races.cache,
        excluded=races.excluded,
        running=races.running,
        ending=race.ending if race is not None else "running",
        why=_why(races),
        used_by_a=used_by_a,
    )
    return replace(ranking, portion_bytes=races.portion_bytes)


def rank(  # noqa: PLR0913  all that rows show
    standings: Sequence[Standing],
    by: RankBy,
    cache: Cache = "cold",
    *,
    excluded: Sequence[Excluded] = (),
    running: str = "",
    ending: Ending = "running",
    why: str = "",
    used_by_a: LoadConfig | None = None,
) -> Ranking:
    """The ranking of `standings`, which were measured from `cache` and have the best first.

    What is slow from one start may be the fastest from the other: only by the times that decided
    are strategies ruled out.
    """
    if not standings:
        return Ranking(by)
    own: RankBy = "warm" if cache == "warm" else "cold"
    lead = lead_of(standings, ending)
    # What was recommended stands first, however few runs speak for it.
    best = standings[0] if lead != "too-few" or ending != "running" else None
    word = lead if ending == "running" or lead in {"too-few", "kept"} else "best"
    mine = figures_of(best, cache).get(by) if best is not None and by != own else None
    places: list[RankingRow] = []
    out: list[RankingRow] = []
    untested: list[RankingRow] = []
    for standing in standings:
        row = _row(standing, cache, ending, running=standing.label == running)
        row = replace(row, is_used_by_a=standing.config == used_by_a)
        if standing is best:
            row = replace(row, leads=True, compared=tr(_LEADS[word]), why=why)
        elif best is not None and by != own:
            row = replace(row, compared=_beside(row, mine, by))
        if standing.state == "failed":
            why_not = tr("can't run: {why}", why=_clause(standing.why))
            untested.append(RankingRow(row.label, why=why_not))
        elif by == own and standing.state == "dropped" and standing is not best:
            out.append(row)
        elif by in row.figures or ending == "running" or standing is best:
            places.append(row)
        elif row.figures:
            untested.append(replace(row, compared=_untested(standing, by)))
        else:
            untested.append(RankingRow(row.label, why=_untested(standing, by)))
    untested += [RankingRow(each.strategy, why=_clause(each.why)) for each in excluded]
    measured = [row for row in (*places, *out) if row.figures]
    lowest = {of: _lowest(measured, of) for of in RANKED_BY}

    def marked(rows: Iterable[RankingRow]) -> list[RankingRow]:
        return [
            replace(row, lowest=frozenset(of for of in RANKED_BY if row.text(of) == lowest[of]))
            for row in rows
        ]

    places.sort(key=lambda row: row.figures[by].value if by in row.figures else float("inf"))
    placed = [
        replace(row, place=place if by in row.figures else 0)
        for place, row in enumerate(marked(places), start=1)
    ]
    placed.sort(key=lambda row: not row.leads)
    groups = (_ruled_out(marked(out), standings), _not_tested(untested))
    return Ranking(
        by,
        own,
        standings[0].label if best is not None else "",
        (*placed, *(group for group in groups if group.members)),
        frozenset(of for of in RANKED_BY if any(of in row.figures for row in measured)),
    )


def table_text(ranking: Ranking) -> str:
    """The ranking to be pasted into a sheet: a heading, a line for each strategy, tabs between."""
    lines = (map(str, map(spreadsheet_cell, line)) for line in _lines(ranking))
    return "".join("\t".join(line) + "\n" for line in lines)


def markdown_text(ranking: Ranking) -> str:
    """The same as a table of Markdown."""
    heading, *rows = _lines(ranking)
    return markdown_table(heading, rows)


def _lines(ranking: Ranking) -> Iterator[tuple[str, ...]]:
    yield (
        *("#", tr("Strategy"), tr("Readers"), tr("Cold start"), tr("Warm start")),
        *(memory_name(ranking.portion_bytes), compared_heading(ranking), tr("Range")),
    )
    for row in ranking.every_row:
        figures = (row.text(of) for of in RANKED_BY)
        place = str(row.place or ABSENT)
        beside = (row.compared or row.why, range_text(row, ranking.by))
        yield (place, row.label, row.readers, *figures, *beside)


def range_text(row: RankingRow, by: RankBy) -> str:
    """The likely range of a time: `821–850 ms`; a dash where that is not known."""
    figure = row.figures.get(by)
    if figure is None or by == "memory":
        return ABSENT
    return span_text(figure.low, figure.high)


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


def figures_of(standing: Standing, cache: Cache) -> dict[RankBy, Figure]:
    """What is known of a strategy that was tested from `cache`."""
    own: RankBy = "warm" if cache == "warm" else "cold"
    other: RankBy = "cold" if own == "warm" else "warm"
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


def _beside(row: RankingRow, best: Figure | None, by: RankBy) -> str:
    """How a figure compares with that of the best, by which nothing was decided."""
    mine = row.figures.get(by)
    if row.running or mine is None or best is None:
        return row.compared if row.running else ABSENT
    ratio = mine.value / best.value if best.value else 1.0
    if by == "memory":
        return _memory_text(ratio)
    if mine.low > best.high:
        return _slower_text(ratio)
    if mine.high < best.low:
        return tr("{share} less time", share=percent_text(1 - ratio))
    return tr("No clear difference")


def _memory_text(ratio: float) -> str:
    if abs(ratio - 1) <= _SAME_MEMORY_SHARE:
        return tr("About the same")
    if ratio < 1:
        return tr("{share} less", share=percent_text(1 - ratio))
    if ratio < _MANY_TIMES:
        return tr("{share} more", share=percent_text(ratio - 1))
    return tr("{times}× as much", times=three_figures(ratio))


def _slower_text(ratio: float, *, sure: bool = True) -> str:
    if ratio >= _MANY_TIMES:
        times = three_figures(ratio)
        if sure:
            return tr("{times}× as long", times=times)
        return tr("About {times}× as long", times=times)
    share = percent_text(ratio - 1)
    return tr("{share} longer", share=share) if sure else tr("About {share} longer", share=share)


def _ruled_out(rows: Sequence[RankingRow], standings: Sequence[Standing]) -> RankingRow:
    labels = {row.label for row in rows}
    ratios = [each.ratio for each in standings if each.label in labels and each.ratio is not None]
    count = len(rows)
    text = tr("1 strategy") if count == 1 else tr("{count} strategies", count=count)
    compared = ""
    if ratios:
        least, most = percent_text(min(ratios) - 1), percent_text(max(ratios) - 1)
        compared = _slower_text(min(ratios))
        if max(ratios) >= _MANY_TIMES:
            compared = tr("From {least}", least=compared)
        elif least != most:
            compared = tr("{low}–{high} longer", low=least.removesuffix("%"), high=most)
    return RankingRow(tr("Ruled out"), why=text, compared=compared, members=tuple(rows))


def _not_tested(rows: Sequence[RankingRow]) -> RankingRow:
    names = tr(", ").join(f"{row.label} ({row.why or row.compared})" for row in rows)
    text = tr("{count}: {names}", count=len(rows), names=names)
    return RankingRow(tr("Not tested"), why=text, members=tuple(rows))


def _untested(standing: Standing, by: RankBy) -> str:
    if not standing.runs:
        return _clause(standing.why) or tr("ended before its turn")
    if by == "memory":
        return tr("memory wasn't seen")
    return tr("not from a warm start") if by == "warm" else tr("not from a cold start")


def _clause(why: str) -> str:
    """A sentence as it stands in brackets."""
    return said(why).rstrip(".。")


def _lowest(rows: Sequence[RankingRow], of: RankBy) -> str:
    """The text of the lowest figure of a column; none where most have as little."""
    known = [row for row in rows if of in row.figures]
    if not known:
        return ""
    lowest = min(known, key=lambda row: row.figures[of].value).text(of)
    return lowest if 2 * sum(row.text(of) == lowest for row in known) <= len(known) else ""


def _why(races: RaceState) -> str:
    """Why the recommended one: how sure that is, and what speaks for the second."""
    if races.race is None:
        return ""
    found = races.race.recommendation
    sure = tr("{reason}.", reason=found.confidence_reason)
    if not found.runner_up:
        return sure
    second = tr("Runner-up: {way}. {when}", way=found.runner_up, when=found.runner_up_wins)
    return f"{sure} {second}"
