"""LM Studio: its library, since its command has no such option."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Form, Setting
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "lmstudio-ai/lmstudio-js", "6ec11db19bf4")


def setting(found: Outcome) -> Setting | Message:
    """`tryMmap` and `tryDirectIO` of its load settings."""
    access = found.reading.access
    settings = {"tryMmap": access == "mapped"} | (
        {"tryDirectIO": True} if access == "direct" else {}
    )
    chosen = ", ".join(f"{name}: {json.dumps(value)}" for name, value in settings.items())
    code = (
        'import { LMStudioClient } from "@lmstudio/sdk";\n\n'
        "const client = new LMStudioClient();\n"
        f'const model = await client.llm.load("MODEL", {{ config: {{ {chosen} }} }});\n'
    )
    return Setting(
        summary=verbatim(chosen.replace(":", "")),
        forms=(Form(verbatim("TypeScript"), "typescript", code, "load.ts", (3,)),),
        reading=Reading(access),
        since=Message("tryMmap: before September 2026. tryDirectIO: February 2026"),
        source="lmstudio-js: LLMLoadModelConfig, #548",
        keep_in_mind=Message(
            "MODEL is LM Studio's name for {file}. lms load has no such option.", file=found.file
        ),
    )


CONSUMER = Consumer("lm-studio", "LM Studio", ("gguf",), setting, CHECKED)
