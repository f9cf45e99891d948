"""Transcripts: what a person or script typed, and what came of it, kept as text.

A file of `expected/` is a session: each `$ words` is a command line of modelmon and each `>>> code`
a line of Python, in a workspace of their own with two small models and the files of an earlier
version (tests/data/earlier). What follows is the exit code, standard output, standard error (`!`),
and each file that was written (`+`). A view at the end of the line (`  # shape`) leaves out what
differs between machines and runs. To add one, write its line and renew.
"""

import json
import re
import shlex
import shutil
import sqlite3
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from tests.system.commands import typed

import modelmon
from modelmon import core
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

EXPECTED = Path(__file__).parent / "expected"
EARLIER = Path(__file__).parents[1] / "data" / "earlier"
_THEN = "/models"
_HEAD = 400
_STEP = re.compile(r"^(\$|>>>) (.*?)(?:  # (\w+))?$")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)*(?: (?:ns|µs|ms|s|[kMGT]?B(?:/s)?))?(?![\w/])|\d+")
_OF_THE_MACHINE = re.compile(
    r"Note:|Measure the disk|All facts|Searched|Devices|Read|Cached parts|From storage"
)
_LABEL = re.compile(r"^(\S.*?)(?::$|  +\S|$)")


def write_models(folder):
    """The models that the earlier version measured, byte for byte."""
    write_sample(folder / "model.safetensors", "safetensors", 24 * MIB, layers=3, seed=1)
    write_sample(folder / "tiny.gguf", "gguf", 4 * MIB, layers=2, seed=1)
    return folder


def workspace(folder, patch, written):
    """Go to a new folder with these models, and with what the earlier version wrote of them."""
    models = folder / "store"
    models.mkdir()
    for model in written.iterdir():
        (models / model.name).hardlink_to(model)
    work = folder / "here"
    work.mkdir()
    for file in EARLIER.glob("*.*"):
        if file.suffix != ".sqlite":
            shutil.copyfile(file, work / file.name)
    restore_history(folder / "data", models)
    for name, value in (
        ("MODELMON_DATA_DIR", str(folder / "data")),
        ("HOME", str(folder)),
        ("COLUMNS", "80"),
        ("TZ", "UTC"),
        ("PATH", "/usr/bin:/bin"),
    ):
        patch.setenv(name, value)
    time.tzset()
    patch.chdir(work)
    return folder


def restore_history(data, models):
    """The history that the earlier version wrote, of models that are in another place now."""
    shutil.copytree(EARLIER / "runs", data / "runs")
    shutil.copyfile(EARLIER / "history.sqlite", data / "history.sqlite")
    with sqlite3.connect(data / "history.sqlite") as kept:
        for table in ("experiments", "runs"):
            columns = [row[1] for row in kept.execute(f"PRAGMA table_info({table})")]
            for column in {"path", "conditions"} & set(columns):
                places = (_THEN, str(models))
                kept.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", places)
    kept.close()


def steps(text):
    """Each step of a transcript: its line, what it says, and the view of what it prints."""
    for line in text.splitlines():
        if found := _STEP.match(line):
            yield line, found[1], found[2], found[3] or "whole"


def played(text, folder):
    """The transcript anew: each step with what came of it now."""
    python = {"core": core, "shape": shape, "said": lambda words: _run(words, folder).stdout}
    done = []
    for line, prompt, words, view in steps(text):
        before = _files()
        shown = _typed(words, view, folder) if prompt == "$" else _evaluated(words, python)
        written = [
            f"+ {name}{each}"
            for name in sorted(_files() - before)
            for each in _content(Path(name), view)
        ]
        done.append("\n".join((line, *_known(shown, folder), *_known(written, folder))))
    return "\n\n".join(done) + "\n"


def _run(words, folder):
    store = folder / "store"
    places = {"MODEL": store / "model.safetensors", "GGUF": store / "tiny.gguf", "STORE": store}
    return typed(*(places.get(word, word) for word in shlex.split(words)))


def _typed(words, view, folder):
    done = _run(words, folder)
    told = VIEWS[view](done.stdout)
    errors = [
        f"! {line}" for line in done.stderr.splitlines() if view == "whole" or done.returncode
    ]
    return [f"exit {done.returncode}", *told, *errors]


def _evaluated(code, python):
    with redirect_stdout(StringIO()) as output:
        exec(code, python)
    return output.getvalue().splitlines()


def _files():
    return {str(path) for path in Path().rglob("*") if path.is_file()}


def _content(path, view):
    if path.suffix in (".safetensors", ".gguf"):
        return [f": {path.stat().st_size} bytes"]
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [": a recording"] if '"event"' in text else [": no recording"]
    return ["", *(f": {line}" for line in VIEWS[view](text))]


def _known(lines, folder):
    """Without what differs between places and versions, and without columns' widths."""
    for line in lines:
        known = line.replace(str(folder), "TMP").replace(modelmon.__version__, "VERSION")
        yield re.sub(r"(?<=\S) {3,}", "  ", known).rstrip()


def shape(value, path=""):
    """The fields of a document with the types of their values; those of a list's items together."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from shape(each, f"{path}.{key}")
    elif isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value):
        for each in value:
            yield from shape(each, f"{path}[]")
    else:
        kind = "number" if isinstance(value, (int, float)) else type(value).__name__
        yield f"{path}: {kind}"


def _document(text):
    """All of it, or its last line where progress comes before."""
    return json.loads(text if text.startswith("{\n") else text.splitlines()[-1])


def _labels(text):
    """The first column of what isn't indented, without what not every machine or run has."""
    found = (_LABEL.match(line) for line in text.splitlines())
    labels = [match[1] for match in found if match and not _OF_THE_MACHINE.match(match[1])]
    return [_NUMBER.sub("N", label) for label in labels]


VIEWS = {
    "whole": str.splitlines,
    "head": lambda text: [line[:_HEAD] for line in text.splitlines()[:1]],
    "labels": _labels,
    "keys": lambda text: sorted(_document(text)),
    "shape": lambda text: sorted(set(shape(_document(text)))),
    "nothing": lambda _: [],
}
