"""`modelmon best`: race the ways to load a model and say which one to use."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import TYPE_CHECKING

import click
import msgspec

from modelmon.core.cli import options
from modelmon.core.cli.best_live import LiveRace
from modelmon.core.cli.best_report import show_plan, show_race
from modelmon.core.cli.experiment_runs import resume_option, take_up, work_off
from modelmon.core.cli.keeping import history_unless, no_history_option
from modelmon.core.cli.layout import OneLine
from modelmon.core.cli.output import console, print_json, tell
from modelmon.core.cli.prepare import agree_to_disturb, check_prepare, prepare_option
from modelmon.core.cli.reaching import check_reached, inspect_reached
from modelmon.core.comparison.session import begin
from modelmon.core.doctor.inspection import diagnose_model
from modelmon.core.errors import EXIT_CANCELLED, EXIT_DONE, EXIT_LOAD_FAILED
from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.export.config_file import render
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.places import write_text
from modelmon.core.find_best.plan import DEFAULT_BUDGET_NS, plan_race
from modelmon.core.find_best.resume import race_session, resume_race
from modelmon.core.messages import to_text

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.comparison.session import Underway
    from modelmon.core.find_best.race import RaceSession
    from modelmon.core.find_best.result import Objective, Race
    from modelmon.core.remote.address import Place

_GO_WITH_RESUME = ("budget_ns", "prepare", "record_path", "export_place", "yes", "as_json")
_BUDGET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(s|m|min|h)?")
_UNITS_NS = {"s": 10**9, "m": 60 * 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}


class BudgetType(click.ParamType[int]):
    """A duration in ns, written as 90s, 5m or 1h; a mere number is seconds."""

    name = "duration"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Parse, or fail with the reason."""
        if isinstance(value, int):
            return value
        found = _BUDGET.fullmatch(value.strip().lower())
        if found is None or not float(found[1]):
            self.fail(f"{value!r} isn't a duration. Write for example 90s, 5m or 1h.", param, ctx)
        return round(float(found[1]) * _UNITS_NS[found[2] or "s"])


@click.command("best")
@options.place_if_given
@click.option(
    "--objective",
    type=click.Choice(("cold", "warm", "memory")),
    help="Fastest cold start, fastest warm start, or lowest memory.  [default: cold; warm for files"
    " in memory]",
)
@click.option(
    "budget_ns",
    "--budget",
    type=BudgetType(),
    help="Time limit; ends sooner if the result is clear.  [default: 5m]",
)
@click.option(
    "--include",
    multiple=True,
    metavar="NAME|libraries",
    help="Test this strategy or library too, or all libraries that can load the model.",
)
@click.option(
    "--deliver",
    type=options.deliver_choice,
    help=f"{options.DELIVER_HELP}  [default: usable; streamed if the model doesn't fit in memory]",
)
@options.portion_option
@click.option("--seed", type=int, help="Seed for the run order.  [default: the time]")
@click.option(
    "dry_run",
    "--dry-run",
    is_flag=True,
    help="Only say what would be tested, and how long it would take.",
)
@click.option("record_path", "--record", type=options.target_path, help="Save the result as JSON.")
@click.option(
    "export_place",
    "--export",
    type=options.target_place,
    help="Write the recommendation as modelmon.toml, here or at ssh://HOST/PATH.",
)
@options.fresh_option
@prepare_option
@options.yes_option
@resume_option
@no_history_option
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one parameter per option
    place: Place | None,
    objective: Objective | None,
    budget_ns: int | None,
    include: tuple[str, ...],
    deliver: str | None,
    portion_bytes: int | None,
    seed: int | None,
    dry_run: bool,
    record_path: Path | None,
    export_place: Place | None,
    fresh_memory: bool,
    prepare: str,
    yes: bool,
    resume: str | None,
    no_history: bool,
    as_json: bool,
) -> int:
    """Test every strategy that works here and recommend one, with reasons."""
    begun_ns = time.monotonic_ns()
    if record_path is not None:
        check_target(record_path)
    check_reached(export_place)
    if resume is not None:
        find = partial(resume_race, prepare=prepare, budget_ns=budget_ns)
        underway = take_up(resume, "best", find, _GO_WITH_RESUME, yes=yes)
        begun_ns = time.monotonic_ns()
    else:
        if place is None:
            raise click.UsageError("Say which model: modelmon best PATH.")
        check_prepare(prepare, place.server)
        inspection = inspect_reached(place)
        history = history_unless(no_history)
        if (inspection.users or inspection.model.notes) and not dry_run:
            yes, begun_ns = agree_to_disturb(inspection, yes=yes), time.monotonic_ns()
        # Also where the least memory is wanted it is said how loads start.
        asked = objective if objective != "memory" else None
        start = options.chosen_start(asked, inspection.storage)
        plan = plan_race(
            inspection,
            objective or ("warm" if start == "warm" else "cold"),
            budget_ns=budget_ns or DEFAULT_BUDGET_NS,
            deliver=deliver,
            include=include,
            portion_bytes=portion_bytes,
            seed=seed if seed is not None else int(time.time()),
            allow_busy=yes,
            condition_memory=not fresh_memory,
            prepared_with=prepare,
        )
        if not (dry_run and as_json):
            show_plan(plan, whole=dry_run)
        session = race_session(inspection, plan.candidates, plan.conditions)
        if dry_run:
            if as_json:
                print_json(plan)
            return EXIT_DONE
        underway = begin(history, session, inspection)
    race = run_race(underway, begun_ns)
    hand_out(race, record_path, export_place, as_json=as_json)
    if race.command and not as_json:
        console().print(OneLine(f"Command: {race.command}"))
    show_how_to_continue(race, underway, as_json=as_json)
    if race.why_stopped:
        return EXIT_LOAD_FAILED
    return EXIT_CANCELLED if race.ending == "stopped" else EXIT_DONE


def run_race(underway: Underway[RaceSession], begun_ns: int) -> Race:
    """Make the runs until the race is over, its budget is spent, or Ctrl-C; then judge it.

    The budget holds all since `begun_ns` of the monotonic clock. Raises KeyboardInterrupt where
    it was stopped before anything was measured.
    """
    session = underway.session
    # Before the runs: it takes time, of which none may be left after them.
    diagnosis = diagnose_model(underway.inspection)
    session.spend(time.monotonic_ns() - begun_ns)
    return work_off(underway, LiveRace(session), partial(session.race, diagnosis=diagnosis))


def show_how_to_continue(race: Race, underway: Underway[RaceSession], *, as_json: bool) -> None:
    """The command that goes on with a race whose time was up, where its runs were kept."""
    number = underway.recorder.experiment_id
    if race.ending == "budget" and number is not None and not as_json:
        seconds = round((race.spent_ns + race.more_ns) / 1e9)
        tell(f"Continue: modelmon best --resume x{number} --budget {seconds}s")


def hand_out(
    race: Race, record_path: Path | None, export_place: Place | None, *, as_json: bool
) -> None:
    """Save, print and export what a race found, as far as that is wanted."""
    if record_path is not None:
        write_text_atomic(
            record_path, msgspec.json.format(msgspec.json.encode(race, enc_hook=to_text)).decode()
        )
    if as_json:
        print_json(race)
    else:
        show_race(race)
    if export_place is not None:
        found = outcome_of(race)
        write_text(export_place, render(found))
        tell(f"Wrote {found.stored.strategy} to {export_place}.")
