"""Advice to the kernel on how a file will be read; standard library only."""

from __future__ import annotations

import os


def give_advice(fd: int, name: str, offset_bytes: int = 0, nbytes: int = 0) -> bool:
    """posix_fadvise(2) by the advice's name, `random` and the like; no bytes are those to the end.

    Returns whether it was taken: there are systems without the call, file systems that don't know
    an advice, and filters of containers that refuse it. What is advised is done all the same.
    """
    if not hasattr(os, "posix_fadvise"):
        return False
    try:
        os.posix_fadvise(fd, offset_bytes, nbytes, getattr(os, f"POSIX_FADV_{name.upper()}"))
    except OSError:
        return False
    return True
