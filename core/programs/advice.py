"""Advice for a consumer of a result: the setting, why, since which version, and what it can't do.

A consumer is a program that loads models, or a part of the system, such as a mount. Its module
returns the setting that reads most like the strategy; the sentences around it are made here, once
for all. Nothing here looks at a machine.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.programs.outcome import READ_WORDS, ReadPattern, missing_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.programs.outcome import Outcome, ReadAccess

Language = Literal["shell", "env", "toml", "yaml", "json", "ini", "python", "typescript", "text"]
Standing = Literal["measured", "mapped", "cannot"]

PROGRAM_ID = "program"
"""The consumer that is the program that was tested here itself."""
_CHOOSING = ("--load-format", "variant=", "--lazy-mode")


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to write a setting: for a command line, as environment, for older builds.

    `file_name` is a name for the text as a file of its own. `added` are the lines (from 0) that
    are the setting, where the others stand for what is there already.
    """

    label: Message
    language: Language
    text: str
    file_name: str
    added: tuple[int, ...] = ()


class ConsumerAdvice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to set for one consumer.

    `standing`: `measured` where the consumer itself was run here with this setting, `mapped` where
    the setting is the one that reads most like the strategy that was, `cannot` where there is
    none; then `summary` says why, and there are no `forms`. Otherwise `summary` is the setting in
    short, and `is_default` whether the consumer has it by itself. `why` is what was found here,
    `effect` what was measured or is to be expected, `since` the versions that know the setting and
    `source` who says so. `cannot_express` is what of the strategy is lost, `nearest` what is done
    in its place.
    """

    consumer: str
    title: str
    standing: Standing
    summary: Message
    forms: tuple[Form, ...] = ()
    why: Message = NOTHING
    effect: Message = NOTHING
    since: Message = NOTHING
    source: str = ""
    cannot_express: Message = NOTHING
    nearest: Message = NOTHING
    keep_in_mind: Message = NOTHING
    is_default: bool = False

    def facts(self, installed: Message = NOTHING) -> tuple[tuple[Message, Message], ...]:
        """What is to be known beside the forms: names and sentences, without those not known.
        `installed` is what is known of it as it is somewhere (`KnownProgram.installed_text`).
        """
        named = (
            (Message("Why"), joined(filter(None, (self.why, self.effect)))),
            (Message("Since"), joined(filter(None, (self._since(), installed)))),
            (Message("Can't express"), joined(filter(None, (self.cannot_express, self.nearest)))),
            (Message("Keep in mind"), self.keep_in_mind),
        )
        return tuple((name, text) for name, text in named if text)

    def _since(self) -> Message:
        if not self.since or not self.source:
            return self.since or verbatim(self.source)
        return Message("{since} ({source}).", since=self.since, source=self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a consumer's module gives: the setting, and how the consumer then reads.

    `reading` is None for a setting of the system. `effect` is what it brings, where that isn't what
    was measured of the strategy.
    """

    summary: Message
    forms: tuple[Form, ...]
    reading: ReadPattern | None = None
    effect: Message = NOTHING
    since: Message = NOTHING
    source: str = ""
    keep_in_mind: Message = NOTHING
    measured: bool = False
    is_default: bool = False


class Checked(NamedTuple):
    """What settings were last held against: on which day (ISO 8601), in which repository or
    package, at which commit or version, the newest that was at hand.
    """

    date: str
    repository: str
    commit: str


class Consumer:
    """Who can be advised: a program, or a part of the system.

    name: as typed. title: as its makers write it, advised_title where advice is for a part of it.
    advised: the formats of the models that its settings are for; one without any is a part of the
    system, or the program that was tested, and only worth a line where it has a setting. checked:
    what its settings were last held against. maps_with: with how many readers it maps without a
    setting, as of November 2026; 0 where that depends on the machine, as it may where not
    maps_on_networks.
    """

    name: str
    title: str
    advised_title: str = ""
    advised: tuple[str, ...] = ()
    checked: Checked | None = None
    maps_with: int = 0
    maps_on_networks: bool = True

    def setting(self, found: Outcome) -> Setting | Message:
        """The setting that reads most like the strategy that was found best, or why there is none;
        only of one that is advised.
        """
        raise NotImplementedError

    @property
    def is_system(self) -> bool:
        """Whether it is a part of the system rather than a program that loads models."""
        return not self.advised

    def advise(self, found: Outcome) -> ConsumerAdvice:
        """What to set for it after what was found."""
        setting, title = self._setting(found), self.advised_title or self.title
        if isinstance(setting, Message):
            return ConsumerAdvice(self.name, title, "cannot", setting)
        lost = NOTHING
        if setting.reading is not None:
            lost = setting.reading.missing_from(found.reading)
        return ConsumerAdvice(
            self.name,
            title,
            "measured" if setting.measured else "mapped",
            setting.summary,
            setting.forms,
            why=found.why,
            effect=setting.effect or _effect(found, setting, title),
            since=setting.since,
            source=setting.source,
            cannot_express=missing_text(lost, title),
            nearest=_nearest(setting.reading) if lost else NOTHING,
            keep_in_mind=setting.keep_in_mind,
            is_default=setting.is_default or self._maps_by_default(found, setting),
        )

    def _maps_by_default(self, found: Outcome, setting: Setting) -> bool:
        on_network = found.lowest is not None and found.lowest.kind == "network"
        # What chooses the files, or what is read of them, has to be set.
        chooses = any(option in setting.forms[0].text for option in _CHOOSING)
        if not self.maps_with or chooses or (on_network and not self.maps_on_networks):
            return False
        return setting.reading in {ReadPattern("mapped"), ReadPattern("mapped", self.maps_with)}

    def _setting(self, found: Outcome) -> Setting | Message:
        if found.is_program and self.name != PROGRAM_ID:
            return Message(
                "{strategy} was tested, and how it reads doesn't say what others should set.",
                strategy=found.strategy,
            )
        if self.advised and found.format not in self.advised:
            return Message(
                "Its settings are for {formats} only.",
                formats=joined([_FORMATS[each] for each in self.advised], ", "),
            )
        return self.setting(found)


