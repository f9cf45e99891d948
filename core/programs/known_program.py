"""What is known of a program that loads models: how it is found, its load settings by version, the
command of a load, and what to set after a result.

A program is a module beside this one with such a class, and a line in `registry.py`.
"""

from __future__ import annotations

import json
import re
import shlex
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.programs.advice import Consumer, option_lines
from modelmon.core.redaction import LEFT_OUT
from modelmon.core.worker.command_words import apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.command_words import CommandWords

Access = Literal[
    "default",
    "mapped",
    "buffered",
    "direct",
    "mapped-locked",
    "locked",
    "prefetched",
    "parallel",
    "sequential",
    "disk-backed",
    "unwarmed",
    "unrepacked",
    "passive",
    "ungraphed",
    "untuned",
    "recompiled",
    "one-thread",
    "fewer-threads",
    "offline",
    "shortened",
]
NETWORK = "network"
"""In place of a phase: all time in which the program waits for the network."""


class Effect(NamedTuple):
    """What a setting means for a load, and the phases of the program that it shortens
    (worker/program_phases.py); none of one that reads differently.
    """

    meaning: Message
    phases: tuple[str, ...] = ()


EFFECTS: dict[Access, Effect] = {
    "default": Effect(Message("What the program does by default.")),
    "mapped": Effect(Message("Memory-mapped: pages come in when they're first used.")),
    "buffered": Effect(Message("Reads the file into private memory, through the page cache.")),
    "direct": Effect(Message("Direct I/O: reads the file without the page cache.")),
    "mapped-locked": Effect(Message("Memory-mapped and locked: read whole, and kept in memory.")),
    "locked": Effect(Message("Reads the file into private memory, which can't be swapped out.")),
    "prefetched": Effect(Message("Reads the file into the page cache ahead of the load.")),
    "parallel": Effect(Message("Several threads read at once.")),
    "sequential": Effect(Message("One thread reads, file by file.")),
    "disk-backed": Effect(Message("Weights stay on the disk until they're needed.")),
    "unwarmed": Effect(
        Message("Skips the warm-up run: ready sooner, but the first answer takes longer."),
        ("warm-up",),
    ),
    "unrepacked": Effect(
        Message("Leaves weights as they are: prompts on processors take longer."), ("repack",)
    ),
    "passive": Effect(
        Message("Threads that wait leave the processors to others: answers lose some speed."),
        ("warm-up",),
    ),
    "ungraphed": Effect(
        Message("Captures no CUDA graphs: ready sooner, but answers come more slowly."),
        ("compile", "graphs"),
    ),
    "untuned": Effect(
        Message("Tunes no kernels ahead: ready sooner, but the first answers take longer."),
        ("kernels",),
    ),
    "recompiled": Effect(
        Message("Compiles at each start, as where its compile cache isn't kept."), ("compile",)
    ),
    "one-thread": Effect(
        Message(
            "Computes with one thread: threads don't wait for each other, but answers take longer."
        ),
        ("weights",),
    ),
    "fewer-threads": Effect(
        Message(
            "Computes on half of the processors: threads wait less for each other, but prompts take"
            " longer."
        ),
        ("warm-up",),
    ),
    "offline": Effect(Message("Looks nothing up on the Hub: it misses updates."), (NETWORK,)),
    "shortened": Effect(
        Message("Keeps 4,096 tokens of a conversation: it cuts off or refuses longer ones."),
        ("kv-cache",),
    ),
}

ModelForm = Literal["gguf", "safetensors", "transformers", "diffusers"]
FORM_WORDS: dict[ModelForm, Message] = {
    "gguf": Message("GGUF"),
    "safetensors": Message("a safetensors file"),
    "transformers": Message("safetensors in a folder with a transformers config.json"),
    "diffusers": Message("safetensors in a component's folder with a diffusers config.json"),
}
_MOST_CONFIG_BYTES = 1 << 20
# Keyword arguments of a library are in small letters, and of variables only those of proxies.
_VARIABLE = re.compile(r"([A-Z_][A-Z0-9_]*|[a-z]+_proxy)=")
# Options that take no value: what follows them is the model.
_SWITCH = re.compile(r"--(enable|disable|enforce|no|trust)-[\w-]+")
_OPTIONS = re.compile(r"\s*(--?[\w-]+(?:,\s*--?[\w-]+)*)")
_VARIABLES = re.compile(r"\(env: (\w+)\)")

