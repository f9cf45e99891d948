"""Programs that load on a request: a stand-in for Ollama, asked, watched and left running."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest
from tests.system.commands import SCRIPT, typed
from tests.system.needs import on_linux
from tests.system.runs import until

from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.caches import MODEL_LAYER
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.programs.registry import known_program
from modelmon.core.units import MIB

pytestmark = on_linux

SERVER = Path(__file__).with_name("somebodys_ollama.py")
SAME = 0.01


class Served(NamedTuple):
    """A server that runs, a model of its store, and what it was asked."""

    model: Path
    server: subprocess.Popen[bytes]
    notes: Path

    @property
    def port(self):
        return int((self.notes / "port").read_text())

    @property
    def requests(self):
        lines = (self.notes / "requests").read_text().splitlines()
        return [json.loads(line.removeprefix("/api/generate ")) for line in lines]

    def has_loaded(self):
        return bool(psutil.Process(self.server.pid).children())


@pytest.fixture(scope="module")
def pulled(tmp_path_factory):
    """A model and its SHA-256."""
    path = tmp_path_factory.mktemp("pulled") / "tiny.gguf"
    with write_sample(path, "gguf", 64 * MIB, 4, 0).open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(obstacle)
        return path, hashlib.file_digest(file, "sha256").hexdigest()


@pytest.fixture
def ollama(tmp_path, pulled, monkeypatch):
    """It runs as its users start it, with a model called `tiny`."""
    store, notes = tmp_path / "models", tmp_path / "notes"
    manifest = store / "manifests/registry.ollama.ai/library/tiny/latest"
    for folder in (manifest.parent, store / "blobs", notes):
        folder.mkdir(parents=True)
    sample, digest = pulled
    blob = store / "blobs" / f"sha256-{digest}"
    blob.hardlink_to(sample)
    layer = {"mediaType": MODEL_LAYER, "digest": f"sha256:{digest}"}
    manifest.write_text(json.dumps({"layers": [layer]}))
    # Whoever looks for it sees `ollama serve`; Python takes the second word for its script.
    shutil.copy(SERVER, tmp_path / "serve")
    shutil.copy(SCRIPT, tmp_path)
    command = ["ollama", "serve", str(store), str(notes), sys.executable]
    with subprocess.Popen(command, executable=sys.executable, cwd=tmp_path) as server:
        until(lambda: (notes / "port").exists() or server.poll() is not None)
        served = Served(blob, server, notes)
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{served.port}")
        yield served
        for each in (*psutil.Process(server.pid).children(recursive=True), server):
            each.kill()


def counted(*arguments):
    """The result of a run that began as asked, and whose memory was looked at while it grew; others
    may have come between.
    """
    for _ in range(20):
        done = typed("watch", "--json", "--yes", *arguments)
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)["result"]
        if result["counts"] and result["memory_kind"] != "unknown":
            break
    return result


@pytest.mark.parametrize(
    ("variant", "options", "kind"),
    [
        ("default", None, "mapped"),
        pytest.param("no-mmap", {"use_mmap": False}, "owned", marks=pytest.mark.long),
    ],
)
def test_that_ollama_is_asked_to_load_watched_asked_to_unload_and_goes_on(
    ollama, variant, options, kind
):
    result = counted(
        *(ollama.model, "--program", "ollama", "--load-setting", variant, "--cache", "cold")
    )
    assert result["counts"], result["why_not"]
    assert result["load_bytes"] == pytest.approx(result["model_bytes"], rel=SAME)
    assert result["memory_kind"] == kind
    assert result["ready"] == f"asked:{ollama.port}"
    assert not [each for each in result.get("warnings", ()) if each["kind"] == "daemonised"]
    until(lambda: not ollama.has_loaded())
    assert ollama.server.poll() is None
    load, unload = ollama.requests[-2:]
    assert load.get("options") == options
    assert load["model"] == unload["model"] == "tiny:latest"
    assert "keep_alive" not in load
    assert unload["keep_alive"] == 0
    assert "prompt" not in {*load, *unload}


@pytest.mark.long
def test_that_its_settings_are_tested_against_each_other(ollama, stopped_after):
    done = typed(*("best", ollama.model, "--program", "ollama", "--objective", "cold", "--dry-run"))
    assert done.returncode == 0, done.stderr
    assert "options.use_mmap=false" in done.stderr
    assert "launch" not in done.stderr
    # Each has run once then, and none is decided: the first of them is run twice in any case.
    printed, _ = stopped_after(
        *(2, "best", ollama.model, "--program", "ollama", "--load-setting", "no-mmap", "--yes"),
        *("--objective", "warm", "--no-history"),
    )
    assert {"ollama default", "ollama no-mmap"} <= {
        " ".join(line.split()[1:3]) for line in printed.splitlines()
    }
    until(lambda: not ollama.has_loaded())
    assert {json.dumps(each.get("options")) for each in ollama.requests} == {
        "null",
        '{"use_mmap": false}',
    }


@pytest.mark.long
@pytest.mark.parametrize("name", ["large", "passing"])
def test_that_other_models_of_the_program_do_not_count(ollama, name):
    body = json.dumps({"model": name}).encode()
    url = f"http://127.0.0.1:{ollama.port}/api/generate"
    with contextlib.suppress(HTTPError):  # it's in no store
        urlopen(url, body).close()
    (other,) = psutil.Process(ollama.server.pid).children()
    assert other.memory_info().rss > 256 * MIB
    result = counted(ollama.model, "--program", "ollama", "--cache", "cold")
    assert result["load_bytes"] == pytest.approx(result["model_bytes"], rel=SAME)
    assert result["peak_rss_bytes"] < 256 * MIB
    assert other.is_running() == (name == "large")


def test_that_what_is_loaded_already_is_told(ollama):
    ask = known_program("ollama").load(known_program("ollama").find(), open_model(ollama.model), 0)
    with subprocess.Popen(ask.words, stdout=subprocess.PIPE) as asking:
        assert asking.stdout.readline() == b"modelmon: loaded\n"
        asking.kill()
    done = typed("watch", ollama.model, "--program", "ollama", "--cache", "as-is", "--yes")
    assert done.returncode == 1
    assert "that it isn't loaded already" in done.stderr


def test_that_what_cannot_be_asked_is_a_sentence(ollama, tmp_path):
    elsewhere = Path(shutil.copy(ollama.model, tmp_path / "elsewhere.gguf"))
    for arguments, sentence in (
        (("--program", "ollama"), "Ollama loads only models from its own store"),
        (("--ready", "asked:1", "--", "true"), "listens on port 1"),
        (("--ready", "asked:", "--", "true"), "doesn't say when a program is ready"),
    ):
        done = typed("watch", elsewhere, *arguments)
        assert done.returncode == 2
        assert sentence in done.stderr
    assert not (ollama.notes / "requests").exists()


def test_that_a_refusal_is_quoted(ollama):
    ask = known_program("ollama").load(known_program("ollama").find(), open_model(ollama.model), 0)
    asked = [each.replace("tiny", "nobody") for each in ask.words]
    done = typed("watch", ollama.model, "--ready", ask.ready, "--", *asked)
    assert done.returncode == 1
    assert "The request to " in done.stderr
    assert "model 'nobody:latest' not found" in done.stderr
    assert os.path.exists(f"/proc/{ollama.server.pid}")  # noqa: PTH110  it goes on
