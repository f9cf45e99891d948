"""The window is dragged to a screen with another number of pixels to the px."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from modelmon.gui.plots.pens import MAIN_PX, ScreenWidths, pen, use_screen
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QScreen


class Screen:
    """All that is asked of a screen."""

    def __init__(self, ratio):
        self._ratio = ratio

    def devicePixelRatio(self):  # noqa: N802 (Qt's name)
        return self._ratio


@pytest.fixture
def follower(window):
    window.show()
    yield ScreenWidths(window)
    use_screen(1.0)


def test_that_lines_are_as_wide_on_a_screen_with_more_pixels(follower, window, qtbot):
    grid = window.workspace.plots.throughput.canvas.axes.grid
    assert grid.pen().widthF() == 1.0
    with qtbot.waitSignal(manager().changed):
        follower.follow(cast("QScreen", Screen(2.0)))
    assert grid.pen().widthF() == 2.0
    assert pen(manager().theme.text, MAIN_PX).widthF() == 2 * MAIN_PX
    with qtbot.assertNotEmitted(manager().changed):
        follower.follow(cast("QScreen", Screen(2.0)))
    follower.follow(cast("QScreen", Screen(1.0)))
    assert grid.pen().widthF() == 1.0
