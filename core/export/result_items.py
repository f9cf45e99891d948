"""What is said of each kind of result: of a comparison, a search, a cluster or a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import typical
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.spread import COVERAGE_SHARE
from modelmon.core.comparison.verdict import arm_names, phases_of_programs, time_goes
from modelmon.core.export.items import (
    UNKNOWN,
    Code,
    Column,
    Paragraph,
    colon,
    confidence_text,
    facts,
    known,
    note,
    of_all,
    runs_text,
    table,
)
from modelmon.core.export.run_items import START_WORDS, left_out, run_items, warnings_items
from modelmon.core.find_best.recommend import lead_of
from modelmon.core.find_best.result import SearchResult
from modelmon.core.load.strategies import strategy_text
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
    two_figures,
    wait_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.result import (
        ClusterArm,
        ClusterRun,
        NodeRun,
        Straggler,
    )
    from modelmon.core.comparison.decision import Label
    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.export.items import Printed, Table
    from modelmon.core.export.saved import Saved
    from modelmon.core.find_best.recommend import Lead
    from modelmon.core.find_best.result import Ending, Standing
    from modelmon.core.worker.events import Cache


def comparison_items(comparison: Comparison) -> Iterator[Printed]:
    """The verdict, both arms, and what has to be known of single runs."""
    verdict = comparison.verdict
    yield Paragraph(verdict.sentence, "strong")
    yield Paragraph(verdict.reason)
    yield Paragraph(verdict.caveat, "quiet")
    yield table(
        (comparison.arm_a, comparison.arm_b),
        Column("", lambda arm: arm.label, "lead"),
        Column(Message("Strategy"), lambda arm: strategy_text(arm.strategy, arm.config), "lead"),
        Column(Message("Estimate"), lambda arm: duration_text(arm.usual_ns), "right lead"),
        Column(Message("Median"), lambda arm: duration_text(arm.median_ns), "right named"),
        Column(
            Message("Range"),
            lambda arm: f"{duration_text(arm.fastest_ns)}–{duration_text(arm.slowest_ns)}",
            "right",
        ),
        Column(Message("Rate"), lambda arm: rate_text(arm.bytes_per_s), "right"),
        Column(
            Message("I/O wait"),
            lambda arm: known(percent_text, arm.io_wait_share, UNKNOWN),
            "right named",
        ),
        Column(
            Message("Peak memory"),
            lambda arm: known(size_text, arm.peak_rss_bytes, UNKNOWN),
            "right named",
        ),
        Column(Message("Runs"), lambda arm: of_all(arm.runs, arm.discarded), "right named"),
    )
    labels: tuple[Label, ...] = ("A", "B")
    for label in labels:
        if line := comparison.command(label):
            yield Code(f"{label}: {line}", "quiet")
    arms = (comparison.arm_a, comparison.arm_b)
    for name, arm in zip(arm_names(*arms), arms, strict=True):
        yield Paragraph(time_goes(name, arm))
    if phases := phases_of_programs(comparison):
        yield table(
            phases,
            Column(Message("Phase (median)"), lambda phase: phase.name, "lead"),
            Column("A", lambda phase: phase.times[0], "right lead"),
            Column("B", lambda phase: phase.times[1], "right lead"),
        )
    if comparison.lost_its_model and verdict.winner != "undecided":
        yield Paragraph(Message("The model was changed or removed meanwhile."), "bad")
    runs = [(label, run) for label in labels for run in comparison.runs(label)]
    yield from left_out(runs)
    yield from warnings_items(run for _, run in runs)
    yield Paragraph(confidence_text(verdict.confidence, verdict.confidence_reason))
    if verdict.sensitivity:
        yield Paragraph(verdict.sensitivity, "quiet")
    figures = {"model": comparison.model.name, "start": START_WORDS[comparison.cache]}
    yield Paragraph(Message("{model}, {start} starts.", **figures), "quiet")


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
            start=START_WORDS[race.cache],
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


_MOST_LINES = 16
"""Of a table of nodes."""


def cluster_items(result: ClusterResult) -> Iterator[Printed]:
    """All of it for a person."""
    for number, sentence in enumerate(result.recommendation):
        yield Paragraph(sentence, "strong" if number == 0 else "")
    for arm in result.arms:
        yield Paragraph(NOTHING)
        names = {"way": arm.way.name, "start": arm.way.start.text}
        yield Paragraph(Message("{way}, {start}", **names), "quiet")
        yield _curve(arm)
        yield facts(_facts(arm))
        runs = [run for run in result.runs if run.label == arm.way.label]
        if full := typical(runs):
            yield nodes_table(full, most=_MOST_LINES)
            if len(full.nodes) > _MOST_LINES:
                shown = {"count": len(full.nodes), "most": _MOST_LINES}
                yield Paragraph(Message("Of {count} nodes the {most} slowest.", **shown), "quiet")
        for straggler in arm.stragglers:
            yield Paragraph(straggler.sentence, "warn")
    for each in result.notes:
        yield from note(each, "")
    if result.stopped:
        early = Message("Stopped early: these are fewer starts than asked for.")
        yield Paragraph(early, "warn")


def _curve(arm: ClusterArm) -> Table:
    one = arm.curve[0].bytes_per_s if arm.curve and arm.curve[0].nodes == 1 else 0.0
    knee = arm.scaling.knee.value if arm.scaling and arm.scaling.knee else None
    limit = next((point.nodes for point in arm.curve if knee and point.nodes >= knee), None)
    return table(
        arm.curve,
        Column(Message("Nodes"), lambda at: f"{at.nodes}", "right lead named"),
        Column(Message("First ready"), lambda at: duration_text(at.first_ns), "right named"),
        Column(Message("Median"), lambda at: duration_text(at.median_ns), "right named"),
        Column(Message("Last ready"), lambda at: duration_text(at.last_ns), "right named"),
        Column(Message("All together"), lambda at: rate_text(at.bytes_per_s), "right named"),
        Column(
            Message("Times one"),
            lambda at: f"{two_figures(at.bytes_per_s / one)}×" if one else "",
            "right named",
        ),
        Column(Message("Runs"), lambda at: f"{at.runs}", "right named"),
        Column("", lambda at: Message("storage is at its limit") if at.nodes == limit else ""),
    )


def _facts(arm: ClusterArm) -> Iterator[tuple[str, str]]:
    if not arm.counted:
        none = Message("no start: the figures are of starts that don't count")
        yield Message("Counted"), none
    elif arm.discarded:
        counts = {"done": arm.counted, "total": arm.counted + arm.discarded}
        yield Message("Counted"), Message("{done} of {total} starts", **counts)
    if arm.skew_ns is not None and any(point.nodes > 1 for point in arm.curve):
        yield (
            Message("Starts"),
            Message(
                "within {time} of each other, by the nodes' own clocks", time=wait_text(arm.skew_ns)
            ),
        )
    from_storage = Message("From storage")
    if arm.amplification is not None:
        times = two_figures(arm.amplification)
        yield from_storage, Message("{times}× the model for all nodes", times=times)
    elif arm.curve:
        unknown = Message("unknown: this storage doesn't count what it delivers")
        yield from_storage, unknown
    if arm.summary is not None and arm.summary.bottleneck is not None:
        found = arm.summary.bottleneck
        yield Message("Bottleneck"), colon(found.label, found.sentence)


def nodes_table(
    run: ClusterRun, stragglers: Sequence[Straggler] = (), most: int | None = None
) -> Table:
    """The nodes of a start, those that failed first, then the slowest; of many so many. Of
    `stragglers` it says why they lag behind.
    """
    slow = {each.node: each.sentence for each in stragglers}

    def why(each: NodeRun) -> str:
        counts = each.result.why_not if each.result is not None else ""
        return each.problem or slow.get(each.node) or counts

    order = sorted(run.nodes, key=lambda node: (not node.problem, -(node.ready_ns or 0)))
    return table(
        order[:most],
        Column(Message("Node"), lambda each: each.node, "lead"),
        Column(
            Message("Ready"), lambda each: known(duration_text, each.ready_ns, "–"), "right lead"
        ),
        Column(
            Message("Rate"),
            lambda each: rate_text(each.result.bytes_per_s) if each.result else "",
            "right",
        ),
        Column(
            Message("From storage"),
            lambda each: known(size_text, each.storage_bytes),
            "right named",
        ),
        Column(
            Message("Was cached"),
            lambda each: known(
                percent_text, each.result.residency_before_share if each.result else None
            ),
            "right named",
        ),
        Column(Message("Started late"), lambda each: known(wait_text, each.late_ns), "right named"),
        Column(Message("Reason"), why),
        tone=lambda each: "bad" if each.problem else "warn" if each.node in slow else "",
    )


def result_items(found: Saved | RunAnalysis) -> Iterator[Printed]:
    """The answer, tables, and what stands behind it."""
    if isinstance(found, ClusterResult):
        return cluster_items(found)
    if isinstance(found, Comparison):
        return comparison_items(found)
    if isinstance(found, SearchResult):
        return search_items(found)
    return run_items(found)
