"""Models in the caches of other programs: names and indices are read, no other file is opened.

Hugging Face's hub, Ollama's store, ComfyUI's folders, and any other folder. Every walk has bounds:
it is never endless, whatever links and mounts there are. Nothing uses the network."""

from __future__ import annotations

import os
import re
from collections import deque
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.sharded import models_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.model.sharded import ShardSet


MOST_MODELS = 1_000
"""Of one place; who has more knows where they are."""


def models_at(folder: Path) -> Iterator[FoundFile]:
    """The models in a hub cache, an Ollama store or any other folder, as they are found.

    Those in folders that ComfyUI's settings name come along with its own.
    Raises OSError if the folder is not there or cannot be read. Never uses the network.
    """
    return islice(_models(folder), MOST_MODELS)


def _models(folder: Path) -> Iterator[FoundFile]:
    names = [entry.name for entry in folder.iterdir()]
    if "manifests" in names and "blobs" in names:
        yield from ollama_models(folder)
    elif any(name.startswith(REPOSITORIES.rstrip("*")) for name in names):
        yield from hub_models(folder)
    else:
        yield from models_below(folder)
        for elsewhere in folders_elsewhere(folder):
            # What is named there may be gone, or on a disk that is not mounted.
            with suppress(OSError):
                yield from models_below(elsewhere)


DEEPEST = 6
MOST_FOLDERS = 5_000
MOST_ENTRIES = 100_000


class Folder(NamedTuple):
    """A folder and the names of the files in it, sorted."""

    path: Path
    files: tuple[str, ...]


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


def folders_below(top: Path, deepest: int = DEEPEST) -> Iterator[Folder]:
    """`top` and the folders in it, nearest first; hidden ones are left out.

    Links are followed, each folder is met once. What cannot be read is passed over, except
    `top` itself: raises OSError. Ends after `MOST_FOLDERS` folders or `MOST_ENTRIES` names.
    """
    waiting = deque([(top, 0)])
    met = {_identity(top)}
    entries = folders = 0
    while waiting and folders < MOST_FOLDERS and entries < MOST_ENTRIES:
        path, depth = waiting.popleft()
        try:
            files, below = _listed(path, MOST_ENTRIES - entries)
        except OSError:
            if path == top:
                raise
            continue
        folders += 1
        entries += len(files) + len(below)
        yield Folder(path, tuple(files))
        if depth == deepest:
            continue
        for name in below:
            inner = path / name
            try:
                identity = _identity(inner)
            except OSError:
                continue
            if identity not in met:
                met.add(identity)
                waiting.append((inner, depth + 1))


def small_file(path: Path, most_bytes: int = 1_000_000) -> bytes:
    """What is in a file; nothing where it is larger, no file, or can't be read."""
    try:
        is_small = path.is_file() and path.stat().st_size <= most_bytes
        return path.read_bytes() if is_small else b""
    except OSError:
        return b""


def models_below(top: Path, deepest: int = DEEPEST) -> Iterator[FoundFile]:
    """The models in a folder and those in it, complete or not; raises OSError as above."""
    below: set[str] = set()
    for folder in folders_below(top, deepest):
        # An index may name files in the folders that come after its own.
        names = [name for name in folder.files if str(folder.path / name) not in below]
        for found in models_in(str(folder.path), names):
            below.update(found.paths)
            yield FoundFile(Path(found.start), files=found)


