"""Which model a program is about, by its command and its files."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from hashlib import sha256

import pytest
from tests.core.model.model_files import hub_snapshot

from modelmon.core.errors import ConfigError
from modelmon.core.model.caches import MODEL_LAYER
from modelmon.core.model.named_models import model_used_by, models_named_by, the_one
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

_PROGRAM = """
import mmap, sys
kept = []
for _ in range(int(sys.argv[2])):
    file = open(sys.stdin.readline().rstrip("\\n"), "rb")
    is_map = sys.argv[1] == "map"
    kept.append(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) if is_map else file)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def models(tmp_path):
    """Two of them, each in a folder."""
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "model.safetensors"
        made.append(write_sample(path, "safetensors", 4 * MIB, 1, 0))
    return made


@pytest.mark.parametrize(
    "word", ["first/model.safetensors", "--model=first", "first", "first/weights"]
)
def test_that_a_command_names_its_model(models, tmp_path, word):
    (models[0].parent / "weights").write_bytes(models[0].read_bytes())
    (found,) = models_named_by(["serve", "-c", "4096", word, "-v", "", "a=b"], tmp_path)
    assert found in (models[0], models[0].parent, models[0].parent / "weights")


def test_that_none_and_several_are_sentences(models, tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    os.mkfifo(tmp_path / "pipe")
    assert not models_named_by(["serve", "broken.gguf", "absent", "pipe", "\0"], tmp_path)
    with pytest.raises(ConfigError, match="can't be seen"):
        the_one([])
    with pytest.raises(ConfigError, match=r"has 2 models: .*first.*second"):
        the_one(models_named_by(["serve", *map(str, models)], tmp_path))
    twice = [str(models[0]), str(models[0].parent)]
    assert models_named_by(["serve", *twice], tmp_path) == [models[0]]


@contextmanager
def program(how, *paths):
    """A process that has these files open, or mapped and closed: by its number."""
    # Names among its words would tell as well.
    lines = "".join(f"{path}\n" for path in paths)
    with subprocess.Popen(
        [sys.executable, "-S", "-c", _PROGRAM, how, str(len(paths))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        started.stdin.write(lines)
        started.stdin.flush()
        assert started.stdout.readline() == "ready\n"
        try:
            yield started.pid
        finally:
            started.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_that_a_running_program_names_it_by_its_files(models):
    for how in ("open", "map"):
        with program(how, models[0]) as pid:
            assert model_used_by(pid) == models[0]
    for paths, told in (((), "can't be seen"), (models, "2 models")):
        with program("open", *paths) as pid, pytest.raises(ConfigError, match=told):
            model_used_by(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
@pytest.mark.parametrize("opened", [1, 2])
def test_that_blobs_of_the_hub_are_the_snapshot_they_belong_to(tmp_path, opened):
    """Whoever opens a file of it has a blob open, which has no ending."""
    write_sample(tmp_path / "written", "sharded", 4 * MIB, 2, 0)
    snapshot = hub_snapshot(tmp_path / "hub", tmp_path / "written")
    shards = sorted(snapshot.glob("*.safetensors"))
    assert len(shards) > 1
    with program("open", *shards[:opened]) as pid:
        used = model_used_by(pid)
    model = open_model(used)
    assert used.parent == snapshot
    assert [*model.files] == shards
    assert model.name == "tiny"


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_that_a_blob_of_ollama_is_called_as_it_is_run(tmp_path):
    written = write_sample(tmp_path / "tiny.gguf", "gguf", 4 * MIB, 1, 0)
    digest = sha256(written.read_bytes()).hexdigest()
    blob = tmp_path / "blobs" / f"sha256-{digest}"
    manifest = tmp_path / "manifests" / "registry.ollama.ai" / "library" / "tiny" / "7b"
    for path in (blob, manifest):
        path.parent.mkdir(parents=True)
    written.rename(blob)
    layer = {"mediaType": MODEL_LAYER, "digest": f"sha256:{digest}"}
    manifest.write_text(json.dumps({"layers": [layer]}))
    with program("open", blob) as pid:
        assert model_used_by(pid) == blob
    assert open_model(blob).name == "tiny:7b"
    manifest.unlink()
    assert open_model(blob).name != "tiny:7b"


def test_that_a_process_that_is_not_there_is_said_to_be_that():
    with pytest.raises(ConfigError, match="There's no process"):
        model_used_by(2**22 + 1)
