"""Facts that matter beside a comparison's verdict, each in few words with the whole behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.comparison.run_validity import is_discarded_by_chance, spoiled, spoiling_of
from modelmon.core.comparison.verdict import NoteKind, arm_names, notes_of
from modelmon.core.load.strategies import changed_settings
from modelmon.core.worker.result import memory_text
from modelmon.gui.compare.axis_texts import AXIS_NAMES, value_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.notices import Chip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from modelmon.core.comparison.result import Comparison, StrategySummary
    from modelmon.core.explain.figures import Bottleneck, Confidence
    from modelmon.core.find_best.result import Recommendation, SearchResult
    from modelmon.core.worker.result import RunResult

MOST_CHIPS = 3
CONFIDENCES: dict[Confidence, str] = {
    "high": mark("High confidence"),
    "medium": mark("Medium confidence"),
    "low": mark("Low confidence"),
}
_NOT_MEASURED = {
    "cold": mark("Warm start not measured"),
    "warm": mark("Cold start not measured"),
    "as-is": mark("Cache left unchanged"),
}


def chips(comparison: Comparison, *, changed: bool) -> tuple[Chip, ...]:
    """At most three, the gravest first; `changed` says that the cards show other settings."""
    return tuple(_chips(comparison, changed=changed))[:MOST_CHIPS]


def _chips(comparison: Comparison, *, changed: bool) -> Iterator[Chip]:
    runs = (*comparison.runs_a, *comparison.runs_b)
    notes: dict[NoteKind, str] = {}
    for kind, note in notes_of(comparison):
        notes[kind] = "\n".join(filter(None, (notes.get(kind), said(note))))
    yield from other_file(comparison)
    if changed:
        a, b = comparison.arm_a.strategy, comparison.arm_b.strategy
        since = tr("Settings changed since. This compared {a} (A) with {b} (B).", a=a, b=b)
        yield Chip(tr("Settings changed"), "warn", "warn", since)
    yield from settings_chip({"A": comparison.arm_a, "B": comparison.arm_b})
    left_out = [run for run in runs if not run.counts and not is_discarded_by_chance(run)]
    if left_out:
        # All of them: the status line tells of as many.
        count = sum(not run.counts for run in runs)
        text = tr("{count} of {all} runs not counted", count=count, all=len(runs))
        why = dict.fromkeys(said(run.why_not) for run in left_out)
        yield Chip(text, "warn", "warn", "\n".join(why))
    yield from disturbed(runs)
    if "unverified" in notes:
        yield Chip(tr("Cache state not verified"), "warn", "warn", notes["unverified"])
    if "step" in notes:
        yield Chip(tr("Speed changed midway"), "warn", "warn", notes["step"])
    if "programs" in notes:
        yield Chip(_timed_text(comparison), "clock", tool_tip=notes["programs"])
    if "portion" in notes:
        yield Chip(tr("Part of the model"), "info", tool_tip=notes["portion"])
    confidence = comparison.verdict.confidence
    if comparison.verdict.winner != "undecided" and confidence != "high" and not left_out:
        why_not = said(comparison.verdict.confidence_reason)
        yield Chip(tr(CONFIDENCES[confidence]), "info", tool_tip=why_not)
    if text := _copied(comparison):
        yield Chip(text, "memory", tool_tip=notes.get("memory", ""))
    if "start" in notes:
        text = tr(_NOT_MEASURED[comparison.cache])
        yield Chip(text, "clock", tool_tip=notes["start"])


def settings_chip(arms: Mapping[str, StrategySummary | Recommendation]) -> Iterator[Chip]:
    """What isn't the default of the strategies that were measured; nothing where all is."""
    settings = {at: _settings(arm) for at, arm in arms.items()}
    both = set.intersection(*map(set, settings.values()))
    texts = [each for each in next(iter(settings.values())) if each in both]
    if texts and len(arms) > 1:
        texts[-1] = tr("{value}, A and B", value=texts[-1])
    for at, found in settings.items():
        texts += [tr("{arm}: {value}", arm=at, value=each) for each in found if each not in both]
    if texts:
        more = f" +{len(texts) - 1}" if len(texts) > 1 else ""
        told = tr("Not the default settings:")
        yield Chip(f"{texts[0]}{more}", "info", tool_tip="\n".join((told, *texts)))


def _settings(arm: StrategySummary | Recommendation) -> list[str]:
    return [
        tr(
            "{name}: {value}",
            name=tr(AXIS_NAMES[axis]),
            value=value_text(axis, getattr(arm.config, axis)),
        )
        for axis in changed_settings(arm.strategy, arm.config)
    ]


def other_file(found: Comparison | SearchResult) -> Iterator[Chip]:
    """That it was measured with another file, where it was."""
    if found.measured_with:
        told = said(found.measured_with)
        yield Chip(tr("Measured with another file"), "info", "focus", told)


def disturbed(runs: Sequence[RunResult]) -> Iterator[Chip]:
    """How many of the runs that count were disturbed, and by what; nothing where none was."""
    if count := spoiled(runs):
        kept = sum(run.counts for run in runs)
        text = tr("{count} of {all} runs disturbed", count=count, all=kept)
        warned = "\n".join(said(one.short) for one in spoiling_of(runs))
        yield Chip(text, "warn", "warn", warned)


def _timed_text(comparison: Comparison) -> str:
    runs = (comparison.runs_a[0], comparison.runs_b[0])
    if not all(run.is_program for run in runs):
        return tr("Timed differently")
    return tr("Time to read the model") if runs[0].timed == "reading" else tr("Time until ready")


def _copied(comparison: Comparison) -> str:
    """Which one copies the model, or more of it than the other."""
    runs = [comparison.runs(label)[0] for label in ("A", "B")]
    kinds = [run.memory_kind for run in runs]
    most = next((kind for kind in ("owned", "mixed") if kind in kinds), "")
    if not most or len(set(kinds)) == 1 or not {"owned", "mixed", "mapped"}.issuperset(kinds):
        return ""
    at = kinds.index(most)
    way = arm_names(comparison.arm_a, comparison.arm_b)[at]
    return tr("{way}: {kind}", way=way, kind=memory_text(runs[at]))


def bottleneck_name(found: Bottleneck) -> str:
    """What held a load back, as a badge or the head of a line says it: `Storage latency`."""
    name = said(found.label)
    return f"{name[:1].upper()}{name[1:]}"
