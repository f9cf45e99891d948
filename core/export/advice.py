"""What is said to a consumer of a result: what to set, why, since when, and what can't be said.

A consumer is a program that loads models, or a part of the system below it. Its module in
`consumers/` knows which setting comes nearest to how a strategy reads; everything that follows
from that is said here, once for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.export.reading import ACCESS_WORDS, Reading, missing_text
from modelmon.core.messages import NOTHING, Message, joined, verbatim

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.export.outcome import Outcome

Language = Literal["shell", "env", "toml", "yaml", "json", "ini", "python", "typescript", "text"]
Standing = Literal["measured", "mapped", "cannot"]

PROGRAM_ID = "program"
"""The consumer that is the program that was tested here itself."""
_MAPS_BY_DEFAULT = {
    "llama.cpp": 1,
    "llama-cpp-python": 1,
    "vllm": 1,
    "transformers": 4,
    "diffusers": 1,
    "safetensors": 1,
    "comfyui": 1,
}
"""Programs that map without a setting, by how many readers, as of November 2026. What others do
depends on the machine.
"""
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
        `installed` is what is known of the program as it is somewhere (installed.py).
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
    reading: Reading | None = None
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


@dataclass(frozen=True, slots=True)
class Consumer:
    """Who can be advised. `setting` gives the setting, or says why there is none.

    `formats` are those of the models that its settings are for; a consumer without any is a part
    of the system, or the program that was tested, and only worth a line where it has a setting.
    `checked` is what its settings were last held against.
    """

    id: str
    title: str
    formats: tuple[str, ...]
    setting: Callable[[Outcome], Setting | Message]
    checked: Checked | None = None

    @property
    def is_system(self) -> bool:
        """Whether it is a part of the system rather than a program that loads models."""
        return not self.formats

    def advise(self, found: Outcome) -> ConsumerAdvice:
        """What to set for it after what was found."""
        setting = self._setting(found)
        if isinstance(setting, Message):
            return ConsumerAdvice(self.id, self.title, "cannot", setting)
        lost = NOTHING
        if setting.reading is not None:
            lost = setting.reading.missing_from(found.reading)
        return ConsumerAdvice(
            self.id,
            self.title,
            "measured" if setting.measured else "mapped",
            setting.summary,
            setting.forms,
            why=found.why,
            effect=setting.effect or self._effect(found, setting),
            since=setting.since,
            source=setting.source,
            cannot_express=missing_text(lost, self.title),
            nearest=_nearest(setting.reading) if lost else NOTHING,
            keep_in_mind=setting.keep_in_mind,
            is_default=setting.is_default or self._maps_by_default(found, setting),
        )

    def _maps_by_default(self, found: Outcome, setting: Setting) -> bool:
        # On a network vLLM decides by the filesystem and the memory.
        on_network = found.lowest is not None and found.lowest.kind == "network"
        if self.id not in _MAPS_BY_DEFAULT or (self.id == "vllm" and on_network):
            return False
        # What chooses the files, or what is read of them, has to be set.
        if any(option in setting.forms[0].text for option in _CHOOSING):
            return False
        return setting.reading in {Reading("mapped"), Reading("mapped", _MAPS_BY_DEFAULT[self.id])}

    def _setting(self, found: Outcome) -> Setting | Message:
        if found.is_program and self.id != PROGRAM_ID:
            return Message(
                "{strategy} was tested, and how it reads doesn't say what others should set.",
                strategy=found.strategy,
            )
        if self.formats and found.format not in self.formats:
            return Message(
                "Its settings are for {formats} only.",
                formats=joined([_FORMATS[each] for each in self.formats], ", "),
            )
        return self.setting(found)

    def _effect(self, found: Outcome, setting: Setting) -> Message:
        if setting.measured:
            return found.effect
        return Message(
            "{effect} {title} itself wasn't measured.", effect=found.effect, title=self.title
        )


_FORMATS = {"gguf": Message("GGUF"), "safetensors": Message("safetensors")}


def _nearest(reading: Reading | None) -> Message:
    if reading is None:
        return NOTHING
    return Message("Nearest: {access}.", access=ACCESS_WORDS[reading.access])
