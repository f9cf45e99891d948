"""`modelmon simulate` as it is typed: it serves, counts, fails on demand, and leaves nothing."""

import json
import os
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from tests.json_schema import checked
from tests.system.commands import MODELMON, modelmon, typed
from tests.system.needs import needs_fuse, needs_root
from tests.system.runs import until

from modelmon.core.machine.mounts import SIMULATED
from modelmon.core.machine.procfs import parse_mountinfo
from modelmon.core.simulate import mounts


@contextmanager
def simulated(kind, sample, point, *options):
    """The command, once its file is there; ended with the block."""
    with subprocess.Popen(
        [*MODELMON, "simulate", kind, str(sample), str(point), "--json", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        try:
            first = checked("simulate", command.stdout.readline())
            assert first["path"] == str((point / sample.name).resolve())
            yield command
        finally:
            command.kill()


@needs_fuse
def test_that_a_load_is_counted_and_its_result_marked(sample, tmp_path):
    point = tmp_path / "store"
    with simulated("object-store", sample, point, "--first-byte", "1ms") as command:
        path = str(point / sample.name)
        run = typed("run", path, "--strategy", "sequential", "--json")
        (warning,) = [
            each
            for each in json.loads(run.stdout)["result"]["warnings"]
            if each["kind"] == "simulated-storage"
        ]
        assert warning["message"] == "Simulated storage: object-store."
        got_bytes = 0
        while got_bytes < sample.stat().st_size:  # on a busy machine a load may pause
            got_bytes += checked("simulate", command.stdout.readline())["load"]["bytes"]
        compared = typed("compare", path, "--a", "mmap", "--b", "sequential", "--repeats", "1")
        assert "Simulated storage: object-store" in compared.stdout
        assert "fuse.simulated-object-store" in typed("history").stdout
        assert "Simulated storage: object-store" in typed("history", "show", "1").stdout
        for form in ("text", "toml"):
            exported = typed("export", "x2A", "--for", "modelmon", "--format", form)
            assert "simulated" in exported.stdout, form
        for subject in ("1", "x2"):
            reported = typed("report", subject, "--out", "-").stdout
            assert "Simulated storage: object-store" in reported.replace("\\", "")
        command.send_signal(signal.SIGTERM)
        assert command.wait() == 0
        assert "Unmounted." in command.stderr.read()
    assert not point.exists()


@needs_fuse
@needs_root
def test_that_root_shows_no_other_user_what_may_be_private(sample, tmp_path):
    point = tmp_path / "store"
    with simulated("object-store", sample, point, "--first-byte", "1ms"):
        done = subprocess.run(
            ["cat", sample.name], cwd=point, user=65534, check=False, capture_output=True
        )
    assert b"Permission denied" in done.stderr
    assert not done.stdout


@needs_fuse
def test_that_a_fault_is_typed_while_it_runs(sample, tmp_path):
    point = tmp_path / "store"
    with simulated("slow-line", sample, point, "--bandwidth", "1GB/s", "--latency", "0ms") as line:
        size = sample.stat().st_size
        line.stdin.write(f"nonsense\neio={size // 2}\n")
        line.stdin.flush()
        assert "Unknown fault 'nonsense'" in line.stderr.readline()
        assert "Fault: eio=" in line.stderr.readline()
        run = modelmon("run", point / sample.name, "--strategy", "sequential", "--no-history")
        assert run.returncode == 1
        assert "Input/output error" in run.stderr


@needs_fuse
@pytest.mark.parametrize("side", ["command", "server"])
def test_that_a_kill_of_either_side_leaves_no_mount(sample, tmp_path, side):
    (tmp_path / "link").symlink_to(tmp_path)
    point, mounted = tmp_path / "link" / "store", str(tmp_path / "store")
    with simulated("hdd", sample, point) as command:
        (server,) = psutil.Process(command.pid).children()
        if side == "server":
            server.kill()
            assert command.wait() == 1
            assert "The simulated storage ended" in command.stderr.read()
            assert not point.exists()
        else:
            command.kill()
            until(lambda: not mounts.is_mounted(mounted) and not server.is_running())


def test_that_a_mount_of_somebody_else_is_left_alone(monkeypatch):
    own, other = os.geteuid(), os.geteuid() + 1
    line = "50 28 0:987654 / /mnt/{0} ro - {1}-hdd modelmon ro,user_id={0},group_id=0\n"
    text = "".join(line.format(uid, SIMULATED) for uid in (own, other))
    monkeypatch.setattr(mounts, "_mounts", lambda: parse_mountinfo(text))
    unmounted = []
    monkeypatch.setattr(mounts, "unmount", unmounted.append)
    mounts.unmount_left_over()
    assert unmounted == [f"/mnt/{own}"]


def test_that_what_cannot_be_is_refused(sample, tmp_path, monkeypatch):
    full = tmp_path / "full"
    full.mkdir()
    (full / "file").touch()
    monkeypatch.setattr(mounts, "_FUSE", tmp_path / "none")
    refused = typed("simulate", "nfs", sample, full)
    assert refused.returncode == 1
    assert "FUSE isn't available: there's no" in refused.stderr
    assert "Install the package fuse3" in refused.stderr
    monkeypatch.setattr(mounts, "_FUSE", Path(os.devnull))
    assert "isn't an empty folder" in typed("simulate", "nfs", sample, full).stderr
    assert "isn't a file" in typed("simulate", "nfs", "x" * 300, tmp_path / "new").stderr
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for place, why in (
        ("dangling", "isn't an empty folder"),
        ("none/below", "/below: No such file"),
        ("x" * 300, "x: File name too long"),
    ):
        assert why in typed("simulate", "nfs", sample, tmp_path / place).stderr
    assert "--seek is for hdd" in typed("simulate", "nfs", sample, tmp_path, "--seek", "1ms").stderr
