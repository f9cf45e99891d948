"""The strategies that a card offers: presets, the user's own, and libraries. No widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.load.libraries import registry
from modelmon.core.load.presets import PRESETS
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.strategies import strategy, strategy_obstacle
from modelmon.gui.language import said, tr
from modelmon.gui.measuring.own_presets import OWN_SENTENCE

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model


@dataclass(frozen=True, slots=True)
class Offer:
    """One strategy; `obstacle` says why it cannot be used here, `version` is a library's."""

    name: str
    sentence: str
    obstacle: str = ""
    version: str = ""


def offered(model: Model | None, own: dict[str, LoadConfig]) -> tuple[tuple[Offer, ...], ...]:
    """Presets, own presets and libraries, each group in its order."""
    return (
        tuple(Offer(p.name, said(p.when_it_wins), _here(p.config)) for p in PRESETS.values()),
        tuple(Offer(name, tr(OWN_SENTENCE), _here(config)) for name, config in own.items()),
        _libraries(model),
    )


def _here(config: LoadConfig) -> str:
    """Why this system cannot load in this way."""
    found = conflict_of(config)
    return said(found.reason) if found else ""


def _libraries(model: Model | None) -> tuple[Offer, ...]:
    if model is None:
        names = registry.names()
        return tuple(
            Offer(name, said(strategy(name).when_it_wins), said(strategy_obstacle(name, None)))
            for name in names
        )
    return tuple(
        Offer(found.name, said(found.when_it_wins), said(found.obstacle), found.version)
        for found in registry.available(model)
    )
