"""Models in the caches of other programs: made-up folders, whole, broken and half downloaded."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.caches import (
    MODEL_LAYER,
    TENSOR_LAYER,
    folders_below,
    model_digests,
    models_at,
)
from modelmon.core.model.found_models import (
    LLAMA_CPP,
    LM_STUDIO,
    OLLAMA,
    OWN,
    Place,
    Search,
    usual_places,
)

COMMIT, OLDER = "b" * 40, "a" * 40
DIGEST = "0123456789abcdef" * 4

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


def put(path, content=b"x"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def paths_at(folder):
    return [found.path.relative_to(folder).as_posix() for found in models_at(folder)]


def manifest(digest=f"sha256:{DIGEST}", media_type=MODEL_LAYER):
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": f"sha256:{'1' * 64}"},
        {"mediaType": media_type, "digest": digest, "size": 1},
    ]
    return json.dumps({"schemaVersion": 2, "layers": layers})


@needs_links
def test_that_a_hub_cache_shows_the_snapshot_that_a_ref_names(tmp_path):
    repository = tmp_path / "models--org--name"
    blob = put(repository / "blobs" / "4f")
    put(repository / "refs" / "main", COMMIT)
    for commit in (OLDER, COMMIT):
        link = repository / "snapshots" / commit / "model.safetensors"
        link.parent.mkdir(parents=True)
        link.symlink_to(os.path.relpath(blob, link.parent))
    put(tmp_path / "datasets--org--text" / "snapshots" / COMMIT / "model.safetensors")

    assert paths_at(tmp_path) == [f"models--org--name/snapshots/{COMMIT}/model.safetensors"]


def test_that_a_hub_cache_without_refs_shows_the_latest_snapshot(tmp_path):
    snapshots = tmp_path / "models--name" / "snapshots"
    for age, commit in enumerate((COMMIT, OLDER)):
        put(snapshots / commit / "model.gguf")
        os.utime(snapshots / commit, (1000 - age, 1000 - age))

    assert paths_at(tmp_path) == [f"models--name/snapshots/{COMMIT}/model.gguf"]


@pytest.mark.parametrize("ref", [b"", b"../../../../etc", b"\xff\xfe", b"f" * 10_000])
def test_that_a_broken_ref_leads_nowhere_else(tmp_path, ref):
    repository = tmp_path / "models--name"
    put(repository / "refs" / "main", ref)
    put(repository / "snapshots" / COMMIT / "model.safetensors")

    assert paths_at(tmp_path) == [f"models--name/snapshots/{COMMIT}/model.safetensors"]


def test_that_a_pipeline_is_one_model_for_each_of_its_folders(tmp_path):
    snapshot = tmp_path / "models--org--image" / "snapshots" / COMMIT
    put(snapshot / "unet" / "diffusion_pytorch_model.safetensors")
    put(snapshot / "text_encoder" / "model.safetensors.index.json", "{}")
    put(snapshot / "text_encoder" / "model-00001-of-00002.safetensors")
    put(snapshot / "tokenizer" / "vocab.json", "{}")

    assert [Path(path).name for path in paths_at(tmp_path)] == [
        "model.safetensors.index.json",
        "diffusion_pytorch_model.safetensors",
    ]


def test_that_a_manifest_leads_to_its_blob(tmp_path):
    blob = put(tmp_path / "blobs" / f"sha256-{DIGEST}")
    for place in ("library/gemma2/27b", "user/tuned/latest"):
        put(tmp_path / "manifests" / "registry.ollama.ai" / place, manifest())
    put(tmp_path / "manifests" / "hf.co" / "org" / "repo" / "Q4_K_M", manifest())

    found = list(models_at(tmp_path))

    assert {one.path for one in found} == {blob}
    assert sorted(one.name for one in found) == [
        "gemma2:27b",
        "hf.co/org/repo:Q4_K_M",
        "user/tuned:latest",
    ]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not JSON",
        "[1, 2]",
        '{"layers": null}',
        '{"layers": [{"mediaType": 3}]}',
        manifest("sha256:../../../etc/passwd"),
        manifest(f"sha256:{'9' * 64}"),
        manifest(media_type="application/vnd.ollama.image.template"),
        "[" * 100_000,
    ],
)
def test_that_a_broken_manifest_hides_no_other(tmp_path, content):
    put(tmp_path / "blobs" / f"sha256-{DIGEST}")
    put(tmp_path / "manifests" / "registry.ollama.ai" / "library" / "broken" / "1b", content)
    put(tmp_path / "manifests" / "registry.ollama.ai" / "library" / "good" / "1b", manifest())

    assert [found.name for found in models_at(tmp_path)] == ["good:1b"]


@given(st.binary(max_size=300) | st.recursive(st.none() | st.text(), st.lists).map(repr))
def test_that_no_manifest_names_anything_but_a_digest(content):
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")

    assert all(len(digest) == 64 and digest.isalnum() for digest in model_digests(raw))


def test_that_a_model_that_ollama_stores_as_tensors_is_listed_with_its_size(tmp_path):
    digests = [f"{number:064x}" for number in range(3)]
    for digest in digests[:2]:
        put(tmp_path / "blobs" / f"sha256-{digest}", b"x" * 100)
    layers = [{"mediaType": TENSOR_LAYER, "digest": f"sha256:{each}"} for each in digests]
    where = tmp_path / "manifests" / "registry.ollama.ai" / "library" / "z-image" / "turbo"
    put(where, json.dumps({"layers": layers}))
    put(where.with_name("gone"), json.dumps({"layers": layers[2:]}))

    (found,) = Search([Place(OLLAMA, tmp_path)])
    assert (found.name, found.source, found.path) == ("z-image:turbo", OLLAMA, str(where))
    assert found.size_bytes == 200
    assert found.problem == (
        "Ollama stores it as 2 tensor layers; modelmon opens Ollama's GGUF models."
    )


@pytest.mark.parametrize("home_is_moved", [False, True])
def test_that_lm_studios_settings_say_where_its_models_are(tmp_path, home_is_moved):
    own, moved = tmp_path / "own", tmp_path / "disk"
    if home_is_moved:
        put(tmp_path / ".lmstudio-home-pointer", f"{own}\n")
    else:
        own = tmp_path / ".lmstudio"
    put(own / "settings.json", json.dumps({"downloadsFolder": str(moved), "other": [1]}))
    put(moved / "org" / "repo" / "model.gguf")
    places = usual_places({}, tmp_path)
    assert Place(LM_STUDIO, moved) in places
    assert Place(LM_STUDIO, own / "models") in places
    assert paths_at(moved) == ["org/repo/model.gguf"]


@pytest.mark.parametrize(
    "settings", ["", "{", "[]", '{"downloadsFolder": 1}', '{"downloadsFolder": "a"}', '"\\u0000"',
                 '{"downloadsFolder": "/a\\u0000"}', "\xff", "[" * 100_000]
)  # fmt: skip
def test_that_broken_settings_of_lm_studio_leave_its_usual_folders(tmp_path, settings):
    put(tmp_path / ".lmstudio" / "settings.json", settings)
    put(tmp_path / ".lmstudio-home-pointer", settings)
    folders = [each.folder for each in usual_places({}, tmp_path) if each.source == LM_STUDIO]
    assert folders == [tmp_path / ".lmstudio/models", tmp_path / ".cache/lm-studio/models"]


def test_that_any_other_folder_is_searched_to_a_depth(tmp_path):
    put(tmp_path / "publisher" / "repo" / "model-Q4_K_M.gguf")
    put(tmp_path / "publisher" / "repo" / "model-Q8_0.gguf.part")
    put(tmp_path / ".trash" / "old.gguf")
    put(tmp_path / "/".join("abcdefgh") / "too-deep.gguf")

    assert paths_at(tmp_path) == ["publisher/repo/model-Q4_K_M.gguf"]


@needs_links
def test_that_links_are_followed_once(tmp_path):
    elsewhere = tmp_path / "disk"
    put(elsewhere / "model.gguf")
    (elsewhere / "back").symlink_to(tmp_path, target_is_directory=True)
    top = tmp_path / "models"
    top.mkdir()
    (top / "linked").symlink_to(elsewhere, target_is_directory=True)
    (top / "self").symlink_to(top, target_is_directory=True)
    (top / "nowhere").symlink_to(tmp_path / "gone")

    assert [found.path.name for found in models_at(top)] == ["model.gguf"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_that_a_folder_that_may_not_be_read_hides_no_other(tmp_path):
    locked = put(tmp_path / "a" / "secret.gguf").parent
    put(tmp_path / "b" / "open.gguf")
    locked.chmod(0)
    try:
        assert paths_at(tmp_path) == ["b/open.gguf"]
    finally:
        locked.chmod(0o700)


def test_that_a_wide_tree_is_not_walked_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("modelmon.core.model.caches.MOST_FOLDERS", 10)
    for number in range(30):
        (tmp_path / f"{number:02}").mkdir()

    assert len(list(folders_below(tmp_path))) == 10


def test_that_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(models_at(tmp_path / "gone"))


def test_that_variables_add_to_the_usual_places(tmp_path):
    environment = {"OLLAMA_MODELS": str(tmp_path / "store"), "LLAMA_CACHE": "~/cache"}

    places = usual_places(environment, tmp_path, [tmp_path / "mine", tmp_path / "store"])

    assert Place(OLLAMA, tmp_path / "store") in places
    assert Place(LLAMA_CPP, tmp_path / "cache") in places
    assert Place(OLLAMA, tmp_path / ".ollama" / "models") in places
    assert [place.folder for place in places if place.source == OWN] == [tmp_path / "mine"]


def test_that_the_hub_is_where_its_variables_say(tmp_path):
    hub = usual_places({"HF_HOME": str(tmp_path / "hf")}, tmp_path)[0]
    moved = usual_places({"HF_HUB_CACHE": str(tmp_path / "hub")}, tmp_path)[0]

    assert hub.folder == tmp_path / "hf" / "hub"
    assert moved.folder == tmp_path / "hub"
