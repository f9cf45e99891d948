from importlib import resources
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton

from modelmon.gui.widgets.theme import DARK, LIGHT, app_icon, icon, set_icon

DRAWINGS = resources.files("modelmon.resources") / "icons"
NAMES = sorted({file.name.removesuffix(".svg") for file in DRAWINGS.iterdir()} - {"app"})
SIZE = QSize(16, 16)


def _image(made, ratio=1.0, mode=QIcon.Mode.Normal):
    return made.pixmap(SIZE, ratio, mode).toImage()


def _colours(image):
    """The colours of its fully covered pixels."""
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_that_each_icon_is_drawn_in_the_text_colour(name):
    # Twice the size: at 16 px some drawings have no pixel that is covered wholly.
    assert _colours(_image(icon(name), ratio=2.0)) == {LIGHT.text.name()}
    assert _image(icon(name), ratio=2.0).size() == QSize(32, 32)


@pytest.mark.parametrize("name", NAMES)
def test_that_each_drawing_keeps_to_one_grid_and_one_colour(name):
    root = ET.fromstring((DRAWINGS / f"{name}.svg").read_text("utf-8"))
    assert root.get("viewBox") == "0 0 16 16"
    paints = {part.get(key) for part in root.iter() for key in ("fill", "stroke")}
    assert paints <= {"currentColor", "none", None}


def test_that_a_disabled_icon_is_grey():
    assert _colours(_image(icon("run"), 2.0, QIcon.Mode.Disabled)) == {LIGHT.neutral_2.name()}


def test_that_the_icon_set_last_is_retinted_when_the_theme_changes(qtbot, theme_manager):
    plain, primary = QPushButton(), QPushButton()
    for button, name, role in ((plain, "maximise", "text"), (primary, "run", "ink_text")):
        qtbot.addWidget(button)
        set_icon(button, name, role)
    set_icon(plain, "run")
    theme_manager.set_mode("dark")
    assert _image(plain.icon()) == _image(icon("run"))
    assert _colours(_image(plain.icon())) == {DARK.text.name()}
    assert _colours(_image(primary.icon())) == {DARK.ink_text.name()}


def test_that_the_program_has_an_icon_of_its_own_in_many_sizes():
    sizes = {size.width() for size in app_icon().availableSizes()}
    assert {16, 48, 256} <= sizes
