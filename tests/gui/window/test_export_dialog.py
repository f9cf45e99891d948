"""What is exported, where it is written, and what it rests on."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import msgspec
import platformdirs
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from window_fakes import LOAD_A, make_comparison

from modelmon.core.comparison.result import Comparison
from modelmon.core.export.atomic import WriteError
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.load.config import preset
from modelmon.core.load.config_file import read_config
from modelmon.core.machine.storage import MountLayer, StorageStack
from modelmon.core.messages import Message, from_wire, verbatim
from modelmon.core.programs.known_program import ListedProgram, ListedVariant
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.remote import Place
from modelmon.core.worker.look import seen_soon
from modelmon.gui.export import sources
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.export.sources import default_path, write_all
from modelmon.gui.session.machine import ProgramFinder


def dialog_of(qtbot, comparison, **others):
    dialog = ExportDialog(comparison, **others)
    qtbot.addWidget(dialog)
    return dialog


def with_processes():
    """A comparison whose arm B reads with processes."""
    processes = preset("processes")
    load = replace(LOAD_A, config=processes.config, strategy=processes.name, wall_s=0.5)
    return make_comparison(load_b=load)


def shown_texts(dialog):
    return [label.text() for label in dialog.findChildren(QLabel) if not label.isHidden()]


def titles_of(dialog):
    return [dialog.entries.item(row).text().split("\n")[0] for row in range(dialog.entries.count())]


def test_that_what_is_shown_is_what_is_written(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "seen_soon", seen_soon)
    dialog = dialog_of(qtbot, make_comparison())
    dialog.path.setText(str(tmp_path / "modelmon.toml"))
    shown = dialog.page.preview.toPlainText()
    dialog.page.copy.click()
    assert QGuiApplication.clipboard().text() == shown
    dialog.save.click()
    assert (tmp_path / "modelmon.toml").read_text() == shown
    assert read_config(tmp_path / "modelmon.toml").config == preset("parallel").config
    assert dialog.result() == ExportDialog.DialogCode.Accepted


def test_that_an_arm_of_processes_is_exported_as_threads_and_says_so(qtbot):
    dialog = dialog_of(qtbot, with_processes())
    assert dialog.arm.value == "B"
    assert 'reader_kind = "thread"' in dialog.text
    stored = "Stored: the same for one process, which wasn't measured"
    assert any(stored in text for text in shown_texts(dialog))
    dialog.arm.button("A").click()
    assert dialog.entries.ticked_ids == ("modelmon",)


def test_that_only_what_is_ticked_is_written_and_all_of_it_was_shown(qtbot, tmp_path):
    comparison = make_comparison()
    dialog = dialog_of(qtbot, comparison)
    dialog.path.setText(str(tmp_path / "fast.toml"))
    dialog.entries.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.entries.item(1).setCheckState(Qt.CheckState.Checked)
    dialog.entries.setCurrentRow(1)
    dialog.path.setText(str(tmp_path / "all.json"))
    shown = dialog.page.preview.toPlainText()
    dialog.save.click()
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]
    assert (tmp_path / "all.json").read_text() == shown
    assert msgspec.json.decode(shown, type=Comparison, dec_hook=from_wire) == comparison


def test_that_the_choice_is_remembered_once_it_was_written(qtbot, tmp_path, settings):
    first = dialog_of(qtbot, make_comparison(), settings=settings)
    for row in range(first.entries.count()):
        first.entries.setCurrentRow(row)
        first.path.setText(str(tmp_path / f"{row}"))
    first.entries.item(1).setCheckState(Qt.CheckState.Checked)
    # One button alone: looking at a third changes nothing of what is written.
    assert first.save.text() == "Save 2 selected"
    assert sum("Save" in each.text() for each in first.findChildren(QPushButton)) == 1
    first.save.click()
    assert {path.name for path in tmp_path.iterdir()} == {"0", "1"}
    again = dialog_of(qtbot, make_comparison(), settings=settings)
    assert again.entries.ticked_ids == ("modelmon", "comparison")


def test_that_a_disk_that_fills_up_leaves_nothing_half_written(qtbot, tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    target = tmp_path / "modelmon.toml"
    target.write_text("# from before\n")
    dialog = dialog_of(qtbot, make_comparison())
    dialog.path.setText(str(target))
    qtbot.waitUntil(lambda: dialog.save.text() == "Replace")
    monkeypatch.setattr(os, "fsync", full)
    assert dialog.save_now() is False
    assert "free space" in dialog.note.text()
    assert target.read_text() == "# from before\n"
    assert list(tmp_path.iterdir()) == [target]


def test_that_a_file_that_is_there_is_only_replaced_by_a_button_that_says_so(qtbot, tmp_path):
    target = tmp_path / "modelmon.toml"
    dialog = dialog_of(qtbot, make_comparison())
    dialog.path.setText(str(target))
    assert dialog.save.text() == "Save"
    target.write_text("# by hand\n")
    dialog.save.click()
    assert "exists. Replace writes over it." in dialog.note.text()
    assert target.read_text() == "# by hand\n"
    dialog.path.setText(str(tmp_path / "other.toml"))
    assert dialog.save.text() == "Save"
    dialog.path.setText(str(target))
    qtbot.waitUntil(lambda: dialog.save.text() == "Replace")
    assert str(target) in dialog.save.toolTip()
    dialog.save.click()
    assert target.read_text() == dialog.text


def test_that_two_files_cannot_have_one_place_nor_lie_in_a_home_that_nobody_has(qtbot, tmp_path):
    dialog = dialog_of(qtbot, make_comparison())
    dialog.path.setText("~nobody-of-this-name/fast.toml")
    dialog.save.click()
    assert "there is no such home folder" in dialog.note.text()
    assert dialog.saved == ()
    for row in range(2):
        dialog.entries.item(row).setCheckState(Qt.CheckState.Checked)
        dialog.entries.setCurrentRow(row)
        dialog.path.setText(str(tmp_path / "same"))
    assert dialog.save_now() is False
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("names", "opened", "expected"),
    [
        (["model.gguf"], "model.gguf", "modelmon.toml"),
        (["model.gguf"], "", "modelmon.toml"),
        (["a.gguf", "b.gguf"], "b.gguf", "b.modelmon.toml"),
        (["a.gguf", "b.safetensors"], "a.gguf", "a.modelmon.toml"),
        (["a-00001-of-00002.gguf", "a-00002-of-00002.gguf"], "a-00001-of-00002.gguf", ""),
        (["m-00001-of-00001.gguf", "x.GGUF"], "m-00001-of-00001.gguf", "m.modelmon.toml"),
        (["a.safetensors.index.json", "a-00001-of-00001.safetensors"], "", ""),
        (["a.safetensors.index.json", "b.safetensors"], "a.safetensors.index.json", "a.modelmon."),
        (["a.gguf", "config.json", "modelmon.toml"], "a.gguf", "modelmon.toml"),
    ],
)
def test_that_the_file_goes_beside_the_model_and_is_named_after_it_beside_others(
    tmp_path, names, opened, expected
):
    for name in names:
        (tmp_path / name).touch()
    found = default_path(str(tmp_path / opened))
    assert found.parent == tmp_path
    assert found.name.startswith(expected or "modelmon.toml")


def test_that_what_is_exported_of_the_sample_goes_where_somebody_looks(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cached = platformdirs.user_cache_path("modelmon", appauthor=False)
    cached.mkdir(parents=True, exist_ok=True)
    found = default_path(str(cached / "sample-1.safetensors"))
    assert found == Path.home() / "sample-1.modelmon.toml"


def row_of(dialog, name):
    return titles_of(dialog).index(name)


def test_that_each_program_has_its_text_for_both_arms_and_the_form_shown_is_written(
    qtbot, tmp_path
):
    comparison = make_comparison()
    dialog = dialog_of(qtbot, msgspec.structs.replace(comparison, path="/data/llama.safetensors"))
    for arm, is_default in (("A", True), ("B", False)):
        dialog.arm.button(arm).click()
        dialog.entries.setCurrentRow(row_of(dialog, "safetensors in Python"))
        assert ("Nothing to change" in shown_texts(dialog)) is is_default
    dialog = dialog_of(qtbot, comparison)
    # The winner is chosen, and the other can be.
    assert dialog.arm.value == "B"
    assert dialog.text == modelmon_toml(outcome_of(comparison, "B"))
    dialog.arm.button("A").click()
    assert dialog.text == modelmon_toml(outcome_of(comparison, "A"))
    # That begins the facts, and isn't said again below them.
    assert any("comparison doesn't recommend" in text for text in shown_texts(dialog))
    assert dialog.note_panel.isHidden()
    dialog.entries.setCurrentRow(row_of(dialog, "Full comparison"))
    assert "comparison doesn't recommend" in dialog.note.text()
    assert not dialog.note_panel.isHidden()
    dialog.arm.button("B").click()
    # Why, since when, and what is lost stand beside the text.
    dialog.entries.setCurrentRow(row_of(dialog, "transformers"))
    texts = shown_texts(dialog)
    assert {"Why", "Since", "Can't express", "Keep in mind"} <= set(texts)
    assert any("transformers itself wasn't measured" in text for text in texts)
    # Who can't be told is listed with the reason, and can't be ticked.
    item = dialog.entries.item(row_of(dialog, "llama.cpp"))
    assert not item.flags() & Qt.ItemFlag.ItemIsEnabled
    assert "GGUF only" in item.toolTip()
    dialog.entries.setCurrentItem(item)
    assert not dialog.save.isEnabled()
    assert not dialog.page.copy.isEnabled()
    dialog.entries.setCurrentRow(row_of(dialog, "vLLM"))
    assert "--load-format runai_streamer" in dialog.page.preview.toPlainText()
    assert dialog.path.text().endswith("vllm-load.sh")
    dialog.page.forms.button("1").click()
    shown = dialog.page.preview.toPlainText()
    assert shown.startswith("RUNAI_STREAMER_CONCURRENCY=4")
    assert dialog.path.text().endswith("vllm-load.env")
    dialog.path.setText(str(tmp_path / "vllm.env"))
    dialog.save.click()
    assert (tmp_path / "vllm.env").read_text() == shown


def test_that_settings_of_the_system_are_those_of_the_storage_below_this_model(qtbot):
    mount = MountLayer(
        "/data", "nfs4", "server:/data", "network", bdi="0:50", readahead_bytes=131072
    )
    comparison = make_comparison()
    for asked, there in ((comparison.path, True), ("/another", False)):
        dialog = dialog_of(qtbot, comparison, stack=StorageStack(asked, asked, (mount,)))
        assert ("NFS" in titles_of(dialog)) is there


def test_that_it_is_told_whether_the_installed_program_has_the_setting(qtbot, session, monkeypatch):
    programs, asked, setting = ProgramFinder(session, parent=session), [], "disable_mmap=True"
    monkeypatch.setattr(programs, "look_for_programs", lambda: asked.append(True))
    dialog = dialog_of(qtbot, make_comparison(), programs=programs)
    assert asked
    dialog.entries.setCurrentRow(row_of(dialog, "transformers"))
    for known, obstacle, sentence in (
        ((setting,), "", "Found here: 5.10.1, supported."),
        ((), "", f"Found here: 5.10.1, which doesn't have {setting}."),
        ((setting,), "It can't load this.", "Found here: 5.10.1."),
    ):
        variants = tuple(
            ListedVariant("no-mmap", each, "buffered", Message("x"), "", "") for each in known
        )
        title = "transformers"
        found = ListedProgram(title, title, "5.10.1", verbatim(obstacle), variants=variants)
        programs.programs_found.emit((found,))
        said = f"(huggingface/transformers#45547). {sentence}"
        assert any(text.endswith(said) for text in shown_texts(dialog))


def test_that_storage_that_hangs_keeps_nobody_from_exporting_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "seen_soon", lambda _: None)
    assert default_path(str(tmp_path / "model.gguf")) == Path.home() / "model.modelmon.toml"
    target = tmp_path / "modelmon.toml"
    with pytest.raises(WriteError, match="doesn't answer"):
        write_all([(Place(str(target)), "text")])
    assert not target.exists()
