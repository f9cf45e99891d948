"""All that a search has to say, to be read and copied from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextDocument

from modelmon.gui.best.race_words import expected_text, summary_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.run_words import CONFIDENCES
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.markdown import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtWidgets import QWidget

    from modelmon.core.find_best.result import Advice, SearchResult

_SIZE_PX = (760, 560)
_BASES = {
    "measured": mark("measured"),
    "observed": mark("observed"),
    "rule of thumb": mark("rule of thumb"),
}


class RaceDetails(TextDialog):
    """Why, what to expect, what to keep in mind, and other ways to load faster."""

    def __init__(self, race: SearchResult, parent: QWidget) -> None:
        super().__init__(tr("Find best details"), "", parent, _SIZE_PX)
        feature = QTextDocument.MarkdownFeature
        features = feature.MarkdownDialectCommonMark | feature.MarkdownNoHTML
        self.text.document().setMarkdown(details_text(race), features)


def details_text(race: SearchResult) -> str:
    """The whole as Markdown."""
    return "\n\n".join(_parts(race))


def _parts(race: SearchResult) -> Iterator[str]:
    found = race.recommendation
    yield from _section(tr("Stopped early"), (said(race.why_stopped),))
    if race.command:
        yield from _section(tr("What to set"), (said(found.to_set),))
        yield _command(race.command)
    yield from _section(tr("Why"), map(said, found.reasons))
    expect = tr(
        "{expected}. {confidence}: {reason}.",
        expected=expected_text(race),
        confidence=tr(CONFIDENCES[found.confidence]),
        reason=found.confidence_reason,
    )
    yield from _section(tr("Expected time"), (expect,))
    if found.runner_up:
        second = tr("Runner-up: {way}", way=found.runner_up)
        yield from _section(second, (said(found.runner_up_wins),))
    yield from _section(tr("Keep in mind"), map(said, found.contradictions))
    if found.advice:
        yield _heading(tr("Other ways to load faster"))
        for advice in found.advice:
            yield from _advice(advice)
    yield escaped(tr("{summary}.", summary=summary_text(race)))


def _advice(advice: Advice) -> Iterator[str]:
    """What to do, what it brings, how that is known, and its command."""
    basis = tr(_BASES[advice.basis])
    known = tr(
        "{expected} ({basis}: {source})",
        expected=advice.expected,
        basis=basis,
        source=advice.source,
    )
    yield f"**{basis.capitalize()}**: {escaped(said(advice.text))}"
    yield escaped(known.strip())
    if advice.command:
        yield _command(advice.command)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    texts = [escaped(line) for line in lines if line]
    if texts:
        yield from (_heading(title), *texts)


def _heading(title: str) -> str:
    return f"#### {escaped(title)}"


def _command(command: str) -> str:
    """As it is, whatever is in it."""
    return "\n".join(f"    {line}" for line in command.splitlines())
