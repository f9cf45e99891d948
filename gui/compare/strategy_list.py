"""The strategies that a card offers: presets, the user's own, and libraries. No widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.load.config import PRESETS
from modelmon.core.load.libraries import registry
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.strategies import strategy, strategy_obstacle
from modelmon.gui.language import said, tr
from modelmon.gui.session.own_presets import OWN_SENTENCE

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model

_IN_MEMORY = ("tmpfs", "ramfs")


@dataclass(frozen=True, slots=True)
class Offer:
    """One strategy; `obstacle` says why it cannot be used here, `version` is a library's."""

    name: str
    sentence: str
    obstacle: str = ""
    version: str = ""


def offered(
    model: Model | None, own: dict[str, LoadConfig], storage: Storage | None = None
) -> tuple[tuple[Offer, ...], ...]:
    """Presets, own presets and libraries, each group in its order; `storage` holds the model."""
    return (
        tuple(
            Offer(preset.name, said(preset.when_it_wins), _here(preset.config, storage))
            for preset in PRESETS.values()
        ),
        tuple(
            Offer(name, tr(OWN_SENTENCE), _here(config, storage)) for name, config in own.items()
        ),
        _libraries(model),
    )


def obstacle_of(model: Model | None, axis: str, value: object) -> str:
    """Why an axis cannot take a value for this model, where the names of its types tell."""
    if (axis, value) != ("deliver", "decoded") or model is None or model.format != "safetensors":
        # For the types of other files a decoder has to be imported, which says it when it runs.
        return ""
    from modelmon.core.load.decode import obstacle  # noqa: PLC0415  start sooner without it

    return said(obstacle({tensor.dtype for tensor in model.tensors}))


def obstacle_there(storage: Storage | None, axis: str, value: object) -> str:
    """Why an axis cannot take a value for what lies there, where its filesystem alone tells."""
    if (axis, value) != ("access", "direct") or storage is None:
        return ""
    if storage.filesystem not in _IN_MEMORY:
        return ""
    return tr(
        "The model is in memory ({filesystem}), so direct I/O isn't possible.",
        filesystem=storage.filesystem,
    )


def _here(config: LoadConfig, storage: Storage | None) -> str:
    """Why this system cannot load in this way."""
    found = conflict_of(config)
    return said(found.reason) if found else obstacle_there(storage, "access", config.access)


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
