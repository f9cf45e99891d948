import io
import os
import subprocess
import tarfile

import msgspec
import pytest

from modelmon.core.errors import LoadFailedError
from modelmon.core.remote.bundle import COMPILED, Python, bundle_for, our_abi
from modelmon.core.remote.there import bundle_name, install_line

OURS = Python("/usr/bin/python3", (3, 11), our_abi())
OTHER = Python("/opt/python3", (3, 13), ".cpython-313-aarch64-linux-gnu.so")


def names_in(bundle):
    with tarfile.open(fileobj=io.BytesIO(bundle)) as opened:
        return set(opened.getnames())


def test_that_a_python_of_the_same_kind_gets_all_that_it_needs():
    names = names_in(bundle_for(OURS))
    site = "lib/python3.11/site-packages"
    assert {f"{site}/{name}/__init__.py" for name in ("modelmon", "rich", *COMPILED)} <= names
    assert {"pyvenv.cfg", "bin/python3"} <= names
    assert not any("/gui/" in name or "__pycache__" in name for name in names)


def test_that_a_python_of_another_kind_is_told_what_it_lacks():
    with pytest.raises(LoadFailedError, match=r"msgspec and psutil") as refused:
        bundle_for(OTHER)
    assert refused.value.remedy.endswith("/opt/python3 -m pip install msgspec psutil")
    with pytest.raises(LoadFailedError, match="lacks psutil"):
        bundle_for(msgspec.structs.replace(OTHER, has=("msgspec",)))


def test_that_no_name_of_a_server_runs_where_a_remedy_is_pasted():
    python = Python("/opt/$(touch x)/python3", (3, 13), OTHER.abi)
    with pytest.raises(LoadFailedError) as refused:
        bundle_for(python)
    assert "'/opt/$(touch x)/python3' -m pip" in refused.value.remedy


@pytest.mark.parametrize(
    ("path", "abi"),
    [("python3", ".so"), ("/a\nb", ".so"), ("/python3", ".a-b-$(touch x).so"), ("/python3", "a\n")],
)
def test_that_what_no_python_says_is_refused(path, abi):
    said = msgspec.json.encode({"path": path, "version": (3, 13), "abi": abi})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=Python)


def test_that_what_is_installed_there_is_used():
    bundle = bundle_for(msgspec.structs.replace(OTHER, has=COMPILED))
    with tarfile.open(fileobj=io.BytesIO(bundle)) as opened:
        settings = opened.extractfile("pyvenv.cfg")
        assert settings is not None
        assert b"include-system-site-packages = true" in settings.read()
    assert not any(f"/{name}/" in each for name in COMPILED for each in names_in(bundle))


def test_that_a_copy_removes_those_that_were_not_used_for_long(tmp_path):
    folder = tmp_path / "modelmon" / "remote"
    for name in ("1.0-old", "1.0-used", "new.broken", "data"):
        (folder / name).mkdir(parents=True)
        (folder / name / "measured").touch()
        if name != "1.0-used":
            os.utime(folder / name, (0, 0))
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    line = ["sh", "-c", install_line()]
    subprocess.run(line, input=bundle_for(OURS), env=environment, check=True)
    assert {path.name for path in folder.iterdir()} == {"data", "1.0-used", bundle_name()}
    assert (folder / bundle_name() / "pyvenv.cfg").exists()


def test_that_a_copy_that_breaks_off_leaves_what_was_there(tmp_path):
    own = tmp_path / "modelmon" / "remote" / bundle_name()
    own.mkdir(parents=True)
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    content = bundle_for(OURS)[:100_000]
    done = subprocess.run(
        ["sh", "-c", install_line()],
        input=content,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert list(own.parent.iterdir()) == [own]
