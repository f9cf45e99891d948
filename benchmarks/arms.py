"""What is compared: strategies of modelmon, other libraries, and the limits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from examples import EXAMPLES
from records import Arm

from modelmon.core.load.config import PRESETS, preset
from modelmon.core.load.libraries.registry import available, baseline

if TYPE_CHECKING:
    from records import Delivery, State

    from modelmon.core.model.tensors import Model

OURS: dict[Delivery, str] = {
    "usable": "auto",
    "owned": "auto owned",
    "streamed": "auto streamed",
}
"""The strategy that stands for modelmon in the aims, by delivery: one for every state."""

EARLIER = "auto owned (earlier version)"

# It asks for the same tensors in another way, and what it is for is parts of them.
_NOT_MEASURED = frozenset({"safetensors.get_slice"})
# Where all is in one process, it maps as `processes` does.
_SAME_IN_PROCESS = frozenset({"shared-fd"})
# With more, neither copies nor direct reads were faster on the machines that were met.
_LIMIT_THREADS = 4
_READS = Arm("bare reads", "read-limit", "none", threads=_LIMIT_THREADS)
_MAPS = Arm("bare maps and reads", "map-limit", "none", threads=_LIMIT_THREADS)

OWN_EXAMPLE = " (its example)"
"""What the name of an arm ends with that calls a library as its own example does."""


def our_arms(earlier: str = "") -> list[Arm]:
    """Every strategy of modelmon, as `load_model` and `stream_model` run them; `auto` by every
    delivery. `earlier` is the folder of an earlier version, whose `auto` is measured as well.
    """
    config = preset("auto").config
    owned = Arm(OURS["owned"], "modelmon", "owned", replace(config, deliver="owned"))
    arms = [
        *(_as_preset(name) for name in PRESETS if name not in _SAME_IN_PROCESS),
        Arm("auto (every array)", "modelmon", "usable", config, every_array=True),
        owned,
        Arm(OURS["streamed"], "modelmon", "streamed", replace(config, deliver="streamed")),
    ]
    if earlier:
        arms.append(msgspec.structs.replace(owned, name=EARLIER, maker="earlier", earlier=earlier))
    return arms


def _as_preset(name: str) -> Arm:
    config = preset(name).config
    is_usable = name == OURS["usable"] or config.memory_kind == "mapped"
    return Arm(name, "modelmon", "usable" if is_usable else "owned", config)


def peer_arms(model: Model) -> list[Arm]:
    """Other libraries, each as it delivers; one that maps is measured with a copy as well."""
    arms = []
    for found in available(model):
        library = baseline(found.name)
        if found.name in _NOT_MEASURED or model.format not in library.formats:
            continue
        arm = Arm(
            found.name,
            "library",
            "owned" if library.memory_kind == "owned" else "usable",
            library=found.name,
            version=found.version,
            obstacle=found.obstacle,
        )
        arms.append(arm)
        if found.name in EXAMPLES:
            arms.append(_as_example(arm))
        if arm.delivery == "usable":
            arms.append(_copied(arm))
    return arms


def _as_example(arm: Arm) -> Arm:
    return msgspec.structs.replace(arm, name=f"{arm.name}{OWN_EXAMPLE}", maker="example")


def _copied(arm: Arm) -> Arm:
    return Arm(
        f"{arm.name} + copy",
        "library",
        "owned",
        library=arm.library,
        version=arm.version,
        obstacle=arm.obstacle,
    )


def limits(state: State) -> tuple[Arm, ...]:
    """What loads from `state` are held against; where nothing is cached there is nothing to map."""
    return (_READS,) if state == "cold" else (_MAPS, _READS)
