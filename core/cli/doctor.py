"""`modelmon doctor`: the machine and the disk, known before the first load."""

from __future__ import annotations

import platform
import shlex
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

import modelmon
from modelmon.core.cli import declared, option, options
from modelmon.core.cli.output import console, print_items, print_json, tell
from modelmon.core.cli.servers import reach, window_pids
from modelmon.core.crash_log import last_errors
from modelmon.core.doctor.doctor import diagnose
from modelmon.core.doctor.inspection import diagnose_at
from modelmon.core.doctor.sections import sections
from modelmon.core.explain.expected import with_expected
from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.export.items import Code, Paragraph, Table, facts
from modelmon.core.export.report import Private, Report, Section, as_markdown
from modelmon.core.messages import Message, verbatim
from modelmon.core.probe.client import run_probe
from modelmon.core.probe.probe import DEFAULT_SECONDS, LEAST_SECONDS, MOST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console

    from modelmon.core.doctor.diagnosis import Diagnosis, Finding
    from modelmon.core.probe.probe import Probe
    from modelmon.core.remote import Place

_EXPECTED, _MEASURED, _DECODED = "Expected load times", "Disk measurement", "Decoding to float32"
"""Titles of sections that a person sees unasked, or where they asked for that measurement."""
_MOST_EXPECTED = 3

_PACKAGES = ("PySide6-Essentials", "pyqtgraph", "psutil", "numpy", "safetensors", "gguf", "numba")

_STYLES = {"problem": "bold red", "note": "yellow"}


@click.command("doctor")
@declared
def command(
    place: Place | None = options.place_if_given,
    with_probe: bool = option("--probe", help="Measure storage and memory too."),
    seconds: float = option(
        type=click.FloatRange(LEAST_SECONDS, MOST_SECONDS),
        default=DEFAULT_SECONDS,
        help="Time limit for the measurement.",
    ),
    with_decoding: bool = option(
        "--decode",
        help="Measure how fast stored types become float32.",
    ),
    everything: bool = option("--all", help="Also show all facts and evidence."),
    report_path: Path | None = option(
        "--bug-report",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Write this, versions and modelmon's errors to a file.",
    ),
    as_json: bool = options.as_json,
) -> None:
    """Find what limits loading on this machine.

    Checks storage, memory and processors, and loads nothing. PATH is a model, any file, or a
    folder (default: the current one). With --probe, reads parts of the model's files, with direct
    I/O where possible. Exits with 0 even with findings.
    """
    path = Path(place.path) if place is not None and place.path else None
    if with_probe and path is None:
        raise click.UsageError("--probe needs the PATH of a model or file to read.")
    if place is not None and place.server:
        reach(place.server)
        measured = ["--probe", "--seconds", f"{seconds:g}"] if with_probe else []
        decoding = ["--decode"] if with_decoding else []
        found = diagnose_at(place, [*measured, *decoding])
    else:
        found = diagnose(
            path,
            take_probe=_prober(path, seconds) if with_probe and path else None,
            with_decoding=with_decoding,
            ignored_pids=window_pids(),
        )
        found = with_expected(found, path) if path is not None else found
    if report_path is not None:
        write_text_atomic(report_path, _bug_report(found, path))
        tell(f"Wrote {report_path}, without names of people, hosts and folders. Read it first.")
    if as_json:
        print_json(found)
        return
    out = console()
    out.print(Text("Findings", style="bold"))
    for finding in found.findings:
        _show(out, finding, whole=everything)
    if not found.findings:
        out.print("  no likely bottlenecks", style="dim")
    asked = {_EXPECTED: True, _MEASURED: with_probe, _DECODED: with_decoding}
    for title, rows in sections(found):
        if everything or asked.get(title):
            least = len(rows) if everything or title != _EXPECTED else _MOST_EXPECTED
            out.print()
            out.print(Text(title, style="bold"))
            print_items(facts((f"  {name}", text) for name, text in _first(rows, least)))
    named = f" {shlex.quote(str(place))}" if place is not None else ""
    out.print()
    if path is not None and found.file is not None and found.probe is None:
        print_items(Code(f"Measure the disk: modelmon doctor{named} --probe", "quiet"))
    if not everything:
        print_items(Code(f"All facts: modelmon doctor{named} --all", "quiet"))


def _bug_report(found: Diagnosis, path: Path | None) -> str:
    """All that is known here, and the last errors of the program itself, as Markdown."""
    said = [verbatim(f"{each.severity}: {each.text}") for each in found.findings]
    tables = ((title, facts(rows)) for title, rows in sections(found))
    pages = (
        Section(verbatim("Versions"), (Table((), (*_versions(),)),)),
        Section(verbatim("Findings"), tuple(map(Paragraph, said))),
        *(Section(verbatim(title), (table,)) for title, table in tables),
        Section(verbatim("Errors of modelmon"), (Code(last_errors() or "none"),)),
    )
    private = Private([str(path.absolute())] if path is not None else [])
    return as_markdown(Report(verbatim("modelmon doctor"), pages, ()).changed(private))


def _versions() -> Iterator[tuple[Message, Message]]:
    yield verbatim("modelmon"), verbatim(modelmon.__version__)
    yield verbatim("Python"), verbatim(f"{platform.python_version()}, {platform.platform()}")
    for each in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            yield verbatim(each), verbatim(metadata.version(each))


def _first(rows: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """The first rows, and that of mmap, which programs use by default."""
    return [row for at, row in enumerate(rows) if at < most or row[0] == "mmap"]


def _prober(path: Path, seconds: float) -> Callable[[], Probe]:
    """Takes the probe; who watches is told why it takes a while."""

    def take() -> Probe:
        if sys.stderr.isatty():
            tell("Measuring the disk…")
        done = run_probe(path, seconds)
        if done.not_kept:
            tell(f"The measurement wasn't saved: {done.not_kept}")
        return done.probe

    return take


def _show(out: Console, finding: Finding, *, whole: bool) -> None:
    severity = f"  {finding.severity:<8}", _STYLES[finding.severity]
    out.print(Text.assemble(severity, finding.text))
    for name, text in finding.rows if whole else finding.rows_to_act:
        out.print(Text(" " * 10) + Text(f"{name.lower()}: ", style="dim") + Text(text))
