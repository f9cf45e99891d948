"""A story as a report to hand on: what it found, its loads, and what to do."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING

import msgspec

import modelmon
from modelmon.core.demo.stage import Ran, Said
from modelmon.core.demo.stories import STORIES
from modelmon.core.export.items import Code, Column, Mark, Paragraph, Plot, Table, facts, table
from modelmon.core.export.report import Report, Section
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import NOTHING, Message, joined, to_text, verbatim
from modelmon.core.units import duration_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.demo.stage import Event
    from modelmon.core.export.items import Printed

_BAR_CELLS = 20
_TO_DO = Message("What to do")


def report_of(name: str, events: Iterable[Event]) -> Report:
    """All that the story has shown, in the order in which somebody reads who wasn't there."""
    kept = [each for each in events if isinstance(each, Said | Ran)]
    loads = [each for each in kept if isinstance(each, Ran)]
    said = [each for each in kept if isinstance(each, Said)]
    first = next((at for at, each in enumerate(said) if each.look == "finding"), len(said))
    before = [Paragraph(each.text) for each in said[:first] if each.look == "text"]
    answer = [Paragraph(each.text, "strong") for each in said if each.look == "finding"]
    found = [Paragraph(each.text) for each in said[first:] if each.look == "text"]
    to_do = [Paragraph(each.text) for each in said if each.look == "advice"]
    sections = (
        # Who wasn't there asks next what was wrong.
        Section(NOTHING, (*answer, *before, *found, _plot(loads), _table(loads))),
        Section(_TO_DO, tuple(to_do)),
        Section(Message("How it was measured"), (_machine(),)),
        Section(Message("Repeat it"), (Code(f"modelmon demo {name}"),)),
    )
    data = json.loads(msgspec.json.encode(kept, enc_hook=to_text))
    title = Message("modelmon: {names}", names=STORIES[name].title)
    return Report(title, sections, ({"story": name, "events": data},))


def sections_so_far(events: Sequence[Event]) -> tuple[Section, ...]:
    """What a story has said, in its order; where its first load came, all loads with bars."""
    loads = [each for each in events if isinstance(each, Ran)]
    parts: list[tuple[Message, list[Printed]]] = [(NOTHING, [])]
    for each in events:
        if isinstance(each, Said):
            if each.look in ("title", "finding"):
                parts.append((each.text, []))
                continue
            if each.look == "advice" and parts[-1][0] != _TO_DO:
                parts.append((_TO_DO, []))
            parts[-1][1].append(Paragraph(each.text))
        elif loads and each is loads[0]:
            parts[-1][1].append(_table(loads, _BAR_CELLS))
    return tuple(Section(title, tuple(items)) for title, items in parts)


def _plot(loads: Sequence[Ran]) -> Plot:
    """A bar for each load, or dots where several are alike."""
    is_bars = len({each.label for each in loads}) == len(loads)
    marks = tuple(
        Mark(
            each.label,
            0.0 if is_bars else each.duration_ns,
            each.duration_ns,
            Message(
                "{label}: {time}, {what}",
                label=each.label,
                time=duration_text(each.duration_ns),
                what=each.what,
            ),
        )
        for each in loads
    )
    end_ns = max((mark.end_ns for mark in marks), default=0.0)
    title = Message("Time of each load")
    return Plot("rows" if is_bars else "dots", title, marks, 1.05 * end_ns)


def _table(loads: Sequence[Ran], bar_cells: int = 0) -> Table:
    """A row for each load, with a bar as long as it took; without room for one there is none."""
    most_ns = max((each.duration_ns for each in loads), default=0) or 1
    return table(
        loads,
        Column(Message("Load"), lambda each: each.label),
        Column(Message("Time"), lambda each: duration_text(each.duration_ns), "right"),
        Column("", lambda each: "█" * math.ceil(bar_cells * each.duration_ns / most_ns)),
        Column(Message("Simulated storage"), lambda each: each.what),
    )


def _machine() -> Table:
    here = this_machine()
    cpus, size = Message("{count} CPUs", count=here.cpu_count), size_text(here.ram_bytes)
    machine = joined(filter(None, (here.cpu_model, cpus, Message("{size} RAM", size=size))), ", ")
    when = verbatim(time.strftime("%Y-%m-%d %H:%M"))
    return facts(
        (
            (Message("When"), when),
            (Message("Machine"), machine),
            ("modelmon", modelmon.__version__),
        )
    )
