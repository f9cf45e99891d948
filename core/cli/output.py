"""How the terminal shows things: tables for people, one JSON document for programs."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.segment import Segment

from modelmon.core.cli.layout import OneLine, WholeWords
from modelmon.core.comparison.warned_runs import warnings_of
from modelmon.core.machine.process_tree import descendants
from modelmon.core.messages import MESSAGES, TYPED, to_text, to_wire
from modelmon.core.model.folder import SeveralModelsError
from modelmon.core.terminal_safe import CONTROLS, one_line, without_controls
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType
    from rich.text import Text

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