def _listed(path: Path, most: int) -> tuple[list[str], list[str]]:
    """Names of the files and of the folders in a folder, without the hidden ones."""
    files: list[str] = []
    folders: list[str] = []
    with os.scandir(path) as entries:
        for number, entry in enumerate(entries):
            if number >= most:
                break
            if entry.name.startswith("."):
                continue
            (folders if _is_folder(entry) else files).append(entry.name)
    return sorted(files), sorted(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


REPOSITORIES = "models--*"

_COMMIT = re.compile(r"[0-9a-f]{6,64}")
_LONGEST_REF_BYTES = 256
# A diffusion pipeline has a folder for each of its models.
_HUB_DEEPEST = 3


def hub_models(hub: Path) -> Iterator[FoundFile]:
    """The models of all repositories in a hub folder; raises OSError if it cannot be read."""
    for repository in sorted(hub.iterdir()):
        if not repository.match(REPOSITORIES):
            continue
        for snapshot in snapshots(repository):
            with suppress(OSError):
                yield from models_below(snapshot, _HUB_DEEPEST)


def snapshot_file(blob: Path) -> Path | None:
    """What leads to a blob from a snapshot of its repository, where the file has its name; None for
    any other file.
    """
    repository = blob.parent.parent
    if blob.parent.name != "blobs" or not repository.match(REPOSITORIES):
        return None
    with suppress(OSError):
        superseded = sorted((repository / "snapshots").iterdir())
        for snapshot in (*snapshots(repository), *superseded):
            for folder in folders_below(snapshot, _HUB_DEEPEST):
                for path in map(folder.path.joinpath, folder.files):
                    if path.is_symlink() and path.readlink().name == blob.name:
                        return path
    return None


def snapshots(repository: Path) -> list[Path]:
    """The snapshots that a branch or tag leads to, `main` first, else the latest: others are
    superseded.
    """
    folder, refs = repository / "snapshots", repository / "refs"
    named = dict.fromkeys(folder / commit for commit in (_commit(refs / "main"), *_commits(refs)))
    present = [snapshot for snapshot in named if snapshot != folder and snapshot.is_dir()]
    if present:
        return present
    try:
        dated = [(one.stat().st_mtime, one) for one in folder.iterdir() if one.is_dir()]
    except OSError:
        return []
    return [max(dated)[1]] if dated else []


def _commits(refs: Path) -> Iterator[str]:
    try:
        for folder in folders_below(refs, _HUB_DEEPEST):
            for name in folder.files:
                commit = _commit(folder.path / name)
                if commit:
                    yield commit
    except OSError:
        return


def _commit(ref: Path) -> str:
    """The commit that a ref names; "" where it names none."""
    text = small_file(ref, _LONGEST_REF_BYTES).decode("ascii", "replace").strip()
    return text if _COMMIT.fullmatch(text) else ""


MODEL_LAYER = "application/vnd.ollama.image.model"
TENSOR_LAYER = "application/vnd.ollama.image.tensor"

_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")
_STORE_DEEPEST = 4
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
    for folder in folders_below(manifests, _STORE_DEEPEST):
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


FILE_NAME = "extra_model_paths.yaml"
MOST_NAMED_FOLDERS = 200

_NO_MODELS = frozenset({"base_path", "is_default", "custom_nodes", "configs"})
_ENTRY = re.compile(r"(?P<key>[^\s:#][^:]*):(?:\s+(?P<value>.*))?")
_QUOTED = re.compile(r"""(["'])(.*?)\1(?:\s+#.*)?""")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_LITERAL = ("|", "|-", "|+")


def folders_elsewhere(models: Path) -> list[Path]:
    """What the file beside or in a folder `models` names, unless it lies in that folder."""
    named: list[Path] = []
    for folder in (models, *([models.parent] if models.name == "models" else ())):
        named += named_folders(small_file(folder / FILE_NAME).decode("utf-8", "replace"), folder)
    return [folder for folder in named if not folder.is_relative_to(models)]


def named_folders(text: str, beside: Path) -> list[Path]:
    """The folders that the text of such a file names, each once, whether they exist or not.

    Relative ones lie below their section's `base_path`, and that `beside` the file.
    """
    found: dict[Path, None] = {}
    for section in _sections(text.replace("\0", "")):
        base = _expanded("".join(section.get("base_path", ())[:1]))
        for key, paths in section.items():
            if key not in _NO_MODELS:
                full = (os.path.normpath(Path(beside, base, path)) for path in paths)
                found |= dict.fromkeys(map(Path, full))
    return list(found)[:MOST_NAMED_FOLDERS]


def _sections(text: str) -> Iterator[dict[str, list[str]]]:
    """The values of each key, section by section."""
    section: dict[str, list[str]] = {}
    literal: list[str] | None = None
    depth = 0
    for line in text.split("\n"):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if literal is not None and bare and indent > depth:
            literal.append(bare)
            continue
        entry = _ENTRY.fullmatch(bare)
        if entry is None:
            continue
        literal = None
        key, value = entry["key"].rstrip(), _plain(entry["value"] or "")
        if indent == 0:
            yield section
            section = {}
        elif value in _LITERAL:
            depth, literal = indent, section.setdefault(key, [])
        elif value:
            section[key] = [value]
    yield section


def _expanded(base: str) -> str:
    """A base path with its variables and the home folder in their places, where they are known."""
    return os.path.expandvars(os.path.expanduser(base))  # noqa: PTH111 (Path's refuses some)


def _plain(value: str) -> str:
    """A value without its quotes and the comment behind it."""
    quoted = _QUOTED.fullmatch(value)
    return quoted[2] if quoted else _COMMENT.sub("", value).strip()
