"""Sentences that need more than a line."""

import pytest
from PySide6.QtCore import QSize

from modelmon.gui.widgets.slot_page import SlotTexts
from modelmon.gui.widgets.styling import in_lines, line_starts
from modelmon.gui.widgets.theme import font

HEADLINE = "Undecided: A 2.54 s, B 2.38 s, but the runs scatter (A's time ÷ B's, 98%: 0.53-1.93)."
REASON = "A waits for the disk half of the time, and its processor for pages in the other half. "
CAVEAT = "Outliers (counted): 1 of B. Only cold starts were measured."
SLOT_PX = QSize(420, 94)


@pytest.fixture
def texts(qtbot):
    made = SlotTexts()
    qtbot.addWidget(made)
    made.resize(SLOT_PX)
    made.show()
    return made


def test_that_a_long_headline_is_whole_and_the_rest_shares_what_is_left(texts):
    texts.set_texts(HEADLINE, REASON * 4, CAVEAT)
    assert texts.headline.is_whole
    assert "\n" in texts.headline.text()
    assert not texts.reason.is_whole
    assert texts.reason.toolTip().startswith(REASON)
    assert texts.caveat.text()
    bottom = 0
    for line in (texts.headline, texts.reason, texts.caveat):
        assert line.y() >= bottom
        assert line.height() >= line.sizeHint().height()
        bottom = line.geometry().bottom()
    assert bottom <= SLOT_PX.height()


def test_that_lines_are_used_only_where_they_are_needed(texts):
    texts.set_texts("Use B.", "It waits less.", "")
    assert texts.headline.property("role") == "headline"
    assert texts.headline.text() == "Use B."
    assert not texts.caveat.isVisible()
    texts.set_texts("Use B.", REASON, "")
    assert texts.reason.is_whole
    assert texts.reason.text().count("\n") == len(in_two(REASON)) - 1
    texts.resize(SLOT_PX * 4)
    assert "\n" not in texts.reason.text()


def in_two(text):
    return line_starts(text, font(12), SLOT_PX.width())


def test_that_lines_of_another_font_end_within_the_slot(texts):
    chinese = "它占用系统无法回收的内存。" * 16
    texts.set_texts(chinese[:40], chinese, chinese[:20])
    for height in range(84, 110, 3):
        texts.resize(SLOT_PX.width(), height)
        labels = (texts.headline, texts.reason, texts.caveat)
        ends = [each.geometry().bottom() for each in labels]
        assert ends == sorted(ends)
        assert ends[-1] < height, height
        for each in labels:
            assert each.height() >= each.sizeHint().height()


def test_that_words_stay_whole_and_chinese_is_broken_anywhere(qapp):
    del qapp
    lines = in_lines(HEADLINE, font(12), 200, 9).split("\n")
    assert " ".join(lines) == HEADLINE
    chinese = "它占用系统无法回收的内存。" * 4
    broken = in_lines(chinese, font(12), 120, 20)
    assert broken.count("\n") > 1
    assert broken.replace("\n", "") == chinese
    assert in_lines(HEADLINE, font(12), 200, 2).endswith("…")
