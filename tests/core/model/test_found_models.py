"""Found models with what their headers say; places that are broken or do not answer."""

import json
import os
import threading

from modelmon.core.model import found_models
from modelmon.core.model.caches import MODEL_LAYER
from modelmon.core.model.found_models import Place, Search
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB


def small_model(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_sample(path, "gguf", 4 * MIB, 4, 0)


def test_that_an_ollama_blob_is_found_under_its_name_and_opens(tmp_path):
    digest = "ab" * 32
    blob = tmp_path / "blobs" / f"sha256-{digest}"
    blob.parent.mkdir()
    small_model(tmp_path / "sample.gguf").rename(blob)
    manifest = tmp_path / "manifests" / "registry.ollama.ai" / "library" / "tiny" / "latest"
    manifest.parent.mkdir(parents=True)
    layer = {"mediaType": MODEL_LAYER, "digest": f"sha256:{digest}"}
    manifest.write_text(json.dumps({"layers": [layer]}))

    (model,) = Search([Place("Ollama", tmp_path)])

    assert (model.name, model.source, model.format) == ("tiny:latest", "Ollama", "gguf")
    assert model.blocks == len(open_model(model.path).blocks)
    assert model.size_bytes == blob.stat().st_size


def test_that_a_set_is_one_model_with_the_size_of_all_its_files(tmp_path):
    path = write_sample(tmp_path / "set", "sharded", 4 * MIB, 4, 0)
    folder = path if path.is_dir() else path.parent

    (model,) = Search([Place("Own folder", tmp_path)])

    shards = folder.glob("*.safetensors")
    assert model.size_bytes == sum(shard.stat().st_size for shard in shards)


def test_that_a_half_downloaded_model_is_shown_with_its_reason(tmp_path):
    path = small_model(tmp_path / "cut.gguf")
    os.truncate(path, path.stat().st_size // 2)

    (model,) = Search([Place("Own folder", tmp_path)])

    assert model.blocks is None
    assert "cut off" in model.problem


def test_that_places_are_told_apart_by_how_they_answered(tmp_path):
    small_model(tmp_path / "here" / "one.gguf")
    (tmp_path / "a file").write_bytes(b"")
    places = [Place("x", tmp_path / name) for name in ("here", "gone", "a file")]
    search = Search(places)

    assert len(list(search)) == 1
    answers = {place.folder: (place.answer, place.models) for place in search.searched}
    assert answers == {
        str(tmp_path / "here"): ("read", 1),
        str(tmp_path / "gone"): ("absent", 0),
        str(tmp_path / "a file"): ("absent", 0),
    }


def test_that_a_file_in_two_places_is_brought_once(tmp_path):
    path = small_model(tmp_path / "a" / "one.gguf")
    (tmp_path / "b").mkdir()
    os.link(path, tmp_path / "b" / "two.gguf")

    assert len(list(Search([Place("x", tmp_path / "a"), Place("x", tmp_path / "b")]))) == 1


def test_that_a_place_that_hangs_keeps_no_other_away(tmp_path, monkeypatch):
    small_model(tmp_path / "good" / "one.gguf")
    released = threading.Event()
    look = found_models.models_at

    def hang(folder):
        if folder.name == "hangs":
            released.wait()
        yield from look(folder)

    monkeypatch.setattr(found_models, "models_at", hang)
    search = Search([Place("x", tmp_path / "hangs"), Place("x", tmp_path / "good")], 0.5)
    try:
        assert [model.name for model in search] == ["one"]
        assert {place.answer for place in search.searched} == {"read", "no-answer"}
    finally:
        released.set()
