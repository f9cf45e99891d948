"""Models in the caches of other programs: made-up folders, whole, broken and half downloaded, and
places that don't answer.
"""

import json
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model import found_models
from modelmon.core.model.caches import (
    COMFYUI_PATHS,
    MODEL_LAYER,
    MOST_NAMED_FOLDERS,
    TENSOR_LAYER,
    models_at,
    named_folders,
)
from modelmon.core.model.found_models import (
    COMFYUI,
    LLAMA_CPP,
    LM_STUDIO,
    OLLAMA,
    OWN,
    Place,
    Search,
    usual_places,
)
from modelmon.core.model.hub_folders import folders_below
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

COMMIT, OLDER = "b" * 40, "a" * 40
DIGEST = "0123456789abcdef" * 4
LIBRARY = "manifests/registry.ollama.ai/library"


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


def small_model(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_sample(path, "gguf", 4 * MIB, 4, 0)


_SNAPSHOTS = f"models--org--name/snapshots/{COMMIT}"
_TWO_SNAPSHOTS = {
    f"models--org--name/snapshots/{commit}/m.gguf": b"x" for commit in (COMMIT, OLDER)
}


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (
            {
                **_TWO_SNAPSHOTS,
                "models--org--name/refs/main": COMMIT,
                f"datasets--org--text/snapshots/{COMMIT}/m.gguf": b"x",
            },
            [f"{_SNAPSHOTS}/m.gguf"],
        ),
        *(
            (
                {"models--org--name/refs/main": ref, f"{_SNAPSHOTS}/m.gguf": b"x"},
                [f"{_SNAPSHOTS}/m.gguf"],
            )
            for ref in (b"", b"../../../../etc", b"\xff\xfe", b"f" * 10_000)
        ),
        (
            {
                f"{_SNAPSHOTS}/unet/diffusion_pytorch_model.safetensors": b"x",
                f"{_SNAPSHOTS}/text_encoder/model.safetensors.index.json": "{}",
                f"{_SNAPSHOTS}/text_encoder/model-00001-of-00002.safetensors": b"x",
                f"{_SNAPSHOTS}/tokenizer/vocab.json": "{}",
            },
            [
                f"{_SNAPSHOTS}/text_encoder/model.safetensors.index.json",
                f"{_SNAPSHOTS}/unet/diffusion_pytorch_model.safetensors",
            ],
        ),
        (
            {
                "publisher/repo/model-Q4_K_M.gguf": b"x",
                "publisher/repo/model-Q8_0.gguf.part": b"x",
                ".trash/old.gguf": b"x",
                "a/b/c/d/e/f/g/too-deep.gguf": b"x",
            },
            ["publisher/repo/model-Q4_K_M.gguf"],
        ),
        ({"comfy.gguf": b"x", COMFYUI_PATHS: "a:\n  vae: gone\n"}, ["comfy.gguf"]),
    ],
    ids=["a ref", *("a broken ref",) * 4, "a pipeline", "any folder", "gone"],
)
def test_that_the_models_of_a_folder_are_found(tmp_path, files, found):
    for name, content in files.items():
        put(tmp_path / name, content)
    assert paths_at(tmp_path) == found


def test_that_a_hub_cache_without_refs_shows_the_latest_snapshot(tmp_path):
    for name in _TWO_SNAPSHOTS:
        put(tmp_path / name)
        age = OLDER in name
        os.utime((tmp_path / name).parent, (1000 - age, 1000 - age))
    assert paths_at(tmp_path) == [f"{_SNAPSHOTS}/m.gguf"]


def test_that_a_manifest_leads_to_its_blob(tmp_path):
    blob = put(tmp_path / "blobs" / f"sha256-{DIGEST}")
    for place in ("registry.ollama.ai/library/gemma2/27b", "registry.ollama.ai/user/tuned/latest"):
        put(tmp_path / "manifests" / place, manifest())
    put(tmp_path / "manifests" / "hf.co" / "org" / "repo" / "Q4_K_M", manifest())
    found = list(models_at(tmp_path))
    assert {one.path for one in found} == {blob}
    names = ["gemma2:27b", "hf.co/org/repo:Q4_K_M", "user/tuned:latest"]
    assert sorted(one.name for one in found) == names


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
    put(tmp_path / LIBRARY / "broken" / "1b", content)
    put(tmp_path / LIBRARY / "good" / "1b", manifest())
    assert [found.name for found in models_at(tmp_path)] == ["good:1b"]


