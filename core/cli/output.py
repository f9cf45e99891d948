"""How the terminal shows things: tables for people, one JSON document for programs."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from rich.cells import cell_len
from rich.console import Console, RenderHook
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Text

from modelmon.core.export.items import Code, Table
from modelmon.core.messages import MESSAGES, TYPED, to_text, to_wire
from modelmon.core.model.sharded import SeveralModelsError
from modelmon.core.terminal_safe import CONTROLS, one_line, without_controls
from modelmon.core.units import size_text, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import (
        ConsoleOptions,
        ConsoleRenderable,
        RenderableType,
        RenderResult,
    )

    from modelmon.core.errors import ModelmonError
    from modelmon.core.export.items import Printed

_PIPED_WIDTH = 10_000
_NOT_ASCII = re.compile("[^\\x00-\\x7f]")


class SafeConsole(Console):
    """Prints styles of our own alone: what steers a terminal is taken out of every text, and no
    bracket or colon of a name is a command.
    """

    def __init__(self, *, stderr: bool, width: int | None = None) -> None:
        super().__init__(
            stderr=stderr, highlight=False, soft_wrap=True, width=width, markup=False, emoji=False
        )

    def print(self, *objects: object, **options: Any) -> None:
        """Each text is one paragraph, whatever names it has."""
        super().print(*(one_line(o) if isinstance(o, str) else o for o in objects), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """As rich does; all that is printed passes here."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else without_controls(text), style, control)


def console(*, stderr: bool = False) -> Console:
    """Standard output: coloured and as wide as the terminal, or plain when piped; sentences are
    uncut then, and tables have `COLUMNS` of the environment, or `WIDE_COLUMNS`.
    """
    width = None if (sys.stderr if stderr else sys.stdout).isatty() else _PIPED_WIDTH
    made = SafeConsole(stderr=stderr, width=width)
    made.push_render_hook(WholeWords())
    return made


def tell(text: str | Text | Code) -> None:
    """Print a note on standard error; text breaks between words in a terminal."""
    console(stderr=True).print(rendered(text) if isinstance(text, Code) else text)


def print_items(*items: Printed) -> None:
    """Print parts of a result on standard output."""
    out = console()
    for each in items:
        out.print(rendered(each))


def answer(value: object, items: Iterable[Printed], *, as_json: bool) -> None:
    """Print what a command found: as JSON where that is asked for, else its parts."""
    if as_json:
        print_json(value)
    else:
        print_items(*items)


def rendered(item: Printed) -> ConsoleRenderable:
    """What rich prints of it."""
    if isinstance(item, Table):
        return _Listing(item) if item.headings else _Facts(item)
    if isinstance(item, Code):
        return _OneLine(item.text, _STYLES[item.tone])
    return Text(one_line(item.text), _STYLES[item.tone])


_STYLES = {"": "", "strong": "bold", "quiet": "dim", "warn": "yellow", "bad": "bold red"}


def asks_for_messages() -> bool:
    """Whether the window started this process: it alone asks for messages in place of text."""
    return os.environ.get(MESSAGES) == TYPED


def print_json(value: object) -> None:
    """`value` as JSON, alone on standard output.

    What is said in it is English text, or messages where the window asks for it by the environment.
    """
    hook = to_wire if asks_for_messages() else to_text
    print_document(msgspec.json.encode(value, enc_hook=hook).decode() + "\n", is_json=True)


def print_document(text: str, *, is_json: bool = False) -> None:
    """Text for programs, as it is, on standard output: in UTF-8, even where people read another
    encoding; JSON is ASCII there, and has no control characters anywhere.
    """
    if is_json:
        is_utf = "utf" in (sys.stdout.encoding or "utf-8").lower()
        text = (CONTROLS if is_utf else _NOT_ASCII).sub(_escaped, text)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names of files may have bytes that are no text.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.stdout.write(text)
    sys.stdout.flush()


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def print_error(error: ModelmonError, *, as_json: bool) -> None:
    """The sentence and what to do next on standard error; with --json on standard output too."""
    choices = error.choices if isinstance(error, SeveralModelsError) else ()
    if as_json:
        more = {"choices": choices} if choices else {}
        print_json({"error": {"message": error.message, "remedy": error.remedy, **more}})
    to_stderr = console(stderr=True)
    to_stderr.print(error.message, style="bold red")
    if error.remedy:
        to_stderr.print(error.remedy)
    for each in choices:
        size = "incomplete" if each.size_bytes is None else size_text(each.size_bytes)
        to_stderr.print(f"{size:>10}  modelmon inspect {shlex.quote(each.path)}")


WIDE_COLUMNS = 100
"""A terminal with so many shows tables; in a narrower one only those whose cells need no second
line. Also the width of one where there is no terminal."""

_GAP = 2
_INDENT = 4
# A number stays with its unit, or what it counts.
_WORD = re.compile(r"(?:[\d.,]+ )?\S+")


