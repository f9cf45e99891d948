"""docs/json.schema.json and docs/json.md name what is really printed."""

import json
import re
import sys

import pytest
from tests import json_schema
from tests.system.commands import typed

SCHEMA = json.loads(json_schema.PATH.read_text("utf-8"))
PARTS = SCHEMA["$defs"]
PAGE = json_schema.PATH.with_name("json.md").read_text("utf-8")
COMMANDS = {
    "inspect": ("MODEL",),
    "doctor": ("MODEL",),
    "run": ("MODEL", "--cache", "warm"),
    "watch": ("MODEL", "--cache", "warm", "--", "cat", "MODEL"),
    "warm": ("MODEL",),
    "compare": ("MODEL", "--cache", "warm", "--repeats", "1", "--a", "mmap", "--b", "parallel"),
    "strategies": (),
    "programs": (),
    "models": ("FOLDER",),
    "best --dry-run": ("MODEL",),
    "best --program --dry-run": ("MODEL", "--at", sys.executable),
    "compare --dry-run": ("MODEL", "--cache", "warm"),
    "remote list": ("FOLDER",),
    "history": (),
    "history changes": (),
}


def fields(name):
    part = PARTS[name]
    return fields(part["$ref"].rpartition("/")[2]) if "$ref" in part else part["properties"]


def printed_by(command, *arguments):
    """The documents that a command prints, one a line, each as the schema says."""
    named = command.replace("--program", "--program=safetensors")
    done = typed(*named.split(), "--json", *arguments)
    assert done.returncode == 0, done.stderr
    documents = [json_schema.checked(command, line) for line in done.stdout.splitlines()]
    for document in documents:
        assert document.keys() <= fields(command).keys()
    return documents


def test_that_the_schema_is_that_of_the_code():
    assert json_schema.text() == json_schema.PATH.read_text("utf-8"), "python -m tests.json_schema"


@pytest.mark.parametrize("name", sorted(json_schema.DESCRIBED))
def test_that_each_field_is_described(name):
    assert [field for field, of in fields(name).items() if not of["description"]] == []


def test_that_every_record_and_command_of_the_page_is_in_the_schema():
    assert set(re.findall(r"`([A-Z]\w+)`", PAGE)) <= PARTS.keys()
    rows = re.findall(r"^\| (`[a-z][^|]*) \|", PAGE.partition("## Documents")[2], re.MULTILINE)
    assert {name for row in rows for name in re.findall("`([^`]+)`", row)} <= PARTS.keys()


@pytest.mark.parametrize("command", [each for each in COMMANDS if each != "compare"])
def test_that_what_a_command_prints_is_as_the_schema_says(sample, command):
    words = {"MODEL": str(sample), "FOLDER": str(sample.parent)}
    assert any(printed_by(command, *(words.get(word, word) for word in COMMANDS[command])))


def test_that_what_is_printed_of_a_comparison_is_described_and_the_same_later(sample):
    (told,) = printed_by("compare", str(sample), *COMMANDS["compare"][1:])
    (shown,) = printed_by("history show", "x1")
    (compared,) = printed_by("history compare", "x1")
    for run in shown["runs"]:
        assert run["run"].keys() <= fields("RunRow").keys()
        assert run["result"].keys() <= fields("RunResult").keys()
        assert run["result"]["config"].keys() <= fields("LoadConfig").keys()
    assert shown["verdict"] == told["verdict"]
    assert told["verdict"]["sentence"] in typed("history", "show", "x1").stdout
    assert [group["name"] for group in compared["groups"]] == ["x1A", "x1B"]
