"""ktransformers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "kvcache-ai/ktransformers", "95009ea6856c")


def setting(found: Outcome) -> Message:
    """None is known."""
    del found
    return Message(
        "No setting is known for how it reads. Nearest: fill the page cache before it starts, or"
        " raise the readahead."
    )


CONSUMER = Consumer("ktransformers", "ktransformers", ("gguf", "safetensors"), setting, CHECKED)
