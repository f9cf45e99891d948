"""How the terminal shows things: tables for people, one JSON document for programs."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from rich.cells import cell_len
from rich.console import Console, RenderHook
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from modelmon.core.comparison.run_validity import warnings_of
from modelmon.core.machine.processes import descendants
from modelmon.core.messages import MESSAGES, TYPED, to_text, to_wire
from modelmon.core.model.folder import SeveralModelsError
from modelmon.core.terminal_safe import CONTROLS, one_line, without_controls
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import (
        ConsoleOptions,
        ConsoleRenderable,
        RenderableType,
        RenderResult,
    )

    from modelmon.core.errors import ModelmonError
    from modelmon.core.worker.result import RunResult

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


def console() -> Console:
    """Standard output: coloured and as wide as the terminal, or plain and uncut when piped."""
    return _console(stderr=False)


def tell(text: str | OneLine | Text) -> None:
    """Print a note on standard error; text breaks between words in a terminal."""
    _console(stderr=True).print(text)


def _console(*, stderr: bool) -> Console:
    width = None if (sys.stderr if stderr else sys.stdout).isatty() else _PIPED_WIDTH
    made = SafeConsole(stderr=stderr, width=width)
    made.push_render_hook(WholeWords())
    return made


def asks_for_messages() -> bool:
    """Whether the window started this process: it alone asks for messages in place of text."""
    return os.environ.get(MESSAGES) == TYPED


def window_pids() -> set[int]:
    """The window that started this process, and all that it started: none of them is another user
    of its model. A worker that ends may have that open yet.
    """
    return {os.getppid(), *descendants(os.getppid())} if asks_for_messages() else set()


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
    to_stderr = _console(stderr=True)
    to_stderr.print(error.message, style="bold red")
    if error.remedy:
        to_stderr.print(error.remedy)
    for each in choices:
        size = "incomplete" if each.size_bytes is None else size_text(each.size_bytes)
        to_stderr.print(f"{size:>10}  modelmon inspect {shlex.quote(each.path)}")


def print_left_out(out: Console, runs: Iterable[tuple[str, RunResult]]) -> None:
    """Why runs of these labels don't count, each reason once."""
    told = Counter((label, run.why_not) for label, run in runs if not run.counts)
    for (label, why), count in told.items():
        times = f" ({count} runs)" if count > 1 else ""
        out.print(f"{label}: {why}{times}", style="yellow")


def print_warnings(out: Console, results: Iterable[RunResult]) -> None:
    """What was warned of in these runs, each kind once, and what to do about it."""
    for warned in warnings_of(results):
        out.print(f"Note: {warned.text}", style="yellow")
        out.print(f"      {warned.warning.remedy}", style="dim")


WIDE_COLUMNS = 100
"""A terminal with so many shows tables; in a narrower one only those whose cells need no second
line."""

_GAP = 2
_INDENT = 4
_BETWEEN = " · "
# A number stays with its unit, or what it counts.
_WORD = re.compile(r"(?:[\d.,]+ )?\S+")


class Column(NamedTuple):
    """A heading, and what becomes of its cells in a narrow terminal: those that `lead` are the
    first line of their row, of the others those that are `named` stand behind their heading.
    """

    heading: str
    right: bool = False
    lead: bool = False
    named: bool = False


