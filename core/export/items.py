"""The parts of which all that is said of a result is made: the terminal prints them, reports and
the window have them as Markdown or as a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import msgspec

from modelmon.core.messages import Message, filled, joined, verbatim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from modelmon.core.comparison.result import Confidence

Row = TypeVar("Row")
Value = TypeVar("Value")


class Paragraph(msgspec.Struct, frozen=True, tag=True):
    """A text; its `tone` is strong, quiet, warn, bad or none. One without text parts others in the
    terminal.
    """

    text: Message
    tone: str = ""


class Code(msgspec.Struct, frozen=True, tag=True):
    """What is to be copied."""

    text: str
    tone: str = ""


class Table(msgspec.Struct, frozen=True, tag=True):
    """Rows of cells; without headings names and values. `looks` are those of its columns, `tones`
    those of its rows, if it has any.
    """

    headings: tuple[Message, ...]
    rows: tuple[tuple[Message, ...], ...]
    looks: tuple[str, ...] = ()
    tones: tuple[str, ...] = ()

    @property
    def right(self) -> tuple[bool, ...]:
        """Which columns are of numbers."""
        looks = self.looks or ("",) * max(map(len, self.rows), default=0)
        return tuple("right" in look for look in looks)


NO_TABLE = Table((), ())


class Mark(msgspec.Struct, frozen=True):
    """A stretch of time, or a moment, in a plot: its name, and all that is known of it."""

    name: Message
    begin_ns: float
    end_ns: float
    text: Message
    value: float = 1.0


class Plot(msgspec.Struct, frozen=True, tag=True):
    """Marks over time: in one `bar`, in `rows` of their own by name, `dots` in such rows, or a
    `curve` of their values.
    """

    kind: str
    title: Message
    marks: tuple[Mark, ...]
    end_ns: float


Printed = Paragraph | Code | Table
"""What a terminal can show."""
Item = Printed | Plot


class Column(NamedTuple, Generic[Row]):
    """A heading, the text below it of each row, and its `look`: `right` for numbers, and what
    becomes of it in a narrow terminal: columns that `lead` are the first line of their row, of the
    others those that are `named` stand behind their heading.
    """

    heading: str
    cell: Callable[[Row], str]
    look: str = ""


def line(text: str, tone: str = "") -> Paragraph:
    """A paragraph of a text that may have no translation."""
    return Paragraph(verbatim(text), tone)


def table(
    rows: Iterable[Row], *columns: Column[Row], tone: Callable[[Row], str] = lambda _row: ""
) -> Table:
    """Rows in those of the columns that have any text, in all where there are no rows."""
    rows = list(rows)
    cells = [[verbatim(column.cell(row)) for row in rows] for column in columns]
    shown = [(column, texts) for column, texts in zip(columns, cells, strict=True) if any(texts)]
    if not rows:
        shown = [(column, []) for column in columns]
    return Table(
        tuple(verbatim(column.heading) for column, _ in shown),
        tuple(zip(*(texts for _, texts in shown), strict=True)),
        tuple(column.look for column, _ in shown),
        tuple(map(tone, rows)),
    )


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """Names and their values."""
    return Table((), tuple((verbatim(name), verbatim(text)) for name, text in rows))


def note(text: str, remedy: str, tone: str = "warn") -> Iterator[Paragraph]:
    """A note, and what to do about it."""
    yield Paragraph(Message("Note: {text}", text=text), tone)
    if remedy:
        yield Paragraph(joined(("     ", remedy)), "quiet")


UNKNOWN = Message("unknown")
_SURE = {
    "high": Message("Confidence: high ({why})."),
    "medium": Message("Confidence: medium ({why})."),
    "low": Message("Confidence: low ({why})."),
}


def confidence_text(sure: Confidence, why: str) -> Message:
    """How sure a verdict is, and why."""
    return filled(_SURE[sure], why=why)


def colon(name: str, value: str) -> Message:
    """`Storage: waits for the disk`."""
    return Message("{name}: {value}", name=name, value=value)


def runs_text(count: int) -> Message:
    """`12 runs`."""
    return Message("1 run") if count == 1 else Message("{count} runs", count=count)


def known(text: Callable[[Value], str], value: Value | None, otherwise: str = "") -> str:
    """A figure as text, unless it isn't known."""
    return otherwise if value is None else text(value)


def of_all(counted: int, discarded: int) -> str:
    """How many runs count, of how many if not all do."""
    total = counted + discarded
    return Message("{done} of {total}", done=counted, total=total) if discarded else f"{counted}"
