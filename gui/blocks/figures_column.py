"""Columns beside the plots of blocks: figures of A and B in a range, and of the selected block."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QTextBrowser, QWidget

from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.io_wait import waiting_text
from modelmon.gui.plots.timeplot import NOTHING, sampled_text
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, label
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.time_range import TimeRange
    from modelmon.gui.session.notices import ArmLabel

WIDTH_PX = 264
_WAIT = mark("Readers waiting")
RANGE_FIGURES = (
    *(mark("Loaded"), mark("Throughput"), _WAIT, mark("Requests")),
    mark("Blocks ready"),
)
SEEN_FIGURES = (mark("Requested at"), mark("Ready at"), mark("Arriving for"))
_TIMES = (mark("Time"), mark("Rate"), mark("Ready at"), mark("Requests"))
TIME_FIGURES = (*_TIMES, mark("Reading"), mark("Waiting"), mark("Decoding"))
"""The last three only where something is decoded."""
_ABOUT = {
    _WAIT: mark(
        "Share of readers that waited, sampled. The card shows the whole load's exact share. "
        "(PSI): I/O pressure, where that's unknown."
    )
}


def range_texts(found: RangeFigures | None, merged: float = 1.0) -> tuple[str, ...]:
    """The RANGE_FIGURES as text; `merged` requests were recorded as one on average."""
    if found is None:
        return (NOTHING,) * len(RANGE_FIGURES)
    requests, ready = f"{found.requests:,}", found.blocks_ready
    return (
        size_text(found.loaded_bytes),
        rate_text(found.bytes_per_s),
        waiting_text(found),
        sampled_text(requests) if merged > 1 else requests,
        NOTHING if ready is None else f"{ready:,}",
    )


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
        self._parts: tuple[Part, ...] = ()
        self._html = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "sheet")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDefaultFont(font(12))
        self.setMinimumWidth(WIDTH_PX)
        manager().changed.connect(self._on_theme_changed)

    def show_parts(self, *parts: Part) -> None:
        """Show these one below the other."""
        self._parts = parts
        self.values = {
            (name, arm): text
            for part in parts
            for arm, texts in part.texts.items()
            for name, text in zip(part.names, texts, strict=False)
        }
        html = "<br>".join(map(_html, parts))
        if html != self._html:
            self._html = html
            self.setHtml(html)

    def _on_theme_changed(self) -> None:
        self.show_parts(*self._parts)


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
        tip = escape(tr(_ABOUT[name]), quote=True) if name in _ABOUT else ""
        first = f"<td style='color:{theme.text_2.name()}'><a title=\"{tip}\">{tr(name)}</a></td>"
        cells = (f"<td align=right>{escape(texts[at])}</td>" for texts in part.texts.values())
        rows.append(f"<tr>{first}{''.join(cells)}</tr>")
    table = f"<table width='100%' cellpadding=2 cellspacing=0>{''.join(rows)}</table>"
    return f"<p style='margin:0 0 4px 0'>{heading}{about}</p>{table if rows else ''}"


class RangeColumn(QWidget):
    """Figures of the selected range, then of the selected block; how to select them."""

    def __init__(self) -> None:
        super().__init__()
        self._range: TimeRange | None = None
        self._parts = [Part("", ""), Part("", "")]
        self._arms: Collection[ArmLabel] = ARMS
        self.span = label("", "heading")
        self.zoom = QPushButton(tr("Zoom"))
        self.zoom.setProperty("compact", True)
        self.zoom.setToolTip(tr("Make the range the time axis of all plots"))
        self.close_button = icon_button("close", tr("Clear the selected range (Esc)"))
        self.figures = FiguresText()
        self._head = QWidget()
        head = in_row(self.span, (ElidedLabel("hint", tr("selected")), 1), self.zoom, on=self._head)
        head.addWidget(self.close_button)
        in_column(self._head, (self.figures, 1), on=self, margins=(8, 0, 0, 0), spacing=0)
        self.setAccessibleName(tr("Figures of the selected range and block"))
        self.show_block("", "", {})

    def follow(self, time_range: TimeRange) -> None:
        """Let the buttons act on this range."""
        self._range = time_range
        self.close_button.clicked.connect(time_range.clear)
        self.zoom.clicked.connect(time_range.zoom_wanted)

    def show_range(self, records: Mapping[ArmLabel, RunRecord | None]) -> None:
        """Show the figures of these runs in the selected range."""
        chosen = self._range if self._range is not None and self._range.seconds else None
        if chosen is None and self._head.isAncestorOf(self.focusWidget()):
            # Qt would give the focus to whatever comes next in the window.
            self.figures.setFocus()
        self._head.setVisible(chosen is not None)
        if chosen is None:
            how = tr("Drag in a plot to see the figures of a time range.")
            self._show(0, Part("", how))
            return
        first, last = chosen.ends
        self.span.setText(tr("{first} to {last} s", first=first, last=last))
        texts = {}
        for arm, record in records.items():
            found = chosen.figures(record) if record is not None else None
            texts[arm] = range_texts(found, record.chunks.merged if record is not None else 1.0)
        self._show(0, Part("", "", RANGE_FIGURES, texts))

    def show_block(
        self, name: str, about: str, timings: Mapping[ArmLabel, BlockTiming | None]
    ) -> None:
        """Show the figures of a block; an empty name stands for none."""
        if not name:
            self._show(1, Part("", tr("Select a row for the times of its block.")))
            return
        texts = {arm: seen_texts(timings.get(arm)) for arm in ARMS}
        self._show(1, Part(name, about, SEEN_FIGURES, texts))

    def show_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show the columns of these arms only."""
        self._arms = arms
        self._show(0, self._parts[0])

    def _show(self, at: int, part: Part) -> None:
        self._parts[at] = part
        self.figures.show_parts(*(of_arms(each, self._arms) for each in self._parts))


def of_arms(part: Part, arms: Collection[ArmLabel]) -> Part:
    """The same with the figures of these arms only."""
    return part._replace(texts={arm: texts for arm, texts in part.texts.items() if arm in arms})
