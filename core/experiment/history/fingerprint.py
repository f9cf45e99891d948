"""Which model and which machine a result belongs to."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

from modelmon.core.experiment.result import Machine, ModelFingerprint
from modelmon.core.model.fingerprint import fingerprint

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.model.tensors import Model


def model_fingerprint(model: Model) -> ModelFingerprint:
    """The model's identity for results and exported files."""
    return ModelFingerprint(
        name=model.name,
        format=model.format,
        nbytes=model.nbytes,
        tensors=len(model.tensors),
        digest=fingerprint(model),
    )


def machine_of(preflight: Preflight) -> Machine:
    """This machine and the model's storage on it."""
    return Machine(
        platform=f"{platform.system()} {platform.release()}",
        cpu_count=os.cpu_count() or 1,
        ram_bytes=preflight.memory.total_bytes,
        filesystem=preflight.storage.filesystem,
        device=preflight.storage.device,
    )