class Listing:
    """A table whose columns without any text are left out."""

    def __init__(self, *columns: Column) -> None:
        self._columns = columns
        self._rows: list[tuple[tuple[str, ...], str]] = []

    def add_row(self, *cells: str, style: str = "") -> None:
        """A row with a cell for each column; no cell begins a line of its own."""
        self._rows.append((tuple(map(one_line, cells)), style))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As a table where there is room for it, else a paragraph for each row."""
        del console
        shown = [at for at in range(len(self._columns)) if any(row[at] for row, _ in self._rows)]
        shown = shown if self._rows else list(range(len(self._columns)))
        room = options.max_width - _GAP * len(shown)
        wanted = [self._width(at, whole=True) for at in shown]
        least = [self._width(at, whole=self._columns[at].lead) for at in shown]
        fits = sum(wanted) <= room
        if fits or (options.max_width >= WIDE_COLUMNS and sum(least) <= room):
            yield self._table(shown, wanted if fits else _shared(least, wanted, room))
        else:
            yield from self._paragraphs(shown, options.max_width)

    def _width(self, at: int, *, whole: bool) -> int:
        """What a column needs for its cells in one line, or else for their longest words."""
        texts = [self._columns[at].heading, *(row[at] for row, _ in self._rows)]
        parts = (
            part for text in texts for part in (text.split("\n") if whole else _WORD.findall(text))
        )
        return max(map(cell_len, parts), default=0)

    def _table(self, shown: Sequence[int], widths: Sequence[int]) -> Table:
        table = Table(box=None, header_style="dim", padding=(0, _GAP, 0, 0))
        for at, width in zip(shown, widths, strict=True):
            column = self._columns[at]
            table.add_column(
                column.heading, justify="right" if column.right else "left", width=width
            )
        for cells, style in self._rows:
            broken = (_split(cells[at], width) for at, width in zip(shown, widths, strict=True))
            table.add_row(*(Text("\n".join(lines)) for lines in broken), style=style)
        return table

    def _paragraphs(self, shown: Sequence[int], width: int) -> Iterator[Text]:
        leads = [at for at in shown if self._columns[at].lead]
        for cells, style in self._rows:
            told = (self._aligned(at, cells[at]) for at in leads if cells[at] or at == leads[0])
            first = "  ".join(told)
            yield from (_line(each, 0, style) for each in _split(first, width))
            others = [self._told(at, cells[at]) for at in shown if at not in leads and cells[at]]
            yield from _words(others, width, _INDENT, style or "dim", _BETWEEN)

    def _aligned(self, at: int, text: str) -> str:
        """Numbers that begin a row stand below one another."""
        column = self._columns[at]
        return text.rjust(self._width(at, whole=True)) if column.right and at == 0 else text

    def _told(self, at: int, text: str) -> str:
        column = self._columns[at]
        return f"{' '.join(column.heading.split())} {text}" if column.named else text


class Facts:
    """Names and values in two columns without lines."""

    def __init__(self, rows: Iterable[tuple[str, str]], indent: int = 0) -> None:
        self._rows = list(rows)
        self._indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """A name stands beside the first line of its value."""
        del console
        names_end = self._indent + max((cell_len(name) for name, _ in self._rows), default=0)
        indent = names_end + _GAP
        for name, value in self._rows:
            head = Text((" " * self._indent + name).ljust(indent), style="dim")
            for told in _words((one_line(value),), options.max_width, indent):
                yield Text.assemble(head, told.plain[indent:], no_wrap=True, overflow="ignore")
                head = Text(" " * indent)


class WholeWords(RenderHook):
    """Breaks what is printed between words; OneLine stays one line."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Each Text in as many lines as it takes."""
        return [_Paragraph(each) if isinstance(each, Text) else each for each in renderables]


class _Paragraph:
    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        del console
        for line in self._text.split("\n", allow_blank=True):
            yield from _broken(line, options.max_width)


def _broken(line: Text, width: int) -> Iterator[Text]:
    """A line with its styles in lines of whole words, all as far to the right as it begins."""
    plain = line.plain
    indent = len(plain) - len(plain.lstrip(" "))
    cuts: list[int] = []
    start = indent
    for word in _WORD.finditer(plain):
        if word.start() > start and indent + cell_len(plain[start : word.end()]) > width:
            start = word.start()
            cuts.append(start)
    for number, part in enumerate(line.divide(cuts)):
        if number < len(cuts):
            part.rstrip()
        yield Text(" " * indent) + part if number else part


class OneLine:
    """A command, or anything else that is to be copied: without line ends of ours."""

    def __init__(self, text: str) -> None:
        self._text = one_line(text)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """However wide the terminal is."""
        del console, options
        yield _line(self._text, 0, "")


def _words(
    words: Iterable[str], width: int, indent: int, style: str = "", between: str = " "
) -> Iterator[Text]:
    """Lines of words, or of phrases; a phrase without room of its own is broken between words."""
    line = ""
    room = max(1, width - indent)
    for phrase in words:
        joined = f"{line}{between}{phrase}" if line else phrase
        if cell_len(joined) <= room:
            line = joined
            continue
        if line:
            yield _line(line, indent, style)
        *full, line = _split(phrase, room)
        for each in full:
            yield _line(each, indent, style)
    if line:
        yield _line(line, indent, style)


def _split(phrase: str, room: int) -> list[str]:
    if cell_len(phrase) <= room:
        return [phrase]
    lines = [""]
    for word in _WORD.findall(phrase):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(joined) <= room or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def _line(text: str, indent: int, style: str) -> Text:
    return Text(" " * indent + text, style=style, no_wrap=True, overflow="ignore")


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
