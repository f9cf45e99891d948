"""docs/json.md names what is really printed."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest
from tests.system.commands import typed

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
    "watch": ("MODEL", "--cache", "warm", "--", "cat", "MODEL"),
    "warm": ("MODEL",),
    "compare": ("MODEL", "--cache", "warm", "--repeats", "1", "--a", "mmap", "--b", "parallel"),
    "strategies": (),
    "engines": (),
    "models": ("FOLDER",),
    "best --dry-run": ("MODEL",),
    "tune --dry-run": ("MODEL", "--engine", "safetensors", "--at", sys.executable),
    "compare --dry-run": ("MODEL", "--cache", "warm"),
    "remote list": ("FOLDER",),
    "history": (),
    "history changes": (),
}


def fields(section):
    named = re.findall(r"^\| `(\w+)` \|", SECTIONS[section], re.MULTILINE)
    whole = re.search(r"^The fields of `(\w+)`\.$", SECTIONS[section], re.MULTILINE)
    return [*named, *(fields(whole[1]) if whole else ())]


def printed_by(command, *arguments):
    """The documents that a command prints, one a line, and nothing else."""
    done = typed(*command.split(), "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", RECORDS)
def test_that_a_record_is_described_field_by_field(name):
    record = getattr(importlib.import_module(RECORDS[name]), name)
    known = getattr(record, "__struct_encode_fields__", None) or tuple(record.__annotations__)
    assert fields(name) == list(known)


def test_that_every_record_the_page_names_is_described():
    assert set(re.findall(r"`([A-Z][a-z]\w+)`", PAGE)) == set(RECORDS)


@pytest.mark.parametrize("command", [each for each in COMMANDS if each != "compare"])
def test_that_what_a_command_prints_is_described(sample, command):
    words = {"MODEL": str(sample), "FOLDER": str(sample.parent)}
    arguments = [words.get(word, word) for word in COMMANDS[command]]
    printed = {name for document in printed_by(command, *arguments) for name in document}
    assert printed
    assert printed <= set(fields(command))


def test_that_what_is_printed_of_a_comparison_is_described_and_the_same_later(sample):
    (told,) = printed_by("compare", str(sample), *COMMANDS["compare"][1:])
    (shown,) = printed_by("history show", "x1")
    (compared,) = printed_by("history compare", "x1")
    assert told.keys() <= set(fields("compare"))
    assert shown.keys() <= set(fields("history show"))
    assert compared.keys() <= set(fields("history compare"))
    for run in shown["runs"]:
        assert run["run"].keys() <= set(fields("RunRow"))
        assert run["result"].keys() <= set(fields("RunResult"))
        assert run["result"]["config"].keys() <= set(fields("LoadConfig"))
    assert shown["verdict"] == told["verdict"]
    assert told["verdict"]["sentence"] in typed("history", "show", "x1").stdout
    assert shown["verdict"].keys() <= set(fields("Verdict"))
    assert [group["name"] for group in compared["groups"]] == ["x1A", "x1B"]
    for group in compared["groups"]:
        assert group.keys() <= set(fields("Group"))
