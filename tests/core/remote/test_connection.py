"""What is copied to a server: which Python runs it there, and what is left where copying fails."""

import io
import os
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from modelmon.core.machine.processes import is_running
from modelmon.core.remote import prepare
from modelmon.core.remote.connection import (
    COPY,
    LOOK,
    copied,
    copy_name,
    our_kind,
    script_line,
)
from modelmon.core.remote.ssh import VARIABLE

THERE, MAY_COPY, NO_PYTHON, NOT_THERE = 0, 3, 4, 127


@pytest.fixture(scope="module")
def content():
    return copied()


@pytest.fixture
def there(tmp_path):
    return Server(tmp_path)


class Server:
    """A home folder in which lines for a server's shell are run."""

    def __init__(self, folder):
        self.copies = folder / "modelmon" / "remote"
        self.own = self.copies / copy_name()
        self.bin = folder / "bin"
        self.bin.mkdir()
        self._environment = {"XDG_CACHE_HOME": str(folder), "PATH": f"{self.bin}:/usr/bin:/bin"}

    def runs(self, line, given=b""):
        """The exit code of a line."""
        return subprocess.run(
            ["sh", "-c", line], input=given, env=self._environment, check=False
        ).returncode

    def has(self, name, script):
        """Put a program there."""
        program = self.bin / name
        program.write_text(script)
        program.chmod(0o755)

    def lacks_python(self):
        """Each that would be found can't run anything."""
        for name in ("python3", *(f"python3.{minor}" for minor in range(11, 15))):
            self.has(name, "#!/bin/sh\nexit 1\n")


def site_of(copy):
    return next(copy.glob("lib/*/site-packages"))


def test_that_all_that_measures_is_copied_and_no_window(content):
    with tarfile.open(fileobj=io.BytesIO(content)) as opened:
        names = set(opened.getnames())
    needed = {"packages/modelmon", "packages/rich", "compiled/msgspec", "compiled/psutil"}
    assert {f"{name}/__init__.py" for name in needed} <= names
    assert not any("/gui/" in name or "__pycache__" in name for name in names)


def test_that_a_copy_runs_by_itself_with_what_its_python_has(there, content):
    there.has("python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    assert there.runs(script_line(LOOK)) == NOT_THERE
    assert there.runs(script_line(COPY, our_kind()), content) == 0
    assert there.runs(script_line(LOOK)) == THERE
    asks = "import modelmon, msgspec, numpy; print(modelmon.__file__, msgspec.__file__)"
    command = [there.own / "bin" / "python3", "-P", "-c", asks]
    own, compiled = subprocess.check_output(command, text=True).split()
    assert Path(own).is_relative_to(there.own)
    assert Path(compiled).is_relative_to(there.own / "compiled")


def test_that_the_python_of_an_installed_modelmon_goes_first(there, content):
    there.lacks_python()
    there.has("modelmon", f"#!{sys.executable}\n")
    assert there.runs(script_line(LOOK)) == MAY_COPY
    assert there.runs(script_line(COPY, our_kind()), content) == 0


def test_that_no_copy_is_made_where_no_python_could_run_it(there, content):
    there.lacks_python()
    assert there.runs(script_line(COPY, our_kind()), content) == NO_PYTHON
    assert not list(there.copies.iterdir())
    assert there.runs(script_line(LOOK)) == MAY_COPY


@pytest.mark.parametrize("has", [True, False])
def test_that_a_python_of_another_kind_needs_its_own_compiled_modules(has, tmp_path, monkeypatch):
    monkeypatch.setattr(prepare, "COMPILED", ("msgspec",) if has else ("no_such_module",))
    assert prepare.main(tmp_path, ".cpython-313-aarch64-linux-gnu.so") == (0 if has else 1)
    if not has:
        assert not list(tmp_path.iterdir())
        return
    paths = (site_of(tmp_path) / "modelmon.pth").read_text().splitlines()
    assert not any(path.endswith("compiled") for path in paths)
    assert sysconfig.get_path("purelib") in paths


def test_that_a_python_of_this_kind_uses_what_is_copied(tmp_path):
    assert prepare.main(tmp_path, our_kind()) == 0
    site = site_of(tmp_path)
    first, second = (site / "modelmon.pth").read_text().splitlines()[:2]
    assert os.path.normpath(site / first) == str(tmp_path / "packages")
    assert os.path.normpath(site / second) == str(tmp_path / "compiled")


def test_that_a_copy_removes_those_that_were_not_used_for_long(there, content):
    for name in ("1.0-old", "1.0-used", "new.broken", "data"):
        (there.copies / name).mkdir(parents=True)
        (there.copies / name / "measured").touch()
        if name != "1.0-used":
            os.utime(there.copies / name, (0, 0))
    assert there.runs(script_line(COPY, our_kind()), content) == 0
    assert {path.name for path in there.copies.iterdir()} == {"data", "1.0-used", copy_name()}


def test_that_ctrl_c_while_connecting_ends_at_once(tmp_path):
    client = tmp_path / "ssh"
    client.write_text("#!/bin/sh\ntrap '' INT\necho $$ > \"$0.pid\"\nexec sleep 60\n")
    client.chmod(0o755)
    asked = "from modelmon.core.remote.connection import reach; reach('ssh://host')"
    variables = os.environ | {VARIABLE: str(client)}
    with subprocess.Popen([sys.executable, "-c", asked], env=variables, stderr=PIPE) as asking:
        until_s = time.monotonic() + 60
        while not (told := tmp_path / "ssh.pid").exists() and time.monotonic() < until_s:
            time.sleep(0.05)
        time.sleep(0.5)
        asking.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in asking.communicate(timeout=20)[1]
    assert not is_running(int(told.read_text()))


def test_that_a_copy_that_breaks_off_leaves_what_was_there(there, content):
    there.own.mkdir(parents=True)
    assert there.runs(script_line(COPY, our_kind()), content[:100_000]) == 1
    assert list(there.copies.iterdir()) == [there.own]
