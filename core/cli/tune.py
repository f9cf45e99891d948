"""`modelmon tune`: race the load settings of a program and say which to set."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import click

from modelmon.core.cli import options
from modelmon.core.cli.best import BudgetType, hand_out, run_race, show_how_to_continue
from modelmon.core.cli.keeping import history_unless, no_history_option
from modelmon.core.cli.layout import OneLine
from modelmon.core.cli.output import console, print_json, tell
from modelmon.core.cli.prepare import agree_to_disturb, check_prepare, prepare_option
from modelmon.core.cli.reaching import inspect_reached
from modelmon.core.comparison.commands import check_watchable
from modelmon.core.comparison.session import begin
from modelmon.core.comparison.settings import FEWEST, FoundSettings, found_settings, of_variants
from modelmon.core.engines.registry import engine as engine_called
from modelmon.core.errors import EXIT_CANCELLED, EXIT_DONE, EXIT_LOAD_FAILED, ConfigError
from modelmon.core.export.atomic import check_target
from modelmon.core.find_best.plan import DEFAULT_BUDGET_NS, TunePlan, plan_commands
from modelmon.core.find_best.resume import race_session
from modelmon.core.messages import Message
from modelmon.core.units import counted, limit_text
from modelmon.core.worker.ask import ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.comparison.settings import Setting
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.engines.engine import Engine
    from modelmon.core.remote.address import Place
    from modelmon.core.worker.events import Cache


@click.command("tune")
@options.place_argument
@click.argument("more", nargs=-1, type=click.UNPROCESSED, metavar="[-- MORE OPTIONS...]")
@options.engine_option
@click.option(
    "names",
    "--variant",
    multiple=True,
    metavar="NAME",
    help="Test only this load setting beside the program's own.  [default: all]",
)
@options.at_option
@click.option(
    "--objective",
    type=click.Choice(("cold", "warm")),
    help="Fastest cold start or fastest warm start.  [default: cold; warm for files in memory]",
)
@click.option(
    "budget_ns",
    "--budget",
    type=BudgetType(),
    default=DEFAULT_BUDGET_NS,
    help="Time limit; ends sooner if the result is clear.  [default: 5m]",
)
@options.limit_option
@click.option("--seed", type=int, help="Seed for the run order.  [default: the time]")
@click.option(
    "dry_run", "--dry-run", is_flag=True, help="Only say what would be tested, with each command."
)
@click.option("record_path", "--record", type=options.target_path, help="Save the result as JSON.")
@options.fresh_option
@prepare_option
@options.yes_option
@no_history_option
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one parameter per option
    place: Place,
    more: tuple[str, ...],
    engine: str | None,
    names: tuple[str, ...],
    at: Path | None,
    objective: Literal["cold", "warm"] | None,
    budget_ns: int,
    limit_s: float,
    seed: int | None,
    dry_run: bool,
    record_path: Path | None,
    fresh_memory: bool,
    prepare: str,
    yes: bool,
    no_history: bool,
    as_json: bool,
) -> int:
    """Test the load settings of a program, and say which to set.

    The program is started with each of them by turns until it's ready, and ended again; where it
    reads through the page cache, also by modelmon launch. More options for it come after --.
    """
    if engine is None:
        raise click.UsageError("Say which program: --engine NAME, as modelmon engines lists them.")
    check_watchable(server=place.server)
    check_prepare(prepare, place.server)
    if record_path is not None:
        check_target(record_path)
    begun_ns = time.monotonic_ns()
    inspection = inspect_reached(place)
    start = options.chosen_start(objective, inspection.storage)
    chosen = engine_called(engine)
    limit_ns = round(limit_s * 1e9)
    found = _found(inspection, chosen, at, more, start)
    settings = _wanted(found.settings, names, chosen)
    tell(
        f"Tests {counted(len(settings), 'way')} to start {chosen.title} for the fastest {start}"
        f" start, up to {limit_text(budget_ns)}."
    )
    if dry_run and not as_json:
        for setting in settings:
            tell(f"  {setting.label}: {setting.text}")
        return EXIT_DONE
    if (inspection.users or inspection.model.notes) and not dry_run:
        yes, begun_ns = agree_to_disturb(inspection, yes=yes), time.monotonic_ns()
    _, conditions = plan_commands(
        inspection,
        [setting.arm(chosen.title, limit_ns) for setting in settings],
        "warm" if start == "warm" else "cold",
        budget_ns=budget_ns,
        seed=seed if seed is not None else int(time.time()),
        allow_busy=yes,
        condition_memory=not fresh_memory,
        prepared_with=prepare,
    )
    plan = TunePlan(chosen.title, found.version, settings, limit_ns, conditions)
    if dry_run:
        print_json(plan)
        return EXIT_DONE
    session = race_session(inspection, plan.candidates, plan.conditions)
    underway = begin(history_unless(no_history), session, inspection, plan.commands)
    race = run_race(underway, begun_ns)
    hand_out(race, record_path, None, as_json=as_json)
    if not as_json:
        found_best = next(each for each in settings if each.label == race.recommendation.label)
        console().print(OneLine(f"Command: {found_best.text}"))
    show_how_to_continue(race, underway, as_json=as_json)
    if race.why_stopped:
        return EXIT_LOAD_FAILED
    return EXIT_CANCELLED if race.ending == "stopped" else EXIT_DONE


def _found(
    inspection: Inspection, engine: Engine, at: Path | None, more: Sequence[str], start: Cache
) -> FoundSettings:
    """The program's version and its load settings, where the model is."""
    launched = start == "cold"
    if not inspection.server:
        return found_settings(engine.name, at, inspection.model, more, launched=launched)
    place = ["--at", str(at)] if at is not None else []
    ahead = ["--launched"] if launched else []
    asked = ["engine-settings", "--json", "--engine", engine.name, *place, *ahead]
    path = inspection.model.path
    return ask(inspection.server, ["remote", *asked, "--", path, *more], FoundSettings)


def _wanted(
    settings: Sequence[Setting], names: Sequence[str], engine: Engine
) -> tuple[Setting, ...]:
    """Those of the named variants, beside what the program does by itself; all without a name."""
    known = {setting.variant.name for setting in settings}
    if unknown := [name for name in names if name not in known]:
        raise ConfigError(
            Message("{title} has no variant called {name}.", title=engine.title, name=unknown[0]),
            Message("Choose one of: {names}.", names=", ".join(sorted(known))),
        )
    found = of_variants(settings, names or known)
    if len(found) < FEWEST:
        raise ConfigError(
            Message(
                "There's nothing to choose: {title} has only one load setting.", title=engine.title
            ),
            Message("Watch it instead: modelmon watch MODEL --engine NAME."),
        )
    return found
