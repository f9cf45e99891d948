"""Samples that are refused or cancelled: nothing is lost, and nothing is left behind."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.core.model.sample_files import FORMATS, LAYERS, SIZE_BYTES, Format, content

from modelmon.core.errors import CancelledError, ModelmonError
from modelmon.core.model.sample import write_sample
from modelmon.core.units import GIB, MIB

if TYPE_CHECKING:
    from pathlib import Path


class Disk(NamedTuple):
    total: int
    used: int
    free: int


def raise_interrupt(_done: int, _total: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("exists", [False, True])
def test_that_a_cancelled_sample_leaves_what_was_there(
    tmp_path: Path, form: Format, exists: bool
) -> None:
    out = tmp_path / "m"
    if exists:
        write_sample(out, form, SIZE_BYTES, LAYERS, seed=1)
    before = content(out) if exists else None
    asked = iter([False] * 5)
    with pytest.raises(CancelledError):
        write_sample(
            out, form, SIZE_BYTES, LAYERS, 2, force=True, cancelled=lambda: next(asked, True)
        )
    with pytest.raises(KeyboardInterrupt):
        write_sample(out, form, SIZE_BYTES, LAYERS, 2, force=True, progress=raise_interrupt)
    assert [path.name for path in tmp_path.iterdir()] == (["m"] if exists else [])
    assert not exists or content(out) == before


@pytest.mark.parametrize("form", FORMATS)
def test_that_only_force_replaces_a_sample(tmp_path: Path, form: Format) -> None:
    out = tmp_path / "m"
    write_sample(out, form, SIZE_BYTES, LAYERS, seed=1)
    before = content(out)
    with pytest.raises(ModelmonError, match="already exists"):
        write_sample(out, form, SIZE_BYTES, LAYERS, seed=2)
    assert content(out) == before
    write_sample(out, form, SIZE_BYTES, LAYERS, seed=2, force=True)
    assert content(out) != before
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_that_force_never_removes_a_folder_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(ModelmonError, match="contains more than weights"):
        write_sample(tmp_path, "sharded", SIZE_BYTES, LAYERS, seed=1, force=True)
    with pytest.raises(ModelmonError, match="isn't a file"):
        write_sample(tmp_path, "gguf", SIZE_BYTES, LAYERS, seed=1, force=True)
    assert (tmp_path / "thesis.tex").read_text() == "important"


@pytest.mark.parametrize(
    ("disk", "size_bytes"),
    [
        (Disk(100 * GIB, 0, 5 * GIB + 4 * MIB), SIZE_BYTES),
        (Disk(4 * GIB, 0, GIB + 4 * MIB), SIZE_BYTES),
        (Disk(4000 * GIB, 0, 1000 * GIB), 900 * GIB),
    ],
)
def test_that_a_sample_never_fills_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: Disk, size_bytes: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: disk)
    with pytest.raises(ModelmonError, match=r"doesn't fit in .* free, of which .* must stay"):
        write_sample(tmp_path / "m.gguf", "gguf", size_bytes, LAYERS, seed=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", FORMATS)
def test_that_a_size_too_small_for_the_layers_is_refused_with_the_least(
    tmp_path: Path, form: Format
) -> None:
    with pytest.raises(ModelmonError, match="cannot be as small as 1 MiB") as caught:
        write_sample(tmp_path / "m", form, MIB, LAYERS, seed=1)
    assert "It takes at least" in caught.value.remedy
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("layers", [0, 1001])
def test_that_an_absurd_number_of_layers_is_refused(tmp_path: Path, layers: int) -> None:
    with pytest.raises(ModelmonError, match=f"cannot have {layers} layers"):
        write_sample(tmp_path / "m", "gguf", SIZE_BYTES, layers, seed=1)


def test_that_a_sample_needs_an_existing_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelmonError, match="doesn't exist"):
        write_sample(tmp_path / "absent" / "m.gguf", "gguf", SIZE_BYTES, LAYERS, seed=1)


def test_that_a_storage_error_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ModelmonError, match=r"m\.gguf: No space left on device"):
        write_sample(tmp_path / "m.gguf", "gguf", SIZE_BYTES, LAYERS, seed=1)
    assert not list(tmp_path.iterdir())
