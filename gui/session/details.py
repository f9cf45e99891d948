"""The details of a result: what the terminal prints, in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.items import Code
from modelmon.core.export.report import Report, Section, as_markdown, escaped
from modelmon.core.export.result_items import result_items
from modelmon.core.messages import NOTHING
from modelmon.gui.language import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.export.items import Item
    from modelmon.core.export.saved import Saved
    from modelmon.gui.session.notices import Chip


def details_text(found: Saved | RunAnalysis, more: Iterable[str] = (), command: str = "") -> str:
    """As Markdown: the answer, tables, and what stands behind it; then a `command` to copy, and
    `more` lines, those that it doesn't say yet.
    """
    items = (*result_items(found), *([Code(command)] if command else ()))
    text = markdown_of(items)
    lines = [line for each in dict.fromkeys(more) if (line := escaped(each)) and line not in text]
    return "".join((text, "\n", *(f"- {line}\n" for line in lines)))


def markdown_of(items: Iterable[Item]) -> str:
    """What the terminal prints, in the language of the window."""
    return as_markdown(Report(NOTHING, (Section(NOTHING, tuple(items)),), ()).changed(said))


def lines_of(chips: Iterable[Chip]) -> Iterable[str]:
    """What is said of each under the pointer, for `more`."""
    return (line for chip in chips for line in chip.tool_tip.splitlines())
