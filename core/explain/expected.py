"""What each strategy should take for a model here, and which of them is worth a try first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.diagnose.diagnosis import Expected, ExpectedTime
from modelmon.core.errors import ModelFileError
from modelmon.core.explain.cost import predict, size_of
from modelmon.core.explain.typical import limits_or_typical
from modelmon.core.load.presets import PRESETS
from modelmon.core.load.rules import conflict_of
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.model.open import open_model
from modelmon.core.probe.limits import UNKNOWN_LIMITS, limits_of
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.explain.cost import LoadSize, Predicted
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.limits import Limits
    from modelmon.core.probe.probe import Probe
    from modelmon.core.worker.events import Cache

WORTH_TRYING = 1.05
"""Less than 5% of a load's time is worth no change."""

_AS_FAST = 1.03
# Of strategies that are as fast, the one that suits most starts.
_PREFERRED = ("auto", "sequential", "parallel", "prefetch", "warm-then-map", "populate")


def with_expected(found: Diagnosis, path: Path) -> Diagnosis:
    """The diagnosis with the times of all strategies, where `path` is a model."""
    if found.no_model or found.file is None:
        return found
    try:
        size = size_of(open_model(path))
    except ModelFileError:
        return found
    limits = limits_of(found.probe) if found.probe is not None else UNKNOWN_LIMITS
    limits = limits_or_typical(limits, found.storage, found)
    every = sorted(_expected(size, limits), key=lambda each: each.cold.ns)
    return msgspec.structs.replace(found, expected=tuple(every))


def _expected(size: LoadSize, limits: Limits) -> Iterator[Expected]:
    for name, preset in PRESETS.items():
        if conflict_of(preset.config) is not None:
            continue
        cold, warm = (predict(preset.config, size, limits, start) for start in ("cold", "warm"))
        if cold is not None and warm is not None:
            yield Expected(name, cold.measured, _time(cold), _time(warm))


def fastest_ns(model: Model, probe: Probe, cache: Cache) -> int | None:
    """The least time of all strategies, as a probe predicts it; None where it measured nothing."""
    size, limits = size_of(model), limits_of(probe)
    if not (limits.rates if cache == "cold" else limits.copies):
        return None
    times = [
        found.ns
        for preset in PRESETS.values()
        if conflict_of(preset.config) is None
        and (found := predict(preset.config, size, limits, cache)) is not None
    ]
    return round(min(times)) if times else None


def fastest_text(model: Model, probe: Probe) -> Message:
    """`about 3.10 s cold, 400 ms warm`; "" where nothing was measured."""
    cold_ns, warm_ns = (fastest_ns(model, probe, cache) for cache in ("cold", "warm"))
    parts = []
    if cold_ns is not None:
        parts.append(Message("{cold} cold", cold=duration_text(cold_ns)))
    if warm_ns is not None:
        parts.append(Message("{warm} warm", warm=duration_text(warm_ns)))
    return Message("about {times}", times=joined(parts, ", ")) if parts else NOTHING


def _time(one: Predicted) -> ExpectedTime:
    times = (round(one.ns), round(one.low_ns), round(one.high_ns))
    return ExpectedTime(*times, one.largest.kind)


def likeliest(
    configs: Iterable[tuple[str, LoadConfig]], size: LoadSize, limits: Limits, cache: Cache
) -> tuple[str, Predicted] | None:
    """The name that should be fastest, and its time; None where nothing is known of any. Those that
    take hardly longer count as well: of them the simplest.
    """
    times = [
        (name, found)
        for name, config in configs
        if conflict_of(config) is None
        and (found := predict(config, size, limits, cache)) is not None
    ]
    least_ns = min((found.ns for _, found in times), default=0.0)
    near = [each for each in times if each[1].ns <= _AS_FAST * least_ns]
    places = {name: place for place, name in enumerate(_PREFERRED)}
    return min(near, key=lambda each: places.get(each[0], len(places)), default=None)