class _Listing:
    """A table with headings."""

    def __init__(self, item: Table) -> None:
        self._headings, self._looks = item.headings, item.looks or ("",) * len(item.headings)
        self._rows = [[one_line(cell) for cell in row] for row in item.rows]
        tones = item.tones or ("",) * len(self._rows)
        self._styles = [_STYLES[tone] for tone in tones]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As a table where there is room for it, else a paragraph for each row."""
        del console
        width = options.max_width
        if width == _PIPED_WIDTH:
            width = whole_number(os.environ.get("COLUMNS", "")) or WIDE_COLUMNS
        every = range(len(self._headings))
        room = width - _GAP * len(every)
        wanted = [self._width(at, whole=True) for at in every]
        least = [self._width(at, whole=self._has(at, "lead")) for at in every]
        fits = sum(wanted) <= room
        if fits or (width >= WIDE_COLUMNS and sum(least) <= room):
            yield self._table(wanted if fits else _shared(least, wanted, room))
        else:
            yield from self._paragraphs(width)

    def _has(self, at: int, trait: str) -> bool:
        return trait in self._looks[at]

    def _width(self, at: int, *, whole: bool) -> int:
        """What a column needs for its cells in one line, or else for their longest words."""
        texts = [self._headings[at], *(row[at] for row in self._rows)]
        parts = (
            part for text in texts for part in (text.split("\n") if whole else _WORD.findall(text))
        )
        return max(map(cell_len, parts), default=0)

    def _table(self, widths: Sequence[int]) -> RichTable:
        table = RichTable(box=None, header_style="dim", padding=(0, _GAP, 0, 0))
        for at, width in enumerate(widths):
            justify: Literal["left", "right"] = "right" if self._has(at, "right") else "left"
            table.add_column(self._headings[at], justify=justify, width=width)
        for cells, style in zip(self._rows, self._styles, strict=True):
            broken = (_wrapped([cell], width) for cell, width in zip(cells, widths, strict=True))
            table.add_row(*(Text("\n".join(lines)) for lines in broken), style=style)
        return table

    def _paragraphs(self, width: int) -> Iterator[Text]:
        every = range(len(self._headings))
        leads = [at for at in every if self._has(at, "lead")]
        for cells, style in zip(self._rows, self._styles, strict=True):
            first = [self._aligned(at, cells[at]) for at in leads if cells[at] or at == leads[0]]
            others = [self._named(at, cells[at]) for at in every if at not in leads and cells[at]]
            for line in _wrapped(["  ".join(first)], width):
                yield _line(line, style)
            for line in filter(None, _wrapped(others, width - _INDENT, " · ")):
                yield _line(" " * _INDENT + line, style or "dim")

    def _aligned(self, at: int, text: str) -> str:
        """Numbers that begin a row stand below one another, or say what they count."""
        if self._has(at, "named"):
            return self._named(at, text)
        right = at == 0 and self._has(at, "right")
        return text.rjust(self._width(at, whole=True)) if right else text

    def _named(self, at: int, text: str) -> str:
        heading = " ".join(self._headings[at].split())
        return f"{heading} {text}" if self._has(at, "named") else text


class _Facts:
    """Names and values in two columns without lines."""

    def __init__(self, item: Table) -> None:
        self._rows = [(one_line(name), one_line(value)) for name, value in item.rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """A name stands beside the first line of its value; a long one, as a quoted line of a
        program, doesn't take the room of values below it.
        """
        del console
        hanging = max((cell_len(name) for name, _ in self._rows), default=0) + _GAP
        hanging = min(hanging, options.max_width // 4)
        for name, value in self._rows:
            line = Text.assemble(((name + " " * _GAP).ljust(hanging), "dim"), value)
            yield from _broken(line, options.max_width, hanging)


class WholeWords(RenderHook):
    """Breaks what is printed between words; Code stays one line."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Each Text in as many lines as it takes."""
        return [_Paragraph(each) if isinstance(each, Text) else each for each in renderables]


class _Paragraph:
    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        del console
        for line in self._text.split("\n", allow_blank=True):
            indent = len(line.plain) - len(line.plain.lstrip(" "))
            yield from _broken(line, options.max_width, indent)


class _OneLine:
    """A command, or anything else that is to be copied: without line ends of ours."""

    def __init__(self, text: str, style: str = "") -> None:
        self._text, self._style = one_line(text), style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """However wide the terminal is."""
        del console, options
        yield _line(self._text, self._style)


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ignore")


def _broken(line: Text, width: int, indent: int) -> Iterator[Text]:
    """A line with its styles in lines of whole words, all but the first with an indent."""
    plain = line.plain
    cuts: list[int] = []
    start, room = 0, width
    for word in _WORD.finditer(plain, indent):
        if word.start() > max(start, indent) and cell_len(plain[start : word.end()]) > room:
            start, room = word.start(), width - indent
            cuts.append(start)
    for number, part in enumerate(line.divide(cuts)):
        if number < len(cuts):
            part.rstrip()
        shown = Text(" " * indent) + part if number else part
        shown.no_wrap, shown.overflow = True, "ignore"
        yield shown


def _wrapped(phrases: Iterable[str], width: int, between: str = " ") -> list[str]:
    """Lines of phrases; one without room of its own is broken between its words."""
    lines = [""]
    for phrase in phrases:
        joined = f"{lines[-1]}{between}{phrase}" if lines[-1] else phrase
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        words = _WORD.findall(phrase) if cell_len(phrase) > width else []
        parts = _wrapped(words, width) if len(words) > 1 else [phrase]
        lines = [*lines, *parts] if lines[-1] else [*lines[:-1], *parts]
    return lines


def _shared(least: Sequence[int], wanted: Sequence[int], room: int) -> list[int]:
    """Widths of columns: at least so much, and of what is left as much to each as it can use."""
    widths = list(least)
    while (left := room - sum(widths)) > 0:
        short = [at for at, width in enumerate(widths) if width < wanted[at]]
        if not short:
            break
        each = max(1, left // len(short))
        for at in short[:left]:
            widths[at] += min(each, wanted[at] - widths[at])
    return widths
