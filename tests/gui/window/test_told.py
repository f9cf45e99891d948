"""What was written or copied is said at the foot of the window, whichever tab is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from window_fakes import make_comparison, make_inspection

from modelmon.gui.export.dialog import ExportDialog

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from pytestqt.qtbot import QtBot

    from modelmon.gui.main_window import MainWindow


def test_that_copied_figures_of_a_plot_are_said(
    qtbot: QtBot, window: MainWindow, recordings: ModuleType
) -> None:
    window.session.set_inspection(make_inspection())
    window.session.show_record("A", recordings.record(recordings.SLOW))
    canvas = window.workspace.plots.rss.canvas
    qtbot.keyClick(canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert window.status.currentMessage().startswith("Copied ")


def test_that_an_export_is_said_with_its_place(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.session.set_inspection(make_inspection())
    window.session.set_comparison(make_comparison())
    window.commands.export()
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    dialog.path.setText(str(tmp_path / "modelmon.toml"))
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert window.status.currentMessage() == f"Exported {tmp_path / 'modelmon.toml'}."
