"""A report to hand on: what was measured, as Markdown or as one page; without what is private.

The texts and tables are those of the terminal. Nothing here words a result anew.
"""

from __future__ import annotations

import getpass
import re
import shlex
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from modelmon.core.export.items import Code, Item, Paragraph, Plot, Table
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.redaction import without_secrets
from modelmon.core.terminal_safe import one_line
from modelmon.core.worker.command_words import recorded_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_FOLDERS = re.compile(r"(?<![\w.:/…])(?!/(?:dev|usr|bin)/)(?:~|\.{1,2})?/(?:[^\s/'\"<>|:;,()]+/)+")
_MOUNTED = re.compile(r"(?<![\w:/])(?:[\w.@-]+:/(?!/)|//)[^\s'\"<>|;,()]+")
"""What servers mount: `host:/folder` and `//host/share`."""
_ADDRESS = re.compile(r"(?<![\w.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])")
_ADDRESS_OF_HOST = re.compile(r"(\w+://)[^\s'\"<>]+")
_PUBLIC = re.compile(
    r"\w+://(?:127\.|localhost\b|\[::1\]|(?:github\.com|docs\.vllm\.ai|huggingface\.co)/)"
)
"""Addresses that say nothing of who has them: of this machine, and of documents."""
_LEAST_NAME = 3
_MARKDOWN = re.compile(r"([\\|<\[`*_])")
HIDDEN = "…"


class Section(msgspec.Struct, frozen=True):
    """A part of the report; folded behind a word where few need it."""

    title: Message
    items: tuple[Item, ...]
    folded: Message = NOTHING


class Report(msgspec.Struct, frozen=True):
    """What is handed on: `data` is the result as JSON has it."""

    title: Message
    sections: tuple[Section, ...]
    data: tuple[Any, ...]
    language: str = "en"

    def changed(self, change: Callable[[str], str], language: str = "en") -> Report:
        """It with every text gone through `change`."""

        def text(each: str) -> Message:
            return verbatim(change(each))

        def item(each: Item) -> Item:
            if isinstance(each, Paragraph):
                return Paragraph(text(each.text), each.tone)
            if isinstance(each, Code):
                return Code(change(each.text), each.tone)
            if isinstance(each, Table):
                rows = tuple(tuple(map(text, row)) for row in each.rows)
                return Table(tuple(map(text, each.headings)), rows, each.looks, each.tones)
            marks = tuple(
                msgspec.structs.replace(mark, name=text(mark.name), text=text(mark.text))
                for mark in each.marks
            )
            return Plot(each.kind, text(each.title), marks, each.end_ns)

        sections = tuple(
            Section(text(each.title), tuple(map(item, each.items)), text(each.folded))
            for each in self.sections
        )
        data = tuple(_with_texts(each, change) for each in self.data)
        return Report(text(self.title), sections, data, language)


class Private:
    """Takes names of people and machines, folders and secrets out of a text."""

    def __init__(self, paths: Iterable[str], commands: Iterable[str] = ()) -> None:
        """`paths` are of models, and of `commands` whose words may be paths: of those even folders
        with blanks in their names are known.
        """
        said = [word for command in commands for word in recorded_words(command)]
        words = [*paths, *(part for word in said for part in word.split("=", 1))]
        folders = {str(Path(each).parent) for each in words if "/" in each and "://" not in each}
        folders |= {shlex.quote(each)[1:-1] for each in folders}
        own = {str(Path.home()), str(Path.cwd())}
        self._folders = sorted(folders | own - {"/", "."}, key=len, reverse=True)
        host = socket.gethostname()
        names = sorted({_user(), host, host.partition(".")[0]} - {"root"}, key=len, reverse=True)
        known = [re.escape(name) for name in names if len(name) >= _LEAST_NAME]
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(known)})(?!\w)") if known else None

    def __call__(self, text: str) -> str:
        """The text without them."""
        text = without_secrets(text)
        text = _ADDRESS_OF_HOST.sub(_hidden_host, text)
        for folder in self._folders:
            text = text.replace(f"{folder}/", f"{HIDDEN}/") if len(folder) > 1 else text
        text = _FOLDERS.sub(f"{HIDDEN}/", text)
        text = _MOUNTED.sub(HIDDEN, text)
        text = _ADDRESS.sub(HIDDEN, text)
        return self._names.sub(HIDDEN, text) if self._names else text


def _hidden_host(found: re.Match[str]) -> str:
    return found[0] if _PUBLIC.match(found[0]) else f"{found[1]}{HIDDEN}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""  # a number without a name


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_with_texts(each, change) for each in value]
    if isinstance(value, dict):
        return {change(name): _with_texts(each, change) for name, each in value.items()}
    return value


def as_markdown(report: Report) -> str:
    """For an issue or a message: without plots, whose figures are in the tables."""
    lines = [f"# {escaped(report.title)}", ""] if report.title else []
    for section in report.sections:
        lines += [f"## {escaped(section.title)}", ""] if section.title else []
        if section.folded:
            lines += [f"<details><summary>{escaped(section.folded)}</summary>", ""]
        for each in section.items:
            lines += [*_markdown(each)]
        if section.folded:
            lines += ["</details>", ""]
    return "\n".join(lines)


def _markdown(item: Item) -> Iterable[str]:
    if isinstance(item, Paragraph):
        text = escaped(item.text)
        if not text:
            return
        yield f"**{text}**" if item.tone == "strong" else text
    elif isinstance(item, Code):
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", item.text)), default=0))
        yield from (fence, item.text, fence)
    elif isinstance(item, Table):
        yield _row(map(escaped, item.headings or ("",) * len(item.right)))
        yield _row("---:" if each else "---" for each in item.right)
        for row in item.rows:
            yield _row(map(escaped, row))
    else:
        return
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """A text of strangers in one line of Markdown: no link, picture or HTML, and nobody is called
    by it.
    """
    return _MARKDOWN.sub(r"\\\1", one_line(text).strip()).replace("@", "@\u200b")
