"""Models in the caches of other programs: Hugging Face's hub, Ollama's store, ComfyUI's folders.

By names, links, manifests and indices: no weight file is opened, and the network is never used.
Every walk has bounds: it is never endless, whatever links and mounts there are.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.hub_folders import (
    DEEPEST,
    HUB_DEEPEST,
    REPOSITORY,
    folders_below,
    small_file,
    snapshots,
)
from modelmon.core.model.sharded import models_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.model.sharded import ShardSet

MOST_MODELS = 1_000
"""Of one place; who has more knows where they are."""
# Ollama: `manifests/HOST/NAMESPACE/MODEL/TAG` is JSON as registries of containers have it; a layer
# of the first type below is a GGUF file, `blobs/sha256-…`. Models of the other type have a layer
# for each tensor. https://github.com/ollama/ollama/blob/main/manifest/layer.go
MODEL_LAYER = "application/vnd.ollama.image.model"
TENSOR_LAYER = "application/vnd.ollama.image.tensor"
_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")
_STORE_DEEPEST = 4
_USUAL_HOST, _USUAL_NAMESPACE = "registry.ollama.ai", "library"

COMFYUI_PATHS = "extra_model_paths.yaml"
"""https://github.com/comfyanonymous/ComfyUI/blob/master/extra_model_paths.yaml.example, read by
utils/extra_config.py there."""
MOST_NAMED_FOLDERS = 200
_MOST_SETTINGS_BYTES = 100_000
_NO_MODELS = frozenset({"base_path", "is_default", "custom_nodes", "configs"})


class FoundFile(NamedTuple):
    """What to open for one model: a weight file, the first of a set, or its index.

    `name` is what its program calls it, "" where the model's own name will do. Of one that is no
    such file `problem` says why, and its program `size_bytes`. `files` are its files, if known.
    """

    path: Path
    name: str = ""
    problem: Message = NOTHING
    size_bytes: int | None = None
    files: ShardSet | None = None


def models_at(folder: Path) -> Iterator[FoundFile]:
    """The models in a hub cache, an Ollama store or any other folder, as they are found.

    Those in folders that ComfyUI's settings name come along with its own.
    Raises OSError if the folder is not there or cannot be read.
    """
    return islice(_models(folder), MOST_MODELS)


def _models(folder: Path) -> Iterator[FoundFile]:
    names = [entry.name for entry in folder.iterdir()]
    if "manifests" in names and "blobs" in names:
        yield from ollama_models(folder)
    elif any(name.startswith(REPOSITORY) for name in names):
        for name in sorted(names):
            for snapshot in snapshots(folder / name) if name.startswith(REPOSITORY) else ():
                with suppress(OSError):
                    yield from _models_below(snapshot, HUB_DEEPEST)
    else:
        yield from _models_below(folder)
        for elsewhere in _folders_elsewhere(folder):
            # What is named there may be gone, or on a disk that is not mounted.
            with suppress(OSError):
                yield from _models_below(elsewhere)


def _models_below(top: Path, deepest: int = DEEPEST) -> Iterator[FoundFile]:
    """The models in a folder and those in it, complete or not; raises OSError for `top`."""
    below: set[str] = set()
    for folder, files in folders_below(top, deepest):
        # An index may name files in the folders that come after its own.
        names = [name for name in files if str(folder / name) not in below]
        for found in models_in(str(folder), names):
            below.update(found.paths)
            yield FoundFile(Path(found.start), files=found)


class _Layer(msgspec.Struct):
    media_type: str = msgspec.field(name="mediaType", default="")
    digest: str = ""


class _Manifest(msgspec.Struct):
    layers: list[_Layer] | None = None


_decode = msgspec.json.Decoder(_Manifest).decode


def ollama_models(store: Path) -> Iterator[FoundFile]:
    """The models that a store's manifests name and whose blobs are there; one in tensor layers is
    found as its manifest.

    Raises OSError if the manifests cannot be listed.
    """
    manifests = store / "manifests"
    for folder, files in folders_below(manifests, _STORE_DEEPEST):
        for manifest in map(folder.joinpath, files):
            content, name = small_file(manifest), _name(manifest.relative_to(manifests).parts)
            for blob in _blobs(store, content, MODEL_LAYER):
                yield FoundFile(blob, name)
            if tensors := _blobs(store, content, TENSOR_LAYER):
                problem = Message(
                    "Ollama stores it as {count} tensor layers; modelmon opens Ollama's GGUF"
                    " models.",
                    count=len(tensors),
                )
                yield FoundFile(
                    manifest, name, problem, sum(each.stat().st_size for each in tensors)
                )


def name_of_blob(path: str) -> str:
    """What Ollama calls the model that is a blob of its store; "" for any other file."""
    blob = Path(path)
    if blob.parent.name == "blobs":
        with suppress(OSError):
            models = ollama_models(blob.parent.parent)
            return next((each.name for each in models if each.path == blob), "")
    return ""


def _blobs(store: Path, manifest: bytes, media_type: str) -> list[Path]:
    named = (store / "blobs" / f"sha256-{each}" for each in model_digests(manifest, media_type))
    return [blob for blob in named if blob.is_file()]


def model_digests(manifest: bytes, media_type: str = MODEL_LAYER) -> list[str]:
    """SHA-256 of the layers of a type that a manifest names, in hex, each once; none where it is
    broken.
    """
    try:
        layers = _decode(manifest).layers or []
    except UNDECODABLE:
        return []
    found = (_DIGEST.fullmatch(one.digest) for one in layers if one.media_type == media_type)
    return list(dict.fromkeys(match[1] for match in found if match))


def _name(parts: tuple[str, ...]) -> str:
    """The name that `ollama run` takes: `gemma2:27b`, `user/model:tag`, `host/user/model:tag`."""
    *place, tag = parts
    if place[:1] == [_USUAL_HOST]:
        place = place[1:]
        if place[:1] == [_USUAL_NAMESPACE]:
            place = place[1:]
    return f"{'/'.join(place)}:{tag}" if place else tag


def _folders_elsewhere(models: Path) -> list[Path]:
    """What ComfyUI's file beside or in a folder `models` names, unless it lies in that folder."""
    named: list[Path] = []
    for folder in (models, *([models.parent] if models.name == "models" else ())):
        settings = small_file(folder / COMFYUI_PATHS, _MOST_SETTINGS_BYTES)
        named += named_folders(settings.decode("utf-8", "replace"), folder)
    return [folder for folder in named if not folder.is_relative_to(models)]


def named_folders(text: str, beside: Path) -> list[Path]:
    """The folders that the text of such a file names, each once, whether they exist or not.

    Relative ones lie below their section's `base_path`, and that `beside` the file.
    """
    import yaml  # noqa: PLC0415  few have such a file

    try:
        # All of its values are text: nothing is made of them.
        sections = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        return []
    found: dict[str, None] = {}
    for section in sections.values() if isinstance(sections, dict) else ():
        if not isinstance(section, dict):
            continue
        base = section.get("base_path", "")
        base = os.path.expandvars(os.path.expanduser(base)) if isinstance(base, str) else ""  # noqa: PTH111
        for key, value in section.items():
            if key not in _NO_MODELS and isinstance(value, str):
                # One in each line; no folder is called otherwise.
                paths = filter(str.isprintable, filter(None, map(str.strip, value.split("\n"))))
                found |= dict.fromkeys(os.path.normpath(Path(beside, base, path)) for path in paths)
    return list(map(Path, found))[:MOST_NAMED_FOLDERS]
