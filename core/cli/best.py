"""`modelmon best`: which strategy to use for a model, or which load setting of a program."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import click
from msgspec import structs
from rich.console import Group
from rich.text import Text

from modelmon.core.cli import argument, declared, measuring, option, options
from modelmon.core.cli.measuring import (
    ExperimentBar,
    agree_to_disturb,
    check_prepare,
    hand_out,
    history_unless,
    take_up,
)
from modelmon.core.cli.output import (
    print_items,
    print_json,
    rendered,
    tell,
)
from modelmon.core.cli.servers import check_reached, inspect_reached
from modelmon.core.comparison.commands import (
    FEWEST,
    NO_COMMANDS,
    FoundSettings,
    check_watchable,
    found_settings,
    of_variants,
)
from modelmon.core.comparison.runner import begin, run_experiment
from modelmon.core.errors import EXIT_CANCELLED, EXIT_DONE, EXIT_LOAD_FAILED, ConfigError
from modelmon.core.export.history_items import resume_command
from modelmon.core.export.items import Code
from modelmon.core.export.result_items import standings_table
from modelmon.core.find_best.plan import DEFAULT_BUDGET_NS, ProgramPlan, plan_commands, plan_search
from modelmon.core.find_best.session import SearchSession, search_session
from modelmon.core.limited_numbers import MOST
from modelmon.core.messages import Message
from modelmon.core.programs.registry import known_program
from modelmon.core.units import (
    counted,
    limit_text,
    parse_duration,
    rough_text,
)
from modelmon.core.worker.client import ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.comparison.commands import Setting
    from modelmon.core.comparison.runner import ExperimentRun
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.plan import BestPlan, SearchSettings
    from modelmon.core.find_best.result import Objective, SearchResult
    from modelmon.core.programs.known_program import KnownProgram
    from modelmon.core.remote import Place
    from modelmon.core.worker.events import Cache, RunConditions

_OF_STRATEGIES = ("include", "deliver", "portion_bytes", "export_place")
_OF_PROGRAMS = ("load_settings", "at", "limit_s", "more")


def _time_limit_ns(text: str) -> int:
    """A duration that a result can store."""
    limit_ns = round(parse_duration(text) * 1e9)
    if not 0 < limit_ns <= MOST:
        raise ValueError(f"{text!r} isn't a time limit. Write for example 90s, 5m or 1h.")
    return limit_ns


@click.command("best", cls=measuring.WithCommand)
@declared
def command(
    place: Place | None = options.place_if_given,
    more: tuple[str, ...] = argument(
        nargs=-1, type=options.words, metavar="[-- PROGRAM OPTIONS...]"
    ),
    program: str | None = measuring.program,
    load_settings: tuple[str, ...] = option(
        "--load-setting",
        earlier="--variant",
        metavar="NAME",
        help="Test only this setting next to the program's own; repeatable.  [default: all]",
    ),
    at: Path | None = options.at,
    objective: Objective | None = option(
        type=click.Choice(("cold", "warm", "memory")),
        help="Fastest cold start, fastest warm start, or lowest memory.  [default: cold; warm for"
        " files in memory]",
    ),
    budget_ns: int | None = option(
        "--time-limit",
        earlier="--budget",
        type=options.Parsed("duration", _time_limit_ns),
        help="Time limit; ends sooner if the result is clear.  [default: 5m]",
    ),
    limit_s: float = options.limit_s,
    include: tuple[str, ...] = option(
        metavar="NAME|libraries",
        help="Test this strategy or library too, or all libraries.",
    ),
    deliver: str | None = option(
        type=measuring.deliver_choice,
        help=f"{measuring.DELIVER_HELP}  [default: usable; streamed if the model doesn't fit in"
        " memory]",
    ),
    portion_bytes: int | None = measuring.portion_bytes,
    seed: int | None = option(help="Seed for the run order.  [default: the time]"),
    dry_run: bool = option(help="Only show what would be tested, and how long."),
    out_path: Path | None = option(
        "--out", earlier="--record", type=options.result_path, help="Save the result as JSON."
    ),
    export_place: Place | None = option(
        "--export",
        type=options.target_place,
        help="Write the recommendation as modelmon.toml, here or at ssh://HOST/PATH.",
    ),
    shared: RunConditions = measuring.conditions(),
    resume: str | None = options.resume,
    no_history: bool = options.no_history,
    as_json: bool = options.as_json,
) -> int:
    """Find the fastest strategy or load setting.

    Tests every strategy that works here and recommends one, with reasons. With --program, starts
    that program with each of its load settings until it's ready; where it reads through the page
    cache, also by modelmon launch. More options for the program come after --.
    """
    begun_ns = time.monotonic_ns()
    _check_options(program, objective)
    check_reached(export_place)
    settings: Sequence[Setting] = ()
    if resume is not None:
        more_options = ("--time-limit",)
        underway = take_up(resume, SearchSession, more_options, shared, budget_ns=budget_ns)
        begun_ns = time.monotonic_ns()
    else:
        if place is None:
            raise click.UsageError("Name a model: modelmon best PATH.")
        if program is not None:
            check_watchable(server=place.server)
        check_prepare(shared.prepared_with, place.server)
        inspection = inspect_reached(place)
        # Also where the least memory is wanted it is said how loads start.
        asked = objective if objective != "memory" else None
        start = measuring.chosen_start(asked, inspection.storage)
        version = ""
        if program is not None:
            found = _found_settings(inspection, known_program(program), at, more, start)
            version = found.version
            settings = _settings_wanted(found.settings, load_settings, known_program(program))
        if (inspection.users or inspection.model.notes) and not dry_run:
            agreed = agree_to_disturb(inspection, yes=shared.allow_busy)
            shared, begun_ns = structs.replace(shared, allow_busy=agreed), time.monotonic_ns()
        wanted = objective or ("warm" if start == "warm" else "cold")
        how: SearchSettings = {
            "budget_ns": budget_ns or DEFAULT_BUDGET_NS,
            "seed": seed if seed is not None else int(time.time()),
            "shared": shared,
        }
        plan: BestPlan | ProgramPlan
        if program is not None:
            title, limit_ns = known_program(program).title, round(limit_s * 1e9)
            arms = [each.arm(title, limit_ns) for each in settings]
            how["named"] = bool(load_settings)
            conditions = plan_commands(inspection, arms, wanted, **how)
            plan = ProgramPlan(title, version, tuple(settings), limit_ns, conditions)
        else:
            part = portion_bytes
            plan = plan_search(
                inspection, wanted, deliver=deliver, include=include, portion_bytes=part, **how
            )
        if not (dry_run and as_json):
            _show_plan(plan, whole=dry_run)
        commands = plan.commands if isinstance(plan, ProgramPlan) else NO_COMMANDS
        session = search_session(inspection, plan.arms, plan.conditions, plan.excluded)
        if dry_run:
            if as_json:
                print_json(plan)
            return EXIT_DONE
        underway = begin(history_unless(no_history), session, inspection, commands)
    race = run_race(underway, begun_ns)
    hand_out(race, underway.recorder, out_path, export_place, as_json=as_json)
    label = race.recommendation.label
    line = next((each.text for each in settings if each.label == label), race.command)
    return _show_the_rest(race, underway.recorder.experiment_id, line, as_json=as_json)


def _check_options(program: str | None, objective: Objective | None) -> None:
    """Refuse options that only strategies have with a program, and the other way round."""
    context = click.get_current_context()
    if program is None and context.info_name == "tune":
        raise click.UsageError("Name a program: --program NAME. See `modelmon programs`.")
    if program is not None and objective == "memory":
        raise click.UsageError("--objective memory is for strategies: leave out --program.")
    given = options.given_options() | (
        {"more": "What follows --"} if context.params["more"] else {}
    )
    for each in _OF_PROGRAMS if program is None else _OF_STRATEGIES:
        if each in given:
            needs = "needs --program" if program is None else "is for strategies, not for programs"
            raise click.UsageError(f"{given[each]} {needs}.")


def run_race(underway: ExperimentRun[SearchSession], begun_ns: int) -> SearchResult:
    """Make the runs until the race is over, its budget is spent, or Ctrl-C; then judge it.

    The budget holds all since `begun_ns` of the monotonic clock. Raises KeyboardInterrupt where
    it was stopped before anything was measured.
    """
    session = underway.session
    session.spend(time.monotonic_ns() - begun_ns)
    return run_experiment(underway, LiveRace(session), partial(session.race, underway.inspection))


def _show_the_rest(race: SearchResult, number: int | None, command: str, *, as_json: bool) -> int:
    """The `command` of what is recommended, and how to go on with a race whose time was up, which
    has a `number` where its runs were kept. Returns the exit code.
    """
    if command and not as_json:
        print_items(Code(f"Command: {command}"))
    if race.ending == "budget" and number is not None and not as_json:
        seconds = round((race.spent_ns + race.more_ns) / 1e9)
        again = resume_command("best", number, race.runs[0].result.prepared_with)
        tell(f"Continue: {again} --time-limit {seconds}s")
    if race.why_stopped:
        return EXIT_LOAD_FAILED
    return EXIT_CANCELLED if race.ending == "stopped" else EXIT_DONE


class LiveRace(ExperimentBar):
    """Above the bar of the run under way the ranking so far, and what is left of the time."""

    def __init__(self, session: SearchSession) -> None:
        super().__init__()
        self._session = session

    def begin(self, label: str, place: str) -> None:
        """A run of this arm starts."""
        session = self._session
        ranking = standings_table(
            session.standings(),
            session.conditions.cache,
            label,
            portion_bytes=session.conditions.portion_bytes,
        )
        left = f"{rough_text(max(0, session.time_left_ns))} left."
        self.show_above(Group(rendered(ranking), Text(left, style="dim")))
        super().begin(label, place)


_WANTED: dict[Objective, str] = {
    "cold": "the fastest cold start",
    "warm": "the fastest warm start",
    "memory": "the lowest memory",
}


def _show_plan(plan: BestPlan | ProgramPlan, *, whole: bool) -> None:
    """What the race will take, on standard error; with `whole` also who takes part, and with it or
    where nobody does why others don't.
    """
    shared = plan.conditions
    if isinstance(plan, ProgramPlan):
        ways = counted(len(plan.settings), "way")
        limit = limit_text(shared.budget_ns)
        tell(f"Tests {ways} to start {plan.title} for {_WANTED[shared.objective]}, up to {limit}.")
        for setting in plan.settings if whole else ():
            tell(f"  {setting.label}: {setting.text}")
        return
    if plan.arms:
        tell(f"Goal: {_WANTED[shared.objective]}.")
        for sentence in plan.sentences():
            tell(sentence)
    if whole or not plan.arms:
        for arm in plan.arms:
            tell(f"  tests: {arm.label}")
        for left_out in plan.excluded:
            tell(f"  not tested: {left_out.strategy}. {left_out.why}")


def _found_settings(
    inspection: Inspection,
    program: KnownProgram,
    at: Path | None,
    more: Sequence[str],
    start: Cache,
) -> FoundSettings:
    """The program's version and its load settings, where the model is."""
    launched = start == "cold"
    if not inspection.server:
        return found_settings(program.name, at, inspection.model, more, launched=launched)
    place = ["--at", str(at)] if at is not None else []
    ahead = ["--launched"] if launched else []
    asked = ["program-settings", "--json", "--program", program.name, *place, *ahead]
    path = inspection.model.path
    return ask(inspection.server, ["remote", *asked, "--", path, *more], FoundSettings)


def _settings_wanted(
    settings: Sequence[Setting], names: Sequence[str], program: KnownProgram
) -> tuple[Setting, ...]:
    """Those with these names, beside what the program does by itself; all without a name."""
    known = {setting.variant.name for setting in settings}
    if unknown := [name for name in names if name not in known]:
        raise ConfigError(
            Message(
                "{title} has no load setting called {name}.", title=program.title, name=unknown[0]
            ),
            Message("Choose one of: {names}.", names=", ".join(sorted(known))),
        )
    found = of_variants(settings, names or known)
    if len(found) < FEWEST:
        raise ConfigError(
            Message("{title} has only one load setting: nothing to compare.", title=program.title),
            Message("Watch it instead: modelmon watch MODEL --program NAME."),
        )
    return found
