"""How much of their figures two cards show beside each other."""

from dataclasses import replace

import msgspec
import pytest
from legibility import findings
from PySide6.QtWidgets import QApplication, QWidget
from window_fakes import LOAD_A

from modelmon.core.worker.result import summarise
from modelmon.gui.compare.axis_texts import chips_of
from modelmon.gui.compare.outcome_row import show_alike
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.session.session import LABELS


def card(within, session, arm, width):
    made = StrategyCard(session, arm)
    made.setParent(within)
    made.resize(width, made.height())
    return made


def unclear(load):
    """What it comes to where nothing shows what held it back, which is the longest name."""
    return msgspec.structs.replace(summarise(load.record()), io_wait_share=0.1)


@pytest.fixture
def window(qtbot):
    """Room for cards of any width."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 300)
    made.show()
    return made


def test_that_both_cards_show_the_same_figures(window, session):
    a, b = card(window, session, "A", 640), card(window, session, "B", 640)
    for each in (a, b):
        each.show()
    show_alike([a.outcome, b.outcome])
    slow = replace(LOAD_A, wall_s=123.4, nbytes=123_456_789_000)
    for label, load in (("A", LOAD_A), ("B", slow)):
        session.set_results("A" if label == "A" else "B", (summarise(load.record()),))
    counts = set()
    for width in range(200, 720, 20):
        b.resize(width, b.height())
        QApplication.processEvents()
        shown = [sum(metric.isVisible() for metric in each.outcome.metrics) for each in (a, b)]
        assert shown[0] == shown[1], width
        counts.add(shown[0])
    assert len(counts) > 1
    assert max(counts) == 4


def test_that_a_card_without_figures_takes_none_from_the_other(window, session):
    a, b = card(window, session, "A", 800), card(window, session, "B", 360)
    for each in (a, b):
        each.show()
    show_alike([a.outcome, b.outcome])
    session.set_results("A", (summarise(LOAD_A.record()),))
    assert all(metric.isVisible() for metric in a.outcome.metrics[:4])
    assert b.outcome.message.whole == "Not run yet"


def test_that_chips_keep_their_names_and_go_to_the_rest_where_there_is_no_room(window, session):
    one = card(window, session, "A", 780)
    one.show()
    axes = {chip.name: chip.axes for chip in chips_of(session.config("A"), "")}
    rests, every = [], sum(map(len, axes.values()))
    for width in range(780, 240, -20):
        one.resize(width, one.height())
        QApplication.processEvents()
        shown = one.chips.shown
        for name, button in shown.items():
            assert button.text().startswith(f"{name}: "), width
            assert button.geometry().right() <= one.chips.width()
        assert one.chips.more.geometry().right() <= one.chips.width()
        rest = one.chips.more.accessibleDescription().splitlines()
        assert sum(len(axes[name]) for name in shown) + len(rest) == every, width
        rests.append(one.chips.more.text().replace(str(len(rest)), "n"))
    assert list(dict.fromkeys(rests)) == ["n the same", "+n"]


def test_that_a_figure_comes_back_once_there_is_room_for_it(window, session):
    one = card(window, session, "A", 480)
    one.show()
    long, short = replace(LOAD_A, wall_s=123.4, nbytes=123_456_789_000), LOAD_A
    shown = []
    for load in (short, long, short):
        session.set_results("A", (unclear(load),))
        QApplication.processEvents()
        shown.append(sum(metric.isVisible() for metric in one.outcome.metrics))
    assert shown[0] == shown[2] > shown[1]


@pytest.mark.qt_log_ignore("^This plugin does not support")
def test_that_the_bottleneck_is_told_whole_before_other_figures(window, session):
    one = card(window, session, "A", 700)
    one.show()
    session.set_results("A", (unclear(LOAD_A),))
    for width in range(700, 310, -10):
        one.resize(width, one.height())
        QApplication.processEvents()
        assert one.outcome.pill.width() >= one.outcome.pill.sizeHint().width(), width
    assert not one.outcome.metrics[0].isVisible()


def test_that_a_slim_card_says_of_which_part_its_time_is(window, session):
    one = card(window, session, "A", 400)
    one.show()
    one.set_slim(slim=True)
    whole = summarise(LOAD_A.record())
    quarter = whole.model_bytes // 4
    part = msgspec.structs.replace(whole, load_bytes=quarter, file_bytes=quarter, portion=True)
    seen = []
    for result in (whole, part, whole):
        session.set_results("A", (result,))
        QApplication.processEvents()
        message = one.outcome.message
        seen.append(message.whole if message.isVisible() else "")
        assert findings(one) == {}
    assert seen == ["", "25% of the model", ""]
    session.set_results("A", (part,))
    one.set_slim(slim=False)
    assert not one.outcome.message.isVisible()
    assert one.outcome.metrics[0].isVisible()


def test_that_slim_cards_take_other_results(window, session):
    cards = [card(window, session, label, 340) for label in LABELS]
    for each in cards:
        each.show()
        each.set_slim(slim=True)
    show_alike([each.outcome for each in cards])
    for results in ((summarise(LOAD_A.record()),), ()) * 2:
        for label in LABELS:
            session.set_results(label, results)
            QApplication.processEvents()
    assert all(each.outcome.message.whole == "Not run yet" for each in cards)
