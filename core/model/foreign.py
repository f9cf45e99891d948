"""Files that no model can be read from: what they are, and what to do about it.

By their names: parts of a file that was cut, and unfinished downloads. By their first bytes:
pickles, archives, pointers and texts in place of a model. Nothing is unpacked.
"""

from __future__ import annotations

import re
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING, Protocol

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    _Found = tuple[Message, Message]
    """What a file is, and what to do about it."""


_LENGTH_BYTES = 8
"""Of the length that a safetensors file begins with."""


class OpenedFile(Protocol):
    """What is asked of a file whose header was to be read (header.py)."""

    path: str
    size_bytes: int

    @property
    def first_bytes(self) -> bytes:
        """What it begins with."""

    def read(self, offset_bytes: int, nbytes: int) -> bytes:
        """So many bytes from there."""

    def error(self, problem: Message, remedy: Message) -> ModelFileError:
        """An error about its content."""


FINISH = Message("Finish or repeat the download.")

_PART = re.compile(
    r"(?P<whole>.+\.(?:gguf|safetensors|sft))(?P<before>[._-]?(?:part|split|chunk)[._-]?|[._-])"
    r"(?P<number>[0-9]{1,5}|[a-z]{1,3})(?P<after>(?:[._-]?of[._-]?[0-9]{1,5})?)",
    re.IGNORECASE,
)
"""How people, split(1) and Hugging Face's uploaders call the parts of a file that was cut."""

_UNFINISHED = re.compile(
    r".+(?:\.(?:incomplete|partial|part|filepart|crdownload|opdownload|download"
    r"|downloadInProgress|!qB|!ut|aria2|tmp)|-partial(?:-[0-9]+)?)",
    re.IGNORECASE,
)
"""How programs call what they are still downloading."""

WEIGHTS = re.compile(
    r".+\.(?:gguf|safetensors|sft)(?![a-z0-9]).*|(?:sha256-)?[0-9a-f]{40,64}\b.*", re.IGNORECASE
)

_DOWNLOAD_AGAIN = Message("Download the file again.")
_CONVERT = Message("Download the model's .safetensors files, or convert it to safetensors or GGUF.")
_UNPACK = Message("Unpack it, then open the model in it.")
_CHOOSE = Message("Choose a .safetensors or .gguf file, an index, or the folder of a model.")

_PICKLE = Message("this is a PyTorch pickle, which can run code when it is loaded.")
_PICKLE_SUFFIXES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
# Protocols 2 to 5; the first opcodes of older ones, which have no number.
_PICKLES = (*(bytes((0x80, protocol)) for protocol in range(2, 6)), b"(dp", b"(lp", b"ccollections")
_TAR_AT = 257
_ZIP = b"PK\x03\x04"
_ZIP_NAMES_BYTES = 64 * KIB

_COMPRESSED = {
    b"\x1f\x8b": ("gzip", ".gz"),
    b"\x28\xb5\x2f\xfd": ("zstd", ".zst"),
    b"\xfd7zXZ\x00": ("xz", ".xz"),
    b"BZh": ("bzip2", ".bz2"),
    b"\x04\x22\x4d\x18": ("lz4", ".lz4"),
}
"""The program that unpacks it, and how its files' names end."""

_KNOWN = (
    (
        (b"version https://git-lfs.github.com/",),
        (
            Message("this is a Git LFS pointer, a short text that stands for the real file."),
            Message("Fetch the real file: run `git lfs pull` in its folder."),
        ),
    ),
    (
        (b"/annex/objects/",),
        (
            Message("this is a git-annex pointer, a short text that stands for the real file."),
            Message("Fetch the real file: run `git annex get` in its folder."),
        ),
    ),
    (
        (b"lmgg", b"fmgg", b"tjgg", b"algg"),
        (
            Message("this is GGML, the format before GGUF."),
            Message("Download or convert the model as GGUF."),
        ),
    ),
    ((b"\x89HDF",), (Message("this is HDF5."), _CONVERT)),
    ((b"\x93NUMPY",), (Message("this is one NumPy array."), _CONVERT)),
    (
        (b"7z\xbc\xaf\x27\x1c", b"Rar!"),
        (Message("this is an archive."), _UNPACK),
    ),
)

