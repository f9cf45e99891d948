"""Ollama's store: a manifest for each model and tag, whose layers are blobs without file ending.

Layout: `manifests/HOST/NAMESPACE/MODEL/TAG` is JSON as registries of containers have it; a layer
of the first type below is a GGUF file, `blobs/sha256-…`. Models of the other type have a layer for
each tensor. https://github.com/ollama/ollama/blob/main/manifest/layer.go
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.messages import Message
from modelmon.core.model.caches.walk import FoundFile, folders_below, small_file

if TYPE_CHECKING:
    from collections.abc import Iterator

MODEL_LAYER = "application/vnd.ollama.image.model"
TENSOR_LAYER = "application/vnd.ollama.image.tensor"

_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")
_DEEPEST = 4
_USUAL_HOST, _USUAL_NAMESPACE = "registry.ollama.ai", "library"


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
    for folder in folders_below(manifests, _DEEPEST):
        for file in folder.files:
            manifest = folder.path / file
            content, name = small_file(manifest), _name(manifest.relative_to(manifests).parts)
            for blob in _blobs(store, content, MODEL_LAYER):
                yield FoundFile(blob, name)
            if tensors := _blobs(store, content, TENSOR_LAYER):
                problem = Message(
                    "Ollama stores it as {count} tensor layers; modelmon opens Ollama's GGUF"
                    " models.",
                    count=len(tensors),
                )
                size_bytes = sum(blob.stat().st_size for blob in tensors)
                yield FoundFile(manifest, name, problem, size_bytes)


def _blobs(store: Path, manifest: bytes, media_type: str) -> list[Path]:
    named = (store / "blobs" / f"sha256-{each}" for each in model_digests(manifest, media_type))
    return [blob for blob in named if blob.is_file()]


def name_of_blob(path: str) -> str:
    """What Ollama calls the model that is a blob of its store; "" for any other file."""
    blob = Path(path)
    store = blob.parent.parent
    if blob.parent.name == "blobs":
        with suppress(OSError):
            return next((each.name for each in ollama_models(store) if each.path == blob), "")
    return ""


def model_digests(manifest: bytes, media_type: str = MODEL_LAYER) -> list[str]:
    """SHA-256 of the layers of a type that a manifest names, in hex, each once; none where it is
    broken.
    """
    try:
        layers = _decode(manifest).layers or []
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
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
