"""`modelmon history changes`: is what was fast last month still as fast?"""

from __future__ import annotations

import click
from msgspec.structs import asdict

from modelmon.core.cli.history_options import SinceType, here_option
from modelmon.core.cli.history_texts import when_text
from modelmon.core.cli.options import json_option
from modelmon.core.cli.output import console, print_json
from modelmon.core.comparison.changes import changes
from modelmon.core.history.history import History
from modelmon.core.machine.origin import this_machine


@click.command("changes")
@click.option(
    "--since",
    type=SinceType(),
    default="30d",
    show_default=True,
    help="Changes from this day on: 30d, 12h, 2026-11-21.",
)
@here_option
@json_option
def command(since: float, only_here: bool | None, as_json: bool) -> None:
    """Show from when on the same loads took longer, or less time, on the same machine and disk.

    Runs of one day count once, by their median. A change shows after two days, if there were
    five before. Shows only this machine's, unless --all is given.
    """
    machine_id = this_machine().id
    found = changes(History(), since, None if only_here is False else machine_id)
    if as_json:
        print_json({"machine_id": machine_id, "since_unix_s": since, **asdict(found)})
        return
    out = console()
    for change in found.changes:
        out.print(change.headline, style="bold")
        out.print(f"  {change.reason}")
        if change.remedy:
            out.print(f"  {change.remedy}")
        if len(change.loads) > 1:
            names = ", ".join(f"{load.model_name} {load.strategy}" for load in change.loads)
            out.print(f"  {names}", style="dim")
        if change.machine_id != machine_id:
            out.print(f"  another machine ({change.cpu_model}), {change.storage}", style="dim")
    out.print(found.summary(when_text(since)), style="dim")
