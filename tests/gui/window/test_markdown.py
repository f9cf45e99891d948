"""Results and tables as Markdown, and plots as pictures, on the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from window_fakes import LOAD_A, make_comparison, opened

from modelmon.gui.models.markdown import markdown_of_csv, markdown_table
from modelmon.gui.panels.verdict_details import VerdictDetails

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from modelmon.gui.main_window import MainWindow


def copied() -> str:
    return QGuiApplication.clipboard().text()


def test_that_figures_stand_right_and_no_cell_breaks_its_table() -> None:
    assert markdown_table(("Name", "Time"), [("a|b\nc", "1 s")], figures={1}) == (
        "| Name | Time |\n| :-- | --: |\n| a\\|b c | 1 s |\n"
    )
    assert markdown_of_csv('block,s\r\n"out, last",0.5\r\n').splitlines()[1:] == [
        "| :-- | --: |",
        "| out, last | 0.5 |",
    ]
    # Names come from files.
    assert markdown_of_csv("block,s\na\u2028b,0.5\n").splitlines()[2:] == ["| a b | 0.5 |"]


def test_that_the_verdict_is_copied_by_its_command_and_in_its_details(
    qtbot: QtBot, window: MainWindow
) -> None:
    opened(window)
    assert not window.actions_by_id["copy_result"].isEnabled()
    comparison = make_comparison()
    window.session.set_comparison(comparison)
    window.actions_by_id["copy_result"].trigger()
    lines = copied().splitlines()
    assert lines[0] == f"**{comparison.verdict.sentence}**"
    assert "| A | mmap | 2.00 s | 2.00 s – 2.00 s | 1 GB/s | 5 of 5 |" in lines
    assert any(line.startswith("- Speedup: parallel is ") for line in lines)
    whole = copied()
    QGuiApplication.clipboard().clear()
    window.workspace.slot.verdict_page.details.click()
    (dialog,) = window.findChildren(VerdictDetails)
    dialog.markdown.click()
    assert copied() == whole
    dialog.close()


@pytest.mark.parametrize("name", ["throughput", "rss"])
def test_that_a_plot_is_copied_as_a_picture_and_as_a_table(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    opened(window)
    window.session.show_record("A", LOAD_A.record())
    plot = window.workspace.plots.by_key[name]
    actions = {action.text(): action for action in plot.make_menu().actions()}
    actions["Copy as picture"].trigger()
    picture = QGuiApplication.clipboard().image()
    assert picture.size() == plot.size() * 2
    actions["Copy as Markdown"].trigger()
    heading, rule, *rows = copied().splitlines()
    assert heading.count("|") == rule.count("|") > 2
    assert len(rows) == len(plot.csv_text().splitlines()) - 1
