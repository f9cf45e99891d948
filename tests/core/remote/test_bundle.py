from __future__ import annotations

import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

import msgspec
import pytest

from modelmon.core.errors import LoadFailedError
from modelmon.core.remote.bundle import COMPILED, Python, bundle_for, our_abi

if TYPE_CHECKING:
    from pathlib import Path

OURS = Python("/usr/bin/python3", (3, 11), our_abi())
OTHER = Python("/opt/python3", (3, 13), ".cpython-313-aarch64-linux-gnu.so")
FOR_OTHER = (
    "msgspec-0.20.0-cp313-cp313-manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
    "psutil-7.0.0-cp36-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
)


def names_in(bundle: bytes) -> set[str]:
    with tarfile.open(fileobj=io.BytesIO(bundle)) as opened:
        return set(opened.getnames())


def write_wheel(path: Path) -> None:
    package = path.name.partition("-")[0]
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{package}/__init__.py", "")
        wheel.writestr("../outside.py", "")
        wheel.writestr("/outside.py", "")


def test_that_a_python_of_the_same_kind_gets_all_that_it_needs() -> None:
    names = names_in(bundle_for(OURS))
    site = "lib/python3.11/site-packages"
    assert {f"{site}/{name}/__init__.py" for name in ("modelmon", "rich", *COMPILED)} <= names
    assert {"pyvenv.cfg", "bin/python3"} <= names
    assert not any("/gui/" in name or "__pycache__" in name for name in names)


def test_that_a_python_of_another_kind_is_told_what_it_lacks() -> None:
    with pytest.raises(LoadFailedError, match=r"msgspec and psutil") as refused:
        bundle_for(OTHER)
    assert "manylinux2014_aarch64 --python-version 3.13" in refused.value.remedy
    with pytest.raises(LoadFailedError, match="lacks psutil"):
        bundle_for(msgspec.structs.replace(OTHER, has=("msgspec",)))


def test_that_no_name_of_a_server_runs_where_a_remedy_is_pasted() -> None:
    python = Python("/opt/$(touch x)/python3", (3, 13), OTHER.abi)
    with pytest.raises(LoadFailedError) as refused:
        bundle_for(python)
    assert "'/opt/$(touch x)/python3' -m pip" in refused.value.remedy


@pytest.mark.parametrize(
    ("path", "abi"),
    [("python3", ".so"), ("/a\nb", ".so"), ("/python3", ".a-b-$(touch x).so"), ("/python3", "a\n")],
)
def test_that_what_no_python_says_is_refused(path: str, abi: str) -> None:
    said = msgspec.json.encode({"path": path, "version": (3, 13), "abi": abi})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=Python)


def test_that_what_is_installed_there_is_used() -> None:
    bundle = bundle_for(msgspec.structs.replace(OTHER, has=COMPILED))
    with tarfile.open(fileobj=io.BytesIO(bundle)) as opened:
        settings = opened.extractfile("pyvenv.cfg")
        assert settings is not None
        assert b"include-system-site-packages = true" in settings.read()
    assert not any(f"/{name}/" in each for name in COMPILED for each in names_in(bundle))


def test_that_wheels_for_it_are_taken_and_no_others(tmp_path: Path) -> None:
    wrong = ("cp312-cp312-manylinux2014_aarch64", "cp313-cp313-musllinux_1_2_aarch64")
    for tag in (*wrong, "cp313-cp313-manylinux2014_x86_64"):
        write_wheel(tmp_path / f"msgspec-0.20.0-{tag}.whl")
    write_wheel(tmp_path / FOR_OTHER[1])
    with pytest.raises(LoadFailedError, match="lacks msgspec"):
        bundle_for(OTHER, tmp_path)
    write_wheel(tmp_path / FOR_OTHER[0])
    names = names_in(bundle_for(OTHER, tmp_path))
    assert {f"lib/python3.13/site-packages/{name}/__init__.py" for name in COMPILED} <= names
    assert not any("outside" in name for name in names)
