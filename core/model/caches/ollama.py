"""Ollama's store: a manifest for each model and tag, whose layers are blobs without file ending.

Layout: `manifests/HOST/NAMESPACE/MODEL/TAG` is JSON as registries of containers have it; the
layer of the type below is a GGUF file, `blobs/sha256-…`.
https://github.com/ollama/ollama/blob/main/docs/import.mdx and server/manifest.go there.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.model.caches.walk import FoundFile, folders_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODEL_LAYER = "application/vnd.ollama.image.model"

_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")
_MOST_MANIFEST_BYTES = 1_000_000
_DEEPEST = 4
_USUAL_HOST, _USUAL_NAMESPACE = "registry.ollama.ai", "library"


class _Layer(msgspec.Struct):
    media_type: str = msgspec.field(name="mediaType", default="")
    digest: str = ""


class _Manifest(msgspec.Struct):
    layers: list[_Layer] | None = None


_decode = msgspec.json.Decoder(_Manifest).decode


def ollama_models(store: Path) -> Iterator[FoundFile]:
    """The models that a store's manifests name and whose blob is there.

    Raises OSError if the manifests cannot be listed.
    """
    manifests = store / "manifests"
    for folder in folders_below(manifests, _DEEPEST):
        for name in folder.files:
            manifest = folder.path / name
            for digest in model_digests(_content(manifest)):
                blob = store / "blobs" / f"sha256-{digest}"
                if blob.is_file():
                    yield FoundFile(blob, _name(manifest.relative_to(manifests).parts))


def name_of_blob(blob: Path) -> str:
    """What Ollama calls the model that is a blob of its store; "" for any other file."""
    store = blob.parent.parent
    if blob.parent.name == "blobs":
        with suppress(OSError):
            return next((each.name for each in ollama_models(store) if each.path == blob), "")
    return ""


def model_digests(manifest: bytes) -> list[str]:
    """SHA-256 of the weights that a manifest names, in hex; none where it is broken."""
    try:
        layers = _decode(manifest).layers or []
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    found = (_DIGEST.fullmatch(one.digest) for one in layers if one.media_type == MODEL_LAYER)
    return [match[1] for match in found if match]


def _content(manifest: Path) -> bytes:
    try:
        if not manifest.is_file() or manifest.stat().st_size > _MOST_MANIFEST_BYTES:
            return b""
        return manifest.read_bytes()
    except OSError:
        return b""


def _name(parts: tuple[str, ...]) -> str:
    """The name that `ollama run` takes: `gemma2:27b`, `user/model:tag`, `host/user/model:tag`."""
    *place, tag = parts
    if place[:1] == [_USUAL_HOST]:
        place = place[1:]
        if place[:1] == [_USUAL_NAMESPACE]:
            place = place[1:]
    return f"{'/'.join(place)}:{tag}" if place else tag
