"""How the side panel shares its height between what is known and the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from legibility import settled
from shown_windows import opened

from modelmon.gui.panels.section_stack import SectionStack

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow


@pytest.mark.parametrize("height", [680, 700, 720, 740, 1080])
def test_that_the_tree_takes_all_that_the_sections_leave(window: MainWindow, height: int) -> None:
    window.resize(1280, 1080)
    opened(window)
    settled(window)
    window.resize(1280, height)
    settled(window)
    side = window.side
    (known,) = side.findChildren(SectionStack)
    assert known.viewport().height() == known.height()
    assert side.tree.geometry().top() == known.geometry().bottom() + 1
    assert side.tree.geometry().bottom() == side.rect().bottom()
    assert side.tree.height() >= side.tree.minimumHeight()


def test_that_sections_that_have_room_again_are_seen_whole(window: MainWindow) -> None:
    opened(window)
    (known,) = window.side.findChildren(SectionStack)
    for height in (680, 1080):
        window.resize(1280, height)
        settled(window)
    assert known.height() == known.sizeHint().height()