DEFAULT = "default"
"""The variant of a program as it is, without a setting."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A load setting of a program, by a name of its own.

    `words` are added to its command (`Command.with_more`). `since` is the version or the date from
    which the program knows it, `source` the address that says so. It is there where each of `needs`
    occurs in what the program found here says of its settings (`Found.says`), and each of
    `packages` is installed beside it. `others` are options that decide the same.
    """

    name: str
    access: Access
    since: str
    source: str
    words: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def setting(self) -> str:
        """What is written to have it, as text; empty for what the program does by itself."""
        return shlex.join(self.words)

    def is_decided_by(self, names: Iterable[str]) -> bool:
        """Whether one of these options or variables sets the same, to whatever value."""
        return not {*names_set_by(self.words), *self.others}.isdisjoint(names)

    @property
    def phases(self) -> tuple[str, ...]:
        """Phases of the program that it shortens."""
        return EFFECTS[self.access].phases

    @property
    def changes_answers(self) -> bool:
        """Whether the program may answer otherwise with it, and not only later."""
        return self.access == "shortened"

    @property
    def meaning(self) -> Message:
        """What it means for a load."""
        return EFFECTS[self.access].meaning


@dataclass(frozen=True, slots=True)
class Found:
    """A program as it is on this machine; `obstacle` says why it can't be run, empty if it can.

    `path` is its executable, or the Python that has it; `says` is its `--help`, or the source
    text of its settings, by which variants are told. `packages` are installed beside it. Of one
    that runs and is asked to load, `port` is where.
    """

    path: str = ""
    version: str = ""
    says: str = ""
    packages: frozenset[str] = frozenset()
    obstacle: Message = NOTHING
    port: int = 0

    def mentions(self, word: str) -> bool:
        """Whether a setting is named in what it says; `-` and `_` are the same to Python's
        parsers of options.
        """
        same = re.escape(word.replace("_", "-"))
        return bool(re.search(rf"(?<!\w)(?<!\w-){same}(?![\w-])", self.says.replace("_", "-")))

    def spellings(self, option: str) -> frozenset[str]:
        """An option or its variable by all names, of a switch its opposite too, as the help lists
        them.
        """
        found, names = {option}, set[str]()
        for line in self.says.splitlines():
            if options := _OPTIONS.match(line):
                names = set(re.findall(r"--?[\w-]+", options[1]))
            names.update(_VARIABLES.findall(line))
            if option in names:
                found |= names
        return frozenset(found)


class Command(msgspec.Struct, frozen=True):
    """The command of one load as it is executed. `ready` is the sign that it is over, as
    `watch --ready` takes it.
    """

    words: tuple[str, ...]
    ready: str

    @property
    def text(self) -> str:
        """The command as a shell takes it."""
        return shlex.join(self.words)

    def with_more(self, words: Sequence[str]) -> Command:
        """It with these arguments at its end; what they begin with are variables, by their looks,
        set by way of `env`.
        """
        variables, own = apart(self.words)
        more = [*takewhile(_VARIABLE.match, words)]
        every = [*variables, *more]
        before = ("env", *every) if every else ()
        return Command((*before, *own, *words[len(more) :]), self.ready)


class ReadySign(NamedTuple):
    """How a program shows that it is ready, where a person starts it by a command that matches
    `started`: it `prints` a line, or answers 200 at `path`.

    It answers at `port`, or where it listens if that differs by version, unless its options say
    otherwise, or the `variable`; `elsewhere` are options that let it answer differently. Without
    one of `loads` it loads nothing by itself.
    """

    started: str
    port: str = ""
    path: str = "health"
    variable: str = ""
    elsewhere: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    prints: str = ""

    def is_of(self, command: CommandWords) -> bool:
        """Whether it is of what a command starts."""
        return bool(re.match(rf"(?i:{self.started})(?!\S)", command.started))


