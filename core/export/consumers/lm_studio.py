"""LM Studio: its library, since its command has no such option."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Form, Setting
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation


def setting(found: Situation) -> Setting | Message:
    """`tryMmap` of its load settings."""
    mapped = found.reading.access == "mapped"
    value = json.dumps(mapped)
    code = (
        'import { LMStudioClient } from "@lmstudio/sdk";\n\n'
        "const client = new LMStudioClient();\n"
        f'const model = await client.llm.load("MODEL", {{ config: {{ tryMmap: {value} }} }});\n'
    )
    return Setting(
        summary=verbatim(f"tryMmap {value}"),
        forms=(Form(verbatim("TypeScript"), "typescript", code, "load.ts", (3,)),),
        reading=Reading("mapped" if mapped else "buffered"),
        since=Message("before September 2026"),
        source="lmstudio-js: LLMLoadModelConfig",
        keep_in_mind=Message("MODEL is its name in LM Studio. lms load has no such option."),
    )


CONSUMER = Consumer("lm-studio", "LM Studio", ("gguf",), setting)