_ENTRIES_OF_ZIPS = (
    (b"data.pkl", (_PICKLE, _CONVERT)),
    (b".npy", (Message("this is a NumPy archive (.npz)."), _CONVERT)),
    (b"model.weights.h5", (Message("this is a Keras model."), _CONVERT)),
    (b".tflite", (Message("this is a LiteRT (TensorFlow Lite) bundle."), _CONVERT)),
    (b"TF_LITE_", (Message("this is a LiteRT (TensorFlow Lite) bundle."), _CONVERT)),
    (b"", (Message("this is a zip archive."), _UNPACK)),
)
"""Part of an entry's name that only such archives have."""

_NO_INDEX = re.compile(r'[^{\[]|\{\s*"(?:error|message|detail)"')
_TAGS = re.compile(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>")

_MOST_TEXT = 80
_MOST_NAMES = 3


def what_completes(path: str) -> Message:
    """What to do about a model file that ends too early."""
    found = unfinished(path)
    return FINISH if found is None else found[1]


def unfinished_in(folder: str, names: Sequence[str]) -> ModelFileError | None:
    """The error for a folder that has parts of a model file or an unfinished download."""
    for name in filter(WEIGHTS.fullmatch, sorted(names)):
        if (found := _by_names(name, names)) is not None:
            what, remedy = found
            path = Path(folder, name)
            return ModelFileError(Message("{path}: {problem}", path=path, problem=what), remedy)
    return None


def unfinished(path: str) -> _Found | None:
    """What a file is part of by its name and its neighbors', and how to complete it."""
    return _by_names(Path(path).name, neighbors(Path(path)))


def neighbors(path: Path) -> list[str]:
    """The names in a file's folder, its own among them; that alone where the folder is closed."""
    try:
        return sorted(each.name for each in path.parent.iterdir())
    except OSError:
        return [path.name]


def _by_names(name: str, names: Sequence[str]) -> _Found | None:
    if (match := _PART.fullmatch(name)) is not None:
        parts = _parts(match, names)
        # Numbers and letters from the first on: names such as m.gguf.xz end otherwise.
        is_series = len(parts) > 1 and parts[0][match.start("number")] in "01aA"
        if is_series or match["after"]:
            return _joined(match["whole"], parts, match["after"])
    if _UNFINISHED.fullmatch(name) or f"{name}.aria2" in names:
        return (
            Message("this is an unfinished download."),
            Message("Finish it with the program that began it, then open the finished file."),
        )
    return None


def _parts(match: re.Match[str], names: Iterable[str]) -> list[str]:
    """The files that are cut from the same one, in order: b comes before aa, and 9 before 10."""
    same = "whole", "before", "after"
    found = [
        other
        for name in names
        if (other := _PART.fullmatch(name)) is not None
        and all(other[part] == match[part] for part in same)
        and other["number"].isdigit() == match["number"].isdigit()
    ]
    found.sort(key=lambda each: (len(each["number"]), each["number"]))
    return [each.string for each in found]


def _joined(whole: str, parts: list[str], of: str) -> _Found:
    what = Message("this is part of {whole}, which was cut into files.", whole=whole)
    count = int(re.sub(r"\D", "", of) or 0)
    if len(parts) < count:
        return what, Message("Download all {count} parts, then join them with cat.", count=count)
    command = join(["cat", *parts])
    return what, Message(
        "Join the parts in their folder: {command} > {whole}", command=command, whole=quote(whole)
    )


def foreign_file(file: OpenedFile) -> ModelFileError:
    """The error for a file that is neither safetensors nor GGUF."""
    return file.error(*next(_by_content(file)))


def _by_content(file: OpenedFile) -> Iterator[_Found]:
    """All that a file may be, the likeliest first."""
    start, path = file.first_bytes, Path(file.path)
    is_called_pickle = path.name.endswith(_PICKLE_SUFFIXES)
    if (part := unfinished(file.path)) is not None:
        yield part
    yield from _by_magic(start)
    if start.startswith(_ZIP):
        if is_called_pickle:
            yield _PICKLE, _CONVERT
        # Zip files hold the names of their entries at their beginning and at their end.
        tail_bytes = min(_ZIP_NAMES_BYTES, file.size_bytes)
        names = start + file.read(file.size_bytes - tail_bytes, tail_bytes)
        yield from (found for part, found in _ENTRIES_OF_ZIPS if part in names)
    if start[_TAR_AT:].startswith(b"ustar"):
        unpack = f"tar -xf {quote(path.name)}"
        remedy = Message("Unpack it in its folder: {command}", command=unpack)
        yield Message("this is a tar archive."), remedy
    for magic, (program, suffix) in _COMPRESSED.items():
        if start.startswith(magic):
            yield _compressed(path.name, program, suffix)
    if not start:
        yield Message("the file is empty."), _DOWNLOAD_AGAIN
    if file.size_bytes <= _LENGTH_BYTES and WEIGHTS.fullmatch(file.path):
        yield Message("the file is cut off within its first {n} bytes.", n=_LENGTH_BYTES), FINISH
    if not start.strip(b"\0"):
        what = Message("the file begins with zeros only: an unfinished or damaged copy.")
        yield what, _DOWNLOAD_AGAIN
    text = _text(start)
    # Old ones begin as anything may: their names count as well.
    is_old = is_called_pickle and text is None and start.startswith((b"}", b"]", b"(", b"c"))
    if is_old or start.startswith(_PICKLES):
        yield _PICKLE, _CONVERT
    if text is not None:
        read = Message("Read what it says, then download the file again.")
        is_weights = WEIGHTS.fullmatch(file.path) or is_called_pickle
        what = Message('this is text, not a model: "{reason}".', reason=text)
        yield what, read if is_weights else _CHOOSE
    begins = start[:8].hex(" ")
    what = Message("this is neither safetensors nor GGUF; it begins with {start}.", start=begins)
    yield what, _CHOOSE


def _by_magic(start: bytes) -> Iterator[_Found]:
    return (found for magics, found in _KNOWN if start.startswith(magics))


def _compressed(name: str, program: str, suffix: str) -> _Found:
    unpacked = name.removesuffix(suffix) if name.endswith(suffix) else f"unpacked-{name}"
    command = f"{program} -dc {quote(name)} > {quote(unpacked)}"
    if name.endswith((f".tar{suffix}", ".tgz")):
        command = f"tar -xf {quote(name)}"
    what = Message("this is compressed with {program}.", program=program)
    return what, Message("Unpack it in its folder: {command}", command=command)


def no_index(file: OpenedFile, reason: object) -> ModelFileError:
    """The error for a .json file that isn't an index of shards: it names the models beside it."""
    if (found := next(_by_magic(file.first_bytes), None)) is not None:
        return file.error(*found)
    text = _text(file.first_bytes)
    if text is not None and _NO_INDEX.match(text):
        what = Message('this is an error message, not an index: "{reason}".', reason=text)
        return file.error(what, _DOWNLOAD_AGAIN)
    path = Path(file.path)
    names = [name for name in neighbors(path) if name != path.name]
    models = [name for name in names if name.endswith(".index.json")]
    models += [name for name in names if name.endswith((".safetensors", ".gguf")) and not models]
    return file.error(
        Message("this is not an index of safetensors shards: {reason}.", reason=reason),
        Message("Open {names}.", names=", ".join(models[:_MOST_NAMES])) if models else _CHOOSE,
    )


def _text(start: bytes) -> str | None:
    """The first words of a text, without the tags of a page; None where these bytes are none."""
    # The last character may be cut.
    decoded = start[:4096].decode("utf-8", "ignore" if len(start) > 4096 else "replace")
    if not all(char.isprintable() or char.isspace() for char in decoded) or "\ufffd" in decoded:
        return None
    words = " ".join(_TAGS.sub(" ", decoded).split())
    words = words or " ".join(decoded.split())
    return words if len(words) <= _MOST_TEXT else f"{words[:_MOST_TEXT].rstrip()}…"
