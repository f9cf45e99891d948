"""Paths below which lies another path: images, overlays, links and bind mounts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.machine.pretended import kinds

from modelmon.core.machine.storage import storage_stack_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pretends to be Linux")


def test_that_a_loop_device_leads_on_to_the_disk_under_its_image(machine, tmp_path):
    machine.nvme()
    images = tmp_path / "images"
    images.mkdir()
    (images / "disk.img").write_bytes(b"image")
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", "rw", images)
    machine.device(
        "sys/devices/virtual/block/loop3",
        "7:3",
        loop__backing_file=str(images / "disk.img"),
        loop__dio="0",
    )
    machine.mount("7:3", "ext4", "/dev/loop3")
    found = machine.found()
    assert found.lowest is not None
    assert kinds(found.lowest) == [("loop3", "loop")]
    assert found.lowest.devices[0].direct_io is False
    (image,) = found.images
    assert image.lowest is not None
    assert kinds(image.lowest) == [("nvme0n1p2", "partition"), ("nvme0n1", "disk")]
    assert found.bottom_devices() == ("nvme0n1",)


def test_that_a_lost_image_ends_the_chain(machine):
    machine.device(
        "sys/devices/virtual/block/loop3", "7:3", loop__backing_file="/gone.img (deleted)"
    )
    machine.mount("7:3", "ext4", "/dev/loop3")
    assert machine.found().images == ()


def test_that_a_container_s_root_says_that_its_layers_are_hidden(machine):
    layers = "rw,lowerdir=/no/such/l/AB:/no/such/l/CD,upperdir=/no/such/diff"
    mount = machine.mounted("0:60", "overlay", "overlay", layers)
    assert mount.layers_hidden
    assert mount.devices == ()


def test_that_an_overlay_shows_both_itself_and_what_is_below(machine, tmp_path):
    machine.nvme()
    lower = tmp_path / "lower"
    lower.mkdir()
    (lower / "model.gguf").write_bytes(b"GGUF")
    machine.mount("259:2", "ext4", "/dev/nvme0n1p2", "rw", lower)
    machine.mount("0:60", "overlay", "overlay", f"rw,lowerdir={lower}")
    assert [mount.filesystem for mount in machine.found().mounts] == ["overlay", "ext4"]


def test_that_a_link_and_a_bind_mount_are_shown_as_such(machine, tmp_path):
    link = tmp_path / "link.gguf"
    link.symlink_to(machine.model)
    machine.mountinfo += f"40 27 259:2 /srv/models {machine.data} rw - ext4 /dev/nvme0n1p2 rw\n"
    machine.write("proc/self/mountinfo", machine.mountinfo)
    found = storage_stack_of(link, machine.root)
    assert (found.asked, found.path) == (str(link), str(machine.model))
    assert found.lowest is not None
    assert found.lowest.bind_root == "/srv/models"


def _tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.system
def test_that_a_real_loop_device_leads_to_its_image(tmp_path):
    if os.geteuid() or not (shutil.which("losetup") and shutil.which("mkfs.ext4")):
        pytest.skip("needs root, losetup and mkfs.ext4")
    image, point = tmp_path / "disk.img", tmp_path / "mounted"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(16 * 1024**2)
    assert _tool("mkfs.ext4", "-q", image).returncode == 0
    attached = _tool("losetup", "--find", "--show", image)
    if attached.returncode:
        pytest.skip(f"losetup: {attached.stderr.strip()}")
    loop = attached.stdout.strip()
    try:
        mounted = _tool("mount", loop, point)
        if mounted.returncode:
            pytest.skip(f"mount: {mounted.stderr.strip()}")
        try:
            found = storage_stack_of(point)
        finally:
            _tool("umount", point)
    finally:
        _tool("losetup", "--detach", loop)
    assert found.lowest is not None
    assert kinds(found.lowest) == [(Path(loop).name, "loop")]
    assert found.images[0].path == str(image)
    assert found.images[0].mounts == storage_stack_of(image).mounts
