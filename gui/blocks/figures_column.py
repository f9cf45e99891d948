"""Figures of A and B beside the plots of blocks, as a text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QTextBrowser

from modelmon.core.explain.glossary import BLOCK
from modelmon.core.units import duration_text, percent_text, rate_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.plots.timeplot import NOTHING
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.worker.events import BlockTiming
    from modelmon.gui.session.notices import ArmLabel

WIDTH_PX = 264
WAIT = mark("Readers waiting")
SEEN_FIGURES = (mark("Requested at"), mark("Ready at"), mark("Arriving for"))
_TIMES = (mark("Time"), mark("Rate"), mark("Ready at"), mark("Requests"))
TIME_FIGURES = (*_TIMES, mark("Reading"), mark("Waiting"), mark("Decoding"))
"""The last three only where something is decoded."""


def seen_texts(timing: BlockTiming | None) -> tuple[str, ...]:
    """The SEEN_FIGURES: when a block was requested and ready, and how long bytes of it arrived."""
    if timing is None:
        return (NOTHING,) * len(SEEN_FIGURES)
    known = (timing.requested_ns, timing.ready_ns, timing.arriving_ns)
    return tuple(NOTHING if ns is None else duration_text(ns) for ns in known)


def time_texts(timing: BlockTiming | None) -> tuple[str, ...]:
    """The TIME_FIGURES: a block's time, rate, ready time, requests and where its time went."""
    if timing is None:
        return (NOTHING,) * len(TIME_FIGURES)
    busy_ns, ready_ns = timing.busy_ns, timing.ready_ns
    decode_ns, wait_ns = timing.decode_ns, timing.wait_ns
    # Neither is known of what was recorded by older versions, or isn't decoded.
    read_ns = None if decode_ns is None or wait_ns is None else busy_ns - decode_ns - wait_ns
    return (
        duration_text(busy_ns),
        rate_text(timing.nbytes * 1e9 / busy_ns) if busy_ns else NOTHING,
        NOTHING if ready_ns is None else duration_text(ready_ns),
        f"{timing.requests:,}",
        *(
            NOTHING if ns is None or not busy_ns else percent_text(max(0, ns) / busy_ns)
            for ns in (read_ns, wait_ns, decode_ns)
        ),
    )


def time_columns(*, decodes: bool) -> tuple[str, ...]:
    """The TIME_FIGURES that say something."""
    return TIME_FIGURES if decodes else _TIMES


class Part(NamedTuple):
    """A heading, a line about it, and a table of figures by arm, in the order of their `names`."""

    heading: str
    about: str
    names: Sequence[str] = ()
    texts: Mapping[ArmLabel, Sequence[str]] = {}


class FiguresText(QTextBrowser):
    """Figures as a text that can be read, scrolled and copied; `values` are those by name."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[tuple[str, ArmLabel], str] = {}
        self._html_of: Callable[[], str] = str
        self._html = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "sheet")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDefaultFont(font(12))
        self.setMinimumWidth(WIDTH_PX)
        manager().changed.connect(self._write)

    def show_parts(self, *parts: Part) -> None:
        """Show these one below the other."""
        self.values = {
            (name, arm): text
            for part in parts
            for arm, texts in part.texts.items()
            for name, text in zip(part.names, texts, strict=False)
        }
        self.show_html(lambda: "<br>".join(map(_html, parts)))

    def show_html(self, html_of: Callable[[], str]) -> None:
        """Show what this makes, in the colours of the theme; the same again costs nothing."""
        self._html_of = html_of
        self._write()

    def _write(self) -> None:
        if (html := self._html_of()) != self._html:
            self._html = html
            self.setHtml(html)


def _html(part: Part) -> str:
    theme, alone = manager().theme, manager().alone
    heading = f"<b>{escape(part.heading)}</b><br>" if part.heading else ""
    about = f"<span style='color:{theme.text_2.name()}'>{escape(part.about)}</span>"
    heads = "".join(
        f"<td align=right style='color:{theme.arm(arm).name()}'><b>{'' if alone else arm}</b></td>"
        for arm in part.texts
    )
    rows = [f"<tr><td></td>{heads}</tr>"] if heads else []
    for at, name in enumerate(part.names):
        tip = escape(said(BLOCK.get(name, "")), quote=True)
        first = f"<td style='color:{theme.text_2.name()}'><a title=\"{tip}\">{tr(name)}</a></td>"
        cells = (f"<td align=right>{escape(texts[at])}</td>" for texts in part.texts.values())
        rows.append(f"<tr>{first}{''.join(cells)}</tr>")
    table = f"<table width='100%' cellpadding=2 cellspacing=0>{''.join(rows)}</table>"
    return f"<p style='margin:0 0 4px 0'>{heading}{about}</p>{table if rows else ''}"
