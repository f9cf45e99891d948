"""`modelmon compare`: A against B, interleaved, judged and exported."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, get_args

import click
from msgspec import structs

from modelmon.core.cli import declared, measuring, option, options
from modelmon.core.cli.measuring import (
    ExperimentBar,
    agree_to_disturb,
    check_prepare,
    hand_out,
    history_unless,
    take_up,
)
from modelmon.core.cli.output import (
    print_json,
    tell,
)
from modelmon.core.cli.servers import check_reached, inspect_reached
from modelmon.core.comparison.commands import (
    GivenCommand,
    check_watchable,
    command_arms,
    command_words,
    with_model,
)
from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.decision import DEFAULT_PAIRS, MOST_PAIRS
from modelmon.core.comparison.estimate import LONG_NS, estimate
from modelmon.core.comparison.runner import begin, run_experiment
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.errors import EXIT_DONE, EXIT_LOAD_FAILED, ConfigError
from modelmon.core.explain.expected import second_strategy
from modelmon.core.history.rows import Entrant
from modelmon.core.units import duration_text, rate_text, request_text, size_text
from modelmon.core.worker.result import Timed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from modelmon.core.comparison.commands import Command, Commands
    from modelmon.core.comparison.estimate import Estimate
    from modelmon.core.remote import Place
    from modelmon.core.worker.events import Cache, RunConditions

_ARMS = 2


@click.command("compare", epilog=options.READY_SIGNS)
@declared
def command(
    place: Place | None = options.place_if_given,
    name_a: str | None = option(
        "--a",
        type=measuring.strategy_choice,
        metavar="NAME",
        help="Strategy A; see `modelmon strategies`.  [default: mmap]",
    ),
    name_b: str | None = option(
        "--b",
        type=measuring.strategy_choice,
        metavar="NAME",
        help="Strategy B.  [default: a guess for this storage]",
    ),
    command_a: str | None = option(
        "--a-command", metavar="COMMAND", help="A program that loads the model, as A."
    ),
    command_b: str | None = option(
        "--b-command", metavar="COMMAND", help="A program that loads the model, as B."
    ),
    ready: str = options.ready,
    limit_s: float = options.limit_s,
    timed: Timed = option(
        type=click.Choice(get_args(Timed)),
        default="ready",
        help="Compare programs until they're ready, or only while they read the model.",
    ),
    set_a: tuple[str, ...] = option(metavar="SETTING=VALUE", help="Change a setting of A."),
    set_b: tuple[str, ...] = option(metavar="SETTING=VALUE", help="Change a setting of B."),
    repeats: int = option(
        type=click.IntRange(1, MOST_PAIRS),
        default=DEFAULT_PAIRS,
        help="Most pairs of runs; stops from 5 on once clear.",
    ),
    fixed: bool = option(help="Run all pairs, even once the result is clear."),
    cache: Cache | None = options.cache,
    deliver: str = measuring.deliver,
    portion_bytes: int | None = measuring.portion_bytes,
    seed: int = option(default=0, help="Seed for the run order."),
    dry_run: bool = option(help="Only show how long it would take."),
    out_path: Path | None = option(
        "--out", type=options.result_path, help="Save the result as JSON."
    ),
    export_place: Place | None = option(
        "--export",
        type=options.target_place,
        help="Write the faster strategy as modelmon.toml, here or at ssh://HOST/PATH.",
    ),
    shared: RunConditions = measuring.conditions(),
    resume: str | None = options.resume,
    no_history: bool = options.no_history,
    as_json: bool = options.as_json,
) -> int:
    """Compare two strategies or programs.

    Runs them alternately and shows which is faster, by how much, and why. Fewer than 5 pairs can't
    name a winner. A program starts once the cache is prepared, and is ended with all its processes
    once it's ready.
    """
    check_reached(export_place)
    commands = _split_commands({"A": command_a, "B": command_b})
    if resume is not None:
        more = ("--a-command", "--b-command")
        underway = take_up(resume, CompareSession, more, shared, commands)
    else:
        if place is None:
            raise click.UsageError("Name a model: modelmon compare PATH.")
        _check_options(commands, place.server)
        check_prepare(shared.prepared_with, place.server)
        inspection = inspect_reached(place)
        limit_ns, path = round(limit_s * 1e9), inspection.model.path
        commands = {label: with_model(each, path) for label, each in commands.items()}
        given = {label: GivenCommand(each, ready, limit_ns) for label, each in commands.items()}
        programs = command_arms(given, inspection.model.files)
        arm_a = programs.get("A") or Entrant(
            "A", *measuring.chosen_config(name_a, None, set_a, deliver)
        )
        start = measuring.chosen_start(cache, inspection.storage)
        name_b = name_b or second_strategy(inspection, arm_a.strategy, start)
        arm_b = programs.get("B") or Entrant(
            "B", *measuring.chosen_config(name_b, None, set_b, deliver)
        )
        if not dry_run:
            agreed = agree_to_disturb(inspection, yes=shared.allow_busy)
            shared = structs.replace(shared, allow_busy=agreed)
        conditions = Conditions(
            path=inspection.model.path,
            cache=start,
            max_pairs=repeats,
            early_stop=not fixed,
            seed=seed,
            timed=timed,
            **structs.asdict(structs.replace(shared, portion_bytes=portion_bytes)),
        )
        session = CompareSession(arm_a, arm_b, conditions, known_limits(inspection))
        runs, early = len(session.order), session.may_end_early
        cost = estimate(inspection, arm_a.config, conditions, start, runs, may_end_early=early)
        if dry_run and as_json:
            print_json(cost)
            return EXIT_DONE
        _announce(cost, whole=portion_bytes is None, programs=bool(commands))
        if dry_run:
            return EXIT_DONE
        session = _offer_part(session, cost)
        underway = begin(history_unless(no_history), session, inspection, commands)
    comparison = run_experiment(
        underway, ExperimentBar(), partial(underway.session.comparison, underway.inspection)
    )
    hand_out(comparison, underway.recorder, out_path, export_place, as_json=as_json)
    return EXIT_LOAD_FAILED if comparison.lost_its_model else EXIT_DONE


def _split_commands(texts: Mapping[str, str | None]) -> Commands:
    """The words of each command that is given."""
    commands: dict[str, Command] = {}
    for label, text in texts.items():
        if text is None:
            continue
        try:
            commands[label] = command_words(text)
        except ConfigError as error:
            raise click.UsageError(f"{label} isn't a command: {error.message}") from error
        if not commands[label]:
            raise click.UsageError(f"{label} isn't a command: it's empty.")
    return commands


def _check_options(commands: Commands, server: str) -> None:
    """Refuse what says nothing: of a command, or without one."""
    idle: list[str] = [] if commands else ["ready", "limit_s", "timed"]
    for label in commands:
        idle += [f"name_{label.lower()}", f"set_{label.lower()}"]
    if len(commands) == _ARMS:
        idle += ["deliver", "export_place"]
    given = options.given_options()
    for name in (given[each] for each in idle if each in given):
        raise click.UsageError(
            f"{name} is for strategies, and says nothing of a command."
            if commands
            else f"{name} is for programs: give one with --a-command or --b-command."
        )
    for command in commands.values():
        check_watchable(command, server)


def _announce(cost: Estimate, *, whole: bool, programs: bool) -> None:
    about = "at least" if programs else "about"
    text = (
        f"{cost.runs_text}, {about} {duration_text(cost.duration_ns)},"
        f" {size_text(cost.read_bytes)} to read at {rate_text(cost.rate_bytes_per_s)}."
    )
    tell(text)
    if whole and not programs and _part_helps(cost):
        hint = request_text(cost.portion_bytes).replace(" ", "")
        tell(f"That takes long. To load only a representative part: --portion {hint}")


def _offer_part(session: CompareSession, cost: Estimate) -> CompareSession:
    """The session, or where it takes long and the user likes that better, one with a part."""
    conditions = session.conditions
    has_part = conditions.portion_bytes is not None
    takes_all = any(arm.program is not None for arm in session.arms.values())
    if has_part or takes_all or not _part_helps(cost) or not sys.stdin.isatty():
        return session
    part = request_text(cost.portion_bytes)
    if not click.confirm(f"Load only {part} of the model instead?", default=True, err=True):
        return session
    conditions = structs.replace(conditions, portion_bytes=cost.portion_bytes)
    return CompareSession(session.arms["A"], session.arms["B"], conditions, session.limits)


def _part_helps(cost: Estimate) -> bool:
    return cost.duration_ns > LONG_NS and cost.portion_bytes > 0
