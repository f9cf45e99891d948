"""What is done before any loader starts: headers read, plan made, obstacles found, memory touched.

Free memory is touched so that all runs start alike. A virtual machine gives idle free memory back
to its host: Linux looks for some every two seconds (mm/page_reporting.c), what became free last
first. Touching it again then costs up to ten times more, and whether a run meets such memory is
chance: that hides every difference between two strategies. So what was touched is held until the
load may have it. No byte of the model is read here but its headers.
"""

from __future__ import annotations

import sys
import time
from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.extents import Extent
from modelmon.core.load.libraries.registry import available_as, baseline
from modelmon.core.load.planner import plan_load
from modelmon.core.load.rules import check_fits
from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.host import is_virtual_machine
from modelmon.core.machine.memory import free_bytes, read_memory
from modelmon.core.machine.mounts import caches_elsewhere
from modelmon.core.machine.storage import storage_of, storage_stack_of
from modelmon.core.messages import Message, verbatim
from modelmon.core.model.open import open_model
from modelmon.core.units import MIB
from modelmon.core.worker.block_timings import BlockMap, BlockTimer
from modelmon.core.worker.environment_check import EnvironmentCheck
from modelmon.core.worker.events import Planned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Slices
    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.storage import Storage, StorageStack
    from modelmon.core.model.tensors import Model, Tensor
    from modelmon.core.worker.events import Cache, Job


@dataclass(frozen=True, slots=True)
class Prepared:
    """A job that can be started, and the event that tells of it."""

    model: Model
    plan: Plan
    storage: Storage
    stack: StorageStack
    timer: BlockTimer
    planned: Planned
    environment: EnvironmentCheck

    @property
    def behind(self) -> str:
        """The filesystem, where a cache out of sight lies behind it; else empty."""
        places = [(self.storage.filesystem, self.storage.kind)]
        places += [(mount.filesystem, mount.kind) for mount in self.stack.all_mounts()]
        return next((each[0] for each in places if caches_elsewhere(*each)), "")


def prepare(job: Job) -> Prepared:
    """Read the headers and plan; raises ModelmonError for whatever stands in the way."""
    started_ns = time.monotonic_ns()
    model = open_model(job.path)
    environment = EnvironmentCheck(model.files)
    opened_ns = time.monotonic_ns()
    if job.config.deliver == "decoded":
        # numpy and gguf are loaded only where they are what is measured.
        from modelmon.core.load.decode import decoded_types  # noqa: PLC0415  not light

        decoded_types(model, job.subset)
    before_plan_ns = time.monotonic_ns()
    plan = plan_load(model, job.config, job.portion_bytes, job.subset, job.portion_place)
    planned_ns = time.monotonic_ns()
    library_version = _library_version(job, model)
    storage = storage_of(model.files[0])
    if job.program is None:
        check_fits(job.config, plan)
    timer = BlockTimer(BlockMap(model), plan)
    blocks = timer.planned
    planned = Planned(
        model_name=model.name,
        model_bytes=plan.model_bytes,
        planned_bytes=plan.planned_bytes,
        file_bytes=plan.file_bytes,
        read_bytes=plan.read_bytes,
        # Of a program nobody knows them.
        requests=sum(plan.request_counts) if job.program is None else 0,
        readers=sum(bool(each.extents) for each in plan.readers) if job.program is None else 0,
        shard_paths=tuple(shard.path for shard in model.shards),
        shard_bytes=tuple(shard.size_bytes for shard in model.shards),
        block_names=tuple(name for name, _ in blocks),
        block_bytes=tuple(nbytes for _, nbytes in blocks),
        device_name=storage.device,
        filesystem=storage.filesystem,
        open_ns=opened_ns - started_ns,
        plan_ns=planned_ns - before_plan_ns,
        library_version=library_version,
        tensors=_tensor_count(model, plan),
        storage_kind=storage.kind,
        files_mark=environment.files_mark,
    )
    stack = storage_stack_of(model.files[0])
    return Prepared(model, plan, storage, stack, timer, planned, environment)


