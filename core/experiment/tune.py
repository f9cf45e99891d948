"""The load settings of a program as the arms of a race: each as it is, and where the program maps
the file, with its pages read ahead as well.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.experiment.commands import command_arm
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.engines.engine import Access, Command, Engine, Found, Variant
    from modelmon.core.history.rows import ArmOf
    from modelmon.core.model.tensors import Model

# Pages that are there are found only by those who come through the page cache.
_THROUGH_THE_CACHE: tuple[Access, ...] = ("default", "mapped", "buffered")


class Setting(NamedTuple):
    """A way to start a program: its command, the variant, and whether it is launched with its
    pages read ahead.
    """

    label: str
    variant: Variant
    command: Command
    launched: bool
    started: tuple[str, ...]
    model_path: str

    @property
    def text(self) -> str:
        """What a person types to have it."""
        ahead = f"modelmon launch {shlex.quote(self.model_path)} -- " if self.launched else ""
        return ahead + self.command.text

    def arm(self, limit_ns: int) -> ArmOf:
        """It as an arm of a race, which ends it after `limit_ns`."""
        return command_arm(self.label, self.label, self.started, self.command.ready, limit_ns)


def settings_of(  # noqa: PLR0913  what a command is made of
    engine: Engine,
    found: Found,
    model: Model,
    port: int,
    more: Sequence[str] = (),
    *,
    launched: bool,
) -> list[Setting]:
    """All settings of the program found here, first what it does by itself; `more` arguments end
    each command. With `launched` also those that go through the page cache by `modelmon launch`.

    Raises ConfigError where it can't load this model here.
    """
    settings: list[Setting] = []
    for variant in engine.variants(found):
        command = engine.command(found, model, port, variant).with_more(more)
        if any(command == other.command for other in settings):
            continue  # it is what the program does by itself
        label = f"{engine.name} {variant.name}"
        settings.append(Setting(label, variant, command, False, command.started, model.path))
        if launched and variant.access in _THROUGH_THE_CACHE:
            ahead = (*program("modelmon", "launch", "--quiet", model.path, "--"), *command.started)
            settings.append(
                Setting(f"{label}, launched", variant, command, True, ahead, model.path)
            )
    return settings
