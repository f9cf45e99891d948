"""The folders that ComfyUI's `extra_model_paths.yaml` names beside its own.

Format: https://github.com/comfyanonymous/ComfyUI/blob/master/extra_model_paths.yaml.example, read
by utils/extra_config.py there. Of YAML only the shape of such files is understood: sections of
`key: path` and of `key: |` with a path in each line below. All else is passed over.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.model.caches.walk import small_file

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_NAME = "extra_model_paths.yaml"
MOST_FOLDERS = 200

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
    return list(found)[:MOST_FOLDERS]


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
