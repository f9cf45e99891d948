"""The Hugging Face hub's cache: `models--ORG--NAME/snapshots/COMMIT`, links into `blobs`.

Layout: https://huggingface.co/docs/huggingface_hub/guides/manage-cache
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from modelmon.core.model.caches.walk import folders_below, models_below, small_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from modelmon.core.model.caches.walk import FoundFile

REPOSITORIES = "models--*"

_COMMIT = re.compile(r"[0-9a-f]{6,64}")
_LONGEST_REF_BYTES = 256
# A diffusion pipeline has a folder for each of its models.
_DEEPEST = 3


def hub_models(hub: Path) -> Iterator[FoundFile]:
    """The models of all repositories in a hub folder; raises OSError if it cannot be read."""
    for repository in sorted(hub.iterdir()):
        if not repository.match(REPOSITORIES):
            continue
        for snapshot in snapshots(repository):
            with suppress(OSError):
                yield from models_below(snapshot, _DEEPEST)


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
            for folder in folders_below(snapshot, _DEEPEST):
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
        for folder in folders_below(refs, _DEEPEST):
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
