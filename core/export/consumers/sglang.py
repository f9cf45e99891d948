"""SGLang: its loaders of safetensors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Consumer, Setting
from modelmon.core.export.forms import command_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.situation import Situation

_FORMATS = {"fastsafetensors": "fastsafetensors", "runai-model-streamer": "runai_streamer"}


def setting(found: Situation) -> Setting | Message:
    """Mapped or read, ahead or not, and with how many threads."""
    wanted = found.reading
    launch = [["python", "-m", "sglang.launch_server"], ["--model-path", found.folder]]
    if found.config.library in _FORMATS:
        load_format = _FORMATS[found.config.library]
        return Setting(
            summary=verbatim(f"--load-format {load_format}"),
            forms=(command_form(launch, [["--load-format", load_format]]),),
            reading=Reading("buffered"),
            since=Message("before September 2026"),
            source="docs.sglang.ai: model loading",
        )
    if wanted.access == "mapped" and wanted.ahead:
        options = [["--weight-loader-prefetch-checkpoints"]]
        if found.readers > 1:
            options.append(["--weight-loader-prefetch-num-threads", str(found.readers)])
        return Setting(
            summary=verbatim("--weight-loader-prefetch-checkpoints"),
            forms=(command_form(launch, options),),
            reading=Reading("mapped", wanted.readers, ahead=True),
            since=Message("March 2026"),
            source="sgl-project/sglang#20843, #30146",
            keep_in_mind=Message("It turns loading with several threads off (July 2026)."),
        )
    threads: dict[str, int] = {"enable_multithread_load": found.files_at_once > 1}
    if found.files_at_once > 1:
        threads["num_threads"] = found.files_at_once
    options = [["--model-loader-extra-config", json.dumps(threads)]]
    if wanted.access != "mapped":
        options.insert(0, ["--weight-loader-disable-mmap"])
    return Setting(
        summary=verbatim(options[0][0])
        if wanted.access != "mapped"
        else Message("{readers} threads", readers=found.files_at_once)
        if found.files_at_once > 1
        else Message("one thread"),
        forms=(command_form(launch, options),),
        reading=Reading("mapped" if wanted.access == "mapped" else "buffered", found.files_at_once),
        since=Message("June 2025"),
        source="sgl-project/sglang#7469, #7277",
        keep_in_mind=Message(
            "Threads load several files at once, never parts of one; newer versions do by default"
            " (sgl-project/sglang#20289)."
        ),
    )


CONSUMER = Consumer("sglang", "SGLang", ("safetensors",), setting)
