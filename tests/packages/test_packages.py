"""What `make package` built, in clean roots of Debian: installed, used, removed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = ROOT / "build" / "roots"
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
# What stands in for a display, and nothing that the package should bring itself.
FOR_A_DISPLAY = ("xvfb", "xauth", "xdotool")
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
WINDOW = """\
modelmon /srv/m.safetensors & program=$!
for _ in $(seq 120); do
    sleep 0.5
    xdotool search --onlyvisible --name modelmon && break
done
kill $program
wait $program
"""

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(os.geteuid() != 0, reason="a root of a system needs root"),
]


def built(pattern):
    """The package of that name; `make package` made it."""
    found = [*(ROOT / "dist").glob(pattern)]
    assert len(found) == 1, "run make package first"
    return found[0]


@pytest.fixture(params=["bookworm", "trixie"], scope="module")
def system(request, tmp_path_factory):
    """Runs a command in a clean root of that Debian."""
    kept = ROOTS / request.param
    if not (kept / "usr" / "bin" / "apt").exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", request.param, kept, MIRROR], check=True
        )
    root = tmp_path_factory.mktemp(request.param) / "root"
    subprocess.run(["cp", "-a", kept, root], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    for name in ("proc", "sys", "dev"):
        subprocess.run(["mount", "--rbind", "--make-rslave", f"/{name}", root / name], check=True)

    def run(*command, check=True):
        asked = ["chroot", root, *map(str, command)]
        done = subprocess.run(asked, env=QUIET, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    run.root = root
    run("apt-get", "update")
    yield run
    for name in ("dev", "sys", "proc"):
        subprocess.run(["umount", "--lazy", "--recursive", root / name], check=True)


def use(system):
    """Load, compare, and watch a program, which must find nothing of ours in its environment."""
    system("modelmon", "sample", "/srv/m.safetensors", "--size", "64MiB", "--force")
    compared = system("modelmon", "compare", "/srv/m.safetensors", "--repeats", "5")
    assert "mmap" in compared
    watched = ("modelmon", "watch", "/srv/m.safetensors", "--ready", "exit", "--cache", "warm")
    program = "env > /srv/env; cat /srv/m.safetensors > /dev/null"
    assert "of the wait" in system(*watched, "--", "sh", "-c", program)
    names = {line.partition("=")[0] for line in (system.root / "srv/env").read_text().splitlines()}
    assert names <= {"PATH", "DEBIAN_FRONTEND", "PWD", "LC_CTYPE", "SHLVL", "_"}


def test_that_the_debian_package_is_installed_used_and_removed(system):
    package = built("*.deb")
    shutil.copy(package, system.root / "srv")
    system("apt-get", "install", "--yes", f"/srv/{package.name}", *FOR_A_DISPLAY)
    use(system)
    assert system("xvfb-run", "--auto-servernum", "sh", "-c", WINDOW).strip()
    system("apt-get", "remove", "--yes", "modelmon")
    assert not (system.root / "opt/modelmon").exists()
    assert not (system.root / "usr/bin/modelmon").is_symlink()
    assert any((system.root / "root/.local/share/modelmon").iterdir())


def test_that_the_one_file_installs_for_one_user(system):
    script = built("*.sh")
    shutil.copy(script, system.root / "srv")
    system("apt-get", "install", "--yes", "xz-utils")
    system("env", "HOME=/srv/somebody", "sh", f"/srv/{script.name}")
    program = "/srv/somebody/.local/bin/modelmon"
    assert "version" in system(program, "--version")
    system(program, "sample", "/srv/n.gguf", "--size", "64MiB")
    assert "mmap" in system(program, "compare", "/srv/n.gguf", "--repeats", "5")


def test_that_desktops_accept_what_describes_it():
    resources = ROOT / "resources"
    subprocess.run(["desktop-file-validate", resources / "modelmon.desktop"], check=True)
    described = resources / "modelmon.metainfo.xml"
    subprocess.run(["appstreamcli", "validate", "--no-net", described], check=True)
    checked = ["lintian", "--fail-on", "error", "--allow-root", built("*.deb")]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
