"""What is said of decoding: rates of types, and the model as another type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message
from modelmon.core.units import duration_text, rate_text, size_text
from modelmon.core.worker.warned import MEANINGS

if TYPE_CHECKING:
    from modelmon.core.diagnose.decoded_as import DecodedAs
    from modelmon.core.diagnose.diagnosis import Diagnosis

Rows = list[tuple[str, str]]

_DECODERS = {
    "compiled": Message("compiled"),
    "gguf": Message("gguf's decoder"),
    "numpy": Message("numpy"),
}


def decode_rows(found: Diagnosis) -> Rows:
    """Stored bytes a second that become float32, by type; and what is missing to be faster."""
    if not found.decode_rates:
        return []
    from modelmon.core.load.decode import COMPILED  # noqa: PLC0415  slow to import

    rows: Rows = [
        (
            rate.dtype,
            Message(
                "{rate} ({low} to {high}), {decoder}",
                rate=rate_text(rate.bytes_per_s),
                low=rate_text(rate.low_bytes_per_s),
                high=rate_text(rate.high_bytes_per_s),
                decoder=_DECODERS[rate.decoder],
            ),
        )
        for rate in found.decode_rates
    ]
    told = Message(
        "Stored bytes a second, with {threads} threads.", threads=found.decode_rates[0].threads
    )
    rows.append((Message("Rates"), told))
    if any(rate.decoder == "gguf" and rate.dtype in COMPILED for rate in found.decode_rates):
        rows.append((Message("Fix"), MEANINGS["slow-decoder"].remedy))
    return rows


def decoded_as_rows(found: Diagnosis) -> Rows:
    """The model as it is, or why that can't be decoded, and as each type."""
    rows: Rows = [(one.dtype or Message("As it is"), _text(one)) for one in found.decoded_as]
    if found.no_decoding:
        rows.insert(0, (Message("As it is"), found.no_decoding))
    if found.decoded_as and found.probe is not None:
        rows.append(
            (
                Message("Range"),
                Message(
                    "Lower: decodes while reading. Upper: reads, then decodes. At the disk's best"
                    " measured rate."
                ),
            )
        )
    return rows


def _text(one: DecodedAs) -> Message:
    size = size_text(one.model_bytes)
    if one.least_ns is None or one.most_ns is None:
        decoding = duration_text(one.decode_ns)
        return Message("{size}, decoding alone {decoding}", size=size, decoding=decoding)
    return Message(
        "{size}, {least} to {most} from a cold start",
        size=size,
        least=duration_text(one.least_ns),
        most=duration_text(one.most_ns),
    )
