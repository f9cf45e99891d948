"""The built wheel in an environment of its own: what a person gets from pip or pipx."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
    # The build back end is one of the tools for tests, so that nothing has to be fetched.
    command += ["--no-build-isolation", "-w", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("modelmon-*.whl")
    return path


def test_that_the_wheel_holds_the_whole_program_and_nothing_named_core_or_gui(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"modelmon"}
    assert len(names) == len(set(names))
    for name in (
        "modelmon/core/worker/__main__.py",
        "modelmon/gui/shell/app.py",
        "modelmon/resources/icons/open.svg",
        "modelmon/py.typed",
    ):
        assert name in names


def test_that_an_index_shows_a_description_without_what_it_lacks(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
    text = archive.read(name).decode()
    _, _, shown = text.partition("\n\n")
    assert shown.startswith("# modelmon")
    assert "pipx install modelmon" in shown
    for lacking in ("<picture>", "](", "make run", "checkout"):
        assert lacking not in shown
    assert "Description-Content-Type: text/markdown" in text


def test_that_an_installed_wheel_runs_in_an_empty_environment(wheel, tmp_path, sample):
    """Its dependencies are lent from the environment of the tests, so that no download is
    needed; modelmon itself comes from the wheel alone.
    """
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=sys.platform != "win32")
    site = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    scripts = Path(sysconfig.get_path("scripts", vars={"base": str(home)}))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    # Without --ignore-installed pip would first remove modelmon from the tests' environment.
    target = ["--ignore-installed", "--prefix", str(home)]
    installed = subprocess.run(
        [*install, *target, str(wheel)], capture_output=True, text=True, check=False
    )
    assert installed.returncode == 0, installed.stderr
    lent = tmp_path / "lent"
    lent.mkdir()
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if "modelmon" not in package.name and not package.name.endswith(".pth"):
            (lent / package.name).symlink_to(package)
    Path(site, "lent.pth").write_text(f"{lent}\n")
    python = scripts / Path(sys.executable).name
    if not python.exists():
        python = scripts / "python"
    for command in (
        [str(python), "-P", "-m", "modelmon"],
        [str(python), str(scripts / "modelmon")],
    ):
        done = subprocess.run(
            [*command, "run", str(sample), "--cache", "as-is", "--verify"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        assert "matches the file" in done.stdout
    where = subprocess.run(
        [str(python), "-P", "-c", "import modelmon; print(modelmon.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert Path(where.stdout.strip()).is_relative_to(home)
