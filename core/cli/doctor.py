"""`modelmon doctor`: the machine and the disk, known before the first load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.text import Text

from modelmon.core.cli.doctor_devices import device_rows, idle_rows
from modelmon.core.cli.doctor_machine import memory_rows, processor_rows, system_rows
from modelmon.core.cli.doctor_storage import file_rows, storage_rows
from modelmon.core.cli.options import json_option
from modelmon.core.cli.output import console, facts, print_json
from modelmon.core.experiment.doctor import diagnose

if TYPE_CHECKING:
    from rich.console import Console

    from modelmon.core.experiment.diagnosis import Diagnosis, Finding

_STYLES = {"problem": "bold red", "note": "yellow", "ok": "green"}


@click.command("doctor")
@click.argument("path", type=click.Path(path_type=Path), required=False)
@json_option
def command(path: Path | None, as_json: bool) -> None:
    """Tell what decides how a model loads here: storage, memory, processors; loads nothing.

    PATH is a model, any file, or a folder; without it the current folder is looked at. Watches
    the devices for a second. Exits with 0 whatever it finds.
    """
    found = diagnose(path)
    if as_json:
        print_json(found)
        return
    out = console()
    for title, rows in _groups(found):
        if rows:
            out.print(Text(title, style="bold"))
            out.print(Padding(facts(rows), (0, 0, 1, 2), expand=False))
    out.print(Text("Findings", style="bold"))
    for finding in found.findings:
        _show(out, finding)
    if not found.findings:
        out.print("  nothing that would hurt a load", style="dim")


def _groups(found: Diagnosis) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        ("Storage", storage_rows(found)),
        ("Devices", device_rows(found)),
        ("Devices now, before any load", idle_rows(found)),
        ("File", file_rows(found)),
        ("Memory", memory_rows(found)),
        ("Processors", processor_rows(found)),
        ("System", system_rows(found)),
    ]


def _show(out: Console, finding: Finding) -> None:
    head = Text(f"  {finding.severity:<8}", style=_STYLES[finding.severity])
    out.print(head + Text(finding.text, style=""))
    rows = [("seen", finding.evidence), ("to do", finding.remedy)]
    if finding.rule_of_thumb:
        rows.append(("rule of thumb, not measured here", finding.rule_of_thumb))
    for name, text in rows:
        if text:
            out.print(Text(" " * 10) + Text(f"{name}: ", style="dim") + Text(text))
