"""What is said of a search for the fastest strategy or load setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.comparison.spread import COVERAGE_SHARE
from modelmon.core.export.items import (
    STARTS,
    Code,
    Column,
    Paragraph,
    colon,
    confidence_text,
    known,
    runs_text,
    table,
)
from modelmon.core.export.run_items import left_out, warnings_items
from modelmon.core.find_best.recommend import lead_of
from modelmon.core.messages import Message, joined
from modelmon.core.units import (
    duration_text,
    percent_text,
    request_text,
    size_text,
    three_figures,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.export.items import Printed, Table
    from modelmon.core.find_best.recommend import Lead
    from modelmon.core.find_best.result import Ending, SearchResult, Standing
    from modelmon.core.worker.events import Cache

_LEADS: dict[Lead, Message] = {
    "too-few": Message("too early to tell"),
    "kept": Message("keep"),
    "best-so-far": Message("best so far"),
    "best": Message("best"),
}
_ENDINGS = {
    "decided": Message("Result is clear"),
    "budget": Message("Time limit reached"),
    "stopped": Message("Stopped"),
    "running": Message("Running"),
}
_START = {"cold": Message("Cold\nstart"), "warm": Message("Warm\nstart")}


def standings_table(
    standings: Sequence[Standing],
    cache: Cache = "cold",
    running: str = "",
    ending: Ending = "running",
    portion_bytes: int | None = None,
) -> Table:
    """The ranking by starts from such a cache; `running` is the arm whose run is under way. Times
    are for the whole model, memory is what a part takes where only that was loaded.
    """
    first, second = ("cold", "warm") if cache == "cold" else ("warm", "cold")
    memory = (
        Message("Memory of\n{size}", size=size_text(portion_bytes))
        if portion_bytes
        else Message("Private\nmemory")
    )
    lead = lead_of(standings, ending) if standings else "too-few"

    def state(at: int) -> str:
        also = [Message("running")] if standings[at].label == running else []
        return joined(filter(None, (*also, _state(standings[at], at, lead))), "; ")

    def tone(at: int) -> str:
        return "strong" if at == 0 else "quiet" if standings[at].state != "racing" else ""

    return table(
        range(len(standings)),
        Column("", lambda at: f"{at + 1}", "right lead"),
        Column(Message("Strategy"), lambda at: standings[at].label, "lead"),
        Column(
            _START[first],
            lambda at: known(duration_text, standings[at].expected_ns),
            "right named",
        ),
        Column(Message("Relative\ntime"), lambda at: _against(standings[at]), "right named"),
        Column(Message("Runs"), lambda at: f"{standings[at].runs}", "right named"),
        Column(
            _START[second],
            lambda at: known(duration_text, standings[at].other_median_ns),
            "right named",
        ),
        Column(memory, lambda at: known(size_text, standings[at].held_bytes), "right named"),
        Column("", state),
        tone=tone,
    )


def search_items(race: SearchResult) -> Iterator[Printed]:
    """The recommendation, the ranking, and what to know beside them."""
    found = race.recommendation
    yield Paragraph(found.sentence, "strong")
    yield from map(Paragraph, found.reasons)
    low, high = duration_text(found.expected_low_ns), duration_text(found.expected_high_ns)
    times = {"time": duration_text(found.expected_ns), "low": low, "high": high}
    expected = (
        Message("Expected: {time} (likely {low} to {high})", **times)
        if low != high
        else Message("Expected: {time}", time=times["time"])
    )
    if found.extrapolated:
        size = request_text(race.portion_bytes or 0)
        expected = Message("{expected}, extrapolated from {size}", expected=expected, size=size)
    sure = confidence_text(found.confidence, found.confidence_reason)
    yield Paragraph(joined((Message("{sentence}.", sentence=expected), sure)))
    part = race.portion_bytes
    yield standings_table(race.standings, race.cache, ending=race.ending, portion_bytes=part)
    if any(standing.ratio for standing in race.standings[1:]):
        yield Paragraph(
            Message(
                "Times are estimates from all rounds; ranges are right in {share} of cases.",
                share=percent_text(COVERAGE_SHARE),
            ),
            "quiet",
        )
    if race.why_stopped:
        yield Paragraph(Message("Stopped early: {why}", why=race.why_stopped), "bad")
    for text in found.contradictions:
        yield Paragraph(text, "warn")
    if found.runner_up:
        runner_up = Message("Runner-up: {strategy}.", strategy=found.runner_up)
        yield Paragraph(joined(filter(None, (runner_up, found.runner_up_wins))))
    for advice in found.advice:
        yield Paragraph(Message("Also: {text}", text=advice.text))
        if advice.command:
            yield Code(f"  {advice.command}")
        told = Message("{expected} ({source})", expected=advice.expected, source=advice.source)
        yield Paragraph(joined((" ", told)), "quiet")
    yield from warnings_items(run.result for run in race.runs)
    yield from left_out((run.label, run.result) for run in race.runs)
    for each in race.excluded if found.to_set else ():
        text = Message("Not tested: {strategy}. {why}.", strategy=each.strategy, why=each.why)
        yield Paragraph(text, "quiet")
    yield Paragraph(
        Message(
            "{model}, {start} starts, {runs} in {rounds} and {time}. {ending}.",
            model=race.model.name,
            start=STARTS[race.cache],
            runs=runs_text(len(race.runs)),
            rounds=Message("1 round")
            if race.rounds == 1
            else Message("{count} rounds", count=race.rounds),
            time=duration_text(race.spent_ns),
            ending=_ENDINGS[race.ending],
        ),
        "quiet",
    )
    if found.to_set:
        yield Code(found.to_set)


def _against(standing: Standing) -> str:
    low, high = standing.ratio_low, standing.ratio_high
    if standing.ratio is None or low is None or high is None:
        return ""
    if standing.label == standing.against:
        return "1"
    figures = {
        "ratio": three_figures(standing.ratio),
        "low": three_figures(low),
        "high": three_figures(high),
    }
    if standing.coverage_share is None:
        return Message("{ratio} (about {low}–{high})", **figures)
    return Message("{ratio} ({low}–{high})", **figures)


def _state(standing: Standing, at: int, lead: Lead) -> str:
    if at == 0 and standing.runs and standing.state != "failed":
        return _LEADS[lead]
    if standing.state == "racing":
        low = standing.ratio_low
        few = low is not None and low <= 1 and standing.coverage_share is None
        return _LEADS["too-few"] if few else ""
    out = standing.state == "dropped"
    return colon(Message("ruled out") if out else Message("cannot run"), standing.why)
