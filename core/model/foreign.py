"""Files that are no model of ours: what they are, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.errors import ModelFileError
    from modelmon.core.model.header import HeaderFile

_SAFETENSORS_INSTEAD = Message(
    "Download the model's .safetensors files, or convert it to safetensors or GGUF."
)
_DOWNLOAD_AGAIN = Message("Download the file again.")
_KNOWN: tuple[tuple[tuple[bytes, ...], Message, Message], ...] = (
    (
        (b"version https://git-lfs.github.com/",),
        Message("this is a Git LFS pointer, a short text that stands for the real file."),
        Message("Fetch the real file: run `git lfs pull` in its folder."),
    ),
    (
        (b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"),
        Message("this is a PyTorch pickle, which can run code when it is loaded."),
        _SAFETENSORS_INSTEAD,
    ),
    (
        (b"lmgg", b"fmgg", b"tjgg", b"algg"),
        Message("this is GGML, the format before GGUF."),
        Message("Download or convert the model as GGUF."),
    ),
    ((b"\x89HDF",), Message("this is HDF5."), _SAFETENSORS_INSTEAD),
    (
        (b"<!DOCTYPE", b"<!doctype", b"<html", b"<HTML", b"<?xml"),
        Message("this is a web page, probably an error page in place of the model."),
        _DOWNLOAD_AGAIN,
    ),
)


def foreign_file(file: HeaderFile) -> ModelFileError:
    """The error for a file that is neither safetensors nor GGUF."""
    start = file.first_bytes
    if not start:
        return file.error(Message("the file is empty."), _DOWNLOAD_AGAIN)
    for magics, what, remedy in _KNOWN:
        if start.startswith(magics):
            return file.error(what, remedy)
    if not start.strip(b"\0"):
        return file.error(
            Message("the file begins with zeros only: an unfinished or damaged copy."),
            _DOWNLOAD_AGAIN,
        )
    return file.error(
        Message(
            "this is neither safetensors nor GGUF; it begins with {readable}.",
            readable=_readable(start[:8]),
        ),
        Message("Choose a .safetensors or .gguf file, an index, or the folder of a model."),
    )


def _readable(start: bytes) -> str:
    """Bytes as text in quotes where they are some, or else in hexadecimal."""
    text = start.decode("ascii", "replace").strip()
    return f'"{text}"' if text.isascii() and text.isprintable() else start.hex(" ")
