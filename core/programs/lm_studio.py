"""LM Studio, by its window or its service; settings by its library, since its command has none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.advice import Checked, Form, Setting
from modelmon.core.programs.installed import RunningProgram
from modelmon.core.programs.known_program import Variant
from modelmon.core.programs.outcome import ReadPattern

if TYPE_CHECKING:
    from modelmon.core.programs.outcome import Outcome

_LIBRARY = "https://github.com/lmstudio-ai/lmstudio-js"
_SINCE = ("before September 2026", _LIBRARY)


class LmStudio(RunningProgram):
    """LM Studio."""

    name = "lm-studio"
    title = "LM Studio"
    home = "https://lmstudio.ai/docs"
    formats = ("gguf",)
    unstartable = Message(
        "What LM Studio calls a model doesn't follow from its file, so modelmon doesn't ask it to"
        " load."
    )
    process = r"^\S* (?:\S*/)?(?:LM[ -]Studio|lm-studio|llmster)\S*"
    program = "lms"
    offers = (
        Variant("no-mmap", "buffered", *_SINCE, ("tryMmap=false",)),
        Variant("dio", "direct", "February 2026", f"{_LIBRARY}/pull/548", ("tryDirectIO=true",)),
    )
    advised = ("gguf",)
    checked = Checked("2026-11-27", "lmstudio-ai/lmstudio-js", "6ec11db19bf4")

    def setting(self, found: Outcome) -> Setting | Message:
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
            reading=ReadPattern(access),
            since=Message("tryMmap: before September 2026. tryDirectIO: February 2026"),
            source="lmstudio-js: LLMLoadModelConfig, #548",
            keep_in_mind=Message(
                "MODEL is LM Studio's name for {file}. lms load has no such option.",
                file=found.file,
            ),
        )
