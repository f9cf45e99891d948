"""What is done before any loader starts: headers read, plan made, obstacles found."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.fits import check_fits
from modelmon.core.load.libraries.registry import available_as
from modelmon.core.load.planner import plan_load
from modelmon.core.machine.storage import storage_of
from modelmon.core.model.open import open_model
from modelmon.core.worker.block_timings import BlockMap, BlockTimer
from modelmon.core.worker.events import Planned

if TYPE_CHECKING:
    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Job


@dataclass(frozen=True, slots=True)
class Prepared:
    """A job that can be started, and the event that tells of it."""

    model: Model
    plan: Plan
    storage: Storage
    timer: BlockTimer
    planned: Planned

    @property
    def tensor_names(self) -> list[str]:
        """Names of the tensors that a library is asked for, in order."""
        return [self.model.tensors[index].name for index in self.plan.tensors]


def prepare(job: Job) -> Prepared:
    """Read the headers and plan; raises ModelmonError for whatever stands in the way."""
    started_ns = time.monotonic_ns()
    model = open_model(job.path)
    opened_ns = time.monotonic_ns()
    plan = plan_load(model, job.config, job.portion_bytes, job.subset)
    planned_ns = time.monotonic_ns()
    library_version = _library_version(job, model)
    if job.config.deliver == "decoded":
        # numpy and gguf are loaded only where they are what is measured.
        from modelmon.core.load.decode import check_decodable  # noqa: PLC0415

        check_decodable(model)
    storage = storage_of(model.files[0])
    check_fits(job.config, plan)
    timer = BlockTimer(BlockMap(model), [e for extents in plan.readers for e in extents])
    blocks = timer.planned
    planned = Planned(
        model_name=model.name,
        model_bytes=plan.model_bytes,
        planned_bytes=plan.planned_bytes,
        file_bytes=plan.file_bytes,
        requests=sum(plan.request_counts),
        readers=sum(1 for extents in plan.readers if extents),
        shard_paths=tuple(shard.path for shard in model.shards),
        shard_bytes=tuple(shard.size_bytes for shard in model.shards),
        block_names=tuple(name for name, _ in blocks),
        block_bytes=tuple(nbytes for _, nbytes in blocks),
        device_name=storage.device,
        filesystem=storage.filesystem,
        open_ns=opened_ns - started_ns,
        plan_ns=planned_ns - opened_ns,
        library_version=library_version,
    )
    return Prepared(model, plan, storage, timer, planned)


def _library_version(job: Job, model: Model) -> str:
    """The baseline's version; raises ConfigError where it cannot load this model here."""
    if job.config.library == NO_LIBRARY:
        return ""
    found = available_as(job.config.library, model)
    if found.obstacle:
        raise ConfigError(found.obstacle, "Choose another strategy.")
    return found.version