def _tensor_count(model: Model, plan: Plan) -> int:
    """How many tensors the plan delivers, at least in part."""
    slices = plan.slices
    if plan.read_bytes >= model.nbytes and not slices:
        return len(model.tensors)
    wanted = [(extent.shard, extent.end_bytes, extent.offset_bytes) for extent in plan.wanted]
    count = 0
    for tensor in model.tensors:
        # The first extent that ends behind the tensor's start.
        at = bisect(wanted, (tensor.shard, tensor.offset_bytes, sys.maxsize))
        end = tensor.offset_bytes + tensor.nbytes
        reached = at < len(wanted) and wanted[at][0] == tensor.shard and wanted[at][2] < end
        count += reached and _is_wanted(tensor, slices)
    return count


def _is_wanted(tensor: Tensor, wanted: Sequence[Slices]) -> bool:
    """Whether it is more than what lies between slices."""
    place = Extent(tensor.shard, tensor.offset_bytes, tensor.nbytes)
    return not wanted or any(slices.nbytes(place) for slices in wanted)


def _library_version(job: Job, model: Model) -> str:
    """The baseline's version; raises ConfigError where it cannot load this model here."""
    if job.config.library == NO_LIBRARY or job.program is not None:
        return ""
    found = available_as(job.config.library, model)
    if found.obstacle:
        raise ConfigError(verbatim(found.obstacle), Message("Choose another strategy."))
    if baseline(job.config.library).whole_files and not job.subset.is_whole:
        raise ConfigError(
            Message(
                "{library} always reads its files whole.",
                library=job.config.library,
            ),
            Message("Load the whole model, or choose another strategy for a part."),
        )
    return found.version


# What must stay free, so that conditioning itself never brings the machine into need.
_MOST_SHARE = 0.8
_STEP_BYTES = 64 * MIB


class MemoryNeed(NamedTuple):
    """Free memory that a load takes, and what another strategy's load from the same start takes
    besides: held as well it is not given back between the runs of both.
    """

    load_bytes: int
    spare_bytes: int = 0


def memory_need(
    config: LoadConfig,
    cache: Cache,
    plan: Plan,
    cached_share: float | None,
    *,
    can_map: bool = False,
) -> MemoryNeed:
    """The page cache of what is not there at the start, and a copy, as far as `config` takes them.

    `cached_share` is what is cached before the start is set: what is dropped of it for a cold start
    was in use, and needs no touching where it is enough. For a start that keeps what is cached it
    is no more than what is free without anything being dropped for it. `auto` copies nothing of
    what is cached where it `can_map` that. Nothing where touching gains
    nothing: on a machine that is known not to be virtual.
    """
    if is_virtual_machine() is False:
        return MemoryNeed(0)
    cached_bytes = round(plan.read_bytes * (cached_share or 0.0))
    missing_bytes = plan.read_bytes - cached_bytes
    # A warm start has what is missing come into the cache while this is held.
    beside_bytes = missing_bytes if cache == "warm" else 0
    free = round(free_bytes() * _MOST_SHARE) - beside_bytes
    room = round(read_memory().usable_bytes * _MOST_SHARE) if cache == "cold" else free
    cache_bytes = {"cold": plan.read_bytes, "warm": 0, "as-is": missing_bytes}[cache]
    load_bytes = 0
    if config.access not in ("direct", "auto"):  # they read past the cache what it does not hold
        load_bytes += cache_bytes
    if can_map and (config.access, config.deliver) == ("auto", "usable") and not plan.slices:
        load_bytes += min(cache_bytes, plan.planned_bytes)
    elif config.memory_kind == "owned" or config.library != NO_LIBRARY:
        load_bytes += plan.planned_bytes
    load_bytes = max(0, min(load_bytes, room))
    spare_bytes = max(0, min(cache_bytes + plan.planned_bytes, free) - load_bytes)
    if cache == "cold" and load_bytes <= cached_bytes:
        load_bytes = 0
    return MemoryNeed(load_bytes, spare_bytes)


def touched_memory(
    nbytes: int, report: Callable[[int], None], should_stop: Callable[[], bool]
) -> OwnedBuffer | None:
    """Free memory that was touched and is the caller's until it closes the buffer.

    `report` gets the bytes so far. None where nothing is asked for, or the system refuses so much.
    """
    if not nbytes:
        return None
    try:
        buffer = OwnedBuffer(nbytes)
    except (OSError, MemoryError):
        return None
    for start in range(0, nbytes, _STEP_BYTES):
        if should_stop():
            break
        step = min(_STEP_BYTES, nbytes - start)
        buffer.touch(start, step)
        report(start + step)
    return buffer
