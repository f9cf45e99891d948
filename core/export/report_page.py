"""A report as one HTML page that needs nothing else: no script runs in it, and nothing is loaded.

Values show where the pointer rests, by the titles of SVG. The raw figures are in it as JSON.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.export.items import Code, Paragraph, Plot, Table
from modelmon.core.export.report import as_markdown
from modelmon.core.messages import Message
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.export.items import Item, Mark
    from modelmon.core.export.report import Report, Section

_WIDTH, _LEFT, _RIGHT = 760, 8, 12
_ROW, _BAR, _CURVE, _AXIS = 20, 40, 150, 24
_NAMES = 220
_LETTER = 6.6
_COLORS = 6
_TICKS = 5

_STYLE = """
:root { color-scheme: light dark; --page: #fff; --text: #1c1e26; --quiet: #5d6170;
  --line: #d9dbe3; --soft: #f3f4f8; --warn: #8a5200;
  --c0: #4a3fb0; --c1: #0f766e; --c2: #b45309; --c3: #be185d; --c4: #1d6fb8; --c5: #5b7a1f; }
@media (prefers-color-scheme: dark) { :root { --page: #16171d; --text: #e7e8ee; --quiet: #a2a6b6;
  --line: #353845; --soft: #20222b; --warn: #f0b35a;
  --c0: #9d93ff; --c1: #45c4b5; --c2: #f0a24b; --c3: #f47ab4; --c4: #6db7f5; --c5: #a9cf5c; } }
@media print { :root { --page: #fff; --text: #000; --quiet: #444; --line: #bbb; --soft: #fff;
  --c0: #4a3fb0; --c1: #0f766e; --c2: #b45309; --c3: #be185d; --c4: #1d6fb8; --c5: #5b7a1f; }
  details { display: block; } figure, table { break-inside: avoid; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 820px; padding: 24px 16px 48px; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 28px 0 8px; }
p { margin: 4px 0; } .strong { font-size: 22px; font-weight: 650; line-height: 1.3; }
.quiet, .axis { color: var(--quiet); } .warn, .bad { color: var(--warn); }
table { border-collapse: collapse; margin: 8px 0; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 500; } .number { text-align: right; }
th, .number { overflow-wrap: normal; } td.number { white-space: nowrap; }
td.name { color: var(--quiet); width: 9em; }
pre { background: var(--soft); padding: 8px 12px; white-space: pre-wrap; font-size: 13px; }
figure { margin: 12px 0; } figcaption { color: var(--quiet); }
svg { width: 100%; height: auto; display: block; } svg text { font: 12px system-ui, sans-serif;
  fill: var(--text); } svg .axis { fill: var(--quiet); } svg line { stroke: var(--line); }
svg .in { fill: var(--page); } svg .hover { fill: transparent; }
svg .hover:hover { fill: var(--text); fill-opacity: .12; } svg .curve { fill: var(--c0); }
summary { cursor: pointer; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def check_name(text: str) -> None:
    """Raise ConfigError for a name that isn't a report's."""
    if Path(text).suffix not in (".html", ".md"):
        raise ConfigError(
            Message("{name} isn't a report's name.", name=repr(text)),
            Message("End it with .html or .md."),
        )


def write_report(path: Path, report: Report) -> None:
    """As a page or as Markdown, by the end of its name; raises ModelmonError."""
    check_name(str(path))
    write_text_atomic(path, as_page(report) if path.suffix == ".html" else as_markdown(report))


def as_page(report: Report) -> str:
    """The whole page."""
    colors = "".join(f"svg .c{n} {{ fill: var(--c{n}); }}\n" for n in range(_COLORS))
    data = json.dumps(report.data, ensure_ascii=False).replace("<", "\\u003c")
    return "\n".join(
        (
            "<!doctype html>",
            f'<html lang="{escape(report.language)}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            f"<title>{escape(report.title)}</title>",
            f"<style>{_STYLE}{colors}</style></head><body>",
            f"<h1>{escape(report.title)}</h1>",
            *(line for section in report.sections for line in _section(section)),
            '<script type="application/json" id="data">',
            data,
            "</script></body></html>",
            "",
        )
    )


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"<h2>{escape(section.title)}</h2>"
    if section.folded:
        yield f"<details><summary>{escape(section.folded)}</summary>"
    for item in section.items:
        yield from html_of(item)
    if section.folded:
        yield "</details>"


def html_of(item: Item) -> Iterator[str]:
    """One part of a report, in lines."""
    if isinstance(item, Paragraph):
        # One without text parts others in a terminal.
        if item.text:
            yield f'<p class="{item.tone}">{escape(item.text)}</p>'
    elif isinstance(item, Code):
        yield f"<pre>{escape(item.text)}</pre>"
    elif isinstance(item, Table):
        yield from _table(item)
    elif item.marks:
        yield f"<figure><figcaption>{escape(item.title)}</figcaption>"
        yield from _DRAWN[item.kind](item)
        yield "</figure>"


def _table(table: Table) -> Iterator[str]:
    kinds = ["number" if each else "" for each in table.right]
    if not table.headings and kinds:
        kinds[0] = "name"
    yield "<table>"
    if table.headings:
        yield _cells("th", table.headings, kinds)
    for row in table.rows:
        yield _cells("td", row, kinds)
    yield "</table>"


def _cells(tag: str, texts: Sequence[str], kinds: Sequence[str]) -> str:
    pairs = zip(texts, kinds, strict=True)
    cells = (f'<{tag} class="{kind}">{escape(text)}</{tag}>' for text, kind in pairs)
    return f"<tr>{''.join(cells)}</tr>"


def _svg(height: float, label: str, parts: Iterable[str]) -> Iterator[str]:
    yield f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-label="{escape(label)}">'
    yield from parts
    yield "</svg>"


def _rect(x: float, y: float, size: tuple[float, float], kind: str, title: str) -> str:
    width, height = size
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.5, width):.1f}" height="{height:.1f}"'
        f' class="{kind}"><title>{escape(title)}</title></rect>'
    )


def _axis(plot: Plot, left: float, y: float) -> Iterator[str]:
    """Times below a plot."""
    room = _WIDTH - left - _RIGHT
    for at in range(_TICKS + 1):
        x, anchor = left + room * at / _TICKS, "start" if not at else "middle"
        anchor = "end" if at == _TICKS else anchor
        text = duration_text(round(plot.end_ns * at / _TICKS)) if at else "0"
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y:.1f}" y2="{y + 4:.1f}"/>'
        yield (
            f'<text x="{x:.1f}" y="{y + 17:.1f}" class="axis" text-anchor="{anchor}">'
            f"{escape(text)}</text>"
        )


def _bar(plot: Plot) -> Iterator[str]:
    """One bar of all marks, each with its name where there is room for it."""
    scale = (_WIDTH - _LEFT - _RIGHT) / max(1, plot.end_ns)

    def parts() -> Iterator[str]:
        for number, mark in enumerate(plot.marks):
            x, width = _LEFT + mark.begin_ns * scale, (mark.end_ns - mark.begin_ns) * scale
            yield _rect(x, 0, (width - 1, _BAR), f"c{number % _COLORS}", mark.text)
            if len(mark.name) * _LETTER + 12 <= width:
                yield (
                    f'<text x="{x + 6:.1f}" y="{_BAR / 2 + 4:g}" class="in"'
                    f' pointer-events="none">{escape(mark.name)}</text>'
                )
        yield from _axis(plot, _LEFT, _BAR + 2)

    yield from _svg(_BAR + _AXIS, plot.title, parts())


def _rows(plot: Plot) -> Iterator[str]:
    """Each name in a row; marks of the same name share it."""
    names = list(dict.fromkeys(mark.name for mark in plot.marks))
    scale, most = (_WIDTH - _NAMES - _RIGHT) / max(1, plot.end_ns), int((_NAMES - 12) / _LETTER)

    def shape(mark: Mark, row: int) -> str:
        x, y = _NAMES + mark.begin_ns * scale, row * _ROW
        if plot.kind == "dots":
            return (
                f'<circle cx="{x:.1f}" cy="{y + _ROW / 2:g}" r="4.5" class="c{row % _COLORS}"'
                f' fill-opacity=".75"><title>{escape(mark.text)}</title></circle>'
            )
        size = (mark.end_ns - mark.begin_ns) * scale, _ROW - 4
        return _rect(x, y + 2, size, "c0", mark.text)

    def parts() -> Iterator[str]:
        for row, name in enumerate(names):
            short = name if len(name) <= most else f"{name[: most - 1]}…"
            yield (
                f'<text x="{_NAMES - 8}" y="{row * _ROW + 14}" text-anchor="end">'
                f"{escape(short)}<title>{escape(name)}</title></text>"
            )
        yield from (shape(mark, names.index(mark.name)) for mark in plot.marks)
        yield from _axis(plot, _NAMES, len(names) * _ROW + 2)

    yield from _svg(len(names) * _ROW + _AXIS + 2, plot.title, parts())


def _curve(plot: Plot) -> Iterator[str]:
    """The values over time as an area, with the highest beside it."""
    top = max((mark.value for mark in plot.marks), default=0) or 1
    scale = (_WIDTH - _LEFT - _RIGHT) / max(1, plot.end_ns)

    def parts() -> Iterator[str]:
        for kind in ("curve", "hover"):
            for mark in plot.marks:
                x, width = _LEFT + mark.begin_ns * scale, (mark.end_ns - mark.begin_ns) * scale
                height = _CURVE * (mark.value / top if kind == "curve" else 1)
                yield _rect(x, _CURVE - height, (width, height), kind, mark.text)
        yield from _axis(plot, _LEFT, _CURVE + 2)

    yield from _svg(_CURVE + _AXIS, plot.title, parts())


_DRAWN = {"bar": _bar, "rows": _rows, "dots": _rows, "curve": _curve}
