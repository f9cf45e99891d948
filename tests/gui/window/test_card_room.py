"""How much of their settings and figures cards show where there is little room."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from window_fakes import LOAD_A

from modelmon.core.load.config import AXES
from modelmon.core.worker.result import summarise
from modelmon.gui.compare.strategy_card import StrategyCard

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")


@pytest.fixture
def room(qtbot):
    """Cards of any width have room in it."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 300)
    made.show()
    return made


@pytest.fixture
def card(room, session):
    made = StrategyCard(session, "A")
    made.setParent(room)
    made.show()
    return made


def resized(card, width):
    card.resize(width, card.height())
    QApplication.processEvents()
    return card


def figures(card):
    return sum(metric.isVisible() for metric in card.outcome.metrics)


def test_that_chips_keep_their_names_and_go_to_the_rest_where_there_is_no_room(card):
    rests = []
    for width in range(780, 240, -20):
        chips = resized(card, width).chips
        for button in (*chips.shown.values(), chips.more):
            assert button.geometry().right() <= chips.width(), width
        rest = chips.more.accessibleDescription().splitlines()
        assert len(chips.shown) + len(rest) == len(AXES), width
        rests.append(chips.more.text().replace(str(len(rest)), "n"))
    assert list(dict.fromkeys(rests)) == ["n the same", "+n"]


def test_that_no_figure_is_cut_off_and_it_comes_back_once_there_is_room_for_it(card, session):
    session.set_results("A", (summarise(LOAD_A.record()),))
    counts = []
    for width in (*range(720, 260, -20), 720):
        outcome = resized(card, width).outcome
        for part in (outcome.result, *outcome.metrics):
            assert not part.isVisible() or part.geometry().right() <= outcome.width(), width
        counts.append(figures(card))
    assert counts[0] == counts[-1] == 4
    assert min(counts) < 4


def test_that_figures_make_room_for_a_longer_time(card, session):
    resized(card, 420)
    long, short = replace(LOAD_A, wall_s=123.4, nbytes=123_456_789_000), LOAD_A
    shown = []
    for load in (short, long, short):
        session.set_results("A", (summarise(load.record()),))
        QApplication.processEvents()
        shown.append(figures(card))
    assert shown[0] == shown[2] > shown[1]
