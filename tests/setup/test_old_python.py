import ast
import importlib.util
from pathlib import Path

import pytest

ENTRY = Path(__file__).parents[2] / "setup" / "__main__.py"


@pytest.fixture
def entry(monkeypatch):
    monkeypatch.setattr("sys.argv", ["setup", "test"])
    spec = importlib.util.spec_from_file_location("entry", ENTRY)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_that_an_old_python_understands_the_entry():
    ast.parse(ENTRY.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_that_a_system_with_a_newer_python_is_told_both_lines(entry):
    text = entry.remedy("ubuntu 22.04")
    assert "apt-get install -y python3.11 python3.11-venv\n" in text
    assert "make PYTHON=python3.11 test\n" in text


def test_that_a_system_without_a_newer_python_is_told_to_upgrade(entry):
    text = entry.remedy("debian 11")
    assert "(debian 11) has no newer one: upgrade to Debian 12" in text
    assert "make PYTHON=python3.12 test\n" in text


@pytest.mark.parametrize(
    ("os_release", "name"),
    [
        ('NAME="Debian GNU/Linux"\nID=debian\nVERSION_ID="11"\n', "debian 11"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n', "rhel 9"),
        ("ID=arch\n", "arch"),
    ],
)
def test_that_the_system_is_known_by_its_release_file(entry, tmp_path, os_release, name):
    file = tmp_path / "os-release"
    file.write_text(os_release)
    assert entry.system_name(file) == name


def test_that_a_newer_python_beside_an_old_one_is_taken(entry, programs, monkeypatch, tmp_path):
    newer = tmp_path / "bin" / "python3.12"
    newer.write_text("#!/bin/sh\n")
    newer.chmod(0o755)
    started = []
    monkeypatch.setattr("os.execv", lambda _path, arguments: started.append(arguments))
    monkeypatch.setattr("sys.version_info", (3, 9, 2, "final", 0))
    monkeypatch.setenv("PATH", str(newer.parent))
    with pytest.raises(SystemExit):
        entry.main()
    assert started[0] == [str(newer), "setup", "test"]
