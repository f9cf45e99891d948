"""The tables: padded Markdown, which reads as well in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from records import STATES

from modelmon.core.units import percent_text, size_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aims import Aim
    from growth import Growth
    from records import Arm
    from summary import Summary

_HEADINGS = {
    "cold": "cold: nothing cached",
    "warm": "warm: everything cached",
    "half": "half: the first half cached",
    "striped": "striped: 32 MiB of every 64 MiB cached",
}
_RESULTS = (
    "arm",
    "delivery",
    "GB/s (range)",
    "÷ limit",
    "÷ best library",
    "CPU s/GB",
    "peak ÷ model",
    "from device ÷ model",
)
_AIMS = ("aim", "file", "start", "delivery", "measured", "wanted", "against", "")
_MAKERS = (
    *("map-limit", "read-limit"),
    *("modelmon", "earlier", "library", "example"),
)
_UNKNOWN = "–"


def results_text(summaries: Sequence[Summary]) -> str:
    """A table for each file and state: the limits, then our strategies, then the libraries."""
    parts = []
    for file in dict.fromkeys(summary.file for summary in summaries):
        for state in STATES:
            here = [s for s in summaries if (s.file, s.state) == (file, state)]
            if here:
                here.sort(key=lambda s: (_MAKERS.index(s.maker), -s.bytes_per_s))
                nbytes = size_text(here[0].model_bytes)
                title = f"### {file} ({nbytes}), {_HEADINGS[state]}"
                parts.append(f"{title}\n\n{table(_RESULTS, [_result(s) for s in here])}")
    return "\n".join(parts)


def aims_text(aims: Sequence[Aim]) -> str:
    """Every aim, the missed ones first."""
    rows = [_aim(aim) for aim in sorted(aims, key=lambda aim: aim.met)]
    met = sum(aim.met for aim in aims)
    return f"{met} of {len(aims)} met.\n\n{table(_AIMS, rows)}"


def growth_text(growth: Sequence[Growth]) -> str:
    """How cost grows, a table for each of the axes."""
    parts = []
    for axis in dict.fromkeys(row.axis for row in growth):
        rows = [row for row in growth if row.axis == axis]
        columns = list(dict.fromkeys(name for row in rows for name in row.figures))
        cells = [
            [row.at, *(_or_unknown(row.figures.get(column)) for column in columns)] for row in rows
        ]
        parts.append(table((axis, *columns), cells))
    return "\n".join(parts)


def missing_text(arms: Sequence[Arm]) -> str:
    """What could not be measured, and why."""
    reasons = {arm.library: arm.obstacle for arm in arms if arm.obstacle}
    return "".join(f"- {name}: {reason}\n" for name, reason in reasons.items())


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with columns as wide as their widest cell."""
    lines = [titles, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    rule = ["-" * width for width in widths]
    return "".join(_lines([titles, rule, *rows], widths))


def _lines(lines: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield f"| {' | '.join(cells)} |\n"


def _result(summary: Summary) -> list[str]:
    low, high = summary.low_bytes_per_s / 1e9, summary.high_bytes_per_s / 1e9
    middle = three_figures(summary.bytes_per_s / 1e9)
    return [
        summary.arm,
        summary.delivery if summary.delivery != "none" else _UNKNOWN,
        f"{middle} ({three_figures(low)}-{three_figures(high)})",
        _or_unknown(summary.limit_ratio),
        _or_unknown(summary.peer_ratio),
        three_figures(summary.cpu_s_per_gb),
        _or_unknown(summary.peak_share),
        _or_unknown(summary.device_share),
    ]


def _aim(aim: Aim) -> list[str]:
    return [
        aim.text,
        aim.file,
        aim.state,
        aim.delivery,
        f"{_signed(aim.figure)} {aim.unit}",
        f"{'≤' if aim.at_most else '≥'} {three_figures(aim.bound)} {aim.unit}",
        aim.against or _UNKNOWN,
        "met" if aim.met else f"missed by {percent_text(aim.missed_share)}",
    ]


def _signed(value: float) -> str:
    return f"−{three_figures(-value)}" if value < 0 else three_figures(value)


def _or_unknown(value: float | None) -> str:
    return _UNKNOWN if value is None else _signed(value)
