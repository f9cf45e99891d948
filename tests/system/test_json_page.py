"""docs/json.md names what is really printed."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in PAGE.split("\n### ")[1:]}
RECORDS = {
    name: found[1]
    for name, text in SECTIONS.items()
    if (found := re.search(r"^`(modelmon\.[\w.]+)`$", text, re.MULTILINE))
}
COMMANDS = {
    "inspect": ("MODEL",),
    "doctor": ("MODEL",),
    "run": ("MODEL", "--cache", "warm"),
    "compare": ("MODEL", "--cache", "warm", "--repeats", "1", "--a", "mmap", "--b", "parallel"),
    "strategies": (),
    "models": ("FOLDER",),
    "history": (),
}


def fields(section: str) -> list[str]:
    named = re.findall(r"^\| `(\w+)` \|", SECTIONS[section], re.MULTILINE)
    whole = re.search(r"^The fields of `(\w+)`\.$", SECTIONS[section], re.MULTILINE)
    return [*named, *(fields(whole[1]) if whole else ())]


@pytest.mark.parametrize("name", RECORDS)
def test_that_a_record_is_described_field_by_field(name: str) -> None:
    record = getattr(importlib.import_module(RECORDS[name]), name)
    known = getattr(record, "__struct_fields__", None) or tuple(record.__annotations__)
    assert fields(name) == list(known)


@pytest.mark.parametrize("command", COMMANDS)
def test_that_what_a_command_prints_is_described(sample: Path, command: str) -> None:
    words = {"MODEL": str(sample), "FOLDER": str(sample.parent)}
    arguments = [words.get(word, word) for word in COMMANDS[command]]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "modelmon", command, *arguments, "--json"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    printed = {name for line in done.stdout.splitlines() for name in json.loads(line)}
    assert printed
    assert printed <= set(fields(command))
