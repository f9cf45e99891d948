"""The log: what is written in it can be read, also after the colours were changed."""

import pytest

from modelmon.gui.shell.status_line import LogView
from modelmon.gui.widgets.theme import DARK, LIGHT


@pytest.fixture
def log(session, qtbot, alone):
    del alone
    made = LogView(session)
    qtbot.addWidget(made)
    session.log("Opened it.")
    session.log("The disk is busy.\nWait for it.", "warning")
    session.log("The disk is gone.", "error")
    return made


def colours(log):
    """The colour of each line's last letter."""
    found, block = [], log.document().begin()
    while block.isValid():
        looks = block.layout().formats()
        found.append(looks[-1].format.foreground().color())
        block = block.next()
    return found


def test_that_lines_have_the_colours_of_their_levels_and_follow_the_theme(log, theme_manager):
    assert colours(log) == [LIGHT.text, LIGHT.warn, LIGHT.warn, LIGHT.bad]
    before = log.toPlainText()
    theme_manager.set_mode("dark")
    log.add("info", "Opened it again.")
    assert colours(log) == [DARK.text, DARK.warn, DARK.warn, DARK.bad, DARK.text]
    assert log.toPlainText().startswith(before)
