"""File systems in image files, attached by loop devices; root only."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress

from tests import page_cache

from modelmon.core.simulate.mounts import PATIENCE_S, unmount

_LEAST_BYTES = 24 << 20


def why_not():
    """Why no image can be mounted here; empty if one can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root may mount"
    missing = [tool for tool in ("mkfs.ext4", "losetup", "mount") if shutil.which(tool) is None]
    if missing:
        return f"no {missing[0]}"
    free = subprocess.run(["losetup", "--find"], capture_output=True, check=False)
    return "" if free.returncode == 0 else "no loop device"


@contextmanager
def mounted(image, point, *copied):
    """A file system in a new `image` under `point`, read-only, with `copied` in it; the last of
    these, there.
    """
    needed = sum(each.stat().st_size for each in copied)
    with image.open("wb") as file:
        file.truncate(_LEAST_BYTES + 2 * needed)
    _run("mkfs.ext4", "-q", image)
    with attached(image, point):
        for each in copied:
            shutil.copyfile(each, point / each.name)
        _run("mount", "-o", "remount,ro", point)
        yield point / copied[-1].name


@contextmanager
def attached(image, point):
    """The image as it is, mounted under `point`."""
    point.mkdir(exist_ok=True)
    _run("mount", "-o", "loop", image, point)
    try:
        yield point
    finally:
        unmount(str(point))


@contextmanager
def full(point):
    """A file system in memory without any room left."""
    point.mkdir()
    _run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", point)
    try:
        with suppress(OSError), (point / "other").open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        yield point
    finally:
        unmount(str(point))


def cut(image, path):
    """Cut a mounted image off in the middle of a file: from there on, its disk answers EIO."""
    listed = subprocess.run(
        ("filefrag", "-v", "-b1", path), check=True, capture_output=True, text=True
    ).stdout
    extents = [list(map(int, re.findall(r"\d+", line)))[1:5] for line in listed.splitlines()[3:-1]]
    middle = path.stat().st_size // 2
    first, _, start, _ = next(each for each in extents if each[0] <= middle <= each[1])
    os.truncate(image, start + middle - first)
    for each in (path, image):
        page_cache.drop(each)


@contextmanager
def overlaid(folder, point):
    """An overlay whose lowest layer is `folder`."""
    point.mkdir()
    empty = point.with_name(f"{point.name}-empty")
    empty.mkdir()
    _run("mount", "-t", "overlay", "-o", f"ro,lowerdir={empty}:{folder}", "overlay", point)
    try:
        yield point
    finally:
        unmount(str(point))


def _run(*command):
    subprocess.run(command, check=True, timeout=PATIENCE_S)
