"""SGLang: its loaders of safetensors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.consumers.vllm import LOADS
from modelmon.core.export.forms import Option, command_form
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "sglang", "0.5.23")
_FORMATS = {"fastsafetensors": "fastsafetensors", "runai-model-streamer": "runai_streamer"}
_PREFETCH = Option(
    "--weight-loader-prefetch-checkpoints",
    "mapped",
    Message("March 2026"),
    "sgl-project/sglang#20843, #30146",
    Message("It turns loading with several threads off (July 2026)."),
)


def setting(found: Outcome) -> Setting | Message:
    """Mapped or read, ahead or not, and with how many threads."""
    wanted, files = found.reading, found.files
    chosen = files.load_format
    if chosen is None:
        return files.not_chosen("SGLang", LOADS)
    folder = [["python", "-m", "sglang.launch_server"], ["--model-path", files.folder]]
    launch = [*folder, *chosen]
    if found.config.library in _FORMATS and files.are(files.listed()):
        text = f"--load-format {_FORMATS[found.config.library]}"
        since = Message("before September 2026")
        return Option(text, "buffered", since, "docs.sglang.ai: model loading").on(folder)
    mapped, at_once = wanted.access == "mapped", found.files_at_once
    if mapped and wanted.ahead:
        threads = [["--weight-loader-prefetch-num-threads", str(found.readers)]]
        more = threads if found.readers > 1 else []
        return _PREFETCH.on(launch, *more, readers=wanted.readers, ahead=True)
    options = [] if mapped else [["--weight-loader-disable-mmap"]]
    # Threads have a file each: of a single one there's nothing to say.
    if len(files.names) != 1:
        extra: dict[str, int] = {"enable_multithread_load": at_once > 1}
        extra |= {"num_threads": at_once} if at_once > 1 else {}
        options.append(["--model-loader-extra-config", json.dumps(extra)])
    in_short = (
        Message("{readers} threads", readers=at_once) if at_once > 1 else Message("one thread")
    )
    return Setting(
        summary=in_short if mapped else verbatim(options[0][0]),
        forms=(command_form(launch, options),),
        reading=Reading("mapped" if mapped else "buffered", at_once),
        since=Message("June 2025"),
        source="sgl-project/sglang#7469, #7277",
        keep_in_mind=Message(
            "Threads load several files at once, never parts of one; newer versions do by default"
            " (sgl-project/sglang#20289)."
        ),
    )


CONSUMER = Consumer("sglang", "SGLang", ("safetensors",), setting, CHECKED)
