"""The folders in which models usually lie: of each program, by its own variables and defaults."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.model.caches.walk import small_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HUGGING_FACE, LM_STUDIO, OLLAMA = "Hugging Face", "LM Studio", "Ollama"
LLAMA_CPP, COMFYUI, OWN = "llama.cpp", "ComfyUI", "Own folder"

SOURCES = (HUGGING_FACE, LM_STUDIO, OLLAMA, LLAMA_CPP, COMFYUI)
"""Programs whose models are looked for, as people call them."""


class Place(NamedTuple):
    """A folder to look in, and whose it is."""

    source: str
    folder: Path


def usual_places(
    environment: Mapping[str, str], home: Path, own_folders: Iterable[str | Path] = ()
) -> list[Place]:
    """All places to look in, each folder once, whether it exists or not.

    A folder that the user names comes last, so that what lies in a program's is that program's.
    """
    own = (Place(OWN, Path(folder).expanduser()) for folder in own_folders)
    found = (
        *_hugging_face(environment, home),
        *_lm_studio(home),
        *_ollama(environment, home),
        *_llama_cpp(environment, home),
        *_comfyui(environment, home),
        *own,
    )
    places: dict[Path, Place] = {}
    for place in found:
        places.setdefault(place.folder, place)
    return list(places.values())


def _named(environment: Mapping[str, str], home: Path, *names: str) -> Iterator[Path]:
    for name in names:
        value = environment.get(name, "").strip()
        if value:
            yield home / value[2:] if value.startswith("~/") else Path(value).absolute()


def _cache_folder(environment: Mapping[str, str], home: Path) -> Path:
    return next(_named(environment, home, "XDG_CACHE_HOME"), home / ".cache")


def _hugging_face(environment: Mapping[str, str], home: Path) -> Iterator[Place]:
    """A variable replaces the default there, yet models of before it was set are still on disk."""
    for folder in _named(environment, home, "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        yield Place(HUGGING_FACE, folder)
    for folder in _named(environment, home, "HF_HOME"):
        yield Place(HUGGING_FACE, folder / "hub")
    yield Place(HUGGING_FACE, _cache_folder(environment, home) / "huggingface" / "hub")


class _LmStudioSettings(msgspec.Struct):
    downloads_folder: str = msgspec.field(name="downloadsFolder", default="")


def _lm_studio(home: Path) -> Iterator[Place]:
    """Its own folder, which a file in the home folder names, or where its settings there say."""
    pointed = small_file(home / ".lmstudio-home-pointer").decode("utf-8", "replace").strip()
    for own in (*_absolute(pointed), home / ".lmstudio", home / ".cache" / "lm-studio"):
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = msgspec.json.decode(small_file(own / "settings.json"), type=_LmStudioSettings)
            yield from (Place(LM_STUDIO, each) for each in _absolute(found.downloads_folder))
        yield Place(LM_STUDIO, own / "models")


def _absolute(text: str) -> list[Path]:
    """It as a path, if it is one that doesn't depend on where modelmon runs."""
    return [Path(text)] if "\0" not in text and Path(text).is_absolute() else []


def _ollama(environment: Mapping[str, str], home: Path) -> Iterator[Place]:
    for folder in _named(environment, home, "OLLAMA_MODELS"):
        yield Place(OLLAMA, folder)
    yield Place(OLLAMA, home / ".ollama" / "models")
    if sys.platform == "linux":
        # The home folder of the user that the service runs as.
        yield Place(OLLAMA, Path("/usr/share/ollama/.ollama/models"))


def _llama_cpp(environment: Mapping[str, str], home: Path) -> Iterator[Place]:
    for folder in _named(environment, home, "LLAMA_CACHE"):
        yield Place(LLAMA_CPP, folder)
    caches = {
        "darwin": home / "Library" / "Caches",
        "win32": next(_named(environment, home, "LOCALAPPDATA"), home / "AppData" / "Local"),
    }
    yield Place(LLAMA_CPP, caches.get(sys.platform, _cache_folder(environment, home)) / "llama.cpp")


def _comfyui(environment: Mapping[str, str], home: Path) -> Iterator[Place]:
    for folder in _named(environment, home, "COMFYUI_PATH"):
        yield Place(COMFYUI, folder / "models")
    yield Place(COMFYUI, home / "ComfyUI" / "models")
