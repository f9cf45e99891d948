"""The load settings of a program as the arms of a race: each as it is, and where the program goes
through the page cache, with its pages read ahead as well.

What a server tells of its programs comes from here, too, also where only what measures was copied
to: nothing that judges is imported.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.comparison.commands import command_arm
from modelmon.core.messages import Message, joined
from modelmon.core.programs.preset import DEFAULT, Variant
from modelmon.core.programs.registry import known_program
from modelmon.core.programs.start import free_port
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from pathlib import Path

    from modelmon.core.history.rows import ArmOf
    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.preset import Access, Found, Preset

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

    def arm(self, title: str, limit_ns: int) -> ArmOf:
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
    preset: Preset,
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
    for variant in preset.variants(found):
        command = preset.command(found, model, port, variant).with_more(more)
        started, text, ready = command.started, command.text, command.ready
        if any(started == other.started for other in settings):
            continue  # it is what the program does by itself
        label = f"{preset.name} {variant.name}"
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
    ahead = program("modelmon", "launch", "--quiet", *options, model.path, "--")
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

    Raises ConfigError where there is none, or it can't load this model.
    """
    preset = known_program(name)
    found = preset.find(at)
    settings = settings_of(preset, found, model, free_port(), more, launched=launched)
    return FoundSettings(found.version, tuple(settings))