def test_that_a_model_that_ollama_stores_as_tensors_is_listed_with_its_size(tmp_path):
    digests = [f"{number:064x}" for number in range(3)]
    for digest in digests[:2]:
        put(tmp_path / "blobs" / f"sha256-{digest}", b"x" * 100)
    layers = [{"mediaType": TENSOR_LAYER, "digest": f"sha256:{each}"} for each in digests]
    where = put(tmp_path / LIBRARY / "z-image" / "turbo", json.dumps({"layers": layers}))
    put(where.with_name("gone"), json.dumps({"layers": layers[2:]}))
    (found,) = Search([Place(OLLAMA, tmp_path)])
    assert (found.name, found.source, found.path) == ("z-image:turbo", OLLAMA, str(where))
    assert found.size_bytes == 200
    assert found.problem == (
        "Ollama stores it as 2 tensor layers; modelmon opens Ollama's GGUF models."
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_that_links_are_followed_once(tmp_path):
    elsewhere, top = tmp_path / "disk", tmp_path / "models"
    put(elsewhere / "model.gguf")
    top.mkdir()
    for link, target in (
        (elsewhere / "back", tmp_path),
        (top / "linked", elsewhere),
        (top / "self", top),
        (top / "nowhere", tmp_path / "gone"),
    ):
        link.symlink_to(target, target_is_directory=True)
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
    monkeypatch.setattr("modelmon.core.model.hub_folders.MOST_FOLDERS", 10)
    for number in range(30):
        (tmp_path / f"{number:02}").mkdir()
    assert len(list(folders_below(tmp_path))) == 10


def test_that_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(models_at(tmp_path / "gone"))


@pytest.mark.parametrize("home_is_moved", [False, True])
def test_that_lm_studios_settings_say_where_its_models_are(tmp_path, home_is_moved):
    own, moved = tmp_path / "own", tmp_path / "disk"
    if home_is_moved:
        put(tmp_path / ".lmstudio-home-pointer", f"{own}\n")
    else:
        own = tmp_path / ".lmstudio"
    put(own / "settings.json", json.dumps({"downloadsFolder": str(moved), "other": [1]}))
    places = usual_places({}, tmp_path)
    assert Place(LM_STUDIO, moved) in places
    assert Place(LM_STUDIO, own / "models") in places


@pytest.mark.parametrize(
    "settings", ["", "{", "[]", '{"downloadsFolder": 1}', '{"downloadsFolder": "a"}', '"\\u0000"',
                 '{"downloadsFolder": "/a\\u0000"}', "\xff", "[" * 100_000]
)  # fmt: skip
def test_that_broken_settings_of_lm_studio_leave_its_usual_folders(tmp_path, settings):
    put(tmp_path / ".lmstudio" / "settings.json", settings)
    put(tmp_path / ".lmstudio-home-pointer", settings)
    folders = [each.folder for each in usual_places({}, tmp_path) if each.source == LM_STUDIO]
    assert folders == [tmp_path / ".lmstudio/models", tmp_path / ".cache/lm-studio/models"]


def test_that_variables_add_to_the_usual_places(tmp_path):
    environment = {"OLLAMA_MODELS": str(tmp_path / "store"), "LLAMA_CACHE": "~/cache"}
    environment |= {"HF_HUB_CACHE": str(tmp_path / "hub"), "HF_HOME": str(tmp_path / "hf")}
    nobodys = Path("~nobody-is-called-so/models")
    places = usual_places(environment, tmp_path, [tmp_path / "mine", tmp_path / "store", nobodys])
    assert [place.folder for place in places[:2]] == [tmp_path / "hub", tmp_path / "hf" / "hub"]
    assert Place(OLLAMA, tmp_path / "store") in places
    assert Place(LLAMA_CPP, tmp_path / "cache") in places
    assert Place(OLLAMA, tmp_path / ".ollama" / "models") in places
    own = [place.folder for place in places if place.source == OWN]
    assert own == [tmp_path / "mine", nobodys]


BESIDE = Path("/comfy")
TWO_PROGRAMS = """\
# Paths of another program
other_ui:
    base_path: /srv/other ui/
    checkpoints: models/Stable-diffusion   # the large ones
    loras: |
         models/Lora
         models/LyCORIS

    vae: "models/VAE"

#comfyui:
#    base_path: /srv/unused

comfyui:
  is_default: true
  custom_nodes: nodes
  unet: /fast/unet
  clip: clip
  base_path: ../share
  vae: |

    # a folder of this name
    X:/AI/vae
home:
  base_path: ~/ai
  vae: vae
disk:
  base_path: $MODEL_DISK
  vae: vae
"""


def test_that_each_section_of_comfyuis_paths_has_its_own_base(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("MODEL_DISK", "/disk")
    for text in (TWO_PROGRAMS, TWO_PROGRAMS.replace("\n", "\r\n")):
        assert [folder.as_posix() for folder in named_folders(text, BESIDE)] == [
            "/srv/other ui/models/Stable-diffusion",
            "/srv/other ui/models/Lora",
            "/srv/other ui/models/LyCORIS",
            "/srv/other ui/models/VAE",
            "/fast/unet",
            "/share/clip",
            "/share/# a folder of this name",
            "/share/X:/AI/vae",
            f"{tmp_path}/ai/vae",
            "/disk/vae",
        ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just text",
        "- a\n- list",
        "a:\n  vae:\n    - list/of/paths\n",
        "a:\n  vae:   # nothing yet\n",
        "a: {vae: [x]}\n",
        "a:\n\tvae: x\n",
        'a: {vae: "\\0", clip: "\\ud800"}\n',
        "vae: top/level\n",
        "a:\n  base_path: /only\n  is_default: true\n",
    ],
)
def test_that_what_is_not_understood_names_no_folder(text):
    assert named_folders(text, BESIDE) == []


@given(
    st.text()
    | st.lists(st.sampled_from(["a:", "  b: c", "  d: |", "    ~e", "\0", "#"])).map("\n".join)
)
def test_that_no_text_is_an_error(text):
    folders = named_folders(text, BESIDE)
    assert len(folders) <= MOST_NAMED_FOLDERS
    assert not any("\0" in str(folder) for folder in folders)


def test_that_models_elsewhere_are_found_with_comfyuis_own(tmp_path):
    comfy, disk = tmp_path / "ComfyUI", tmp_path / "disk"
    small_model(comfy / "models" / "checkpoints" / "own.gguf")
    small_model(disk / "unet" / "flux.gguf")
    text = f"disk:\n  base_path: {disk}\n  vae: not-there\n  unet: unet\n  diffusion_models: unet\n"
    put(comfy / COMFYUI_PATHS, f"{text}here:\n  checkpoints: models/checkpoints\n")
    places = usual_places({"COMFYUI_PATH": str(comfy)}, tmp_path / "home")
    found = list(Search(place for place in places if place.source == COMFYUI))
    assert sorted((model.name, model.source) for model in found) == [
        ("flux", COMFYUI),
        ("own", COMFYUI),
    ]


def test_that_a_file_too_large_to_be_settings_is_not_read(tmp_path):
    model = put(tmp_path / "disk" / "vae.safetensors")
    settings = "disk:\n  vae: ../disk\n"
    for content, found in ((settings, [model]), (settings + "#" * 2_000_000, [])):
        put(tmp_path / "comfy" / COMFYUI_PATHS, content)
        assert [each.path for each in models_at(tmp_path / "comfy")] == found


def test_that_a_found_model_is_what_its_headers_say(tmp_path):
    whole = small_model(tmp_path / "a.gguf")
    cut = small_model(tmp_path / "cut.gguf")
    os.truncate(cut, cut.stat().st_size // 2)
    write_sample(tmp_path / "set", "sharded", 4 * MIB, 4, 0)
    first, broken, shards = sorted(Search([Place(OWN, tmp_path)]), key=lambda each: each.path)
    assert (first.name, first.source, first.format) == ("a", OWN, "gguf")
    assert (first.blocks, first.size_bytes) == (len(open_model(whole).blocks), whole.stat().st_size)
    assert broken.blocks is None
    assert "cut off" in broken.problem
    files = (tmp_path / "set").glob("*.safetensors")
    assert shards.size_bytes == sum(file.stat().st_size for file in files)


def test_that_places_are_told_apart_by_how_they_answered(tmp_path):
    path = small_model(tmp_path / "here" / "one.gguf")
    (tmp_path / "twice").mkdir()
    os.link(path, tmp_path / "twice" / "two.gguf")
    (tmp_path / "a file").write_bytes(b"")
    places = [Place("x", tmp_path / name) for name in ("here", "twice", "gone", "a file")]
    search = Search(places)
    # A file in two places is brought once.
    assert len(list(search)) == 1
    assert sum(place.models for place in search.searched) == 1
    answers = {Path(place.folder).name: place.answer for place in search.searched}
    assert answers == {"here": "read", "twice": "read", "gone": "absent", "a file": "absent"}


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
