"""Models that ComfyUI finds elsewhere, by its `extra_model_paths.yaml`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.caches import COMFYUI_PATHS, MOST_NAMED_FOLDERS, models_at, named_folders
from modelmon.core.model.found_models import COMFYUI, Search, usual_places
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

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
#    checkpoints: models/checkpoints

comfyui:
  is_default: true
  custom_nodes: nodes
  unet: /fast/unet
  clip: clip
  base_path: ../share
  vae: |

    # a folder of this name
    X:/AI/vae
"""


def posix(folders):
    return [folder.as_posix() for folder in folders]


def test_that_each_section_has_its_own_base():
    assert posix(named_folders(TWO_PROGRAMS, BESIDE)) == [
        "/srv/other ui/models/Stable-diffusion",
        "/srv/other ui/models/Lora",
        "/srv/other ui/models/LyCORIS",
        "/srv/other ui/models/VAE",
        "/fast/unet",
        "/share/clip",
        "/share/# a folder of this name",
        "/share/X:/AI/vae",
    ]


def test_that_a_base_may_begin_with_the_home_folder_or_a_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("MODEL_DISK", "/disk")
    text = (
        "a:\r\n  base_path: ~/ai\r\n  vae: vae\r\nb:\r\n  base_path: $MODEL_DISK\r\n  vae: vae\r\n"
    )
    assert named_folders(text, BESIDE) == [tmp_path / "ai" / "vae", Path("/disk/vae")]


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
    own = comfy / "models" / "checkpoints" / "own.safetensors"
    elsewhere = disk / "unet" / "flux.safetensors"
    for path in (own, elsewhere):
        path.parent.mkdir(parents=True)
        write_sample(path, "safetensors", 4 * MIB, 2, 0)
    lines = [
        "disk:",
        f"  base_path: {disk}",
        "  vae: not-there",
        "  unet: unet",
        "  diffusion_models: unet",
        "here:",
        "  checkpoints: models/checkpoints",
    ]
    (comfy / COMFYUI_PATHS).write_text("\n".join(lines))
    places = usual_places({"COMFYUI_PATH": str(comfy)}, tmp_path / "home")
    found = list(Search(place for place in places if place.source == COMFYUI))
    assert sorted((model.name, model.source) for model in found) == [
        ("flux", COMFYUI),
        ("own", COMFYUI),
    ]


def test_that_comfyuis_folder_itself_can_be_named(tmp_path):
    model = tmp_path / "disk" / "vae.safetensors"
    model.parent.mkdir()
    model.write_bytes(b"x")
    comfy = tmp_path / "comfy"
    comfy.mkdir()
    (comfy / COMFYUI_PATHS).write_text("disk:\n  vae: ../disk\n")
    assert [found.path for found in models_at(comfy)] == [model]


def test_that_a_file_too_large_to_be_settings_is_not_read(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "vae.safetensors").write_bytes(b"x")
    comfy = tmp_path / "comfy"
    comfy.mkdir()
    (comfy / COMFYUI_PATHS).write_text("disk:\n  vae: ../disk\n" + "#" * 2_000_000)
    assert list(models_at(comfy)) == []