class KnownProgram(Consumer, ABC):
    """A program that loads models. Creating one starts and imports nothing.

    home: where it is documented. formats: what it loads. offers: its settings; of several with the
    same name, the first that the found program knows is its variant. unstartable: why modelmon
    can't start a load by it, empty where it can. has_place: whether one elsewhere is used when its
    place is named. elsewhere: what to do where it isn't found. program: the name of its executable,
    where it has one. shows_ready: of one that a person starts by a command. names_itself: the
    options by which modelmon names the model, where it listens, and what ends it.
    """

    home: str
    formats: tuple[ModelForm, ...]
    offers: tuple[Variant, ...]
    unstartable: Message = NOTHING
    has_place: ClassVar[bool] = True
    elsewhere: ClassVar[Message] = NOTHING
    program: str = ""
    shows_ready: ReadySign | None = None
    names_itself: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def find(self, at: Path | None = None) -> Found:
        """Look for it in the usual places, or `at` a place; whatever is wrong is told in the
        answer. May start it to ask for its version, for seconds at most.
        """

    def load(self, found: Found, model: Model, port: int) -> Command:
        """The command of a load as the program does it by itself.

        Raises ConfigError where modelmon can't start one.
        """
        del found, model, port
        raise ConfigError(self.unstartable)

    def installed_text(
        self, summary: Message, found: Message, version: str, settings: Collection[str] | None
    ) -> Message:
        """Whether the program of this `version`, `found` somewhere, has the advised setting, given
        those that it has (`Variant.setting`), None where that isn't known; empty without a version.
        Of a setting that isn't offered only the version is said.
        """
        if not version:
            return NOTHING
        # A call of Python is written with the quotation marks that a shell takes away.
        wanted = summary.replace('"', "")
        if settings is None or wanted not in {each.setting for each in self.offers}:
            return Message("{found}: {version}.", found=found, version=version)
        if wanted in settings:
            return Message("{found}: {version}, supported.", found=found, version=version)
        return Message(
            "{found}: {version}, which doesn't have {setting}.",
            found=found,
            version=version,
            setting=summary,
        )

    def variants(self, found: Found) -> tuple[Variant, ...]:
        """The load settings that the found program knows; the first is what it does by itself."""
        known = {DEFAULT: Variant(DEFAULT, "default", "always", self.home)}
        for each in self.offers:
            if found.packages.issuperset(each.packages) and all(map(found.mentions, each.needs)):
                known.setdefault(each.name, each)
        return tuple(known.values())

    def variant(self, found: Found, name: str) -> Variant:
        """The variant called `name`; raises ConfigError with the known names."""
        known = {each.name: each for each in self.variants(found)}
        if name in known:
            return known[name]
        offered = name in {each.name for each in self.offers}
        raise ConfigError(
            Message(
                "This {title} ({version}) has no variant {name}.",
                title=self.title,
                version=found.version,
                name=name,
            )
            if offered
            else Message("{title} has no variant called {name}.", title=self.title, name=name),
            Message("Choose one of: {names}.", names=", ".join(known)),
        )

    def suits(self, variant: Variant, model: Model) -> bool:
        """Whether a variant can make a difference to this model."""
        del variant, model
        return True

    def takes(self, model: Model) -> bool:
        """Whether it loads what such a model consists of."""
        return not forms_of(model).isdisjoint(self.formats)

    def obstacle(self, found: Found, model: Model | None = None) -> Message:
        """Why it can't load `model` here, or anything; empty if it can."""
        if found.obstacle:
            return found.obstacle
        if self.unstartable:
            return self.unstartable
        if model is None or self.takes(model):
            return NOTHING
        return Message(
            "{title} can't load this model: it takes {forms}.",
            title=self.title,
            forms=joined([FORM_WORDS[form] for form in self.formats], " or "),
        )

    def is_started_by(self, command: CommandWords) -> bool:
        """Whether a person's command starts it."""
        known = self.shows_ready is not None and self.shows_ready.is_of(command)
        return known or (bool(self.program) and command.name == self.program)

    def more_of(self, command: CommandWords, variant: Variant | None = None) -> tuple[str, ...]:
        """What a command sets besides that and a load setting, as `Command.with_more` takes it:
        without what makes it answer elsewhere, and secrets, which aren't recorded.
        """
        elsewhere = self.shows_ready.elsewhere if self.shows_ready is not None else ()

        def is_more(line: list[str]) -> bool:
            name = line[0].partition("=")[0]
            is_setting = variant is not None and variant.is_decided_by([name])
            is_own = {name, name.replace("_", "-")}.isdisjoint((*self.names_itself, *elsewhere))
            return is_own and not is_setting and LEFT_OUT not in "".join(line)

        lines = [[each] for each in command.variables if _VARIABLE.match(each)]
        if self.names_itself and self.is_started_by(command):
            options = [each for each in self.options_of(command) if each[0].startswith("-")]
            lines += [each[:1] if _SWITCH.fullmatch(each[0]) else each for each in options]
        return tuple(chain(*filter(is_more, lines)))

    def options_of(self, command: CommandWords) -> list[list[str]]:
        """A person's command, an option a line with its values; the model isn't one of them."""
        return option_lines(command.arguments)

    def check(self, found: Found, model: Model) -> None:
        """Raises ConfigError where it can't load `model` here."""
        if obstacle := self.obstacle(found, model):
            raise ConfigError(obstacle, NOTHING if found.path else self.elsewhere)

    def command(self, found: Found, model: Model, port: int, variant: Variant) -> Command:
        """The command of a load with a variant; `port` is one that is free on this machine.

        Raises ConfigError where it can't load this model here.
        """
        self.check(found, model)
        return self.load(found, model, port).with_more(variant.words)


