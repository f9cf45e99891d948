"""Mounts that end with whoever wanted them: each is held by a process of its own."""

import os
import select
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

SOURCE = "modelmon-bed-"
"""What a mount's source begins with; the process id of its holder follows."""
PATIENCE_S = 10


def why_not():
    """Why no FUSE mount can be made here; empty if one can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root may mount"
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError as error:
        return f"/dev/fuse: {error.strerror}"
    return ""


@contextmanager
def held(command, mount_point):
    """Start `command`, which mounts something under `mount_point`, says `ready`, and unmounts
    when its input ends: also when this process was killed. Ctrl-C does not reach it.
    """
    unmount_left_over()
    mount_point.mkdir(exist_ok=True)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0
    ) as holder:
        try:
            if answer(holder) != "ready\n":
                raise RuntimeError(f"nothing could be mounted under {mount_point}")
            yield holder
        finally:
            assert holder.stdin is not None
            holder.stdin.close()
            try:
                holder.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                holder.kill()
            unmount(str(mount_point))


def answer(holder):
    """The holder's next line, of which there is never more than one."""
    assert holder.stdout is not None
    if not select.select([holder.stdout], [], [], PATIENCE_S)[0]:
        raise TimeoutError("the process that holds the mount does not answer")
    return holder.stdout.readline()


def is_mounted(point):
    """Whether something is mounted there; what is mounted is not asked."""
    return f" {point} " in Path("/proc/self/mounts").read_text()


def unmount(point):
    """Take a mount away, also while files there are open; nothing where there is none."""
    if not is_mounted(point):
        return
    subprocess.run(["umount", "--lazy", point], check=False, timeout=PATIENCE_S)


def unmount_left_over():
    """Unmount what holders that were killed have left mounted; nobody can read it."""
    for row in Path("/proc/self/mounts").read_text().splitlines():
        source, point, *_ = row.split()
        pid = source.removeprefix(SOURCE)
        if source.startswith(SOURCE) and not Path("/proc", pid).exists():
            unmount(point)
