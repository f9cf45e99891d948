"""Names that steer a terminal, begin lines or turn text around, wherever commands show them."""

import hashlib
import json
import re
import sqlite3

import gguf
import numpy as np
import pytest
from tests.system.commands import modelmon, typed

from modelmon.core.cli.main import COMMANDS
from modelmon.core.data_folder import data_folder

# A link, the clipboard, a color, the same by C1, text turned around, HTML, a formula.
STEERING = "\x1b]8;;attack\x1b\\click\x1b]52;c;cHdu\x07\x1b[31m\x9b31m\u202egro.\u2066<b>=1+1"
LINE = "\n\rINJECTED \u2028INJECTED"
NAME = STEERING + LINE
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def assert_safe(text):
    """Nothing in it steers a terminal, and no line of it is a stranger's."""
    assert not (found := FORBIDDEN.search(text)), ascii(text[found.start() - 200 : found.end()])
    assert not re.search("^INJECTED", text, re.MULTILINE), text


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A GGUF whose every word means harm, in a folder and by a name that do."""
    folder = tmp_path_factory.mktemp("models") / NAME
    folder.mkdir()
    path = folder / f"{NAME}.gguf"
    writer = gguf.GGUFWriter(path, NAME)
    writer.add_name(NAME)
    writer.add_string(NAME, NAME)
    for number in range(2):
        writer.add_tensor(f"blk.{number}.{NAME}", np.ones((64, 1024), np.float32))
    writer.add_tensor(NAME, np.ones(1024, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(scope="module")
def ollama(model):
    """The same in a store of Ollama, where its name is in the file alone."""
    root = model.parent.parent / "ollama"
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    (root / "blobs").mkdir(parents=True)
    (root / "blobs" / f"sha256-{digest}").hardlink_to(model)
    manifest = root / "manifests" / "registry.ollama.ai" / "library" / NAME / f"{NAME}"
    manifest.parent.mkdir(parents=True)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"}
    manifest.write_text(json.dumps({"layers": [layer]}))
    return root


@pytest.fixture(scope="module")
def result(model):
    """A comparison of two runs, kept in a file and in the history."""
    out = model.parent.parent / "result.json"
    done = typed("compare", model, "--repeats", 1, "--cache", "warm", "--out", out)
    assert_safe(done.stdout + done.stderr)
    assert not done.returncode, done.stderr
    return out


SHOWN = {
    "inspect": "MODEL | --tensors MODEL | --json MODEL | BLOB",
    "models": "FOLDER | --json FOLDER",
    "doctor": "MODEL | --json MODEL",
    "sample": "FOLDER",
    "demo": "NAME",
    "simulate": "NAME MODEL FOLDER | hdd MODEL FOLDER | hdd MODEL FOLDER --fault NAME",
    "strategies": "MODEL",
    "run": "MODEL --cache as-is | BLOB --cache as-is --json | MODEL --tensors NAME"
    " | MODEL --strategy safetensors.get_tensor",
    "watch": "MODEL -- cat MODEL | MODEL -- NAME",
    "programs": "",
    "warm": "MODEL",
    "launch": "MODEL -- COMMAND",
    "best": "MODEL --dry-run | MODEL -- NAME",
    "cluster": "MODEL",
    "history": " | show 1 | show x1 | compare x1 | name 1 NAME | changes | --json | --csv -",
    "export": "MODEL | RESULT --for all | RESULT --for all --format yaml"
    " | RESULT --for all --format json | RESULT --for all --format shell"
    " | RESULT --for all --format env | RESULT --for modelmon --format toml",
    "replay": "MODEL",
    "report": "RESULT --out - | MODEL --out -",
    "remote": "setup SERVER",
    "completion": "install --shell NAME",
}
"""The arguments that each subcommand is walked with."""


@pytest.mark.parametrize(
    "line", [f"{name} {words}" for name in SHOWN for words in SHOWN[name].split("|")]
)
def test_that_no_name_steers_the_terminal_or_begins_a_line(line, model, ollama, result):
    found = {
        "MODEL": model,
        "BLOB": next((ollama / "blobs").iterdir()),
        "FOLDER": ollama.parent,
        "RESULT": result,
        "NAME": NAME,
        "COMMAND": f"{NAME}-is-no-command",
        "SERVER": f"ssh://{NAME}",
    }
    words = line.split()
    # Launch becomes the program, and gives this process's signals back for that.
    run = modelmon if words[0] == "launch" else typed
    done = run(*(found.get(word, word) for word in words))
    assert_safe(done.stdout + done.stderr)
    assert "Traceback" not in done.stderr
    if "--json" in words:
        assert all(json.loads(line) for line in done.stdout.splitlines())
    assert done.stdout or done.stderr


def test_that_a_path_in_a_history_from_elsewhere_steers_no_terminal(model):
    typed("run", model, "--cache", "as-is")
    with sqlite3.connect(data_folder() / "history.sqlite") as connection:
        connection.execute("UPDATE experiments SET path = ?", (f"/m/{NAME}",))
    connection.close()
    for form in ("text", "shell", "env", "yaml", "json"):
        done = typed("export", "1", "--for", "all", "--format", form)
        assert done.stdout
        assert_safe(done.stdout + done.stderr)


def test_that_every_command_is_walked():
    assert {*SHOWN, "compare"} == set(COMMANDS)
