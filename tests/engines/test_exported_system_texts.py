"""What is exported for parts of the system, handed as it is to the programs that read it."""

import os
import re
import shlex
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.core.export.outcomes import comparison_of, situation

from modelmon.core.programs.registry import advice

STREAMS_SINCE = (1, 68)
CONTENT = b"weights"


def advised(consumer, strategy, mount):
    found = replace(situation(comparison_of(strategy), mount), swapped=True)
    (said,) = advice(found, [consumer])
    return said


def said_by(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def needs(program):
    if not shutil.which(program):
        pytest.skip(f"{program} isn't installed")


def rclone_version():
    needs("rclone")
    found = re.search(r"v(\d+)\.(\d+)", said_by("rclone", "version"))
    assert found is not None
    return tuple(map(int, found.groups()))


@pytest.mark.parametrize("strategy", ["mmap", "parallel"])
def test_that_rclone_mounts_with_what_is_exported(strategy, tmp_path):
    if os.geteuid() or not shutil.which("fusermount3"):
        pytest.skip("only root mounts here, with fusermount3")
    version, said = rclone_version(), advised("rclone", strategy, "rclone")
    remote, point, cache = (tmp_path / name for name in ("remote", "point", "cache"))
    for folder in (remote, point):
        folder.mkdir()
    (remote / "model").write_bytes(CONTENT)
    text = said.forms[0].text.replace("\\\n", "")  # as a shell does, and shlex doesn't
    rclone, mount, _source, _point, *options = shlex.split(text)
    beside = ("--cache-dir", str(cache), "--config", os.devnull, "--daemon")
    command = (rclone, mount, f":local:{remote}", str(point), *options, *beside)
    if "--vfs-read-chunk-streams" in options and version < STREAMS_SINCE:
        assert "unknown flag: --vfs-read-chunk-streams" in said_by(*command)
        assert ".".join(map(str, STREAMS_SINCE)) in said.since
        return
    subprocess.run(command, check=True)  # returns when it is mounted
    try:
        assert (point / "model").read_bytes() == CONTENT
    finally:
        subprocess.run(["fusermount3", "-u", str(point)], check=True)


def test_that_sysctl_takes_what_is_exported(tmp_path):
    needs("sysctl")
    now, permanent = advised("swappiness", "mmap", "local").forms
    file = tmp_path / permanent.file_name
    file.write_text(permanent.text)
    assert said_by("sysctl", "--dry-run", "-p", str(file)) == "vm.swappiness = 10\n"
    program, *words = shlex.split(now.text)
    assert said_by(program, "--dry-run", *words) == "vm.swappiness = 10\n"


@contextmanager
def loop_device(tmp_path):
    """A disk of its own, by its name."""
    (tmp_path / "disk").write_bytes(bytes(1 << 20))
    found = said_by("losetup", "--find", "--show", str(tmp_path / "disk")).strip()
    if not found.startswith("/dev/loop"):
        pytest.skip(f"no loop device: {found}")
    try:
        yield found.removeprefix("/dev/")
    finally:
        subprocess.run(["losetup", "--detach", found], check=True)


def test_that_blockdev_and_the_rule_for_udev_set_the_same_readahead(tmp_path):
    for program in ("blockdev", "losetup"):
        needs(program)
    now, permanent = advised("readahead", "mmap", "local").forms
    rule = re.fullmatch(
        r'ACTION=="add\|change", KERNEL=="nvme0n1", ATTR\{(.+)\}="(\d+)"\n', permanent.text
    )
    assert rule is not None
    with loop_device(tmp_path) as device:
        attribute = f"/sys/block/{device}/{rule[1]}"
        subprocess.run(shlex.split(now.text.replace("nvme0n1", device)), check=True)
        assert said_by("cat", attribute).strip() == rule[2]
