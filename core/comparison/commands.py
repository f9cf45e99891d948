"""Programs of somebody else as strategies: their commands, names and load settings.

A strategy holds its command as text. Whoever makes the runs starts what the person gave, or agreed
to after it was shown, and hands it over with the session: nothing that was stored starts a command.
A server lists the load settings of its programs by this module, where only what measures was
copied to: nothing that judges is imported.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import psutil

from modelmon.core.errors import ConfigError
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.programs.known_program import DEFAULT, Variant, names_set_by
from modelmon.core.programs.readiness import ready_sign
from modelmon.core.redaction import LEFT_OUT, recorded_command
from modelmon.core.watch.ready import parse_readiness
from modelmon.core.worker.child_process import program as program_line
from modelmon.core.worker.command_words import apart, recorded_words, taken_apart
from modelmon.core.worker.events import WatchedProgram

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.known_program import Access, Found, KnownProgram


Command = Sequence[str]
Commands = Mapping[str, Command]
"""What may be started, by the label of its arm."""
NO_COMMANDS: Commands = MappingProxyType({})


class GivenCommand(NamedTuple):
    """A command as a person gives it: its words, the sign that it is ready (ready.py), and when
    a run of it that is not is ended.
    """

    words: Command
    ready: str = ""
    limit_ns: int | None = None


_MODEL = "MODEL"
_OPTION = "-"
_SCRIPTS = (".py", ".sh")


def command_arm(  # noqa: PLR0913, PLR0917  what an arm is made of
    label: str,
    name: str,
    command: Command,
    ready: str = "",
    limit_ns: int | None = None,
    to_set: Message = NOTHING,
) -> Entrant:
    """An arm that is a command, ready by this sign (ready.py) or the program's own, and ended
    after `limit_ns`; `to_set` is what a person sets to have it.

    Raises ConfigError for a sign that says nothing.
    """
    parse_readiness(ready)
    watched = WatchedProgram(recorded_command(command), ready or ready_sign(command))
    return Entrant(label, name, LoadConfig(library=PROGRAM), watched, limit_ns, to_set)


def command_arms(given: Mapping[str, GivenCommand], files: Sequence[Path]) -> dict[str, Entrant]:
    """The arms of these commands by their labels, each called by what tells it from the others.

    Raises ConfigError for a sign that says nothing.
    """
    names = command_names([each.words for each in given.values()], files)
    return {
        label: command_arm(label, name, *each)
        for (label, each), name in zip(given.items(), names, strict=True)
    }


def command_words(text: str) -> tuple[str, ...]:
    """The words of a command that somebody types; no shell sees them. Raises ConfigError."""
    _check_complete(text)
    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise ConfigError(
            Message("A quotation mark isn't closed."), Message("Close it, or put a \\ before it.")
        ) from None


def recorded_commands(arms: Iterable[Entrant]) -> dict[str, str]:
    """What a stored experiment would run again, by the labels of its arms: to be agreed to."""
    return {arm.label: arm.program.command for arm in arms if arm.program is not None}


def check_watchable(command: Command = (), server: str = "") -> None:
    """Raise ConfigError where no program can be watched, or there is no such command; of a server
    its worker finds that out.
    """
    if server:
        return
    if sys.platform != "linux":
        raise ConfigError(Message("Other programs can be watched on Linux only."))
    if not command or shutil.which(command[0]) is not None:
        return
    if not command[0]:
        raise ConfigError(Message("The command is empty."), Message("Give the program's name."))
    # ./name has one. What can't be looked at isn't there.
    if os.path.dirname(command[0]) and os.path.exists(command[0]):  # noqa: PTH110, PTH120
        raise ConfigError(
            Message("{name} can't be run: it isn't an executable file.", name=command[0]),
            Message("Give the path of the program, or make it executable with chmod +x."),
        )
    raise ConfigError(
        Message("There's no command called {name} here.", name=command[0]),
        Message("Check its spelling, or give its whole path."),
    )


def check_commands(given: Commands, arms: Iterable[Entrant]) -> None:
    """An experiment that is gone on with runs the commands that it was begun with, and each has
    to be given again: none is run that only a stored file names. Raises ConfigError.
    """
    for label, command in recorded_commands(arms).items():
        words = given.get(label, ())
        if not is_recorded_as(words, command):
            raise ConfigError(
                Message(
                    "{label} is a command, which has to be agreed to again: {command}",
                    label=label,
                    command=command,
                ),
                Message("Resume where it's shown in full and asked about."),
            )
        _check_complete(shlex.join(words))


def _check_complete(command: str) -> None:
    """Raise ConfigError where a secret of the command was left out when it was stored."""
    if LEFT_OUT in command:
        raise ConfigError(
            Message("A key or password in this command isn't stored: {command}", command=command),
            Message("Give the whole command again, with it in place of […]."),
        )


def is_recorded_as(words: Command, recorded: str) -> bool:
    """Whether a record of this command is the recorded one, of earlier versions too."""
    return recorded_command(words) == recorded_command(recorded_words(recorded))


def command_of(pid: int | None, server: str = "") -> list[str]:
    """The command line of a process; a name that says which one it is where that is not known, as
    that of one on a server.
    """
    if server:
        return ["process", str(pid)]
    try:
        process = psutil.Process(pid)
        return process.cmdline() or [process.name()]
    except psutil.Error:
        return ["process", str(pid)]  # the worker says what is wrong with it


def command_line(command: Command, files: Sequence[Path]) -> str:
    """The command as lists name it: in one line, without its folder, the model as MODEL."""
    return _line(_shortened(command, files))


def with_model(command: Command, path: str) -> tuple[str, ...]:
    """A command in which somebody left MODEL for the model, as lists and the documents write it."""
    return tuple(path if word == _MODEL else word for word in command)


def command_names(commands: Sequence[Command], files: Sequence[Path]) -> list[str]:
    """What tells the commands apart, in a few words: the programs, interpreters with their script,
    and where one is run in several ways, what these have not in common: `llama-server --load-mode
    dio`, `python serve.py --mmap`. One that modelmon launches is told as that. Where that leaves
    any two the same, all are told in full.
    """
    found = [taken_apart(command) for command in commands]
    names = _names_of_programs([(*each.words, *each.variables) for each in found], files)
    names = [
        f"{name}, launched" if each.is_launched else name
        for name, each in zip(names, found, strict=True)
    ]
    if len(set(names)) < len({tuple(command) for command in commands}):
        return [_line(_shortened(command, files)) for command in commands]
    return names


def _names_of_programs(commands: Sequence[Command], files: Sequence[Path]) -> list[str]:
    lines = [_shortened(command, files) for command in commands]
    names = []
    for (path, *_), (program, *arguments) in zip(commands, lines, strict=True):
        alike = [at for at, line in enumerate(lines) if line[0] == program]
        shared = set.intersection(*(set(_units(lines[at][1:])) for at in alike))
        own = [unit for unit in _units(arguments) if unit not in shared]
        one_path = len({commands[at][0] for at in alike}) == 1
        told = [each for unit in own for each in unit] if len(alike) > 1 else []
        script = next((each for each in arguments[:1] if each.endswith(_SCRIPTS)), None)
        if script is not None and script not in told:
            told.insert(0, Path(script).name)
        names.append(_line([program if one_path else path, *told]))
    return names


def _shortened(command: Command, files: Sequence[Path]) -> list[str]:
    models = {os.path.abspath(file) for file in files}  # noqa: PTH100  links are kept
    program, *arguments = command
    told = [_MODEL if os.path.abspath(each) in models else each for each in arguments]  # noqa: PTH100
    return [Path(program).name, *told]


def _units(arguments: Sequence[str]) -> list[tuple[str, ...]]:
    """The arguments, each option with what follows it: whether that is its value only the program
    knows, and it is told with it in any case.
    """
    units: list[tuple[str, ...]] = []
    for argument in arguments:
        last = units[-1] if units else ()
        if len(last) == 1 and last[0].startswith(_OPTION) and not argument.startswith(_OPTION):
            units[-1] = (*last, argument)
        else:
            units.append((argument,))
    return units


def _line(words: Sequence[str]) -> str:
    return " ".join(recorded_command(words).split())


TOGETHER = " + "
"""In the label of settings that are started together."""


def combined(own: Command, commands: Sequence[Command]) -> tuple[str, ...]:
    """The command `own` with what each of `commands` adds to it: variables and arguments."""
    variables, words = apart(own)
    added: list[str] = []
    for command in commands:
        more, arguments = apart(command)
        variables += [each for each in more if each not in variables]
        added += arguments[_alike(words, arguments) :][: len(arguments) - len(words)]
    # What a person added ends each command, and stays at the end.
    at = min((_alike(words, apart(each)[1]) for each in commands), default=len(words))
    return (*(("env", *variables) if variables else ()), *words[:at], *added, *words[at:])


def command_for(label: str, commands: Commands) -> Command:
    """What is started for an arm; of settings that are started together what follows from the
    commands of each, which come after that of the program without settings.
    """
    if TOGETHER not in label or label in commands:
        return commands.get(label, ())
    first, *names = label.split(TOGETHER)
    preset = first.partition(" ")[0]
    parts = [commands.get(each, ()) for each in (first, *(f"{preset} {name}" for name in names))]
    return combined(next(iter(commands.values())), parts) if all(parts) else ()


def _alike(words: Command, others: Command) -> int:
    """How many words two commands begin with in common."""
    pairs = zip(words, others, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), len(words))


FEWEST = 2
"""Settings that can be raced."""
# Pages that are there are found only by those who come through the page cache.
_THROUGH_THE_CACHE: tuple[Access, ...] = ("default", "mapped", "buffered")


class Setting(msgspec.Struct, frozen=True):
    """A way to start a program: the variant, whether it is launched with its pages read ahead, all
    of them before it starts if `warm_first`, and the command that is `started`. `text` is what a
    person types to have it, `ready` the sign that the load is over, as `watch --ready` takes it.
    """

    label: str
    variant: Variant
    launched: bool
    started: tuple[str, ...]
    text: str
    ready: str
    warm_first: bool = False

    def arm(self, title: str, limit_ns: int) -> Entrant:
        """It as an arm of a race, which ends it after `limit_ns`; `title` is the program's."""
        to_set = joined(self._to_set(title))
        return command_arm(self.label, self.label, self.started, self.ready, limit_ns, to_set)

    def _to_set(self, title: str) -> Iterator[Message]:
        """What a person sets to have it."""
        if self.variant.setting:
            yield Message(
                "Set: {setting} (known to {title} since: {since}).",
                setting=self.variant.setting,
                title=title,
                since=self.variant.since,
            )
            if self.variant.phases:
                yield self.variant.meaning  # it has a price after the start
        elif not self.launched:
            yield Message("Set nothing: start {title} as you do.", title=title)
        if self.warm_first:
            yield Message("Start it by modelmon launch --warm-first, which reads the model before.")
        elif self.launched:
            yield Message("Start it by modelmon launch, which reads the model ahead.")


