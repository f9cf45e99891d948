"""What is compared: strategies of modelmon, other libraries, and the limits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from examples import EXAMPLES
from records import Arm

from modelmon.core.load.libraries.registry import available, baseline
from modelmon.core.load.presets import preset

if TYPE_CHECKING:
    from records import State

    from modelmon.core.model.tensors import Model

OURS = {"mapped": "mmap", "owned": "auto", "streamed": "auto streamed"}
"""The strategy that stands for modelmon in the aims, by delivery: one for every state."""

# It asks for the same tensors in another way, and what it is for is parts of them.
_NOT_MEASURED = frozenset({"safetensors.get_slice"})

_READS = tuple(
    Arm(f"read limit, {threads} readers", "read-limit", "none", threads=threads)
    for threads in (1, 2, 4)
)
_LIMITS: dict[str, tuple[Arm, ...]] = {
    "cold": (
        Arm("device limit, 1 reader", "device-limit", "none"),
        Arm("device limit, 4 readers", "device-limit", "none", threads=4),
    ),
    "warm": (
        Arm("memory limit, 2 threads", "memory-limit", "none", threads=2),
        Arm("memory reused, 2 threads", "memory-reused", "none", threads=2),
    ),
}


OWN_EXAMPLE = " (its example)"
"""What the name of an arm ends with that calls a library as its own example does."""


def our_arms() -> list[Arm]:
    """Strategies of modelmon, as `load_model` and `stream_model` run them."""
    owned = [
        Arm(name, "modelmon", "owned", replace(preset(name).config, deliver="owned"))
        for name in ("parallel", "direct", "auto")
    ]
    streamed = replace(preset("auto").config, deliver="streamed")
    return [
        Arm("mmap", "modelmon", "mapped", preset("mmap").config),
        *owned,
        Arm("auto streamed", "modelmon", "streamed", streamed),
    ]


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
            library.memory_kind,
            library=found.name,
            version=found.version,
            obstacle=found.obstacle,
        )
        arms.append(arm)
        if found.name in EXAMPLES:
            arms.append(_as_example(arm))
        if arm.delivery == "mapped":
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
    """What loads from `state` are held against: reads into fresh memory from each; device or memory
    alone where one of them decides.
    """
    return (*_LIMITS.get(state, ()), *_READS)
