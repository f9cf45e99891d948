import sys
from pathlib import Path

import pytest

PROGRAM = "Installing modelmon and its libraries"
TOOLS = "Installing the tools for tests"


class Steps:
    """Stands for venv and pip: notes the titles, makes a folder that looks like a venv."""

    def __init__(self):
        self.titles = []
        self.ends_at = ""
        self.end = KeyboardInterrupt()

    def __call__(self, title, *commands, **_options):
        self.titles.append(title)
        if title == self.ends_at:
            raise self.end
        if title.endswith(".venv"):
            _make_venv(Path(commands[0][-1]))
        else:
            command = "modelmon" if title == PROGRAM else "pytest"
            Path(commands[0][0]).with_name(command).touch()


def _make_venv(folder):
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("installed-*"), *folder.glob("bin/*")):
        old.unlink()
    version = ".".join(map(str, sys.version_info[:3]))
    (folder / "pyvenv.cfg").write_text(f"version = {version}\ncommand = python -m venv {folder}\n")
    python = folder / "bin" / "python"
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)


@pytest.fixture
def steps():
    return Steps()


@pytest.fixture
def environment(load, steps, tmp_path, monkeypatch):
    module = load("environment")
    _move_to(module, tmp_path, monkeypatch)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(module, "step", steps)
    return module


def _move_to(module, folder, monkeypatch):
    monkeypatch.setattr(module, "ROOT", folder)
    monkeypatch.setattr(module, "VENV", folder / ".venv")
    monkeypatch.setattr(module, "PYTHON", str(folder / ".venv" / "bin" / "python"))


@pytest.mark.parametrize(
    ("development", "befalls", "titles"),
    [
        (True, None, ["Making .venv", PROGRAM, TOOLS]),
        (False, None, ["Making .venv", PROGRAM]),
        (False, "requirements", ["Making .venv", PROGRAM, PROGRAM]),
        (False, ".venv/pyvenv.cfg", ["Making .venv", PROGRAM, "Repairing .venv", PROGRAM]),
        (False, ".venv/bin/python", ["Making .venv", PROGRAM, "Repairing .venv", PROGRAM]),
        (True, ".venv/bin/modelmon", ["Making .venv", PROGRAM, TOOLS, PROGRAM]),
    ],
)
def test_that_a_second_start_installs_what_is_missing(
    environment, steps, tmp_path, development, befalls, titles
):
    environment.prepare(development=development)
    if befalls == "requirements":
        (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = []\n")
    elif befalls:
        (tmp_path / befalls).unlink()
    environment.prepare(development=development)
    assert steps.titles == titles


@pytest.mark.parametrize("where", [PROGRAM, TOOLS])
def test_that_an_interrupted_installation_is_made_anew(environment, steps, where):
    steps.ends_at = where
    with pytest.raises(KeyboardInterrupt):
        environment.prepare(development=True)
    steps.ends_at = ""
    steps.titles.clear()
    environment.prepare(development=True)
    assert steps.titles == ["Repairing .venv", PROGRAM, TOOLS]


def test_that_pip_without_a_network_does_not_cost_the_environment(environment, steps, tmp_path):
    environment.prepare(development=False)
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = []\n")
    steps.ends_at, steps.end = PROGRAM, environment.SetupError()
    with pytest.raises(environment.SetupError):
        environment.prepare(development=False)
    steps.ends_at = ""
    environment.prepare(development=False)
    assert steps.titles == ["Making .venv", PROGRAM, PROGRAM, PROGRAM]


def test_that_a_moved_folder_gets_its_own_environment(environment, steps, tmp_path, monkeypatch):
    environment.prepare(development=False)
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / ".venv").rename(moved / ".venv")
    (tmp_path / "pyproject.toml").rename(moved / "pyproject.toml")
    _move_to(environment, moved, monkeypatch)
    environment.prepare(development=False)
    assert steps.titles[2:] == ["Repairing .venv", PROGRAM]
