from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtGui import QGuiApplication
from window_fakes import LOAD_A, make_comparison

from modelmon.core.export.config_file import render
from modelmon.core.load.config_file import read_config
from modelmon.core.load.presets import preset
from modelmon.gui.export_dialog import ExportDialog, default_path

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from modelmon.core.experiment.result import Comparison


def dialog_of(qtbot: QtBot, comparison: Comparison) -> ExportDialog:
    dialog = ExportDialog(comparison)
    qtbot.addWidget(dialog)
    return dialog


def test_that_what_is_shown_is_what_is_written(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = dialog_of(qtbot, make_comparison())
    dialog.path.setText(str(tmp_path / "modelmon.toml"))
    shown = dialog.preview.toPlainText()
    dialog.save.click()
    assert (tmp_path / "modelmon.toml").read_text() == shown
    assert read_config(tmp_path / "modelmon.toml").config == preset("parallel").config
    assert dialog.result() == ExportDialog.DialogCode.Accepted


def test_that_the_winner_is_chosen_and_the_other_can_be(qtbot: QtBot) -> None:
    comparison = make_comparison()
    dialog = dialog_of(qtbot, comparison)
    assert dialog.arm.value == "B"
    assert dialog.text == render(comparison, "B")
    dialog.arm.button("A").click()
    assert dialog.text == render(comparison, "A")
    assert "not what the comparison recommends" in dialog.note.text()


def test_that_the_text_can_be_copied(qtbot: QtBot) -> None:
    dialog = dialog_of(qtbot, make_comparison())
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text


def test_that_a_failure_to_write_is_said_and_keeps_the_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = dialog_of(qtbot, make_comparison())
    dialog.path.setText(str(tmp_path / "no" / "such" / "folder" / "modelmon.toml"))
    assert dialog.save_now() is False
    assert "cannot be written" in dialog.note.text()


def test_that_an_arm_of_processes_is_exported_as_threads_and_says_so(qtbot: QtBot) -> None:
    processes = preset("processes")
    load = replace(LOAD_A, config=processes.config, strategy=processes.name, wall_s=0.5)
    dialog = dialog_of(qtbot, make_comparison(load_b=load))
    assert 'reader_kind = "thread"' in dialog.text
    assert "as they were measured" in dialog.note.text()


def test_that_an_arm_without_a_measured_equivalent_cannot_be_saved(qtbot: QtBot) -> None:
    processes = preset("processes")
    load = replace(LOAD_A, config=processes.config, strategy=processes.name, wall_s=0.5)
    comparison = msgspec.structs.replace(make_comparison(load_b=load), equivalent_b=None)
    dialog = dialog_of(qtbot, comparison)
    assert dialog.save.isEnabled()  # A is what can be exported at all
    dialog.arm.button("B").click()
    assert not dialog.save.isEnabled()
    assert dialog.note.text()


def test_that_the_file_goes_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    assert default_path(str(tmp_path / "model.gguf")) == tmp_path / "modelmon.toml"
    assert default_path(str(tmp_path)) == tmp_path / "modelmon.toml"
