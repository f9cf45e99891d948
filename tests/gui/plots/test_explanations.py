"""What tool tips say of series and settings can be read at a glance."""

import pytest

from modelmon.gui.plots import explanations
from modelmon.gui.session.run_words import AXIS_HELP

MOST_WORDS = 20
TIPS = {
    f"{name}-{key}": text
    for name, texts in {**vars(explanations), "AXIS_HELP": AXIS_HELP}.items()
    if name.isupper() and isinstance(texts, dict)
    for key, text in texts.items()
}


@pytest.mark.parametrize("name", TIPS)
def test_that_a_tool_tip_is_short(name):
    assert len(TIPS[name].split()) <= MOST_WORDS