class Part(Consumer):
    """A part of the system, or of modelmon, whose `setting` is a function."""

    def __init__(
        self,
        name: str,
        title: str,
        setting: Callable[[Outcome], Setting | Message],
        advised: tuple[str, ...] = (),
        checked: Checked | None = None,
    ) -> None:
        self.name, self.title, self.advised, self.checked = name, title, advised, checked
        self._of = setting

    def setting(self, found: Outcome) -> Setting | Message:
        """What the function gives."""
        return self._of(found)


def _effect(found: Outcome, setting: Setting, title: str) -> Message:
    if setting.measured:
        return found.effect
    return Message("{effect} {title} itself wasn't measured.", effect=found.effect, title=title)


_FORMATS = {"gguf": Message("GGUF"), "safetensors": Message("safetensors")}


def _nearest(reading: ReadPattern | None) -> Message:
    if reading is None:
        return NOTHING
    return Message("Nearest: {access}.", access=READ_WORDS[reading.access])


_CONTINUED = " \\\n  "
COMMAND = Message("Command")
ENVIRONMENT = Message("Environment")
PYTHON = Message("Python")


def command_form(
    words: Sequence[Sequence[str]],
    settings: Sequence[Sequence[str]] = (),
    label: Message = COMMAND,
    environment: Mapping[str, str] | None = None,
) -> Form:
    """A command with an option a line: first what is there already, then the `settings`.

    Variables of its own stand before it.
    """
    variables = [f"{name}={shlex.quote(value)}" for name, value in (environment or {}).items()]
    before = [*variables, *map(shlex.join, words)]
    lines = [*before, *map(shlex.join, settings)]
    added = (*range(len(variables)), *range(len(before), len(lines)))
    return Form(label, "shell", _CONTINUED.join(lines) + "\n", "load.sh", added)


class Option(NamedTuple):
    """An option of a program: how it then reads, and as `Setting` has it."""

    text: str
    access: ReadAccess
    since: Message
    source: str
    keep_in_mind: Message = NOTHING

    def on(
        self,
        command: Sequence[Sequence[str]],
        *more: Sequence[str],
        readers: int | None = None,
        ahead: bool = False,
    ) -> Setting:
        """It with a command, and `more` options that go with it."""
        return Setting(
            summary=verbatim(self.text),
            forms=(command_form(command, [self.text.split(), *more]),),
            reading=ReadPattern(self.access, readers, ahead=ahead),
            since=self.since,
            source=self.source,
            keep_in_mind=self.keep_in_mind,
        )


def option_lines(words: Sequence[str]) -> list[list[str]]:
    """A command, an option a line with its values."""
    lines: list[list[str]] = []
    for word in words:
        if not lines or (word.startswith("-") and not _is_number(word)):
            lines.append([word])
        else:
            lines[-1].append(word)
    return lines


def _is_number(word: str) -> bool:
    return word.removeprefix("-").replace(".", "", 1).isdigit()


def environment_form(variables: Mapping[str, str], label: Message = ENVIRONMENT) -> Form:
    """Variables as an env file has them: one a line, taken as it is."""
    lines = [f"{name}={value}" for name, value in variables.items()]
    return Form(label, "env", "\n".join(lines) + "\n", "load.env", tuple(range(len(lines))))


def python_form(text: str, label: Message = PYTHON) -> Form:
    """Python code."""
    return Form(label, "python", text, "load.py")


def root_form(label: Message, *commands: str) -> Form:
    """Commands for root's shell, one a line."""
    return Form(label, "shell", "".join(f"{each}\n" for each in commands), "as-root.sh")
