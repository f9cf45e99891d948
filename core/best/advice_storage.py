"""Advice on what a model lies on: a faster disk, or fewer bytes to fetch from it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.best.result import Advice
from modelmon.core.messages import Message
from modelmon.core.model.ggml_types import UNKNOWN_TYPE
from modelmon.core.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.faster_places import FasterPlace
    from modelmon.core.probe.probe import Probe

_NOTEWORTHY = 1.5
_WORTH_A_DISK = 2
_NVME_BYTES_PER_S = 3e9
_NVME_SOURCE = Message("3 GB/s: drives on PCIe 3.0 × 4, whose link carries 3.9 GB/s")
_WIDE_TYPES = {"F32": 4.0, "F16": 2.0, "BF16": 2.0}
# A block of 32 weights takes 32 bytes and a scale of 2.
_Q8_BYTES_A_WEIGHT = 34 / 32


def storage_advice(model: Model, diagnosis: Diagnosis | None, cold_ns: float) -> Iterator[Advice]:
    """For a load that waits for its disk and takes `cold_ns` from there at best."""
    place = next(iter(diagnosis.faster_places), None) if diagnosis is not None else None
    if place is not None and place.best_cold_ns * _NOTEWORTHY < cold_ns:
        yield _of_place(model, place, cold_ns)
    else:
        yield from _of_class(model, diagnosis.probe if diagnosis is not None else None, cold_ns)
    yield from _smaller_file(model, cold_ns)


def _of_place(model: Model, place: FasterPlace, cold_ns: float) -> Advice:
    return Advice(
        kind="faster-disk",
        text=Message(
            "Move the model to {folder}, which is on a faster disk ({storage_class}).",
            folder=place.folder,
            storage_class=class_text(place.storage_class),
        ),
        expected=Message(
            "About {best_cold} instead of {cold}.",
            best_cold=duration_text(place.best_cold_ns),
            cold=duration_text(cold_ns),
        ),
        basis="measured",
        source=Message(
            "measured there: up to {bytes_rate}",
            bytes_rate=rate_text(place.bytes_per_s),
        ),
        command=_copy(model, shlex.quote(place.folder)),
    )


def _of_class(model: Model, probe: Probe | None, cold_ns: float) -> Iterator[Advice]:
    """Where no other disk was probed: what drives of the next class do."""
    rate = model.nbytes * 1e9 / cold_ns
    # A drive of that class is not what limits a load that stays far below it.
    fast = probe is not None and probe.storage_class in {"nvme", "memory"}
    if fast or rate * _WORTH_A_DISK > _NVME_BYTES_PER_S:
        return
    seen = Message("this storage gave {rate}", rate=rate_text(rate))
    if probe is not None and probe.storage_class != "unknown":
        seen = Message(
            "{seen} and was measured as {storage_class}",
            seen=seen,
            storage_class=class_text(probe.storage_class),
        )
    possible = _NVME_BYTES_PER_S
    if probe is not None and (fill := probe.memory.fill()) is not None:
        possible = min(possible, fill)
    yield Advice(
        kind="faster-disk",
        text=Message("Move the model to an NVMe drive: {seen}.", seen=seen),
        expected=Message(
            "About {nbytes} instead of {cold}.",
            nbytes=duration_text(model.nbytes / possible * 1000000000.0),
            cold=duration_text(cold_ns),
        ),
        basis="rule of thumb",
        source=_NVME_SOURCE,
        command=_copy(model, "FOLDER_ON_NVME"),
    )


def _copy(model: Model, folder: str) -> str:
    """The command that copies a model with all of its files, links followed."""
    path = Path(model.path)
    files = dict.fromkeys((path, *model.files))
    top = path if model.is_folder else path.parent
    if model.is_folder or any(file.parent != top for file in files):
        return f"cp -rL {shlex.quote(str(top))} {folder}"
    return f"cp -L {' '.join(shlex.quote(str(file)) for file in files)} {folder}"


def _smaller_file(model: Model, cold_ns: float) -> Iterator[Advice]:
    wide = [tensor for tensor in model.tensors if tensor.dtype in _WIDE_TYPES]
    weights = sum(tensor.nbytes / _WIDE_TYPES[tensor.dtype] for tensor in wide)
    small = model.nbytes - sum(tensor.nbytes for tensor in wide) + weights * _Q8_BYTES_A_WEIGHT
    if small * _NOTEWORTHY > model.nbytes or any(
        tensor.dtype.startswith(UNKNOWN_TYPE) for tensor in model.tensors
    ):
        return
    text = Message("Quantize the weights to 8 bits (Q8_0), if the loss of accuracy is acceptable.")
    if model.format != "gguf":
        text = Message(
            "Quantize the weights to 8 bits (Q8_0), if the loss of accuracy is"
            " acceptable and your runtime reads GGUF."
        )
    yield Advice(
        kind="quantisation",
        text=text,
        expected=Message(
            "About {cold} instead of {cold2}.",
            cold=duration_text(cold_ns * small / model.nbytes),
            cold2=duration_text(cold_ns),
        ),
        basis="rule of thumb",
        source=Message(
            "34 bytes for 32 weights; where the disk is the limit, time is proportional to bytes"
        ),
        command=_quantise(model),
    )


def _quantise(model: Model) -> str:
    """llama.cpp's command for this model; "" where its converter has no folder to read."""
    path = Path(model.path)
    folder = path if model.is_folder else path.parent
    name = folder.name if model.is_folder or path.suffix == ".json" else path.stem
    target = shlex.quote(str(folder / f"{name}-Q8_0.gguf"))
    if model.format == "gguf":
        # Of a split file llama-quantize takes the first part.
        source = model.files[0]
        return f"llama-quantize {shlex.quote(str(source))} {target} Q8_0"
    if not model.has_config:
        return ""
    return f"convert_hf_to_gguf.py {shlex.quote(str(folder))} --outtype q8_0 --outfile {target}"
