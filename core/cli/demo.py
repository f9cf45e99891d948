"""`modelmon demo`: a published case, run again on simulated storage."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, get_args

import click
from rich.text import Text

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.output import print_json, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.demo.reported import report_of
from modelmon.core.demo.stage import Progressed, Ran, stage
from modelmon.core.demo.stories import STORIES, StoryName
from modelmon.core.export.report_page import write_report
from modelmon.core.simulate.mounts import check_possible, root_of_own_namespace, why_not
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.demo.stage import Event, Said

_LABEL_WIDTH, _TIME_WIDTH = 32, 9
_STYLES = {"title": "bold", "finding": "bold green", "advice": "cyan"}


@click.command("demo")
@declared
def command(
    name: StoryName = argument(type=click.Choice(get_args(StoryName))),
    out: Path | None = option(type=options.report_path, help="Write a report: .html or .md."),
    as_json: bool = options.as_json_lines,
) -> None:
    """Run a published slow load again, explained.

    Takes up to two minutes on simulated storage, and cleans up.
    """
    if why_not() and sys.platform == "linux" and os.geteuid() != 0:
        root_of_own_namespace()
    check_possible()
    story = STORIES[name]
    events: list[Event] = []
    with ProgressBar(quiet=as_json) as bar:

        def show(event: Event) -> None:
            events.append(event)
            if as_json:
                print_json(event)
            elif isinstance(event, Progressed):
                bar.show(event.label, event.done_bytes, event.total_bytes)
            elif isinstance(event, Ran):
                time = duration_text(event.duration_ns).rjust(_TIME_WIDTH)
                bar.print(Text(f"  {event.label.ljust(_LABEL_WIDTH)}{time}  {event.what}"))
            else:
                bar.print(_paragraph(event))

        with stage(show, story.nbytes) as made:
            made.say(story.title, look="title")
            story.play(made)
    if out is not None:
        write_report(out, report_of(name, events))
        tell(f"Wrote {out}.")


def _paragraph(said: Said) -> Text:
    lead = "→ " if said.look == "advice" else ""
    return Text(f"{lead}{said.text}", style=_STYLES.get(said.look, ""))
