"""The verdict of a comparison: a notice for the slot, and the whole in a dialog."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from modelmon.core.comparison.run_validity import is_discarded_by_chance
from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.comparison.verdict import (
    NoteKind,
    arm_names,
    notes_of,
)
from modelmon.core.export.outcomes import advised
from modelmon.core.worker.result import memory_text
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.plots.run_strip import RunStrip, rows_of_comparison, title_of
from modelmon.gui.session.details import details_text, lines_of
from modelmon.gui.session.notices import Chip, Choice, Notice
from modelmon.gui.session.run_words import (
    CONFIDENCES,
    MOST_CHIPS,
    disturbed,
    model_share_text,
    other_file,
    settings_chip,
)
from modelmon.gui.widgets.dialog import TextDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QWidget

    from modelmon.core.comparison.result import Comparison

_SIZE_PX = (680, 520)
_NOT_MEASURED = {
    "cold": mark("Warm start not measured"),
    "warm": mark("Cold start not measured"),
    "as-is": mark("Cache left unchanged"),
}


def verdict_notice(
    comparison: Comparison,
    *,
    changed: bool,
    export: Choice,
    again: Callable[[], None],
    dated: str = "",
) -> Notice:
    """What to do and why, and the way on; `changed` says that the cards show other settings by now,
    `dated` when it was found, where that was before.
    """
    verdict = comparison.verdict
    part = model_share_text(comparison.runs_a[0])
    loaded = tr("Loaded {part}.", part=part) if part else ""
    decided = verdict.winner != "undecided"
    few = verdict.pairs < MIN_PAIRS_FOR_INTERVAL and not comparison.lost_its_model
    pairs = tr("Run {count} pairs", count=MIN_PAIRS_FOR_INTERVAL)
    # The one that is left to do is the first.
    text = pairs if few else tr("Compare again")
    compare = Choice(text, again, primary=not decided, icon="compare")
    signs, winner = {"no-difference": "=", "undecided": "?"}, advised(verdict)
    return Notice(
        said(verdict.sentence),
        sentences(dated, loaded, said(verdict.reason)),
        choices=(export, compare) if decided else (compare,),
        chips=chips(comparison, changed=changed),
        badge=signs.get(winner, winner),
        details=partial(show_details, comparison),
    )


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


class VerdictDetails(TextDialog):
    """The details of one comparison, below all of its runs."""

    def __init__(self, comparison: Comparison, parent: QWidget) -> None:
        text = markdown_text(comparison)
        super().__init__(tr("Comparison details"), text, parent, _SIZE_PX, is_markdown=True)
        self.strip = RunStrip()
        self.strip.show_rows(rows_of_comparison(comparison), title_of(comparison))
        self.column.insertWidget(0, self.strip)


def show_details(comparison: Comparison, parent: QWidget, about: str = "") -> None:
    """Open them, with the line that `about` is in selected."""
    dialog = VerdictDetails(comparison, parent)
    dialog.select(about)
    dialog.open()


def markdown_text(comparison: Comparison) -> str:
    """A verdict as the dialog shows it, and to be pasted into an issue or a page."""
    return details_text(comparison, lines_of(_chips(comparison, changed=False)))
