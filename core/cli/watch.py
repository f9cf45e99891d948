"""`modelmon watch`: somebody else's program, watched while it loads a model."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from msgspec import structs

from modelmon.core.cli import argument, declared, measuring, option, options
from modelmon.core.cli.measuring import agree_to_disturb
from modelmon.core.cli.output import console, print_items, print_json, tell
from modelmon.core.cli.run import MadeRun, as_document, make_run
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.comparison.commands import check_watchable, command_line, command_of, with_model
from modelmon.core.errors import EXIT_DONE, EXIT_LOAD_FAILED
from modelmon.core.explain.program_report import phases_side_by_side
from modelmon.core.export.items import facts
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.processes import began_ticks
from modelmon.core.model.named_models import model_used_by, models_named_by, the_one
from modelmon.core.programs.known_program import DEFAULT, Command
from modelmon.core.programs.readiness import ready_sign
from modelmon.core.programs.registry import start_command
from modelmon.core.redaction import recorded_command
from modelmon.core.remote import Place
from modelmon.core.terminal_safe import plain
from modelmon.core.units import duration_text
from modelmon.core.watch.program import joined_name
from modelmon.core.watch.ready import parse_readiness
from modelmon.core.watch.stacks import StackSampler
from modelmon.core.worker.client import ask
from modelmon.core.worker.events import Cache, Job, RunConditions, SeeBy, WatchedProgram

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.messages import Message
    from modelmon.core.watch.stacks import Hot
    from modelmon.core.worker.result import RunResult


@click.command("watch", cls=measuring.WithCommand, epilog=options.READY_SIGNS)
@declared
def command(
    place: Place | None = argument(type=options.place_type, required=False, metavar="[MODEL]"),
    command: tuple[str, ...] = argument(nargs=-1, type=options.words, metavar="[-- COMMAND...]"),
    program: str | None = measuring.program,
    load_setting: str | None = options.load_setting,
    at: Path | None = options.at,
    pid: int | None = option(type=click.IntRange(1), help="Join this running process instead."),
    ready: str = options.ready,
    see_by: SeeBy = option(
        "--seen-by",
        type=click.Choice(get_args(SeeBy)),
        default="auto",
        help="How to see its reads; auto takes the best that works.",
    ),
    cache: Cache | None = options.cache,
    limit_s: float = options.limit_s,
    record_path: Path | None = option(
        "--record", type=options.result_path, help="Save a recording (JSON lines) for replay."
    ),
    starts: int = option(
        type=click.IntRange(1, 2),
        default=1,
        help="2 starts it again and shows what only the first pays.",
    ),
    sample: bool = option(
        "--sample", is_flag=True, help="Show which Python functions each phase is in, by py-spy."
    ),
    sample_hz: float = options.sample_hz,
    conditions: RunConditions = measuring.conditions("condition_memory", "allow_busy"),
    no_history: bool = options.no_history,
    everything: bool = options.everything,
    as_json: bool = options.as_json,
) -> int:
    """Show where a program's load time goes.

    Give its command after --, or name it with --program. It starts once the cache is prepared, and
    is ended with all its processes once it's ready. A program joined with --pid keeps running.
    Without MODEL, the command or the program's open files name it; a command that names none is
    started once more, to see which it opens. Reads are seen by the kernel's trace (needs rights),
    by pages added to the page cache, or by the program's counters.
    """
    if bool(command or program) == (pid is not None):
        raise click.UsageError(
            "Give the command of the program after --, or --pid for one that runs."
        )
    if starts == 2 and pid is not None:
        raise click.UsageError("--starts 2 needs a program that's started.")
    if program is None and (load_setting or at):
        raise click.UsageError("--load-setting and --at need --program.")
    not_of_joined = cache not in (None, "as-is") or ready.startswith(("output:", "asked:"))
    if pid is not None and not_of_joined:
        raise click.UsageError(
            "A program that runs already is joined as it is: --cache, --ready output: and --ready"
            " asked: need one that's started."
        )
    parse_readiness(ready)
    server = place.server if place is not None else ""
    if sample and server:
        raise click.UsageError("--sample is for programs on this machine.")
    began = None if pid is None or server else began_ticks(pid)
    check_watchable(command if program is None else (), server)
    if pid is not None and not server:
        joined_name(pid, began)  # what is wrong with it is told before its model is looked for
    if place is None and program is not None:
        raise click.UsageError("Name a model: modelmon watch MODEL --program NAME.")
    if place is None:
        place = Place(_model_of(command, pid, limit_s))
    inspection = inspect_reached(place)
    model = inspection.model
    command = with_model(command, model.path)
    if program is not None:
        preset = _started(inspection, program, load_setting or DEFAULT, at, command)
        command, ready = preset.words, ready or preset.ready
    ready = ready or ready_sign(command)
    if command:
        agree_to_disturb(inspection, yes=conditions.allow_busy)
    named = list(command) or command_of(pid, server)
    files = (*model.files, *(each.resolve() for each in model.files))
    job = Job(
        path=model.path,
        config=LoadConfig(library=PROGRAM),
        strategy=f"{program} {load_setting or DEFAULT}" if program else command_line(named, files),
        cache="as-is" if pid is not None else measuring.chosen_start(cache, inspection.storage),
        sample_hz=sample_hz,
        allow_busy=True,
        condition_memory=conditions.condition_memory and pid is None,
        most_load_ns=round(limit_s * 1e9),
        program=WatchedProgram(recorded_command(named), ready, pid, see_by, began),
    )
    stacks = StackSampler() if sample else None
    runner = partial(make_run, inspection=inspection, command=command, no_history=no_history)
    return _started_and_shown(
        runner, job, record_path, starts, stacks, as_json=as_json, whole=everything
    )


def _started_and_shown(
    make: Callable[..., MadeRun],
    job: Job,
    record_path: Path | None,
    starts: int,
    stacks: StackSampler | None,
    *,
    as_json: bool,
    whole: bool,
) -> int:
    """Watch it start, once or twice, and print what came of it."""
    made = make(job, record_path=record_path, stacks=stacks)
    late = made.told.result.cut_off
    if not as_json:
        print_items(*made.items(whole=whole))
    document = as_document(made.told)
    if stacks is not None:
        found = _functions(stacks, made)
        document["functions"] = [{"phase": str(name), "hottest": hot} for name, hot in found]
        if not as_json:
            _show_functions(stacks, found)
    if starts == 2 and not late:
        again = structs.replace(job, cache="as-is")
        second = make(again, record_path=None)
        late = second.told.result.cut_off
        document["second_start"] = as_document(second.told)
        if not as_json and late:
            print_items(*second.items(whole=whole))
        elif not as_json:
            _show_second(made.told.result, second.told.result)
    if as_json:
        print_json(document)
    return EXIT_LOAD_FAILED if late else EXIT_DONE


def _functions(stacks: StackSampler, made: MadeRun) -> list[tuple[Message, tuple[Hot, ...]]]:
    """What was at work in each part of the wait."""
    parts = made.told.wait.parts if made.told.wait is not None else ()
    found = ((part.name, stacks.hottest(part.begin_ns, part.end_ns)) for part in parts)
    return [(name, hot) for name, hot in found if hot]


def _show_functions(stacks: StackSampler, found: list[tuple[Message, tuple[Hot, ...]]]) -> None:
    out = console()
    if not found:
        out.print(stacks.problem, style="yellow")
        return
    out.print("Python functions at work, by share of looks", style="bold")
    print_items(facts((name, ", ".join(each.text for each in hot)) for name, hot in found))


def _show_second(first: RunResult, second: RunResult) -> None:
    """What of the wait only the first start pays for."""
    walls = {"second": duration_text(second.wall_ns), "first": duration_text(first.wall_ns)}
    console().print("Second start: {second} instead of {first}".format(**walls), style="bold")
    both = phases_side_by_side([first], [second])
    print_items(facts((each.name, each.text) for each in both))


def _model_of(command: Sequence[str], pid: int | None, limit_s: float) -> str:
    """The model that a program loads, where nobody says: one whose command names none is started to
    see what it opens.
    """
    if pid is not None:
        return str(model_used_by(pid))
    if named := models_named_by(command, Path.cwd()):
        return str(the_one(named))
    tell("The command names no model. Starting it once to see which one it opens.")
    found = ask("", ["--seek", str(limit_s), *command], str, module="modelmon.core.watch")
    tell(f"It opens {plain(found)}. Starting it again to measure.")
    return found


def _started(
    inspection: Inspection, program: str, setting: str, at: Path | None, more: Sequence[str]
) -> Command:
    """What is started of a program that modelmon knows, where the model is."""
    if not inspection.server:
        return start_command(program, inspection.model, setting, at, more)
    place = ["--at", str(at)] if at is not None else []
    named = ["--program", program, "--load-setting", setting, *place]
    asked = ["program-command", "--json", *named]
    path = inspection.model.path
    return ask(inspection.server, ["remote", *asked, "--", path, *more], Command)
