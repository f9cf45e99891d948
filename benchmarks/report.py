"""What is saved: everything as JSON, and a page of Markdown with the tables."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from typing import TYPE_CHECKING, Any

import msgspec
from aims import aims_of
from earlier import SCHEMA
from summary import Summary, summarise
from table import aims_text, growth_text, missing_text, results_text

from modelmon.core.machine.host import read_cpu
from modelmon.core.machine.memory import huge_pages_mode, read_memory
from modelmon.core.machine.storage import storage_of
from modelmon.core.messages import to_text
from modelmon.core.units import request_text, size_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from growth import Growth
    from records import Arm, Run

_OURS = ("modelmon", "numpy")


class Report:
    """All that one run of the benchmark found."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        folder: Path,
        arms: Mapping[tuple[str, str], Arm],
        runs: Sequence[Run],
        growth: Sequence[Growth],
    ) -> None:
        self.machine = machine(folder)
        self.settings = dict(settings)
        self.arms = list({arm.name: arm for arm in arms.values()}.values())
        self.runs = list(runs)
        self.summaries: list[Summary] = summarise(runs, arms)
        self.aims = aims_of(self.summaries)
        self.growth = list(growth)

    @property
    def failures(self) -> dict[str, str]:
        """What failed, and how, by file, start and arm."""
        return {
            f"{run.arm} on {run.file}, {run.state}": run.answer.error
            for run in self.runs
            if run.answer.error
        }

    @property
    def versions(self) -> dict[str, str]:
        """Versions of all that was measured."""
        own = {name: importlib.metadata.version(name) for name in _OURS}
        return own | {
            arm.library: arm.version for arm in self.arms if arm.library and not arm.obstacle
        }

    def as_json(self) -> bytes:
        """Everything, indented."""
        document = {
            "schema": SCHEMA,
            "machine": self.machine,
            "versions": self.versions,
            "settings": self.settings,
            "arms": self.arms,
            "runs": self.runs,
            "summaries": self.summaries,
            "aims": [msgspec.to_builtins(aim) | {"met": aim.met} for aim in self.aims],
            "growth": self.growth,
        }
        packed = msgspec.json.encode(document, enc_hook=to_text)
        return msgspec.json.format(packed, indent=1) + b"\n"

    def as_markdown(self) -> str:
        """The page that is committed beside the benchmark."""
        facts = self.machine | self.versions | {k: str(v) for k, v in self.settings.items()}
        failures = "".join(f"- {what}: {how}\n" for what, how in self.failures.items())
        sections = {
            "Machine and versions": "".join(f"- {k}: {v}\n" for k, v in facts.items()),
            "Aims": aims_text(self.aims) if self.aims else "",
            "Results": results_text(self.summaries),
            "How cost grows": growth_text(self.growth),
            "Not measured": missing_text(self.arms) + failures,
        }
        body = "\n".join(f"## {title}\n\n{text}" for title, text in sections.items() if text)
        return f"# Results of `benchmarks/engine.py`\n\n{body}"


def machine(folder: Path) -> dict[str, str]:
    """Where this was measured, in words."""
    cpu, storage = read_cpu(), storage_of(folder)
    readahead = storage.readahead_bytes
    facts = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "CPU": f"{cpu.model or platform.machine()}, {os.cpu_count()} logical",
        "memory": size_text(read_memory().total_bytes),
        "filesystem": storage.filesystem,
        "device": storage.device,
        "readahead": None if readahead is None else request_text(readahead),
        "huge pages": huge_pages_mode(),
    }
    return {name: value for name, value in facts.items() if value}
