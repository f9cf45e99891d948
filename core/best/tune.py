"""What a race of a program's load settings would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.best.candidates import Candidates
from modelmon.core.best.plan import RaceConditions
from modelmon.core.compare.settings import Setting

if TYPE_CHECKING:
    from modelmon.core.compare.commands import Commands


class TunePlan(msgspec.Struct, frozen=True):
    """What `modelmon tune --dry-run` prints: the settings of a program that would be raced, first
    what it does by itself, and under what conditions. Each run is ended after `limit_ns`.
    """

    title: str
    version: str
    settings: tuple[Setting, ...]
    limit_ns: int
    conditions: RaceConditions

    @property
    def candidates(self) -> Candidates:
        """Who races."""
        return Candidates(
            tuple(setting.arm(self.title, self.limit_ns) for setting in self.settings)
        )

    @property
    def commands(self) -> Commands:
        """What is started."""
        return {setting.label: setting.started for setting in self.settings}
