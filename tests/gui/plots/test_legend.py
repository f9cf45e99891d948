"""Legend entries: buttons that stay legible whatever they show."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics, QPixmap

from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.widgets.theme import font, manager

TEXT_FROM_PX = 25


def painted(entry):
    """The colours of its words, large enough to have pixels without a trace of the mount."""
    entry.setFont(font(44))
    entry.resize(TEXT_FROM_PX + 60, 60)
    drawn = QPixmap(entry.size())
    drawn.fill(manager().theme.panel)
    entry.render(drawn)
    place = QRect(TEXT_FROM_PX, 0, entry.width() - TEXT_FROM_PX, entry.height())
    image = drawn.toImage().copy(place)
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_that_a_hidden_series_has_a_name_that_can_be_read(qtbot, theme_manager, mode):
    theme_manager.set_mode(mode)
    theme = theme_manager.theme
    entry = LegendEntry("device", "thin")
    qtbot.addWidget(entry)

    def words(colour):
        return colour.name() in painted(entry)

    assert words(theme.text_2)
    entry.setChecked(False)
    assert words(theme.text_2)
    entry.set_available(available=False, reason="Not known here.")
    assert not words(theme.text_2)
    assert words(theme.neutral_2)


def test_that_letters_are_whole_in_fonts_with_long_strokes(qtbot):
    entry = LegendEntry("|", "fill")
    qtbot.addWidget(entry)
    entry.setFont(font(14))
    entry.resize(TEXT_FROM_PX + 20, 22)
    image = entry.grab().toImage()
    ground = image.pixel(image.width() - 1, image.height() - 1)
    # Right of the sample stands the letter alone.
    places = [
        y
        for y in range(image.height())
        for x in range(TEXT_FROM_PX, image.width())
        if image.pixel(x, y) != ground
    ]
    letter = QFontMetrics(entry.font()).tightBoundingRect("|")
    assert max(places) - min(places) + 1 >= letter.height()