class FoundSettings(msgspec.Struct, frozen=True):
    """What a program's version is, and all of its settings, as JSON for elsewhere."""

    version: str
    settings: tuple[Setting, ...]


def of_variants(settings: Sequence[Setting], names: Container[str]) -> tuple[Setting, ...]:
    """Those of the named variants, beside what the program does by itself, which is the first."""
    # A server may have told of none.
    own = {each.variant.name for each in settings[:1]}
    return tuple(
        each for each in settings if each.variant.name in own or each.variant.name in names
    )


def settings_of(  # noqa: PLR0913  what a command is made of
    program: KnownProgram,
    found: Found,
    model: Model,
    port: int,
    more: Sequence[str] = (),
    *,
    launched: bool,
) -> list[Setting]:
    """All settings of the program found here, first what it does by itself; `more` arguments end
    each command. With `launched` also those that go through the page cache by `modelmon launch`,
    and what the program does by itself warmed first, which takes up a part of the start.

    Raises ConfigError where it can't load this model here.
    """
    settings: list[Setting] = []
    given = [name for each in names_set_by(more) for name in found.spellings(each)]
    for variant in program.variants(found):
        if not program.suits(variant, model) or variant.is_decided_by(given):
            continue  # what a person has chosen stays
        command = program.command(found, model, port, variant).with_more(more)
        started, text, ready = command.words, command.text, command.ready
        if any(started == other.started for other in settings):
            continue  # it is what the program does by itself
        label = f"{program.name} {variant.name}"
        settings.append(Setting(label, variant, False, started, text, ready))
        # What runs already isn't launched.
        if launched and not found.port and variant.access in _THROUGH_THE_CACHE:
            settings += [
                _launched(settings[-1], model, warm_first=warm_first)
                for warm_first in ((False, True) if variant.name == DEFAULT else (False,))
            ]
    return settings


def _launched(setting: Setting, model: Model, *, warm_first: bool) -> Setting:
    options = ("--warm-first",) if warm_first else ()
    ahead = program_line("modelmon", "launch", "--quiet", *options, model.path, "--")
    typed = shlex.join(("modelmon", "launch", *options, model.path, "--"))
    return msgspec.structs.replace(
        setting,
        label=f"{setting.label}, {'warmed' if warm_first else 'launched'}",
        launched=True,
        started=(*ahead, *setting.started),
        text=f"{typed} {setting.text}",
        warm_first=warm_first,
    )


def found_settings(
    name: str, at: Path | None, model: Model, more: Sequence[str] = (), *, launched: bool
) -> FoundSettings:
    """The settings of the program called `name` on this machine, `at` a place if that is named.

    Raises ConfigError where there is none, it can't load this model, or `more` lacks a secret.
    """
    _check_complete(shlex.join(more))
    from modelmon.core.programs.registry import (  # noqa: PLC0415  start sooner without it
        free_port,
        known_program,
    )

    program = known_program(name)
    found = program.find(at)
    settings = settings_of(program, found, model, free_port(), more, launched=launched)
    return FoundSettings(found.version, tuple(settings))