class ListedVariant(msgspec.Struct, frozen=True):
    """A load setting as a list shows it; `setting` is what is written to have it.

    `command` loads the model with it, and `ready` is the sign that it has (`watch --ready`); both
    are empty where no model was named, or it can't be loaded.
    """

    name: str
    setting: str
    access: Access
    meaning: Message
    since: str
    source: str
    command: str = ""
    ready: str = ""


class ListedProgram(msgspec.Struct, frozen=True):
    """A program as a list shows it; `obstacle` is empty where it can load the model here.

    `movable`: whether one at another place could load the model, if that is named. `variants` are
    those that the program here knows; of one that can't be asked, all there can be.
    """

    name: str
    title: str
    version: str
    obstacle: Message
    path: str = ""
    formats: tuple[ModelForm, ...] = ()
    movable: bool = False
    variants: tuple[ListedVariant, ...] = ()


class ProgramList(msgspec.Struct, frozen=True):
    """What `modelmon programs --json` prints."""

    programs: tuple[ListedProgram, ...]


def names_set_by(words: Sequence[str]) -> set[str]:
    """Of options, variables and keyword arguments among the words of a command, the names."""
    return {each.partition("=")[0] for each in words if each.startswith("-") or "=" in each}


def forms_of(model: Model) -> frozenset[ModelForm]:
    """In which forms programs can load a model; by its config.json, if there is one."""
    if model.format == "gguf":
        return frozenset({"gguf"})
    known: set[ModelForm] = {"safetensors"}
    config = config_of(model.folder) if model.has_config else {}
    if "model_type" in config or "architectures" in config:
        known.add("transformers")
    if "_class_name" in config:
        known.add("diffusers")
    return frozenset(known)


def config_of(folder: Path) -> dict[str, object]:
    """What is in the folder's config.json; nothing where that is no such file."""
    try:
        with (folder / "config.json").open("rb") as file:
            found = json.loads(file.read(_MOST_CONFIG_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}  # a model beside a broken config is loaded by its file
    return found if isinstance(found, dict) else {}
