"""Every figure, series and setting that is seen says in a sentence what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from legibility import settled, shown, told
from window_states import States

from modelmon.gui.panels.card.axis_chips import AxisChips
from modelmon.gui.panels.card.outcome_row import OutcomeRow
from modelmon.gui.panels.fact_section import FactSection
from modelmon.gui.plots.legend import LegendEntry

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.main_window import MainWindow


def silent(root: QWidget) -> list[str]:
    """What is seen below `root` and says nothing of what it is."""
    seen = shown(root)
    found = [told(each) for each in seen if isinstance(each, LegendEntry) and not each.about]
    for each in seen:
        if isinstance(each, FactSection):
            found += [name for name, tip in each.tool_tips.items() if not tip]
        elif isinstance(each, OutcomeRow):
            metrics = [metric for metric in each.metrics if metric.isVisible()]
            found += [metric.accessibleName() for metric in metrics if not metric.toolTip()]
        elif isinstance(each, AxisChips):
            found += [name for name, chip in each.shown.items() if not chip.toolTip()]
    return found


@pytest.mark.parametrize("state", ["running", "compared", "raced", "watched"])
def test_that_figures_series_and_settings_say_what_they_are(
    state: str, folder: Path, window: MainWindow, recordings: ModuleType
) -> None:
    del folder
    window.resize(1920, 1080)
    getattr(States(window, recordings), state)()
    plots, tabs = window.workspace.plots, window.workspace.tabs
    plots.show_plots(tuple(plots.by_key))
    for at in range(tabs.count()):
        tabs.setCurrentIndex(at)
        window.workspace.refresh_texts()
        window.workspace.refresh_plots()
        settled(window)
        assert silent(window) == [], tabs.tabText(at)
